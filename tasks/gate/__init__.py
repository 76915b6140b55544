"""The gate: a change of existing code is checked against a task, in any language."""

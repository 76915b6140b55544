"""The record of a check: a task, a change of code, and PASS or FAIL."""

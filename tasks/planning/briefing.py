"""What the plan has to say to whoever writes the program, as lines of Markdown; notes about Forge are left out."""

from __future__ import annotations

from collections.abc import Iterator

from contracts.plan import FeasiblePlan


def briefing(plan: FeasiblePlan) -> Iterator[str]:
    """How each clause is going to be proven, boundary values, and hints."""
    yield from ("# How each clause is going to be proven", "")
    yield from (f"- {step.text}" for step in plan.steps)
    if plan.boundaries:
        yield from ("", "# Where behaviour changes", "")
        yield from (f"- {item.subject}: on {item.value}, just below and just above" for item in plan.boundaries)
    hints = [hint for hint in plan.hints if hint.kind != "note"]
    if hints:
        yield from ("", "# Hints", "")
        yield from (f"- {hint.text}" for hint in hints)

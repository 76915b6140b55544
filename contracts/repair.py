"""What a coder is told after a failed attempt. No expected value that the requirement does not state itself."""

from __future__ import annotations

from contracts.model import Count, Model, Sha256
from contracts.requirement import Span
from contracts.verdict import FailureSignature


class RepairItem(Model):
    """One failure to mend: the class, the clauses, the input, and what the candidate did."""

    signature: FailureSignature
    requirement_ids: tuple[str, ...]
    spans: tuple[Span, ...]
    input: str
    observed: str


class RepairDirective(Model):
    """The directive for attempt ``attempt``, drawn from the artifact of the attempt before."""

    build_spec: Sha256
    artifact: Sha256
    attempt: Count
    items: tuple[RepairItem, ...]

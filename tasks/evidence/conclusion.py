"""What the ends of all types of run have in common."""

from __future__ import annotations

from contracts.verdict import Failure, Fault, fault_of


class NoConclusion(ValueError):  # noqa: N818 - it is the absence that is raised
    """The record ends neither well nor with a cause; what is missing is not a pass (law 3)."""


def blame(failures: tuple[Failure, ...]) -> Fault:
    """Whose fault several failures are. What the infrastructure left open is not put on a candidate (law 3)."""
    faults = {fault_of(failure.signature) for failure in failures}
    order = (Fault.INFRASTRUCTURE, Fault.REQUIREMENT, Fault.CANDIDATE)
    return next((fault for fault in order if fault in faults), Fault.NONE)

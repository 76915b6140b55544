"""Which attempt is the best, and whether another round is due: derived from the attempts alone. Pure (VER-07).

A repair never trades one check for another: an attempt is better only if it holds all that the best one held.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from contracts.gate import CheckVerdict, GateEvidence, GateVerdict, Subject
from contracts.patch import RejectionCode
from contracts.repair import Proposal, RepairPlan, StopReason
from contracts.verdict import Failure, FailureSignature, Fault
from tasks.evidence.conclusion import blame

UNCHANGED = {RejectionCode.NOTHING, RejectionCode.REPEATED}
"""A proposal refused for these alone brings nothing new; two in a row end the loop."""

NO_ANSWER = {
    FailureSignature.NO_CANDIDATE,
    FailureSignature.MODEL_UNAVAILABLE,
    FailureSignature.UNUSABLE_ANSWER,
    FailureSignature.BUDGET_EXHAUSTED,
}
"""Failures of whoever was to propose; no candidate is at fault for them (REP-07)."""


@dataclass(frozen=True)
class Judged:
    """An attempt: its number, what was judged, by what evidence, and how."""

    number: int
    subject: Subject
    evidence: GateEvidence
    verdict: GateVerdict


def best(attempts: Sequence[Judged]) -> Judged:
    """The attempt that the next round starts from, and that is kept in the end: the first of the best."""
    found = attempts[0]
    for attempt in attempts[1:]:
        if improves(attempt.verdict, found.verdict):
            found = attempt
    return found


def improves(new: GateVerdict, old: GateVerdict) -> bool:
    """Whether ``new`` holds all that ``old`` held, and more; of two that hold the same, more passed tests are more."""
    now, before = held(new), held(old)
    return now > before or (now == before and _tests(new) > _tests(old))


def broken(new: GateVerdict, old: GateVerdict) -> tuple[str, ...]:
    """What ``old`` held and ``new`` does not, by name."""
    return tuple(sorted(held(old) - held(new)))


def held(verdict: GateVerdict) -> frozenset[str]:
    """The checks that passed; and, by the name of no check, that nothing stands against the change itself."""
    passed = {result.check for result in verdict.results if result.verdict is CheckVerdict.PASS}
    return frozenset(passed if verdict.failures else {*passed, ""})


def failures(verdict: GateVerdict) -> tuple[Failure, ...]:
    """All failures of a verdict, those against the change first."""
    return (*verdict.failures, *(failure for result in verdict.results for failure in result.failures))


def stop(
    plan: RepairPlan, attempts: Sequence[Judged], proposals: Sequence[Proposal], stopped: Failure | None = None
) -> StopReason | None:
    """Why the loop ends here, or None where another round is due. ``stopped`` is the fault that ended the run."""
    if stopped is not None:
        no_answer = bool(attempts) and stopped.signature in NO_ANSWER
        return StopReason.GENERATION_FAILED if no_answer else StopReason.INFRASTRUCTURE
    if not attempts:
        return StopReason.INFRASTRUCTURE
    if best(attempts).verdict.verdict is CheckVerdict.PASS:
        return StopReason.PASSED
    if blame(failures(attempts[0].verdict)) is not Fault.CANDIDATE:
        return StopReason.NOT_REPAIRABLE
    if len(proposals) >= plan.max_rounds:
        return StopReason.ROUNDS_EXHAUSTED
    last = proposals[-2:]
    return StopReason.NO_CHANGE if len(last) == 2 and all(_is_unchanged(item) for item in last) else None


def _is_unchanged(proposal: Proposal) -> bool:
    return bool(proposal.rejections) and {item.code for item in proposal.rejections} <= UNCHANGED


def _tests(verdict: GateVerdict) -> int:
    return sum(result.tests.passed for result in verdict.results if result.tests is not None)

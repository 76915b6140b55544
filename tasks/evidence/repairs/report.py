"""What a person reads of a repair: the task, each attempt with what led to it, and why it ended."""

from __future__ import annotations

from collections.abc import Iterator

from contracts.gate import CheckVerdict
from contracts.repair import Proposal, StopReason
from tasks.evidence.checks.report import isolation_lines, result_line
from tasks.evidence.repairs.contents import RepairContents
from tasks.evidence.report import Line, Mark, Section, failure_line, printable
from tasks.repair.progress import Judged, broken

STOPPED = {
    StopReason.PASSED: "an attempt passed",
    StopReason.NOT_REPAIRABLE: "what fails is not the candidate's fault, so no round was spent on it",
    StopReason.ROUNDS_EXHAUSTED: "the budget of rounds is spent",
    StopReason.NO_CHANGE: "two proposals in a row brought nothing new",
    StopReason.GENERATION_FAILED: "whoever proposes gave no usable answer",
    StopReason.INFRASTRUCTURE: "the infrastructure failed, or the run was interrupted",
}
"""The end of a repair, in words."""

_LINES = 60


def sections(contents: RepairContents) -> Iterator[Section]:
    """The sections of a repair's report."""
    yield Section("Task", lambda: _task(contents))
    yield Section("Attempts", lambda: _attempts(contents), "timeline")
    yield Section("Outside the verdict", lambda: _outside(contents))
    yield Section("Sandbox", lambda: isolation_lines(contents.isolation))
    yield Section("Proposals", lambda: _proposals(contents), "long")


def _task(contents: RepairContents) -> Iterator[Line]:
    plan, outcome = contents.plan, contents.outcome
    yield Line("plain", printable(contents.task.spec.brief))
    yield Line("plain", f"proposals by {printable(plan.adviser)}, at most {plan.max_rounds} rounds")
    if outcome is not None:
        mark: Mark = "good" if outcome.stopped is StopReason.PASSED else "bad"
        words = f"ended after {outcome.rounds} rounds ({outcome.stopped.value}): {STOPPED[outcome.stopped]}"
        yield Line(mark, words)


def _attempts(contents: RepairContents) -> Iterator[Line]:
    judged = {attempt.number: attempt for attempt in contents.judged}
    if 0 in judged:
        yield _attempt(judged[0], "as it came", contents)
    for proposal in contents.proposals:
        if proposal.attempt is None:
            reasons = tuple(printable(str(reason)) for reason in proposal.rejections)
            yield Line("bad", f"round {proposal.round}: refused, the candidate is untouched", reasons)
        elif proposal.attempt in judged:
            yield _attempt(judged[proposal.attempt], _lineage(proposal, judged), contents)


def _lineage(proposal: Proposal, judged: dict[int, Judged]) -> str:
    words = f"round {proposal.round}, on attempt {proposal.base}"
    assert proposal.attempt is not None  # noqa: S101 - for the type checker
    lost = broken(judged[proposal.attempt].verdict, judged[proposal.base].verdict)
    if lost:
        return f"{words}; not built upon, since it broke {', '.join(name or 'the change itself' for name in lost)}"
    return words


def _attempt(attempt: Judged, lineage: str, contents: RepairContents) -> Line:
    passed = attempt.verdict.verdict is CheckVerdict.PASS
    kept = contents.best is not None and contents.best.number == attempt.number
    title = f"attempt {attempt.number} ({lineage}): {attempt.verdict.verdict.value}{', the best' if kept else ''}"
    own = tuple(failure_line(failure, contents.text) for failure in attempt.verdict.failures)
    checks = tuple(result_line(item, contents.text) for item in attempt.verdict.results)
    return Line("good" if passed else "bad", title, inner=(*own, *checks))


def _outside(contents: RepairContents) -> Iterator[Line]:
    for item in contents.best.verdict.not_checked if contents.best is not None else ():
        yield Line("open", printable(item))


def _proposals(contents: RepairContents) -> Iterator[Line]:
    for proposal in contents.proposals:
        lines = proposal.text.splitlines()
        more = (f"and {len(lines) - _LINES} more lines",) if len(lines) > _LINES else ()
        shown = tuple(printable(line) for line in lines[:_LINES])
        yield Line("plain", f"round {proposal.round}", (*shown, *more))

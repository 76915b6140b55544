"""What the record of a repair holds: what it may do, the task, and attempts with the proposals that led to them."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from collections.abc import Set as AbstractSet
from dataclasses import dataclass
from itertools import pairwise
from typing import TYPE_CHECKING, ClassVar

from contracts.calls import usage_of
from contracts.candidate import Candidate
from contracts.canonical import Digest, Json, digest
from contracts.evidence import EntryKind
from contracts.gate import CheckSettings, CheckVerdict, GateEvidence, GateVerdict, Subject, Task
from contracts.isolation import IsolationReport
from contracts.model import Model
from contracts.repair import Proposal, RepairOutcome, RepairPlan, StopReason
from contracts.verdict import Failure
from tasks.evidence.checks.contents import gate_faults, results_of, task_faults
from tasks.evidence.conclusion import NoConclusion, blame
from tasks.evidence.contents import Contents, Tested, every, one, required, shared
from tasks.repair.progress import Judged, best, failures, stop

if TYPE_CHECKING:
    from tasks.evidence.report import Section

REDERIVED = ("order", "seals", "linkage", "checks", "outcome")

_K = EntryKind
_FOLLOWS: dict[EntryKind, AbstractSet[EntryKind]] = {
    _K.REPAIR_PLAN: {_K.TASK},
    _K.TASK: {_K.CHECK_SETTINGS},
    _K.CHECK_SETTINGS: {_K.ISOLATION, _K.REPAIR_OUTCOME},
    _K.ISOLATION: {_K.SUBJECT, _K.REPAIR_OUTCOME},
    _K.SUBJECT: {_K.CHECK_EVIDENCE, _K.REPAIR_OUTCOME},
    _K.CHECK_EVIDENCE: {_K.CHECK_VERDICT, _K.REPAIR_OUTCOME},
    _K.CHECK_VERDICT: {_K.PROPOSAL, _K.REPAIR_OUTCOME},
    _K.PROPOSAL: {_K.SUBJECT, _K.PROPOSAL, _K.REPAIR_OUTCOME},
}
"""Budget and task stand before the change is read, and one task stands for all attempts (REP-10)."""


@dataclass(frozen=True)
class Attempt:
    """One change, what was observed of it, and the judgement; None where the run ended before."""

    subject: Subject
    evidence: GateEvidence | None
    verdict: GateVerdict | None


@dataclass(frozen=True)
class RepairContents(Contents):
    """The models of a repair's record."""

    TYPE: ClassVar = "repair"
    SUBJECT: ClassVar = "task"
    ENDING: ClassVar = EntryKind.REPAIR_OUTCOME
    FOLLOWS: ClassVar = _FOLLOWS

    outcome: RepairOutcome | None
    plan: RepairPlan
    task: Task
    settings: CheckSettings
    isolation: IsolationReport | None
    attempts: tuple[Attempt, ...]
    proposals: tuple[Proposal, ...]

    @classmethod
    def of(cls, models: Sequence[Model]) -> RepairContents:
        """As `Contents.of`."""
        return cls(
            **shared(models),
            plan=required(models, RepairPlan),
            task=required(models, Task),
            settings=required(models, CheckSettings),
            isolation=one(models, IsolationReport),
            attempts=tuple(_attempts(models)),
            proposals=every(models, Proposal),
        )

    @property
    def judged(self) -> tuple[Judged, ...]:
        """The attempts that were judged, by number."""
        return tuple(
            Judged(number, attempt.subject, attempt.evidence, attempt.verdict)
            for number, attempt in enumerate(self.attempts)
            if attempt.evidence is not None and attempt.verdict is not None
        )

    @property
    def best(self) -> Judged | None:
        """The attempt that the verdict is about."""
        return best(self.judged) if self.judged else None

    @property
    def text(self) -> str:
        """The task, as it was written."""
        return self.task.text

    @property
    def candidate(self) -> Candidate | None:
        """The best attempt's tree; where none was judged, the first one's."""
        kept = self.best or next(iter(self.attempts), None)
        return kept.subject.candidate if kept is not None else None

    def trees(self) -> Iterator[Candidate]:
        """Candidates, overlay and base."""
        for subject in (attempt.subject for attempt in self.attempts):
            yield from (tree for tree in (subject.candidate, subject.overlay, subject.base) if tree is not None)

    def seal_faults(self) -> Iterator[str]:
        """As `Contents.seal_faults`; the linkage of proposals and attempts among them (VER-07)."""
        from tasks.evidence.repairs.linkage import linkage_faults

        yield from task_faults(self.task)
        if self.isolation is not None and self.isolation.policy != self.settings.policy.seal():
            yield "the isolation was measured under another policy"
        ran = any(attempt.evidence is not None for attempt in self.attempts)
        if ran and (self.isolation is None or not self.isolation.isolated):
            yield "code was run without proven isolation"
        yield from linkage_faults(self)

    def verdict_faults(self) -> Iterator[str]:
        """As `Contents.verdict_faults`."""
        for number, attempt in enumerate(self.attempts):
            if attempt.evidence is not None:
                for fault in gate_faults(self.task, attempt.subject, attempt.evidence, attempt.verdict):
                    yield f"attempt {number}: {fault}"

    def conclude(self, finished: str, stage_ms: Mapping[str, int]) -> RepairOutcome:
        """As `Contents.conclude`."""
        stopped = self.stopped.failure if self.stopped is not None else None
        reason = stop(self.plan, self.judged, self.proposals, stopped)
        if reason is None:
            raise NoConclusion("the repair ends where another round was due")
        kept = self.best
        found = tuple(_failures(kept, stopped, reason))
        return RepairOutcome(
            status=CheckVerdict.PASS if reason is StopReason.PASSED else CheckVerdict.FAIL,
            fault=blame(found),
            failures=found,
            stopped=reason,
            rounds=len(self.proposals) + (reason is StopReason.GENERATION_FAILED),
            best=kept.number if kept is not None else None,
            results=kept.verdict.results if kept is not None else (),
            not_checked=kept.verdict.not_checked if kept is not None else (),
            finished=finished,
            stage_ms=dict(stage_ms),
            usage=usage_of(self.calls),
        )

    def predicate(self) -> dict[str, Json]:
        """Task by digest, who proposed, and what verification derives again."""
        return {
            "task": digest(self.text.encode("utf-8")),
            "taskSpec": self.task.spec.seal(),
            "adviser": self.plan.adviser,
            "attempts": len(self.attempts),
            "rederived": list(REDERIVED),
        }

    def materials(self) -> Iterator[tuple[str, Digest]]:
        """Task, overlay, base, and the candidate as it came."""
        yield "task-spec", self.task.spec.seal()
        if self.attempts:
            subject = self.attempts[0].subject
            trees = {"overlay": subject.overlay, "base": subject.base, "candidate-0": subject.candidate}
            yield from ((name, tree.tree) for name, tree in trees.items() if tree is not None)

    def results(self) -> dict[str, bool]:
        """As the best attempt was judged: the change itself, and every check."""
        return results_of(self.task, self.best.verdict if self.best is not None else None)

    def tested(self) -> Iterator[Tested]:
        """Each check of each attempt."""
        for attempt in self.judged:
            group, verdict = f"attempt {attempt.number}", attempt.verdict
            yield Tested(group, "change", not verdict.failures, failures=verdict.failures)
            for result in verdict.results:
                yield Tested(group, result.check, result.verdict is CheckVerdict.PASS, failures=result.failures)

    def sections(self) -> Iterator[Section]:
        """As `Contents.sections`."""
        from tasks.evidence.repairs.report import sections

        return sections(self)


def _attempts(models: Sequence[Model]) -> Iterator[Attempt]:
    """The order of entries has been checked: evidence and verdict follow their subject."""
    starts = [index for index, model in enumerate(models) if isinstance(model, Subject)]
    for start, end in pairwise([*starts, len(models)]):
        own = models[start:end]
        yield Attempt(required(own, Subject), one(own, GateEvidence), one(own, GateVerdict))


def _failures(kept: Judged | None, stopped: Failure | None, reason: StopReason) -> Iterator[Failure]:
    """Those of the best attempt; a fault that left it open comes last. Who gave no answer is not to blame for it."""
    if kept is not None:
        yield from failures(kept.verdict)
    if stopped is not None and reason is not StopReason.GENERATION_FAILED:
        yield stopped

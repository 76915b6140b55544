"""What the record of a check holds: task, settings, isolation, then what was checked, observed and judged."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from collections.abc import Set as AbstractSet
from dataclasses import dataclass
from typing import TYPE_CHECKING, ClassVar

from contracts.calls import usage_of
from contracts.candidate import Candidate
from contracts.canonical import Digest, Json, digest
from contracts.evidence import EntryKind
from contracts.gate import CheckOutcome, CheckSettings, CheckVerdict, GateEvidence, GateVerdict, Subject, Task
from contracts.isolation import IsolationReport
from contracts.model import Model
from contracts.taskspec import MAX_TIMEOUT_S
from contracts.verdict import Failure
from tasks.evidence.conclusion import NoConclusion, blame
from tasks.evidence.contents import Contents, Tested, one, required, shared

if TYPE_CHECKING:
    from tasks.evidence.report import Section

REDERIVED = ("order", "seals", "checks", "outcome")

_K = EntryKind
_FOLLOWS: dict[EntryKind, AbstractSet[EntryKind]] = {
    _K.TASK: {_K.CHECK_SETTINGS},
    _K.CHECK_SETTINGS: {_K.ISOLATION, _K.CHECK_OUTCOME},
    _K.ISOLATION: {_K.SUBJECT, _K.CHECK_OUTCOME},
    _K.SUBJECT: {_K.CHECK_EVIDENCE, _K.CHECK_OUTCOME},
    _K.CHECK_EVIDENCE: {_K.CHECK_VERDICT, _K.CHECK_OUTCOME},
    _K.CHECK_VERDICT: {_K.CHECK_OUTCOME},
}
"""The task stands before the change is read (law 2, DEC-14)."""


@dataclass(frozen=True)
class CheckContents(Contents):
    """The models of a check's record."""

    TYPE: ClassVar = "check"
    SUBJECT: ClassVar = "task"
    ENDING: ClassVar = EntryKind.CHECK_OUTCOME
    FOLLOWS: ClassVar = _FOLLOWS

    outcome: CheckOutcome | None
    task: Task
    settings: CheckSettings
    isolation: IsolationReport | None
    subject: Subject | None
    evidence: GateEvidence | None
    verdict: GateVerdict | None

    @classmethod
    def of(cls, models: Sequence[Model]) -> CheckContents:
        """As `Contents.of`."""
        return cls(
            **shared(models),
            task=required(models, Task),
            settings=required(models, CheckSettings),
            isolation=one(models, IsolationReport),
            subject=one(models, Subject),
            evidence=one(models, GateEvidence),
            verdict=one(models, GateVerdict),
        )

    @property
    def text(self) -> str:
        """The task, as it was written."""
        return self.task.text

    @property
    def candidate(self) -> Candidate | None:
        """The tree after the change."""
        return self.subject.candidate if self.subject is not None else None

    def trees(self) -> Iterator[Candidate]:
        """Candidate, overlay and base."""
        if self.subject is not None:
            parts = (self.subject.candidate, self.subject.overlay, self.subject.base)
            yield from (tree for tree in parts if tree is not None)

    def seal_faults(self) -> Iterator[str]:
        """As `Contents.seal_faults`."""
        yield from task_faults(self.task)
        if self.isolation is not None and self.isolation.policy != self.settings.policy.seal():
            yield "the isolation was measured under another policy"
        if self.evidence is not None and (self.isolation is None or not self.isolation.isolated):
            yield "code was run without proven isolation"

    def verdict_faults(self) -> Iterator[str]:
        """As `Contents.verdict_faults`."""
        if self.subject is not None and self.evidence is not None:
            yield from gate_faults(self.task, self.subject, self.evidence, self.verdict)

    def conclude(self, finished: str, stage_ms: Mapping[str, int]) -> CheckOutcome:
        """As `Contents.conclude`."""
        verdict, failures = self.verdict, tuple(_failures(self))
        if verdict is None and not failures:
            raise NoConclusion("the run ends without a verdict and without a cause")
        passed = verdict is not None and not failures and verdict.verdict is CheckVerdict.PASS
        return CheckOutcome(
            status=CheckVerdict.PASS if passed else CheckVerdict.FAIL,
            fault=blame(failures),
            failures=failures,
            results=verdict.results if verdict is not None else (),
            not_checked=verdict.not_checked if verdict is not None else (),
            finished=finished,
            stage_ms=dict(stage_ms),
            usage=usage_of(self.calls),
        )

    def predicate(self) -> dict[str, Json]:
        """Task by digest, and what verification derives again."""
        return {
            "task": digest(self.text.encode("utf-8")),
            "taskSpec": self.task.spec.seal(),
            "rederived": list(REDERIVED),
        }

    def materials(self) -> Iterator[tuple[str, Digest]]:
        """Task, overlay and base."""
        yield "task-spec", self.task.spec.seal()
        for name in ("overlay", "base"):
            tree = getattr(self.subject, name, None)
            if tree is not None:
                yield name, tree.tree

    def results(self) -> dict[str, bool]:
        """The change itself, and every check."""
        return results_of(self.task, self.verdict)

    def tested(self) -> Iterator[Tested]:
        """Each check."""
        verdict = self.verdict
        if verdict is None:
            return
        yield Tested("change", "change", not verdict.failures, failures=verdict.failures)
        found = {result.check: result for result in verdict.results}
        for check in self.task.spec.checks:
            result = found.get(check.name)
            if result is None:
                yield Tested("checks", check.name, False, "the change is not one that checks are run on")
            else:
                yield Tested("checks", check.name, result.verdict is CheckVerdict.PASS, failures=result.failures)

    def sections(self) -> Iterator[Section]:
        """As `Contents.sections`."""
        from tasks.evidence.checks.report import sections

        return sections(self)


def results_of(task: Task, verdict: GateVerdict | None) -> dict[str, bool]:
    """Whether the change itself and every check held; without a verdict nothing did."""
    own = {"change": verdict is not None and not verdict.failures}
    passed = {item.check: item.verdict is CheckVerdict.PASS for item in verdict.results} if verdict else {}
    return own | {f"check {check.name}": passed.get(check.name, False) for check in task.spec.checks}


def task_faults(task: Task) -> Iterator[str]:
    """What the task says is not what its text says."""
    from tasks.gate.spec import parse_task

    if parse_task(task.text.encode("utf-8")) != task.spec:
        yield "the task is not the one that its text says"


def gate_faults(task: Task, subject: Subject, evidence: GateEvidence, verdict: GateVerdict | None) -> Iterator[str]:
    """A judgement that the evidence does not give, evidence of another change, or what no run can show (BND-14)."""
    from tasks.gate.changes import pairs
    from tasks.gate.judge import judge

    if subject.task != task.spec.seal() or evidence.subject != subject.seal():
        yield "the evidence is of another task or change"
    differing = [(path, kind) for path, kind, _, _ in pairs(subject)]
    if [(change.path, change.kind) for change in evidence.changes] != differing:
        yield "the changes are not those between base and candidate"
    seen = [observation for run in evidence.runs for observation in run.observations]
    if any(item.timing.wall_ms > 2_000 * MAX_TIMEOUT_S for item in seen):
        yield "a run took longer than any task allows"
    if any((item.exit_code is None) is (item.outcome == "exited") or abs(item.exit_code or 0) > 255 for item in seen):
        yield "a run has a status that no process has"
    if verdict is not None and verdict != judge(task.spec, subject, evidence):
        yield "the change is not judged as its evidence gives"


def _failures(contents: CheckContents) -> Iterator[Failure]:
    if contents.verdict is not None:
        yield from contents.verdict.failures
        yield from (failure for result in contents.verdict.results for failure in result.failures)
    if contents.stopped is not None:
        yield contents.stopped.failure

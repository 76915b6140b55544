"""What the gate observed of a change, and what follows from it; nothing of it is believed (law 1)."""

from __future__ import annotations

from enum import StrEnum
from typing import Annotated, Literal

from pydantic import Field

from contracts.candidate import Candidate
from contracts.evidence import Ending
from contracts.isolation import SandboxPolicy
from contracts.model import Bytes, Count, Model, Sha256, is_default
from contracts.patch import Rejection
from contracts.probe import CallProbe, Observation
from contracts.taskspec import TaskSpec
from contracts.verdict import Failure, Fault

Channel = Literal["exit_status", "reporter", "apart", "expectations"]
"""How a check's result is read, weakest first (DEC-03): by the exit status of a process that the candidate owns; by a
reporter of ours in that process; by a reporter in a sandbox without any code of the candidate; by expectations that
stay outside."""

Tree = Literal["candidate", "base"]


class CheckVerdict(StrEnum):
    """The end of a check, and of all of them together."""

    PASS = "PASS"  # noqa: S105 - a verdict
    FAIL = "FAIL"


class Task(Model):
    """A task, and the text that it was read from."""

    text: str
    spec: TaskSpec


class CheckSettings(Model):
    """How a task is checked: everything that is neither task nor change."""

    policy: SandboxPolicy = SandboxPolicy()


class CheckRequest(Model):
    """What is to be checked. ``candidate`` and ``base`` are directories, or with ``git`` revisions of that repository.

    ``overlay`` is the directory that the task's ``overlay`` names. ``patch`` is a change of ``candidate``, which then
    is the base.
    """

    task: Task
    overlay: str | None = None
    candidate: str
    base: str | None = None
    git: str | None = None
    patch: Bytes | None = None
    store: str
    policy: SandboxPolicy = SandboxPolicy()


class Subject(Model):
    """The trees that a check is about; ``rejections`` say why a patch of the candidate was refused (PAT-36).

    ``text`` is the digest of the task's file: where the candidate holds it, it is not shown to what it judges.
    """

    task: Sha256
    text: Annotated[Sha256 | None, Field(exclude_if=is_default)] = None
    candidate: Candidate
    overlay: Candidate | None = None
    base: Candidate | None = None
    patch: Sha256 | None = None
    rejections: tuple[Rejection, ...] = ()


class FileChange(Model):
    """One file that differs from the base. ``lines`` are those added and removed; a file that is no text has one."""

    path: str
    kind: Literal["added", "removed", "changed"]
    lines: Count


class Call(Model):
    """A call that tests made of the candidate, in a sandbox of its own: the ``time``-th of its kind in ``test``."""

    test: str
    name: str
    time: Count
    probe: CallProbe
    observation: Observation


class CheckRun(Model):
    """One run of one check. ``key`` is what its reporter proved its lines with; ``calls`` are those of tests apart."""

    check: str
    tree: Tree
    repeat: Count
    key: Annotated[str, Field(pattern=r"^[0-9a-f]{0,64}$")] = ""
    observations: tuple[Observation, ...]
    calls: tuple[Call, ...] = ()


class GateEvidence(Model):
    """All that a verdict rests on beside task and subject."""

    subject: Sha256
    changes: tuple[FileChange, ...] = ()
    runs: tuple[CheckRun, ...] = ()


class Tally(Model):
    """Tests by how they ended, as the reporter saw them; those required that were not executed and passed."""

    executed: Count
    passed: Count
    missing: tuple[str, ...] = ()


class CheckResult(Model):
    """The judgement of one check."""

    check: str
    verdict: CheckVerdict
    channel: Channel
    tests: Tally | None = None
    failures: tuple[Failure, ...] = ()


class GateVerdict(Model):
    """The judgement of a change: PASS iff no failure stands against the change itself and every check passed."""

    subject: Sha256
    evidence: Sha256
    verdict: CheckVerdict
    failures: tuple[Failure, ...] = ()
    results: tuple[CheckResult, ...] = ()
    not_checked: tuple[str, ...] = ()


class CheckOutcome(Ending):
    """How a check ended; without a verdict the infrastructure failed, and that is a FAIL too."""

    status: CheckVerdict
    results: tuple[CheckResult, ...]
    not_checked: tuple[str, ...]

    @property
    def passed(self) -> bool:
        """True iff PASS."""
        return self.status is CheckVerdict.PASS


class CheckReport(Model):
    """What ``forge check --json`` prints (DEC-01)."""

    status: CheckVerdict
    fault: Fault
    failures: tuple[Failure, ...]
    results: tuple[CheckResult, ...]
    not_checked: tuple[str, ...]
    record: str | None
    engine: str
    sandbox: str
    run: str
    stage_ms: dict[str, Count]
    notices: tuple[str, ...] = ()

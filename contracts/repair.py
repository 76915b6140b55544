"""What a coder is told after a failed attempt, and what a repair of a change was allowed, sent and reached.

No expected value is told that the requirement does not state itself.
"""

from __future__ import annotations

from enum import StrEnum
from typing import Annotated

from pydantic import Field

from contracts.calls import Explanation, Usage
from contracts.evidence import Ending
from contracts.gate import CheckRequest, CheckResult, CheckVerdict
from contracts.model import Count, Model, Sha256
from contracts.patch import Rejection
from contracts.requirement import Span
from contracts.verdict import Failure, FailureSignature, Fault

MAX_ROUNDS = 10
MAX_PROPOSAL = 1_000_000


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


class RepairPlan(Model):
    """What a repair may do, fixed before its first attempt (REP-03). ``adviser`` is the name of who proposes."""

    max_rounds: Annotated[int, Field(strict=True, ge=0, le=MAX_ROUNDS)]
    adviser: Annotated[str, Field(min_length=1, max_length=401)]


class Proposal(Model):
    """What an adviser sent in a round, in full, and what became of it (REP-05, REP-06).

    It changes the candidate of attempt ``base``. Either ``rejections`` say why it was refused as a whole, or
    ``attempt`` is the number of the attempt that it led to.
    """

    round: Annotated[int, Field(ge=1, le=MAX_ROUNDS)]
    base: Count
    text: Annotated[str, Field(max_length=MAX_PROPOSAL)]
    rejections: tuple[Rejection, ...] = ()
    attempt: Count | None = None


class StopReason(StrEnum):
    """Why a repair ended; `tasks.repair.progress.stop` derives it, then and when the record is verified (VER-07)."""

    PASSED = "passed"
    NOT_REPAIRABLE = "not_repairable"
    ROUNDS_EXHAUSTED = "rounds_exhausted"
    NO_CHANGE = "no_change"
    GENERATION_FAILED = "generation_failed"
    INFRASTRUCTURE = "infrastructure"


class RepairRequest(Model):
    """A change to check, and how often it may be mended."""

    check: CheckRequest
    max_rounds: Annotated[int, Field(strict=True, ge=0, le=MAX_ROUNDS)] = 3


class RepairOutcome(Ending):
    """How a repair ended: as the attempt ``best`` was judged (VER-07). ``rounds`` counts one without an answer too."""

    status: CheckVerdict
    stopped: StopReason
    rounds: Annotated[int, Field(ge=0, le=MAX_ROUNDS)]
    best: Count | None
    results: tuple[CheckResult, ...]
    not_checked: tuple[str, ...]

    @property
    def passed(self) -> bool:
        """True iff PASS."""
        return self.status is CheckVerdict.PASS


class RepairReport(Model):
    """What ``forge repair --json`` prints. ``patched`` is where the mended tree was written, where one was wanted.

    ``missing`` is why there was no answer, where that ended it.
    """

    status: CheckVerdict
    fault: Fault
    stopped: StopReason
    rounds: Count
    best: Count | None
    failures: tuple[Failure, ...]
    results: tuple[CheckResult, ...]
    proposals: tuple[Proposal, ...]
    explanation: Explanation | None
    missing: str | None = None
    usage: Usage | None
    not_checked: tuple[str, ...]
    record: str | None
    patched: str | None
    adviser: str
    engine: str
    sandbox: str
    run: str
    stage_ms: dict[str, Count]
    notices: tuple[str, ...] = ()

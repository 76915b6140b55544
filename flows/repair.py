"""The bounded loop: check, propose, apply to a copy, check again; every attempt in one record (REP-01 to REP-12).

What the loop decides by is derived from the attempts (`tasks.repair.progress`), and derived again by verification.
"""

from __future__ import annotations

import contextlib
from dataclasses import dataclass, field
from pathlib import Path

from contracts.calls import Explanation
from contracts.evidence import EntryKind
from contracts.gate import CheckVerdict, Subject
from contracts.repair import Proposal, RepairOutcome, RepairPlan, RepairReport, RepairRequest, StopReason
from contracts.verdict import Fault
from flows.check import judged, opened
from flows.engine import Engine, InlineEngine
from flows.listening import Listener, Silent
from flows.report import check_output, exported
from flows.run import Running, failure_of, run_name
from tasks.errors import InfrastructureError, NoCandidateError, StoreError, UsageError
from tasks.evidence.signing import SigningKey
from tasks.models.base import Adviser, ModelFault
from tasks.repair.lookup import Lookup
from tasks.repair.patched_out import check_destination, write_tree
from tasks.repair.progress import Judged, best, stop
from tasks.stages import Stage


class Interrupted(KeyboardInterrupt):
    """A repair that a signal ended; ``report`` names the record of it in the store."""

    def __init__(self, report: RepairReport) -> None:
        super().__init__("the run was interrupted")
        self.report = report


@dataclass
class _Repair:
    """One repair while it goes on."""

    run: Running
    request: RepairRequest
    adviser: Adviser
    lookup: Lookup | None
    plan: RepairPlan
    attempts: list[Judged] = field(default_factory=list)
    proposals: list[Proposal] = field(default_factory=list)
    explanation: Explanation | None = None
    missing: str | None = None


def repair(
    request: RepairRequest,
    adviser: Adviser,
    engine: Engine | None = None,
    listener: Listener | None = None,
    *,
    lookup: Lookup | None = None,
    out: Path | None = None,
    patched_out: Path | None = None,
    name: str | None = None,
    key: SigningKey | None = None,
) -> RepairReport:
    """Check a change and have it mended until it passes or a reason to stop is met.

    Args:
        request: what to check, and the budget of rounds.
        adviser: proposes changes and explains; it judges nothing (ADP-01).
        engine: how stages are run; plain calls by default.
        listener: told of progress.
        lookup: of documentation, for the explanation; None where nobody asked for any.
        out: as `flows.build.build`.
        patched_out: a directory that does not exist yet, for the best candidate if a proposal led to it.
        name: of the run; by default from the task's first words.
        key: signs the record; by default the user's own.

    Raises:
        UsageError: the request cannot be carried out as given, and nothing is recorded; or an output cannot be written.
        StoreError: the record cannot be kept.
        Interrupted: a KeyboardInterrupt; the store holds a sealed record, and no output is written (OUT-12).
    """
    check_output(out)
    if patched_out is not None:
        check_destination(patched_out, _places(request, out))
    check = request.check
    title = name or run_name(check.task.spec.brief)
    run = Running(check.store, engine or InlineEngine(), listener or Silent(), title, key)
    plan = RepairPlan(max_rounds=request.max_rounds, adviser=adviser.name)
    state = _Repair(run, request, adviser, lookup, plan)
    try:
        _pursue(state)
    except UsageError:
        raise
    except Exception as error:  # noqa: BLE001 - whatever it is, the record says so (law 3)
        run.fault(error, "repair")
    except BaseException as interruption:
        with contextlib.suppress(StoreError):  # whoever interrupts is not held up by a store that is full
            run.fault(interruption, "repair")
            report = _report(state, None, None)
            if isinstance(interruption, KeyboardInterrupt):
                raise Interrupted(report) from interruption
        raise
    return _report(state, out, patched_out)


def _pursue(state: _Repair) -> None:
    run, check = state.run, state.request.check
    run.add(EntryKind.REPAIR_PLAN, state.plan)
    _judge(state, opened(run, check))
    try:
        while stop(state.plan, state.attempts, state.proposals) is None:
            _round(state)
    except (ModelFault, NoCandidateError) as fault:  # recorded by the stage; the report is delivered (REP-07)
        state.missing = failure_of(fault).detail
    _explain(state)


def _round(state: _Repair) -> None:
    """One proposal, and the attempt that it leads to."""
    from tasks.repair.feedback import brief
    from tasks.repair.rounds import tried

    run, task = state.run, state.request.check.task.spec
    told = brief(task, state.attempts, state.proposals, run.store)
    answer = run.stage(Stage("propose", lambda: state.adviser.propose), told)
    run.account(answer.calls)
    proposal, subject = tried(answer.text, state.attempts, state.proposals, run.store)
    state.proposals.append(proposal)
    run.add(EntryKind.PROPOSAL, proposal)
    if subject is not None:
        _judge(state, subject)


def _judge(state: _Repair, subject: Subject) -> None:
    """One attempt, as `flows.check` judges a change."""
    state.run.attempt = len(state.attempts)
    evidence, verdict = judged(state.run, state.request.check, subject)
    state.attempts.append(Judged(len(state.attempts), subject, evidence, verdict))


def _explain(state: _Repair) -> None:
    """Why the best attempt fails, for people; costs no verdict (REP-09)."""
    from tasks.repair.explain import explain

    reason = stop(state.plan, state.attempts, state.proposals)
    if reason is StopReason.PASSED:
        return
    run, task = state.run, state.request.check.task.spec
    asked = state.adviser if reason is not StopReason.NOT_REPAIRABLE else None  # no code mends that: no token is spent
    explanation, calls = explain(
        task, state.attempts, state.proposals, run.store, adviser=asked, lookup=state.lookup
    )  # fmt: skip
    run.account(calls)
    run.add(EntryKind.EXPLANATION, explanation)
    state.explanation = explanation


def _report(state: _Repair, out: Path | None, patched_out: Path | None) -> RepairReport:
    run = state.run
    outcome, record, inclusion = run.seal(RepairOutcome)
    where = exported(run, record, inclusion, out)
    patched = patched_out if outcome.best else None
    if patched is not None:
        write_tree(patched, best(state.attempts).subject.candidate, run.store)
    report = RepairReport(
        status=outcome.status,
        fault=outcome.fault,
        stopped=outcome.stopped,
        rounds=outcome.rounds,
        best=outcome.best,
        failures=outcome.failures,
        results=outcome.results,
        proposals=tuple(state.proposals),
        explanation=state.explanation,
        missing=state.missing,
        usage=outcome.usage,
        not_checked=outcome.not_checked,
        record=where,
        patched=str(patched) if patched is not None else None,
        adviser=state.plan.adviser,
        engine=run.engine.name,
        sandbox=state.request.check.policy.backend,
        run=run.name,
        stage_ms=outcome.stage_ms,
        notices=run.notices,
    )
    run.listener.ended(report)
    return report


def unrecorded(error: InfrastructureError, adviser: str, sandbox: str) -> RepairReport:
    """What can be said where the infrastructure fails before or beside the record: nothing was judged (DEC-02)."""
    return RepairReport(
        status=CheckVerdict.FAIL,
        fault=Fault.INFRASTRUCTURE,
        stopped=StopReason.INFRASTRUCTURE,
        rounds=0,
        best=None,
        failures=(failure_of(error),),
        results=(),
        proposals=(),
        explanation=None,
        usage=None,
        not_checked=(),
        record=None,
        patched=None,
        adviser=adviser,
        engine=InlineEngine.name,
        sandbox=sandbox,
        run="",
        stage_ms={},
    )


def _places(request: RepairRequest, out: Path | None) -> list[Path]:
    """What the mended tree may not lie in, nor hold."""
    check = request.check
    named = [check.git, check.overlay] if check.git is not None else [check.candidate, check.base, check.overlay]
    return [*(Path(place) for place in named if place is not None), *([out] if out is not None else [])]

"""The gate: a change and a task in, PASS or FAIL and a signed record out (DEC-24).

read_task(path) -> (Task, overlay directory | None)                         tasks/gate/spec.py
read_subject(CheckRequest) -> Subject                                       tasks/gate/subject.py
observe(TaskSpec, Subject, SandboxPolicy, store) -> GateEvidence            tasks/gate/observe.py
judge(TaskSpec, Subject, GateEvidence) -> GateVerdict                       tasks/gate/judge.py, pure
"""

from __future__ import annotations

import contextlib
from pathlib import Path

from contracts.evidence import EntryKind
from contracts.gate import (
    CheckOutcome,
    CheckReport,
    CheckRequest,
    CheckSettings,
    CheckVerdict,
    GateEvidence,
    GateVerdict,
    Subject,
)
from contracts.settings import BuildSettings
from contracts.verdict import Fault
from flows.engine import Engine, InlineEngine
from flows.listening import Listener, Silent
from flows.report import check_output, exported
from flows.run import Running, failure_of, run_name
from tasks import stages
from tasks.errors import StoreError, UsageError
from tasks.evidence.signing import SigningKey


class Interrupted(KeyboardInterrupt):
    """A check that a signal ended; ``report`` names the record of it in the store."""

    def __init__(self, report: CheckReport) -> None:
        super().__init__("the run was interrupted")
        self.report = report


def check(
    request: CheckRequest,
    engine: Engine | None = None,
    listener: Listener | None = None,
    *,
    out: Path | None = None,
    name: str | None = None,
    key: SigningKey | None = None,
) -> CheckReport:
    """Check a change and leave a signed record of it in the store.

    Args and errors as `flows.build.build`; a patch that is refused is a FAIL with ``patch_rejected``.
    """
    check_output(out)
    title = name or run_name(request.task.spec.brief)
    run = Running(request.store, engine or InlineEngine(), listener or Silent(), title, key)
    try:
        _pursue(run, request)
    except UsageError:
        raise
    except Exception as error:  # noqa: BLE001 - whatever it is, the record says so (law 3)
        run.fault(error, "check")
    except BaseException as interruption:
        with contextlib.suppress(StoreError):  # whoever interrupts is not held up by a store that is full
            run.fault(interruption, "check")
            report = _report(run, request, None)
            if isinstance(interruption, KeyboardInterrupt):
                raise Interrupted(report) from interruption
        raise
    return _report(run, request, out)


def _pursue(run: Running, request: CheckRequest) -> None:
    judged(run, request, opened(run, request))


def opened(run: Running, request: CheckRequest) -> Subject:
    """Record what stands before the change (law 2), and read the change."""
    run.add(EntryKind.TASK, request.task)
    run.add(EntryKind.CHECK_SETTINGS, CheckSettings(policy=request.policy))
    isolation = run.stage(stages.ISOLATE, BuildSettings(store=request.store, policy=request.policy))
    run.add(EntryKind.ISOLATION, isolation)
    return run.stage(stages.SUBJECT, request)


def judged(run: Running, request: CheckRequest, subject: Subject) -> tuple[GateEvidence, GateVerdict]:
    """Run every check on a change, judge it, and record all of it."""
    from tasks.gate.judge import judge
    from tasks.gate.observe import evidence_of

    task, policy = request.task.spec, request.policy
    run.add(EntryKind.SUBJECT, subject)
    runs = [one for item in task.checks for one in run.stage(stages.CHECK, item, task, subject, policy, request.store)]
    evidence = evidence_of(subject, runs, request.store)
    run.add(EntryKind.CHECK_EVIDENCE, evidence)
    verdict = judge(task, subject, evidence)
    run.add(EntryKind.CHECK_VERDICT, verdict)
    return evidence, verdict


def _report(run: Running, request: CheckRequest, out: Path | None) -> CheckReport:
    outcome, record, inclusion = run.seal(CheckOutcome)
    report = CheckReport(
        status=outcome.status,
        fault=outcome.fault,
        failures=outcome.failures,
        results=outcome.results,
        not_checked=outcome.not_checked,
        record=exported(run, record, inclusion, out),
        engine=run.engine.name,
        sandbox=request.policy.backend,
        run=run.name,
        stage_ms=outcome.stage_ms,
        notices=run.notices,
    )
    run.listener.ended(report)
    return report


def unrecorded(error: Exception, engine: str, sandbox: str) -> CheckReport:
    """What can be said where the infrastructure fails before or beside the record: nothing was judged (DEC-02)."""
    return CheckReport(
        status=CheckVerdict.FAIL,
        fault=Fault.INFRASTRUCTURE,
        failures=(failure_of(error),),
        results=(),
        not_checked=(),
        record=None,
        engine=engine,
        sandbox=sandbox,
        run="",
        stage_ms={},
    )

"""The verdict on a change, from what was observed (law 1). Pure: verification calls it again on the stored evidence."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from contracts.gate import CheckResult, CheckRun, CheckVerdict, GateEvidence, GateVerdict, Subject, Tally
from contracts.probe import Observation
from contracts.taskspec import CallCheck, Check, ProbeCheck, SuiteCheck, TaskSpec
from contracts.verdict import Failure, FailureSignature
from tasks.gate.findings import structured_failures, suite_failures, weak_failures
from tasks.gate.globs import matches
from tasks.gate.manifest import read_manifest
from tasks.gate.plan import channel
from tasks.gate.suites import tally
from tasks.gate.trees import missing_artifacts, protected_changes

NOT_CHECKED = {
    "exit_status": "the process that decides belongs to the candidate: it can exit with 0 whatever it did",
    "reporter": "the tests ran in one process with the candidate, which can reach what watches them",
}
"""What a channel cannot see (law 8, DEC-03)."""

_NAMED = 20


def judge(task: TaskSpec, subject: Subject, evidence: GateEvidence) -> GateVerdict:
    """PASS iff nothing stands against the change itself and every check passed; what was not run is no pass (law 3)."""
    failures = tuple(_change_failures(task, subject, evidence))
    stopped = bool(subject.rejections or missing_artifacts(task, subject))
    results = () if stopped else tuple(_result(check, evidence) for check in task.checks)
    passed = not failures and all(result.verdict is CheckVerdict.PASS for result in results)
    return GateVerdict(
        subject=subject.seal(),
        evidence=evidence.seal(),
        verdict=CheckVerdict.PASS if passed else CheckVerdict.FAIL,
        failures=failures,
        results=results,
        not_checked=tuple(_not_checked(subject, results)),
    )


def _change_failures(task: TaskSpec, subject: Subject, evidence: GateEvidence) -> Iterator[Failure]:
    if subject.task != task.seal() or evidence.subject != subject.seal():
        yield _failure(FailureSignature.SEAL_MISMATCH, "the evidence is of another task or change")
    if subject.rejections:
        reasons = "; ".join(str(rejection) for rejection in subject.rejections)
        yield _failure(FailureSignature.PATCH_REJECTED, reasons[:4_000])
        return
    for path in missing_artifacts(task, subject):
        yield _failure(FailureSignature.ARTIFACT_MISSING, f"{path} is not in the candidate{_dropped(subject, path)}")
    touched = protected_changes(task, subject)
    if touched:
        yield _failure(FailureSignature.PROTECTED_PATH_CHANGED, _listed(touched))
    yield from _scope_failures(task, evidence)


def _scope_failures(task: TaskSpec, evidence: GateEvidence) -> Iterator[Failure]:
    scope = task.scope
    if scope is None:
        return
    outside = [change.path for change in evidence.changes if scope.paths and not matches(change.path, scope.paths)]
    if outside:
        yield _failure(FailureSignature.SCOPE_EXCEEDED, f"beyond the expected paths: {_listed(outside)}")
    sizes = (("files", len(evidence.changes), scope.max_files), ("lines", _lines(evidence), scope.max_lines))
    for name, found, most in sizes:
        if most is not None and found > most:
            yield _failure(FailureSignature.SCOPE_EXCEEDED, f"{found} {name} changed, at most {most} are expected")


def _lines(evidence: GateEvidence) -> int:
    return sum(change.lines for change in evidence.changes)


def _result(check: Check, evidence: GateEvidence) -> CheckResult:
    runs = [run for run in evidence.runs if run.check == check.name]
    own = [run for run in runs if run.tree == "candidate"]
    failures = tuple(_check_failures(check, own, [run for run in runs if run.tree == "base"]))
    return CheckResult(
        check=check.name,
        verdict=CheckVerdict.FAIL if failures else CheckVerdict.PASS,
        channel=channel(check),
        tests=_tally(check, own),
        failures=failures,
    )


def _check_failures(check: Check, own: Sequence[CheckRun], base: Sequence[CheckRun]) -> Iterator[Failure]:
    if [run.repeat for run in own] != list(range(check.repeats)) or len(base) != int(check.must_fail_before):
        yield _failure(FailureSignature.SEAL_MISMATCH, f"the runs of check {check.name} are not those of the task")
        return
    found = [run_failures(check, run) for run in own]
    passed = len([failures for failures in found if not failures])
    yield from next((failures for failures in found if failures), ())
    if 0 < passed < check.repeats:
        yield _failure(FailureSignature.FLAKY_CHECK, f"{passed} of {check.repeats} runs of check {check.name} passed")
    if check.must_fail_before and not run_failures(check, base[0]):
        detail = f"check {check.name} has to fail before the change, and passes on the base"
        yield _failure(FailureSignature.VACUOUS_CHECK, detail)


def run_failures(check: Check, run: CheckRun) -> tuple[Failure, ...]:
    """What stands against one run; empty iff it passed."""
    if isinstance(check, (ProbeCheck, CallCheck)):
        return tuple(structured_failures(check, run))
    if len(run.observations) != 1:
        return (_failure(FailureSignature.SEAL_MISMATCH, f"check {check.name} was not run once"),)
    (seen,) = run.observations
    if isinstance(check, SuiteCheck):
        return tuple(suite_failures(check, run, seen))
    return tuple(weak_failures(check, seen))


def _tally(check: Check, runs: Sequence[CheckRun]) -> Tally | None:
    """Of the first run."""
    if not isinstance(check, SuiteCheck) or not runs or not runs[0].observations:
        return None
    seen: Observation = runs[0].observations[0]
    return tally(check.tests, read_manifest(seen, runs[0].key))


def _not_checked(subject: Subject, results: Sequence[CheckResult]) -> Iterator[str]:
    for weak, words in NOT_CHECKED.items():
        names = [result.check for result in results if result.channel == weak]
        if names:
            yield f"{_listed(names)}: {words}"
    if subject.base is None:
        yield "how the change differs from the state before it: no base was given"
    if subject.candidate.dropped:
        yield f"what is no part of the tree: {_listed([item.path for item in subject.candidate.dropped])}"


def _dropped(subject: Subject, path: str) -> str:
    reason = next((item.reason for item in subject.candidate.dropped if item.path == path), None)
    return f" ({reason})" if reason else ""


def _listed(names: Sequence[str]) -> str:
    more = len(names) - _NAMED
    return ", ".join(names[:_NAMED]) + (f" and {more} more" if more > 0 else "")


def _failure(signature: FailureSignature, detail: str) -> Failure:
    return Failure(signature=signature, detail=detail)

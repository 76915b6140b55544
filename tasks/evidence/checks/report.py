"""What a person reads of a check: the task, the change, each check, and every run."""

from __future__ import annotations

from collections.abc import Iterator

from contracts.gate import CheckResult, CheckVerdict
from contracts.isolation import IsolationReport
from tasks.evidence.checks.contents import CheckContents
from tasks.evidence.report import Line, Mark, Section, failure_line, printable
from tasks.validation.readable import seen

CHANNELS = {
    "exit_status": "by the exit status of a process that the candidate owns (weak)",
    "reporter": "by a reporter of Forge's in one process with the candidate (weak)",
    "apart": "by tests that ran beside no code of the candidate",
    "expectations": "by expectations that never entered the sandbox",
}


def sections(contents: CheckContents) -> Iterator[Section]:
    """The sections of a check's report."""
    yield Section("Task", lambda: _task(contents))
    yield Section("Change", lambda: _change(contents))
    yield Section("Checks", lambda: _checks(contents))
    yield Section("Outside the verdict", lambda: _outside(contents))
    yield Section("Sandbox", lambda: isolation_lines(contents.isolation))
    yield Section("Runs", lambda: _runs(contents), "long")


def _task(contents: CheckContents) -> Iterator[Line]:
    spec = contents.task.spec
    yield Line("plain", printable(spec.brief))
    for path in spec.protected:
        yield Line("plain", printable(f"protected: {path}"))


def _change(contents: CheckContents) -> Iterator[Line]:
    subject, evidence = contents.subject, contents.evidence
    if subject is None:
        return
    yield Line("plain", printable(f"candidate {subject.candidate.provenance.label}"), (subject.candidate.tree,))
    for name, tree in (("overlay", subject.overlay), ("base", subject.base)):
        if tree is not None:
            yield Line("plain", printable(f"{name} {tree.provenance.label}"), (tree.tree,))
    for change in evidence.changes if evidence is not None else ():
        yield Line("plain", printable(f"{change.kind} {change.path}: {change.lines} lines"))
    for failure in contents.verdict.failures if contents.verdict is not None else ():
        yield failure_line(failure, contents.text)


def _checks(contents: CheckContents) -> Iterator[Line]:
    for result in contents.verdict.results if contents.verdict is not None else ():
        yield result_line(result, contents.text)


def result_line(result: CheckResult, text: str) -> Line:
    """A check, how it was read, and what stands against it."""
    mark: Mark = "good" if result.verdict is CheckVerdict.PASS else "bad"
    details = [CHANNELS[result.channel]]
    if result.tests is not None:
        details.append(f"{result.tests.executed} tests executed, {result.tests.passed} passed")
    inner = tuple(failure_line(failure, text) for failure in result.failures)
    return Line(mark, printable(f"{result.check}: {result.verdict.value}"), tuple(details), inner)


def isolation_lines(isolation: IsolationReport | None) -> Iterator[Line]:
    """How many promises of the sandbox held, and which did not."""
    if isolation is not None:
        held = sum(check.held for check in isolation.checks)
        text = f"{isolation.backend}: {held} of {len(isolation.checks)} promises of isolation held"
        broken = (f"{check.name}: {check.observed}" for check in isolation.checks if not check.held)
        yield Line("good" if isolation.isolated else "bad", text, tuple(printable(item) for item in broken))


def _outside(contents: CheckContents) -> Iterator[Line]:
    for item in contents.verdict.not_checked if contents.verdict is not None else ():
        yield Line("open", printable(item))


def _runs(contents: CheckContents) -> Iterator[Line]:
    for run in contents.evidence.runs if contents.evidence is not None else ():
        title = f"{run.check}, {run.tree}" + (f", repeat {run.repeat}" if run.repeat else "")
        details = [printable(f"{item.probe}: {seen(item)}") for item in run.observations]
        calls = f", {len(run.calls)} calls made apart" if run.calls else ""
        yield Line("plain", printable(title + calls), tuple(details))

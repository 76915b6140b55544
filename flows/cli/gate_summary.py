"""What ``forge check`` tells a person: the verdict, what stands against the change, and each check (law 8)."""

from __future__ import annotations

from collections.abc import Iterator

from contracts.gate import CheckReport, CheckResult, CheckVerdict
from contracts.verdict import Failure, Fault
from flows.cli.common import say

SHOWN = 8
CHANNELS = {
    "exit_status": "by exit status",
    "reporter": "tests beside the candidate",
    "apart": "tests apart from the candidate",
    "expectations": "expectations outside",
}


def show(report: CheckReport) -> None:
    """Print the summary."""
    for line in summary(report):
        say(line)


def summary(report: CheckReport) -> Iterator[str]:
    """Verdict, what stands against the change, the checks, where the record is, and what was not checked."""
    fault = "" if report.fault is Fault.NONE else f" (fault: {report.fault.value})"
    yield f"{report.status.value}{fault}"
    inner = {failure for result in report.results for failure in map(_key, result.failures)}
    for failure in report.failures:
        if _key(failure) not in inner:
            yield from _failure(failure)
    for result in report.results:
        yield from result_lines(result)
    if report.record:
        yield _row("record", report.record)
    yield from (_row("not checked", item) for item in report.not_checked)
    yield from (_row("note", notice) for notice in report.notices)


def result_lines(result: CheckResult) -> Iterator[str]:
    """One check: how it was read, how many tests, and what stands against it."""
    tests = f", {result.tests.passed} of {result.tests.executed} tests passed" if result.tests is not None else ""
    mark = "ok" if result.verdict is CheckVerdict.PASS else "FAILED"
    yield _row(mark, f"{result.check} ({CHANNELS[result.channel]}{tests})")
    for failure in result.failures[:SHOWN]:
        yield from (f"  {line}" for line in _failure(failure))


def _failure(failure: Failure) -> Iterator[str]:
    yield _row(failure.signature.value, failure.detail)
    witness = failure.witness
    if witness is not None:
        yield _row("  ran", witness.command)
        yield _row("  expected", witness.expected)
        yield _row("  observed", witness.observed)


def _key(failure: Failure) -> str:
    return failure.model_dump_json()


def _row(name: str, words: str) -> str:
    return f"  {name:<12} {' '.join(words.split())}"

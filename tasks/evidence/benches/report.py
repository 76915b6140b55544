"""What a person reads of a blind run: which it is, the metrics, and every case."""

from __future__ import annotations

from collections.abc import Iterator

from contracts.bundle import CaseResult, Metric
from contracts.score import is_right
from tasks.evidence.benches.contents import BenchContents
from tasks.evidence.report import Line, Section, printable

_UNIT = 100


def sections(contents: BenchContents) -> Iterator[Section]:
    """The sections of a run's report."""
    yield Section("Run", lambda: _run(contents))
    yield Section("Score", lambda: _score(contents))
    yield Section("Cases", lambda: _cases(contents))


def _run(contents: BenchContents) -> Iterator[Line]:
    settings = contents.settings
    yield Line("plain", printable(f"{settings.kind}: {settings.reason}"))
    yield Line("plain", printable(f"bundle {settings.bundle}"))
    yield Line("plain", printable(f"Forge code {settings.forge.code}, lock file {settings.forge.lock}"))
    yield Line("plain", printable(f"log {settings.log or 'none'}, {settings.log_size} entries searched"))


def _score(contents: BenchContents) -> Iterator[Line]:
    if contents.outcome is None:
        return
    for name, metric in contents.outcome.score.metrics.items():
        yield Line("plain", f"{printable(name)}: {said(metric)}")
    for case, reason in contents.outcome.score.excluded.items():
        yield Line("open", printable(f"the label of {case} is left out: {reason}"))


def said(metric: Metric) -> str:
    """A share with its interval, in per cent."""
    if metric.share is None or metric.low is None or metric.high is None:
        return "0 of 0"
    share, low, high = metric.share / _UNIT, metric.low / _UNIT, metric.high / _UNIT
    return f"{metric.numerator} of {metric.denominator}, {share:.1f} % ({low:.1f} to {high:.1f})"


def _cases(contents: BenchContents) -> Iterator[Line]:
    cases = {case.case_id: case for case in contents.bundle.cases}
    for result in contents.case_results:
        case = cases[result.case_id]
        right = is_right(result, case)
        yield Line("good" if right else "bad", printable(f"{result.case_id}: {_status(result)}"), tuple(_facts(result)))


def _status(result: CaseResult) -> str:
    return result.status.value if result.status is not None else f"no verdict: {result.error}"


def _facts(result: CaseResult) -> Iterator[str]:
    yield printable(f"oracle {result.oracle.state}" + (f": {result.oracle.detail}" if result.oracle.detail else ""))
    if result.signatures:
        yield printable(", ".join(result.signatures))
    yield f"{result.attempts} attempts, {result.wall_ms} ms"
    if result.record is not None:
        yield printable(f"record {result.record}")

"""The verdict as Markdown, for the artifact in the Prefect UI."""

from __future__ import annotations

from collections.abc import Iterator

from contracts.evidence import BuildReport
from contracts.verdict import Failure, LayerResult


def verdict_markdown(report: BuildReport) -> str:
    """Status, whose fault, layers, failures with their witnesses, strength, and where the evidence lies.

    Words that a candidate or a requirement chose stand in code spans, where Markdown has no meaning.
    """
    return "\n".join(_lines(report)) + "\n"


def _lines(report: BuildReport) -> Iterator[str]:
    yield f"# {report.status.value}"
    yield ""
    yield f"Fault: **{report.fault.value}** · engine {report.engine} · sandbox {report.sandbox}"
    yield ""
    yield "| layer | result |"
    yield "|---|---|"
    yield from (f"| {layer.layer} | {_result(layer)} |" for layer in report.layers)
    for failure in report.failures:
        yield ""
        yield from _failure(failure)
    if report.strength is not None:
        yield ""
        yield f"Obligations {report.strength.obligations_covered}/{report.strength.obligations}"
        yield f"· probes {report.strength.probes} · readings {report.strength.readings}"
        yield f"· mutants killed {report.strength.mutants_killed}/{report.strength.mutants}"
        yield ""
        yield from (f"- not checked: {code(item)}" for item in report.strength.not_checked)
    yield ""
    yield from (f"- {name}: {code(path)}" for name, path in _places(report) if path)


def _result(layer: LayerResult) -> str:
    if not layer.executed:
        return f"not executed: {code(layer.not_executed or '')}"
    return "passed" if layer.passed else "failed"


def _failure(failure: Failure) -> Iterator[str]:
    yield f"## {failure.signature.value}"
    yield ""
    yield code(failure.detail)
    if failure.witness is not None:
        yield ""
        yield f"- input: {code(failure.witness.command)}"
        yield f"- expected: {code(failure.witness.expected)}"
        yield f"- observed: {code(failure.witness.observed)}"


def _places(report: BuildReport) -> Iterator[tuple[str, str | None]]:
    yield "run", report.run
    yield "record", report.record
    yield "package", report.package


def code(text: str) -> str:
    """``text`` as one code span that cannot be left: a fence longer than any run of backticks in it."""
    flat = " ".join(text.split()) or " "
    longest = max((len(run) for run in "".join(c if c == "`" else " " for c in flat).split()), default=0)
    fence = "`" * (longest + 1)
    return f"{fence} {flat} {fence}".replace("|", "\\|")

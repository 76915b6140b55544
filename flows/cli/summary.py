"""What ``forge build`` tells a person (law 8), and its exit status (DEC-02)."""

from __future__ import annotations

from collections.abc import Iterator

from contracts.calls import Usage
from contracts.evidence import BuildReport
from contracts.requirement import Span
from contracts.verdict import Failure, FailureSignature, Fault, LayerResult, TerminalStatus
from flows.cli.common import say
from tasks.validation.readable import quoted

SHOWN_FAILURES = 8
QUESTIONS = {FailureSignature.UNDERSPECIFIED_REQUIREMENT, FailureSignature.AMBIGUOUS_REQUIREMENT}
STATUSES = {
    TerminalStatus.VERIFIED: 0,
    TerminalStatus.VALIDATION_FAILED: 1,
    TerminalStatus.INFEASIBLE_PROVEN: 3,
}


def exit_status(report: BuildReport) -> int:
    """0 verified, 1 failed, 3 infeasible, 4 where the infrastructure is at fault."""
    return 4 if report.fault is Fault.INFRASTRUCTURE else STATUSES[report.status]


def show(report: BuildReport, text: str) -> None:
    """Print the summary; ``text`` is the requirement that the spans point into."""
    for line in summary(report, text):
        say(line)


def summary(report: BuildReport, text: str) -> Iterator[str]:
    """Status and why, where the results are, on what assumptions, how strong, and what was not checked."""
    fault = "" if report.fault is Fault.NONE else f" (fault: {report.fault.value})"
    yield f"{report.status.value}{fault}"
    for failure in report.failures[:SHOWN_FAILURES]:
        yield from _failure(failure, text)
    if len(report.failures) > SHOWN_FAILURES:
        yield f"  and {len(report.failures) - SHOWN_FAILURES} more failures in the record"
    if report.package:
        yield _row("package", report.package)
    if report.record:
        yield _row("record", report.record)
    yield _row("layers", ", ".join(f"{layer.layer} {_result(layer)}" for layer in report.layers))
    yield from _strength(report)
    if report.usage is not None:
        yield _row("models", spent(report.usage))
    for key, value in report.assumptions.items():
        yield _row("assumed", f"{key}={value}")
    yield from (_row("note", notice) for notice in report.notices)


def spent(usage: Usage) -> str:
    """What models were asked and what it cost, as far as that is known."""
    failed = f" ({usage.failed} failed)" if usage.failed else ""
    counts = ((usage.tokens_in, "in"), (usage.tokens_out, "out"), (usage.tokens_cached, "of them cached"))
    told = ", ".join(f"{count} tokens {name}" for count, name in counts if count is not None)
    cost = f"cost {usage.cost or 'unknown'}" + (
        f" ({usage.unpriced} calls unpriced)" if usage.cost and usage.unpriced else ""
    )
    return "; ".join(part for part in (f"{usage.calls} calls{failed}", told, cost) if part)


def _failure(failure: Failure, text: str) -> Iterator[str]:
    is_question = failure.signature in QUESTIONS and failure.witness is None
    yield _row("question" if is_question else failure.signature.value, failure.detail)
    yield from (_row("  clause", _words(text, span)) for span in failure.spans)
    witness = failure.witness
    if witness is not None:
        yield _row("  input", witness.command)
        yield from (_row(f"  with {name}", quoted(data)) for name, data in witness.files.items())
        yield _row("  expected", witness.expected)
        yield _row("  observed", witness.observed)


def _strength(report: BuildReport) -> Iterator[str]:
    strength = report.strength
    if strength is None:
        return
    yield _row(
        "strength",
        f"{strength.obligations_covered} of {strength.obligations} obligations, {strength.probes} runs, "
        f"{strength.readings} readings, {strength.mutants_killed} of {strength.mutants} mutants caught",
    )
    yield from (_row("not checked", item) for item in strength.not_checked)


def _result(layer: LayerResult) -> str:
    return ("passed" if layer.passed else "failed") if layer.executed else "not executed"


def _words(text: str, span: Span) -> str:
    return " ".join(text[span.start : span.end].split())


def _row(name: str, words: str) -> str:
    return f"  {name:<12} {' '.join(words.split())}"

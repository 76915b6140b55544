"""What ``forge repair`` tells a person: the verdict, each round, and what still fails."""

from __future__ import annotations

from collections.abc import Iterator

from contracts.repair import Proposal, RepairReport
from contracts.verdict import Fault
from flows.cli.common import say
from flows.cli.gate_summary import result_lines
from tasks.evidence.repairs.report import STOPPED


def show(report: RepairReport) -> None:
    """Print the summary."""
    for line in summary(report):
        say(line)


def summary(report: RepairReport) -> Iterator[str]:
    """Verdict, rounds, the best attempt's checks, where things are, and what was not checked."""
    fault = "" if report.fault is Fault.NONE else f" (fault: {report.fault.value})"
    yield f"{report.status.value}{fault}: {STOPPED[report.stopped]}"
    yield _row("proposed by", f"{report.adviser}, {report.rounds} rounds")
    used = {report.best, *(proposal.base for proposal in report.proposals)}
    for proposal in report.proposals:
        yield from _proposal(proposal, kept=proposal.attempt in used)
    if report.missing:
        yield _row("no answer", report.missing)
    yield from (line for result in report.results for line in result_lines(result))
    if report.explanation is not None:
        yield from (_row("read", f"{item.title}: {item.url}") for item in report.explanation.references)
        yield from (_row("note", words) for words in (report.explanation.error, report.explanation.degraded) if words)
    for name, place in (("record", report.record), ("patched", report.patched)):
        if place:
            yield _row(name, place)
    yield from (_row("not checked", item) for item in report.not_checked)
    yield from (_row("note", notice) for notice in report.notices)


def _proposal(proposal: Proposal, *, kept: bool) -> Iterator[str]:
    if proposal.attempt is not None:
        became = "kept" if kept else "undone"
        yield _row(f"round {proposal.round}", f"attempt {proposal.attempt}, on attempt {proposal.base}: {became}")
        return
    yield _row(f"round {proposal.round}", "refused, nothing was changed")
    yield from (f"  {_row('', str(reason))}" for reason in proposal.rejections)


def _row(name: str, words: str) -> str:
    return f"  {name:<12} {' '.join(words.split())}"

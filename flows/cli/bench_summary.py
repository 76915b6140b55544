"""What ``forge bench`` shows of runs; a run that is shown is verified first."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

from flows.cli.common import print_document, refuse, say

if TYPE_CHECKING:
    from benchmarks.blind.compare import Comparison
    from contracts.bundle import CaseResult, Score
    from flows.bench import BenchReport
    from tasks.evidence.benches.contents import BenchContents


def contents_of(run: str, location: str) -> BenchContents:
    """The run of that name in the store, verified and signed by a key that is trusted.

    Raises:
        UsageError: it is no run over a bundle, not intact, or signed by another.
        StoreError: the store has no such run, or does not answer.
    """
    from contracts.evidence import Record
    from contracts.loading import RECORD_BYTES, load_document
    from tasks.evidence.arrangement import read_contents
    from tasks.evidence.benches.contents import BenchContents
    from tasks.evidence.store import open_store
    from tasks.evidence.trust import own_trust
    from tasks.evidence.verify import VerificationError, verify_bytes

    store = open_store(location, read_only=True)
    data = store.get_record(run)
    try:
        verify_bytes(data, store, trusted=own_trust())
    except VerificationError as error:
        refuse(f"{run}: {error}")
    contents = read_contents(load_document(Record, data, RECORD_BYTES), store)
    if not isinstance(contents, BenchContents):
        refuse(f"{run} is no run over a bundle")
    return contents


def chosen(results: Sequence[CaseResult], cases: list[str] | None, signatures: list[str] | None) -> tuple[str, ...]:
    """The cases of a run that are named, or that ended with one of the signatures; all where neither is given."""
    known = {result.case_id for result in results}
    for case in cases or ():
        if case not in known:
            refuse(f"that run has no case {case}")
    return tuple(
        result.case_id
        for result in results
        if (not cases or result.case_id in cases)
        and (not signatures or {str(signature) for signature in result.signatures} & set(signatures))
    )


def tell(result: CaseResult) -> None:
    """One line as a case ends."""
    status = result.status.value if result.status is not None else f"no verdict ({result.error})"
    signatures = f" ({', '.join(result.signatures)})" if result.signatures else ""
    seconds = result.wall_ms / 1_000
    say(f"{result.case_id}: {status}{signatures}, oracle {result.oracle.state}, {seconds:.1f} s")


def show(report: BenchReport, json: bool) -> None:
    """The sealed run: of which kind it is, and the score."""
    if json:
        print_document(
            {
                "run": report.run,
                "settings": report.settings.document(),
                "results": [result.document() for result in report.results],
                "outcome": report.outcome.document(),
                "notices": list(report.notices),
            }
        )
        return
    say(f"{report.settings.kind}: {report.settings.reason}")
    for failure in report.outcome.failures:
        say(f"stopped: {failure.detail}")
    show_score(report.outcome.score)
    for notice in report.notices:
        say(f"note: {notice}")
    say(f"record {report.run}")


def show_score(score: Score) -> None:
    """Each metric with its interval, and the labels that do not count."""
    from tasks.evidence.benches.report import said

    for name, metric in score.metrics.items():
        say(f"{name.replace('_', ' ')}: {said(metric)}")
    for name in ("tokens_per_accepted", "cost_per_accepted", "wall_ms_p50", "wall_ms_p95"):
        value = getattr(score, name)
        say(f"{name.replace('_', ' ')}: {'not known' if value is None else value}")
    for case, reason in score.excluded.items():
        say(f"label of {case} left out: {reason}")


def show_comparison(comparison: Comparison) -> None:
    """The cases that differ, and how many of each kind."""
    for change in comparison.changes:
        if change.change not in ("still_right",):
            say(f"{change.case_id}: {change.change}: {change.before or 'not run'} -> {change.after or 'not run'}")
    say(", ".join(f"{count} {name.replace('_', ' ')}" for name, count in sorted(comparison.counts.items())))

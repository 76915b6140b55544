"""Metrics of a run: each a share with numerator, denominator and interval; nothing is divided by nothing.

The facts stay apart: what Forge said, what the oracle said, what the label says, and whether two reviewers share the
label. A metric says which of them it joins.
"""

from __future__ import annotations

import math
from collections.abc import Iterable, Sequence
from decimal import Decimal

from contracts.bundle import Case, CaseResult, Metric, Score
from contracts.calls import decimal_cost
from contracts.verdict import TerminalStatus

_VERIFIED, _INFEASIBLE = TerminalStatus.VERIFIED, TerminalStatus.INFEASIBLE_PROVEN
_Z = 1.959963984540054  # the normal quantile of 97.5 %
_UNIT = 10_000


def score(results: Sequence[CaseResult], cases: Iterable[Case]) -> Score:
    """The metrics of a run over the cases of its bundle.

    A case whose label two reviewers do not share is left out of every metric that joins the label.
    """
    by_id = {case.case_id: case for case in cases}
    excluded = {name: reason for name, case in by_id.items() if (reason := dissent(case))}
    labelled = [(result, by_id[result.case_id]) for result in results if result.case_id not in excluded]
    accepted = [r for r in results if r.status is _VERIFIED and r.oracle.state == "accepted"]
    return Score(
        metrics=_metrics(results, labelled),
        tokens_per_accepted=_tokens(results, len(accepted)),
        cost_per_accepted=_cost(results, len(accepted)),
        wall_ms_p50=_percentile([result.wall_ms for result in results], 50),
        wall_ms_p95=_percentile([result.wall_ms for result in results], 95),
        excluded=excluded,
    )


def is_right(result: CaseResult, case: Case) -> bool:
    """The expected status and, for ``verified``, an oracle that accepts."""
    return result.status is case.expected_terminal_status and (result.status is not _VERIFIED or _externally(result))


def dissent(case: Case) -> str | None:
    """Why a label does not count: fewer than two reviewers, or they do not share it. None where it counts."""
    if len({review.reviewer for review in case.reviews}) < 2:
        return "fewer than two reviewers"
    labels = {review.label for review in case.reviews} | {case.expected_terminal_status}
    return None if len(labels) == 1 else "the reviewers do not share the label: " + ", ".join(sorted(labels))


def wilson(numerator: int, denominator: int) -> Metric:
    """A share with Wilson's score interval of 95 %; None on an empty denominator."""
    if denominator == 0:
        return Metric(numerator=0, denominator=0, share=None, low=None, high=None)
    share, n = numerator / denominator, denominator
    centre = (share + _Z**2 / (2 * n)) / (1 + _Z**2 / n)
    half = _Z / (1 + _Z**2 / n) * math.sqrt(share * (1 - share) / n + _Z**2 / (4 * n**2))
    low, high = max(0.0, centre - half), min(1.0, centre + half)
    return Metric(
        numerator=numerator,
        denominator=denominator,
        share=round(share * _UNIT),
        low=round(low * _UNIT),
        high=round(high * _UNIT),
    )


def _metrics(results: Sequence[CaseResult], labelled: list[tuple[CaseResult, Case]]) -> dict[str, Metric]:
    def share(among: Iterable[bool]) -> Metric:
        hits = list(among)
        return wilson(sum(hits), len(hits))

    wanted = [r for r, case in labelled if case.expected_terminal_status is _VERIFIED and r.oracle.state != "invalid"]
    judged = [r for r in results if r.oracle.state in ("accepted", "rejected")]
    oracles = [r for r in results if r.oracle.state != "not_run"]
    return {
        "status_accuracy": share(r.status is case.expected_terminal_status for r, case in labelled),
        "status_accuracy_if_oracle_accepts": share(
            is_right(r, case) for r, case in labelled if r.oracle.state != "invalid"
        ),
        "externally_verified_first": share(_externally(r) and r.attempts == 1 for r in wanted),
        "externally_verified": share(_externally(r) for r in wanted),
        "repaired": share(_externally(r) for r in wanted if r.attempts > 1),
        "false_verification": share(r.oracle.state == "rejected" for r in judged if r.status is _VERIFIED),
        "verified_against_label": share(
            case.expected_terminal_status is not _VERIFIED for r, case in labelled if r.status is _VERIFIED
        ),
        "false_rejection": share(r.status is not _VERIFIED for r in judged if r.oracle.state == "accepted"),
        "infeasibility_detection": share(
            r.status is _INFEASIBLE for r, case in labelled if case.expected_terminal_status is _INFEASIBLE
        ),
        "false_infeasibility": share(
            case.expected_terminal_status is not _INFEASIBLE for r, case in labelled if r.status is _INFEASIBLE
        ),
        "oracle_validity": share(r.oracle.state != "invalid" for r in oracles),
        "completed": share(r.error is None for r in results),
    }


def _externally(result: CaseResult) -> bool:
    return result.status is _VERIFIED and result.oracle.state == "accepted"


def _tokens(results: Sequence[CaseResult], count: int) -> int | None:
    """Tokens per accepted artefact, rounded up; unknown as soon as one call does not tell its own."""
    paid = [result.usage for result in results if result.usage is not None]
    if not count or any(usage.untold for usage in paid):
        return None
    return math.ceil(sum((usage.tokens_in or 0) + (usage.tokens_out or 0) for usage in paid) / count)


def _cost(results: Sequence[CaseResult], count: int) -> str | None:
    """Money per accepted artefact; unknown as soon as one call's cost is."""
    paid = [result.usage for result in results if result.usage is not None]
    if not count or not paid or any(usage.unpriced for usage in paid):
        return None
    return decimal_cost(sum((Decimal(usage.cost or 0) for usage in paid), Decimal(0)) / count)


def _percentile(values: list[int], percent: int) -> int | None:
    """The nearest-rank percentile."""
    if not values:
        return None
    return sorted(values)[max(0, math.ceil(percent / 100 * len(values)) - 1)]

"""The facts of a run stay apart, and a metric is a share of what it says, or nothing."""

from __future__ import annotations

from typing import Any

import pytest

from benchmarks.blind.compare import compare
from benchmarks.blind.layout import BundleError
from benchmarks.blind.ledger import render
from contracts.bundle import BenchRun, BenchSettings, Case, CaseResult, ForgeIdentity, OracleResult
from contracts.calls import Usage
from contracts.isolation import SandboxPolicy
from contracts.score import dissent, score, wilson
from contracts.verdict import TerminalStatus
from tests.benchmarks.blind.conftest import REVIEWS, case

SEAL = "sha256:" + "0" * 64
SETTINGS = BenchSettings(
    bundle=SEAL,
    kind="post_fix_replay",
    reason="a test",
    forge=ForgeIdentity(code=SEAL, lock=SEAL, providers=("scripted",)),
    policy=SandboxPolicy(),
    quality="right",
    log=None,
    log_size=0,
)


def paid(tokens: int, cost: str | None) -> Usage:
    return Usage(
        calls=1,
        failed=0,
        untold=0,
        unpriced=int(cost is None),
        tokens_in=tokens,
        tokens_out=0,
        tokens_cached=None,
        tokens_reasoning=None,
        duration_ms=5,
        cost=cost,
    )


def a_case(name: str, label: str = "verified", reviewers: int = 2) -> Case:
    reviews = [{**review, "label": label} for review in REVIEWS[:reviewers]]
    return Case.model_validate(case(case_id=name, expected_terminal_status=label, reviews=reviews))


def a_result(name: str, status: str | None, oracle: str = "not_run", **changes: Any) -> CaseResult:
    fixed: dict[str, Any] = {"fault": "none", "attempts": 1, "record": None, "wall_ms": 10}
    return CaseResult(case_id=name, status=status, oracle=OracleResult(state=oracle), **{**fixed, **changes})  # type: ignore[arg-type]  # words for enums


def a_run(*results: CaseResult, bundle: str = SEAL) -> BenchRun:
    settings = SETTINGS.model_copy(update={"bundle": bundle})
    return BenchRun(settings=settings, started="2026-01-02T03:04:05Z", results=results)


def test_wilson_is_that_of_the_textbook() -> None:
    """5 of 10: 0.2366 to 0.7634; 0 of 10: 0 to 0.2775; 10 of 10: 0.7225 to 1 (Brown, Cai and DasGupta 2001)."""
    assert (wilson(5, 10).low, wilson(5, 10).high) == (2366, 7634)
    assert (wilson(0, 10).low, wilson(0, 10).high) == (0, 2775)
    assert (wilson(10, 10).low, wilson(10, 10).high) == (7225, 10_000)


def test_an_empty_denominator_has_no_share() -> None:
    empty = wilson(0, 0)
    assert (empty.share, empty.low, empty.high) == (None, None, None)


HOPELESS = "infeasible_proven"
CASES = [
    a_case("right"),
    a_case("false"),
    a_case("mended"),
    a_case("missed"),
    a_case("faulty"),
    a_case("crashed"),
    a_case("vague", "validation_failed"),
    a_case("hopeless", HOPELESS),
    a_case("hopeful", HOPELESS),
]
RUN = a_run(
    a_result("right", "verified", "accepted", wall_ms=30, usage=paid(100, "0.25")),
    a_result("false", "verified", "rejected", wall_ms=20, usage=paid(60, "0.25")),
    a_result("mended", "verified", "accepted", attempts=2),
    a_result("missed", "validation_failed", "accepted"),
    a_result("faulty", "verified", "invalid"),
    a_result("crashed", None, error="RuntimeError: gone"),
    a_result("vague", "validation_failed"),
    a_result("hopeless", "infeasible_proven"),
    a_result("hopeful", "verified"),
)


@pytest.mark.parametrize(
    ("metric", "numerator", "denominator"),
    [
        ("status_accuracy", 6, 9),
        ("status_accuracy_if_oracle_accepts", 4, 8),
        ("externally_verified_first", 1, 5),
        ("externally_verified", 2, 5),
        ("repaired", 1, 1),
        ("false_verification", 1, 3),
        ("verified_against_label", 1, 5),
        ("false_rejection", 1, 3),
        ("infeasibility_detection", 1, 2),
        ("false_infeasibility", 0, 1),
        ("oracle_validity", 4, 5),
        ("completed", 8, 9),
    ],
)
def test_each_fact_is_counted_apart(metric: str, numerator: int, denominator: int) -> None:
    found = score(RUN.results, CASES).metrics[metric]
    assert (found.numerator, found.denominator) == (numerator, denominator)


def test_amounts_are_per_artefact_that_the_oracle_accepted() -> None:
    found = score(RUN.results, CASES)
    assert found.tokens_per_accepted == 80
    assert found.cost_per_accepted == "0.25"
    assert (found.wall_ms_p50, found.wall_ms_p95) == (10, 30)


def test_a_cost_that_is_not_known_is_not_zero() -> None:
    unknown = a_run(a_result("right", "verified", "accepted", usage=paid(5, None)))
    assert score(unknown.results, CASES).cost_per_accepted is None
    nobody = score([a_result("vague", "validation_failed")], CASES)
    assert (nobody.tokens_per_accepted, nobody.metrics["false_verification"].share) == (None, None)


def test_a_label_that_reviewers_do_not_share_does_not_count() -> None:
    alone = a_case("alone", reviewers=1)
    split = a_case("split").model_copy(update={"expected_terminal_status": TerminalStatus.INFEASIBLE_PROVEN})
    assert dissent(a_case("right")) is None
    assert "fewer" in str(dissent(alone))
    assert "do not share" in str(dissent(split))
    run = a_run(a_result("alone", "verified", "accepted"), a_result("split", "verified", "accepted"))
    found = score(run.results, [alone, split])
    assert set(found.excluded) == {"alone", "split"}
    assert found.metrics["status_accuracy"].denominator == 0
    assert found.metrics["false_verification"].denominator == 2


def test_two_runs_are_compared_in_pairs() -> None:
    after = a_run(
        a_result("right", "validation_failed"),
        a_result("false", "verified", "accepted"),
        a_result("mended", "verified", "accepted"),
        a_result("missed", "validation_failed"),
    )
    found = compare(RUN, after, tuple(CASES))
    changes = {change.case_id: change.change for change in found.changes}
    assert changes["right"] == "regressed"
    assert changes["false"] == "fixed"
    assert changes["mended"] == "still_right"
    assert changes["missed"] == "still_failing"
    assert changes["vague"] == "gone"
    assert found.counts["gone"] == 5
    with pytest.raises(BundleError, match="different bundles"):
        compare(RUN, a_run(bundle="sha256:" + "1" * 64), tuple(CASES))


def test_the_ledger_shows_unwelcome_results_and_no_markup() -> None:
    hostile = a_run(a_result("crashed", None, error="<b>|`x`\n## Verified"))
    page = render([(SEAL, RUN, score(RUN.results, CASES)), (SEAL, hostile, score(hostile.results, CASES))])
    assert "| false | verified | rejected |" in page
    assert "| false verification | 1 of 3 | 33.3 |" in page
    assert "<b>" not in page
    assert "\n## Verified" not in page
    assert "No run is recorded" in render([])

"""Blind once, a replay ever after (law 6, DEC-22); each fact of a case kept apart."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from benchmarks.blind.layout import Bundle, BundleError
from contracts.bundle import OracleResult
from contracts.canonical import digest
from contracts.evidence import BuildReport, BuildRequest
from flows import bench_case
from flows.bench import BenchReport, run_bench
from flows.bench_case import BenchRequest
from flows.bench_kind import runs_of, was_begun
from flows.bundles import freeze, open_frozen
from tasks.errors import InfrastructureError
from tasks.evidence.signing import load_key
from tasks.evidence.store import open_store
from tasks.evidence.trust import own_trust
from tasks.evidence.verify import verify_bytes
from tests.benchmarks.blind.conftest import case, provenance

VAGUE = "# Report\n\nPrint the important rows.\nWhich rows are important is left to interpretation.\n"
NEVER = "Write a program that chooses two integers x and y and prints them. Each is between 1 and 5. x + y = 12.\n"


def unoracled(name: str, text: str, label: str) -> dict[str, Any]:
    reviews = [{"reviewer": who, "label": label, "reason": "as the text says"} for who in ("first", "second")]
    return case(case_id=name, requirement=text, expected_terminal_status=label, public_contract=None, reviews=reviews)


@pytest.fixture
def frozen(tmp_path: Path) -> Callable[..., Bundle]:
    """Freezes a bundle without programs: one case that is underspecified, one that is infeasible."""

    def make(name: str = "quick", *, regression: bool = False) -> Bundle:
        root = tmp_path / name
        root.mkdir()
        cases = [unoracled("Q-1", VAGUE, "validation_failed"), unoracled("Q-2", NEVER, "infeasible_proven")]
        (root / "cases.json").write_text(json.dumps({"cases": cases}))
        (root / "provenance.json").write_text(json.dumps(provenance()))
        freeze(root, name, "1", load_key(), regression=regression)
        return open_frozen(root, own_trust())

    return make


@pytest.fixture
def run(tmp_path: Path) -> Callable[..., BenchReport]:
    def one(bundle: Bundle, name: str, **wishes: Any) -> BenchReport:
        return run_bench(BenchRequest(bundle=bundle, store=str(tmp_path / "store"), **wishes), name)

    return one


def test_the_first_run_is_blind_and_every_later_one_a_replay(
    frozen: Callable[..., Bundle], run: Callable[..., BenchReport], tmp_path: Path
) -> None:
    bundle = frozen()
    first, second = run(bundle, "bench-a"), run(bundle, "bench-b")
    assert [first.settings.kind, second.settings.kind] == ["blind_baseline", "post_fix_replay"]
    assert "earlier run" in second.settings.reason
    assert [str(result.status) for result in first.results] == ["validation_failed", "infeasible_proven"]
    assert first.outcome.score.metrics["status_accuracy"].numerator == 2
    assert {result.oracle.state for result in first.results} == {"not_run"}
    store = open_store(str(tmp_path / "store"))
    assert [name for name, _ in runs_of(store, bundle.seal)] == ["bench-a", "bench-b"]
    assert [name for name, _ in runs_of(store, "sha256:" + "0" * 64)] == []
    assert verify_bytes(store.get_record("bench-a"), store, trusted=own_trust()).run == "bench-a"


def test_a_regression_corpus_is_never_blind(frozen: Callable[..., Bundle], run: Callable[..., BenchReport]) -> None:
    report = run(frozen(regression=True), "bench-a", only=("Q-1",))
    assert (report.settings.kind, report.settings.reason) == (
        "post_fix_replay",
        "the bundle is a regression corpus by birth",
    )


def test_a_bundle_that_forge_names_is_never_blind(
    frozen: Callable[..., Bundle], run: Callable[..., BenchReport], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("flows.bench_kind.knows", lambda seal: True)
    assert run(frozen(), "bench-a", only=()).settings.kind == "post_fix_replay"


def test_a_baseline_that_was_begun_counts_even_where_the_log_lacks_it(
    frozen: Callable[..., Bundle], run: Callable[..., BenchReport], tmp_path: Path
) -> None:
    """Best of two is not to be had by stopping the first."""
    bundle = frozen()
    open_store(str(tmp_path / "store")).create(f"baselines/{bundle.seal[7:]}", b"bench-stopped")
    assert "begun before" in run(bundle, "bench-a").settings.reason


def test_a_stopped_run_goes_on_and_judges_no_case_twice(
    frozen: Callable[..., Bundle], run: Callable[..., BenchReport], monkeypatch: pytest.MonkeyPatch
) -> None:
    """DEC-22: what the infrastructure stopped may be resumed."""
    bundle, seen = frozen(), list[str]()
    build = bench_case.build

    def failing(request: BuildRequest, **wishes: Any) -> BuildReport:
        seen.append(request.requirement)
        if request.requirement == NEVER and len(seen) == 2:
            raise InfrastructureError("the disk is full")
        return build(request, **wishes)

    monkeypatch.setattr(bench_case, "build", failing)
    stopped = run(bundle, "bench-a")
    assert stopped.outcome.status == "incomplete"
    assert str(stopped.outcome.fault) == "infrastructure"
    assert [result.case_id for result in stopped.results] == ["Q-1"]
    resumed = run(bundle, "bench-a")
    assert resumed.outcome.status == "completed"
    assert resumed.settings == stopped.settings
    assert resumed.settings.kind == "blind_baseline"
    assert seen == [VAGUE, NEVER, NEVER]
    assert resumed.run != stopped.run


def test_a_verdict_that_is_sealed_stands_whatever_stops_the_run_then(
    frozen: Callable[..., Bundle], run: Callable[..., BenchReport], monkeypatch: pytest.MonkeyPatch
) -> None:
    """DEC-22: where only the oracle could not be asked, the case is not built a second time."""
    bundle, built = frozen(), list[str]()
    build, ask = bench_case.build, bench_case._oracle

    def counted(request: BuildRequest, **wishes: Any) -> BuildReport:
        built.append(request.requirement)
        return build(request, **wishes)

    def away(*args: Any) -> OracleResult:
        raise InfrastructureError("the sandbox is gone")

    monkeypatch.setattr(bench_case, "build", counted)
    monkeypatch.setattr(bench_case, "_oracle", away)
    assert run(bundle, "bench-a").results == ()
    monkeypatch.setattr(bench_case, "_oracle", ask)
    assert run(bundle, "bench-a").outcome.status == "completed"
    assert built == [VAGUE, NEVER]


def test_what_the_infrastructure_ended_is_built_again_under_the_next_number(
    frozen: Callable[..., Bundle], run: Callable[..., BenchReport], monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    def failing(*args: Any) -> None:
        raise InfrastructureError("the disk is full")

    bundle = frozen()
    with monkeypatch.context() as patched:
        patched.setattr("tasks.requirement.compiler.compile_requirement", failing)
        assert run(bundle, "bench-a").outcome.status == "incomplete"
    (first, _) = run(bundle, "bench-a").results
    store = open_store(str(tmp_path / "store"))
    assert first.record == digest(store.get_record("bench-a-q-1-2"))
    assert verify_bytes(store.get_record("bench-a-q-1"), store, trusted=own_trust()).status == "validation_failed"


def test_an_exception_is_a_result_with_its_name(
    frozen: Callable[..., Bundle], run: Callable[..., BenchReport], monkeypatch: pytest.MonkeyPatch
) -> None:
    def broken(request: BuildRequest, **wishes: Any) -> BuildReport:
        raise ZeroDivisionError("a fault of Forge's own")

    monkeypatch.setattr(bench_case, "build", broken)
    report = run(frozen(), "bench-a")
    assert [(result.status, result.error) for result in report.results] == [
        (None, "ZeroDivisionError: a fault of Forge's own")
    ] * 2
    assert report.outcome.score.metrics["completed"].numerator == 0


def test_an_interruption_is_sealed_and_raised(
    frozen: Callable[..., Bundle], run: Callable[..., BenchReport], monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    def interrupted(request: BuildRequest, **wishes: Any) -> BuildReport:
        raise KeyboardInterrupt

    monkeypatch.setattr(bench_case, "build", interrupted)
    with pytest.raises(KeyboardInterrupt):
        run(frozen(), "bench-a")
    store = open_store(str(tmp_path / "store"))
    assert verify_bytes(store.get_record("bench-a"), store, trusted=own_trust()).status == "incomplete"


def test_cases_in_work_at_once_give_the_same_results(
    frozen: Callable[..., Bundle], run: Callable[..., BenchReport]
) -> None:
    bundle = frozen()
    one, two = run(bundle, "bench-a"), run(bundle, "bench-b", jobs=2)
    facts = [[(r.case_id, r.status, r.signatures, r.oracle) for r in report.results] for report in (one, two)]
    assert facts[0] == facts[1]


@pytest.mark.parametrize(
    ("wishes", "message"),
    [({"only": ("Q-9",)}, "no case Q-9"), ({"quality": "right"}, "no candidates 'right'; there are none")],
)
def test_what_the_bundle_does_not_have_is_refused_before_any_work(
    frozen: Callable[..., Bundle], run: Callable[..., BenchReport], wishes: dict[str, Any], message: str, tmp_path: Path
) -> None:
    with pytest.raises(BundleError, match=message):
        run(frozen(), "bench-a", **wishes)
    assert not (tmp_path / "store" / "bench").exists()


def test_a_run_is_not_resumed_with_other_settings(
    frozen: Callable[..., Bundle], run: Callable[..., BenchReport]
) -> None:
    bundle = frozen()
    run(bundle, "bench-a")
    with pytest.raises(BundleError, match="another bundle, Forge or settings"):
        run(bundle, "bench-a", only=("Q-1",))


def test_only_a_run_that_was_begun_can_go_on(
    frozen: Callable[..., Bundle], run: Callable[..., BenchReport], tmp_path: Path
) -> None:
    run(frozen(), "bench-a", only=("Q-1",))
    store = str(tmp_path / "store")
    assert was_begun(store, "bench-a")
    assert not was_begun(store, "bench-b")
    assert not was_begun(store, "a")

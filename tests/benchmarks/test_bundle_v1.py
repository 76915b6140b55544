"""The first bundle of our own: frozen, sound to a reader, a regression corpus by birth."""

from __future__ import annotations

from collections import Counter
from datetime import UTC, datetime
from pathlib import Path

import pytest

from benchmarks.blind.layout import Bundle
from benchmarks.blind.statics import findings
from contracts.isolation import SandboxPolicy
from contracts.score import dissent
from contracts.trust import TrustedKey, TrustPolicy
from contracts.verdict import TerminalStatus
from flows.bench import run_bench
from flows.bench_case import BenchRequest
from flows.bundles import open_frozen
from flows.oracles import OracleRoom, preflight
from tasks.evidence.signing import parse_public
from tasks.evidence.trust import at

FOLDER = Path(__file__).parents[2] / "benchmarks" / "bundles"


@pytest.fixture(scope="module")
def bundle() -> Bundle:
    key = parse_public((FOLDER / "signer.pem").read_bytes(), "signer.pem")
    policy = TrustPolicy(name="bundles", number=1, keys=(TrustedKey(name="bundles", key=key.raw, uses=("record",)),))
    return open_frozen(FOLDER / "v1", at(policy, datetime.now(UTC)))


def test_it_is_whole_and_says_what_it_is(bundle: Bundle) -> None:
    counts = Counter(case.expected_terminal_status for case in bundle.cases)
    assert counts == {
        TerminalStatus.VERIFIED: 12,
        TerminalStatus.VALIDATION_FAILED: 6,
        TerminalStatus.INFEASIBLE_PROVEN: 6,
    }
    assert bundle.manifest.regression
    assert "never a blind measure" in bundle.manifest.provenance[0].having_seen


def test_two_reviewers_share_every_label(bundle: Bundle) -> None:
    assert [case.case_id for case in bundle.cases if dissent(case) is not None] == []


def test_reading_finds_nothing_against_an_oracle(bundle: Bundle) -> None:
    judged = [case for case in bundle.cases if bundle.oracle(case.case_id)]
    assert len(judged) == 12
    assert {case.case_id: findings(case, bundle.oracle(case.case_id)) for case in judged} == {
        case.case_id: [] for case in judged
    }


def test_every_verified_case_has_all_its_programs(bundle: Bundle) -> None:
    for case in bundle.cases:
        if case.expected_terminal_status is TerminalStatus.VERIFIED:
            sizes = [len(bundle.trees(folder, case.case_id)) for folder in ("references", "mutants", "readings")]
            assert sizes == [2, 5, 2]
            assert set(bundle.trees("candidates", case.case_id)) == {"right", "mended", "wrong"}


@pytest.mark.slow
@pytest.mark.parametrize("case_id", ["V1-001", "V1-009", "V1-011"])
def test_an_oracle_passes_its_trial(bundle: Bundle, case_id: str, tmp_path: Path) -> None:
    """SCN-51; the whole bundle by ``forge bench preflight``."""
    case = next(case for case in bundle.cases if case.case_id == case_id)
    trial = preflight(bundle, case, OracleRoom(SandboxPolicy(), str(tmp_path / "store")))
    assert trial.flaws == ()


@pytest.mark.slow
def test_a_mended_answer_is_verified_and_the_oracle_accepts_it(bundle: Bundle, tmp_path: Path) -> None:
    request = BenchRequest(bundle=bundle, store=str(tmp_path / "store"), quality="mended", only=("V1-001",))
    (result,) = run_bench(request, "bench-v1-test").results
    assert (str(result.status), result.attempts, result.oracle.state) == ("verified", 2, "accepted")

"""EVI-05: the predicates for other tools say what the record says, and nothing else beside a record is believed."""

from __future__ import annotations

import base64
import json
from pathlib import Path
from typing import Any

import pytest

from contracts.canonical import canonical_bytes
from tasks.evidence import dsse
from tasks.evidence.export import export
from tasks.evidence.signing import SigningKey
from tasks.evidence.summary import RESULT_FILE, SUMMARY_FILE, summaries
from tasks.evidence.trust import Trust
from tasks.evidence.verify import NotIntact, verify_bytes, verify_record


def payload(data: bytes) -> dict[str, Any]:
    found: dict[str, Any] = json.loads(base64.b64decode(json.loads(data)["dsseEnvelope"]["payload"]))
    return found


def test_a_pass_has_both_predicates(maker: Any) -> None:
    record = maker.record("verified")
    files = summaries(record, maker.store, maker.key)
    result, verification = payload(files[SUMMARY_FILE]), payload(files[RESULT_FILE])
    assert result["predicateType"] == "https://in-toto.io/attestation/test-result/v0.1"
    assert result["predicate"]["result"] == "PASSED"
    assert result["predicate"]["passedTests"] == ["runtime", "obligations", "adversarial", "ac-1"]
    assert result["predicate"]["failedTests"] == []
    assert verification["predicateType"] == "https://in-toto.io/attestation/svr/v0.2"
    assert "FORGE_BUILD_VERIFIED" in verification["predicate"]["properties"]
    assert verification["predicate"]["verifier"]["id"]
    assert verification["predicate"]["timeCreated"] == "2026-01-01T00:01:00Z"
    head = {"sha256": record.head.removeprefix("sha256:")}
    assert {"name": "forge-record", "digest": head} in result["predicate"]["configuration"]
    assert result["subject"] == verification["subject"] == payload(canonical_bytes(record.bundle))["subject"]


@pytest.mark.parametrize("kind", ["failed", "infeasible", "underspecified", "unavailable", "interrupted", "gave_up"])
def test_law_3_what_did_not_pass_has_no_verification_result(maker: Any, kind: str) -> None:
    files = summaries(maker.record(kind), maker.store, maker.key)
    assert set(files) == {SUMMARY_FILE}
    told = payload(files[SUMMARY_FILE])["predicate"]
    assert told["result"] == "FAILED"
    assert told["failedTests"]


@pytest.mark.parametrize("defect", ["none", "flipped", "of_another", "by_another", "pass_for_a_failure", "spaced"])
def test_ver_02_what_lies_beside_is_what_the_record_gives(
    maker: Any, tmp_path: Path, other_key: SigningKey, defect: str
) -> None:
    record, passed = maker.record("failed"), maker.record("verified")
    beside = summaries(record, maker.store, other_key if defect == "by_another" else maker.key)
    if defect == "flipped":
        data = beside[SUMMARY_FILE]
        beside[SUMMARY_FILE] = data.replace(b'"sig":"', b'"sig":"A', 1)
    if defect == "of_another":
        beside = {SUMMARY_FILE: summaries(passed, maker.store, maker.key)[SUMMARY_FILE]}
    if defect == "pass_for_a_failure":
        beside[RESULT_FILE] = summaries(passed, maker.store, maker.key)[RESULT_FILE]
    if defect == "spaced":
        beside[SUMMARY_FILE] += b"\n"
    file = export(record, maker.store, tmp_path / "out", beside)
    if defect == "none":
        verify_record(file, trusted=Trust.of(maker.key.public))
        return
    with pytest.raises(NotIntact, match="bindings"):
        verify_record(file, trusted=Trust.of(maker.key.public))


def test_evi_pitfall_16_a_summary_is_no_record(maker: Any) -> None:
    """An attestation of another type, rightly signed, does not answer for the statement about the record."""
    record = maker.record("verified")
    for data in summaries(record, maker.store, maker.key).values():
        bundle = json.loads(data)
        assert dsse.verifies(bundle, maker.key.public)
        swapped = record.model_copy(update={"bundle": bundle})
        with pytest.raises(NotIntact):
            verify_bytes(swapped.canonical(), maker.store, trusted=Trust.of(maker.key.public))

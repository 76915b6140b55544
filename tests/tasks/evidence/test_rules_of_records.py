"""Rules of the gate about records that no other test here names."""

from __future__ import annotations

import json
from typing import Any

import pytest

from contracts.calls import Explanation, ModelCall
from contracts.canonical import canonical_bytes, digest
from contracts.evidence import FORMAT, INLINE_BYTES, EntryKind, append
from contracts.model import Model
from contracts.verdict import LayerEvidence
from tasks.evidence.html import render_html
from tasks.evidence.trust import Trust
from tasks.evidence.verify import NotIntact, verify_bytes


def refused(maker: Any, data: bytes) -> NotIntact:
    with pytest.raises(NotIntact) as caught:
        verify_bytes(data, maker.store, trusted=Trust.of(maker.key.public))
    return caught.value


def test_rec_02_a_record_holds_commands_outputs_and_times(maker: Any) -> None:
    (evidence,) = [
        model for model in maker.models("failed") if isinstance(model, LayerEvidence) and model.layer == "obligations"
    ]
    (case,), (seen,) = evidence.cases, evidence.observations
    assert case.probe.argv == ("python3", "/candidate/main.py")
    assert (seen.exit_code, seen.limit, seen.timing.wall_ms) == (0, None, 12)
    assert seen.stdout.head.startswith(b"No rows found")


@pytest.mark.parametrize("other", ["forge-record/0", "forge-record/2", "v1", ""])
def test_rec_04_rec_05_there_is_one_version_of_the_chain(maker: Any, other: str) -> None:
    """REC-04, REC-05 as DEC-25 has them: ours, and nothing that was never written is taken for legacy."""
    document = maker.record("failed").document()
    assert document["format"] == FORMAT
    assert refused(maker, canonical_bytes(document | {"format": other})).step == "chain"


def test_rec_06_no_shared_secret_signs(maker: Any) -> None:
    """Replaced by Ed25519: what verifies cannot sign, and there is no key for development."""
    bundle = maker.record("failed").bundle
    assert set(bundle["verificationMaterial"]["publicKey"]) == {"hint"}
    assert not hasattr(maker.key.public, "sign")


def test_ver_15_settings_that_are_none_are_no_settings(maker: Any) -> None:
    """Chained and signed, and yet the policy names a sandbox that does not exist."""
    record = maker.record("failed")
    document = record.document()
    entries: tuple[Any, ...] = ()
    for entry in record.entries:
        body = entry.body or json.loads(maker.store.get(entry.content))
        if entry.kind is EntryKind.SETTINGS:
            body = body | {"policy": body["policy"] | {"backend": "none"}}
        added, blob = append(entries, entry.kind, body)
        if blob is not None:
            maker.store.put(blob)
        entries = (*entries, added)
    forged = document | {"entries": [item.document() for item in entries], "head": entries[-1].digest}
    assert refused(maker, canonical_bytes(forged)).step == "bodies"


def test_view_04_what_cannot_be_encoded_is_degraded(maker: Any) -> None:
    """VIEW-04, ENC-06: a forged record with a lone surrogate is drawn under its banner."""
    record = maker.record("failed")
    run = record.entries[0]
    forged = run.model_copy(update={"body": {**(run.body or {}), "platform": "\ud800"}})
    text = render_html(record.model_copy(update={"entries": (forged, *record.entries[1:])}), maker.store)
    assert "NOT INTACT" in text
    text.encode("utf-8")


def test_evi_03_what_is_long_lies_beside_the_record(maker: Any) -> None:
    short, none = append((), EntryKind.FAULT, {"x": "y"})
    long, blob = append((), EntryKind.FAULT, {"x": "y" * INLINE_BYTES})
    assert (short.body, none) == ({"x": "y"}, None)
    assert long.body is None
    assert blob is not None
    assert (long.content, long.length) == (digest(blob), len(blob))


def test_rpl_07_words_are_no_part_of_what_is_repeated(maker: Any) -> None:
    """A failed explanation changes neither verdict nor evidence, which is all that a replay compares."""
    call = ModelCall(
        role="explainer",
        provider="local",
        model="small",
        purpose="explanation",
        attempt=0,
        duration_ms=1,
        request=digest(b""),
        error="outage",
    )
    models: list[Model] = maker.models("failed")
    spoken = [*models, call, Explanation(attempt=0, author="forge", text="It printed another line.", error="outage")]
    silent, told = maker.outcome(models), maker.outcome(spoken)
    assert told.model_copy(update={"usage": None}) == silent
    verify_bytes(maker.seal([*spoken, told]).canonical(), maker.store, trusted=Trust.of(maker.key.public))

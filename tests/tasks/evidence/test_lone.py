"""A bundle without its record: it verifies as far as it can, and says what that leaves open."""

from __future__ import annotations

import base64
import json
from pathlib import Path
from typing import Any

import pytest

from contracts.canonical import canonical_bytes, digest
from contracts.loading import DocumentError
from tasks.evidence import dsse
from tasks.evidence.bindings import Bindings, read_bindings
from tasks.evidence.lone import is_bundle, verify_bundle
from tasks.evidence.summary import RESULT_FILE, SUMMARY_FILE, summaries
from tasks.evidence.trust import NOBODY, Trust
from tasks.evidence.verify import NotIntact, UntrustedSigner, VerificationError


def bundles(maker: Any, kind: str = "verified") -> dict[str, bytes]:
    """The bundle inside a record, and those beside it."""
    record = maker.record(kind)
    return {"record": canonical_bytes(record.bundle), **summaries(record, maker.store, maker.key)}


def trusted(maker: Any) -> Trust:
    return Trust.of(maker.key.public)


@pytest.mark.parametrize("kind", ["verified", "failed", "infeasible", "underspecified", "unavailable"])
def test_every_bundle_verifies_and_says_what_it_does_not_show(maker: Any, kind: str) -> None:
    found = bundles(maker, kind)
    assert (RESULT_FILE in found) == (kind == "verified")
    for data in found.values():
        assert is_bundle(data)
        told = verify_bundle(data, trusted=trusted(maker))
        assert told.signed_by == maker.key.public.id
        assert "record" in told.not_checked[0]
        assert (told.status in {"verified", "PASSED"}) == (kind == "verified")


def test_evi_09_who_did_not_ask_who_signed_is_told_so(maker: Any) -> None:
    told = verify_bundle(bundles(maker)["record"], trusted=NOBODY, integrity_only=True)
    assert "trust" not in told.checked
    assert any("who signed" in item for item in told.not_checked)


@pytest.mark.parametrize("name", ["record", SUMMARY_FILE, RESULT_FILE])
def test_another_key_is_an_untrusted_signer(maker: Any, other_key: Any, name: str) -> None:
    with pytest.raises(UntrustedSigner):
        verify_bundle(bundles(maker)[name], trusted=Trust.of(other_key.public))
    with pytest.raises(UntrustedSigner):
        verify_bundle(bundles(maker)[name], trusted=Trust(trusted(maker).records, frozenset(), threshold=2))


@pytest.mark.parametrize("name", ["record", SUMMARY_FILE, RESULT_FILE])
def test_a_changed_byte_is_refused(maker: Any, name: str) -> None:
    data = bundles(maker)[name]
    for place in range(0, len(data), 7):
        with pytest.raises((VerificationError, DocumentError)):
            verify_bundle(data[:place] + bytes([data[place] ^ 1]) + data[place + 1 :], trusted=trusted(maker))


def signed(maker: Any, change: Any) -> bytes:
    """A bundle of a trusted key over a statement that was changed before."""
    bundle = json.loads(bundles(maker)["record"])
    document = json.loads(base64.b64decode(bundle["dsseEnvelope"]["payload"]))
    change(document)
    return canonical_bytes(dsse.sign(canonical_bytes(document), maker.key))


CHANGES = {
    "pitfall_2_another_type_of_statement": lambda document: document.update(_type="x"),
    "pitfall_16_another_predicate": lambda document: document.update(predicateType="https://slsa.dev/provenance/v1"),
    "pitfall_8_no_subject": lambda document: document.update(subject=[]),
    "a_subject_of_another_shape": lambda document: document.update(subject=[3]),
    "a_further_field": lambda document: document.update(more=1),
    "no_predicate": lambda document: document.update(predicate=[]),
    "nothing_of_a_run": lambda document: document["predicate"].pop("run"),
}


@pytest.mark.parametrize("name", CHANGES)
def test_what_a_trusted_key_signed_is_still_read_strictly(maker: Any, name: str) -> None:
    with pytest.raises(NotIntact):
        verify_bundle(signed(maker, CHANGES[name]), trusted=trusted(maker))


def test_ver_02_bindings_hold_or_refuse(maker: Any, tmp_path: Path) -> None:
    data = bundles(maker)["record"]
    (tmp_path / "requirement.md").write_bytes(maker.requirement.text.encode())
    held = read_bindings(tmp_path / "requirement.md", tmp_path / "candidate-1", None)
    assert not [
        item for item in verify_bundle(data, trusted=trusted(maker), bindings=held).not_checked if "given" in item
    ]
    for field in ("spec", "candidate", "package"):
        with pytest.raises(NotIntact, match="bindings"):
            verify_bundle(data, trusted=trusted(maker), bindings=Bindings(**{field: digest(b"other")}))


@pytest.mark.parametrize("data", [b"{}", b"[]", b'{"mediaType":1}', b"{", b'{"mediaType":"x","dsseEnvelope":{}}'])
def test_of_any_shape_it_is_judged(maker: Any, data: bytes) -> None:
    with pytest.raises((VerificationError, DocumentError)):
        verify_bundle(data, trusted=trusted(maker))

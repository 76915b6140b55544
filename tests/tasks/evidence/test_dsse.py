"""EVI-04: the envelope as the DSSE specification has it, in the one form that is written here."""

from __future__ import annotations

import base64
import json
from typing import Any

import pytest

from tasks.evidence import dsse
from tasks.evidence.signing import SigningKey


def test_the_vector_of_the_specification() -> None:
    expected = b"DSSEv1 29 http://example.com/HelloWorld 11 hello world"
    assert dsse.pae("http://example.com/HelloWorld", b"hello world") == expected


def test_lengths_count_bytes() -> None:
    assert dsse.pae("é", b"") == b"DSSEv1 2 \xc3\xa9 0 "
    assert dsse.pae("", b"a b") == b"DSSEv1 0  3 a b"


def test_the_form_of_a_bundle(maker: Any) -> None:
    bundle = dsse.sign(b"{}", maker.key)
    signature = base64.b64encode(maker.key.sign(dsse.pae(dsse.PAYLOAD_TYPE, b"{}"))).decode()
    assert json.loads(json.dumps(bundle)) == {
        "mediaType": "application/vnd.dev.sigstore.bundle.v0.3+json",
        "verificationMaterial": {"publicKey": {"hint": maker.key.public.id}, "tlogEntries": []},
        "dsseEnvelope": {
            "payload": "e30=",
            "payloadType": "application/vnd.in-toto+json",
            "signatures": [{"keyid": maker.key.public.id, "sig": signature}],
        },
    }
    assert dsse.open_bundle(bundle)[0] == b"{}"
    assert dsse.verifies(bundle, maker.key.public)


def test_another_key_does_not_verify(maker: Any, other_key: SigningKey) -> None:
    assert not dsse.verifies(dsse.sign(b"{}", maker.key), other_key.public)


@pytest.mark.parametrize("length", [0, 63, 65])
def test_signatures_of_another_length_do_not_verify(maker: Any, length: int) -> None:
    assert not maker.key.public.verifies(b"x" * length, b"{}")


@pytest.mark.parametrize("bundle", [{}, {"dsseEnvelope": 1}, {"dsseEnvelope": {"signatures": "x", "payload": ""}}])
def test_what_is_no_bundle(bundle: dict[str, Any]) -> None:
    with pytest.raises(dsse.EnvelopeError):
        dsse.open_bundle(bundle)

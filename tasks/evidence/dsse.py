"""The outside form: a DSSE envelope in a Sigstore bundle, one cryptographic signature, one way to write it (EVI-04)."""

from __future__ import annotations

import base64
import binascii
from typing import Any

from tasks.evidence.signing import PublicKey, SigningKey

PAYLOAD_TYPE = "application/vnd.in-toto+json"
MEDIA_TYPE = "application/vnd.dev.sigstore.bundle.v0.3+json"


class EnvelopeError(ValueError):
    """A bundle is not of the one form that is written here."""


def pae(payload_type: str, payload: bytes) -> bytes:
    """The bytes that are signed: DSSE v1 pre-authentication encoding."""
    kind = payload_type.encode()
    return b"DSSEv1 %d %b %d %b" % (len(kind), kind, len(payload), payload)


def sign(payload: bytes, key: SigningKey) -> dict[str, Any]:
    """A bundle over ``payload``."""
    return _bundle(payload, key.sign(pae(PAYLOAD_TYPE, payload)), key.public)


def open_bundle(bundle: dict[str, Any]) -> tuple[bytes, bytes]:
    """Payload and cryptographic signature of a bundle; nothing of them is believed yet.

    Raises:
        EnvelopeError: they are not there, or not as canonical base64.
    """
    try:
        envelope = bundle["dsseEnvelope"]
        (entry,) = envelope["signatures"]
        return _decoded(envelope["payload"]), _decoded(entry["sig"])
    except (KeyError, TypeError, ValueError) as error:
        raise EnvelopeError("not a bundle with one signed payload") from error


def verifies(bundle: dict[str, Any], key: PublicKey) -> bool:
    """True iff the bundle is, field by field, what ``key`` writes over its payload, and the signature holds.

    Nothing in it is optional or ignored: a changed type, hint or key id, a second signature, another spelling of
    base64 are refused alike.
    """
    payload, signature = open_bundle(bundle)
    return bundle == _bundle(payload, signature, key) and key.verifies(signature, pae(PAYLOAD_TYPE, payload))


def _bundle(payload: bytes, signature: bytes, key: PublicKey) -> dict[str, Any]:
    return {
        "mediaType": MEDIA_TYPE,
        "verificationMaterial": {"publicKey": {"hint": key.id}, "tlogEntries": []},
        "dsseEnvelope": {
            "payload": _encoded(payload),
            "payloadType": PAYLOAD_TYPE,
            "signatures": [{"keyid": key.id, "sig": _encoded(signature)}],
        },
    }


def _encoded(data: bytes) -> str:
    return base64.b64encode(data).decode("ascii")


def _decoded(text: object) -> bytes:
    if not isinstance(text, str):
        raise EnvelopeError("not text")
    try:
        data = base64.b64decode(text, validate=True)
    except binascii.Error as error:
        raise EnvelopeError("not base64") from error
    if _encoded(data) != text:
        raise EnvelopeError("not canonical base64")
    return data

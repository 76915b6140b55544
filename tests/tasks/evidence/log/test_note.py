"""Checkpoints as signed notes: one form, one signature, and nothing of it ignored (EVI-07, pitfalls 3 to 6)."""

from __future__ import annotations

import base64
import random

import pytest
from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey

from contracts.canonical import digest
from contracts.log import Checkpoint
from tasks.evidence.log import note
from tasks.evidence.log.note import NoteError, open_checkpoint, read_checkpoint, sign_checkpoint
from tasks.evidence.signing import PublicKey, SigningKey

STATE = Checkpoint(origin="forge-log/00", size=7, root=digest(b"root"))


@pytest.fixture
def signed(key: SigningKey) -> str:
    return sign_checkpoint(STATE, key)


def test_a_note_has_the_form_of_c2sp(signed: str, key: SigningKey) -> None:
    root = base64.b64encode(bytes.fromhex(STATE.root[7:])).decode()
    text, signature = signed.split("\n\n")
    assert text == f"forge-log/00\n7\n{root}"
    assert signature.startswith("— forge-log/00 ")
    assert open_checkpoint(signed, [key.public]) == STATE == read_checkpoint(signed)


def test_the_key_hash_is_that_of_other_implementations() -> None:
    """The known verifier key of the signed-note documentation: name, hash and key belong together."""
    key = PublicKey(base64.b64decode("ARpc2QcUPDhMQegwxbzhKqiBfsVkmqq/LDE4izWy10TW")[1:])
    assert note._key_hash("PeterNeumann", key).hex() == "c74f20a3"


def test_evi_pitfall_3_another_key_is_refused(signed: str, key: SigningKey) -> None:
    other = SigningKey(Ed25519PrivateKey.generate(), "test").public
    with pytest.raises(NoteError, match="no trusted key"):
        open_checkpoint(signed, [other])
    with pytest.raises(NoteError):
        open_checkpoint(signed, [])
    assert open_checkpoint(signed, [other, key.public]) == STATE


@pytest.mark.parametrize(
    "change",
    [
        lambda text: "",
        lambda text: text[:-1],
        lambda text: text + "\n",
        lambda text: text + text.splitlines(keepends=True)[-1],
        lambda text: text.replace("\n7\n", "\n07\n"),
        lambda text: text.replace("\n7\n", "\n-7\n"),
        lambda text: text.replace("\n7\n", "\n7\nmore\n"),
        lambda text: text.replace("\n7\n", "\n99999999999999999999\n"),
        lambda text: text.replace("— forge-log/00", "— forge-log/01"),
        lambda text: text.replace("\n\n", "\r\n\r\n"),
        lambda text: text.replace("\n\n— ", "\n\n- "),
        lambda text: text.partition("\n\n")[0] + "\n\n",
        lambda text: text.replace("\n7\n", "\n٧\n"),
    ],
)
def test_evi_pitfall_4_and_6_another_form_is_refused(signed: str, change: object, key: SigningKey) -> None:
    assert callable(change)
    with pytest.raises(NoteError):
        open_checkpoint(change(signed), [key.public])


def test_every_changed_character_is_refused(signed: str, key: SigningKey) -> None:
    draw = random.Random(7)
    for at in range(len(signed)):
        letter = draw.choice([char for char in "Ab0+/=\n —x" if char != signed[at]])
        for broken in (signed[:at] + letter + signed[at + 1 :], signed[:at] + signed[at + 1 :]):
            with pytest.raises(NoteError):
                open_checkpoint(broken, [key.public])

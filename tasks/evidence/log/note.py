"""Checkpoints as signed notes: C2SP tlog-checkpoint and signed-note, with one Ed25519 signature and no extension.

A verifier of that ecosystem reads ours; of theirs we read only this one form, so that nothing is ignored.
"""

from __future__ import annotations

import base64
import binascii
import hashlib
import re
from collections.abc import Iterable

from contracts.log import Checkpoint
from tasks.evidence.signing import PublicKey, SigningKey

_ALGORITHM = b"\x01"
_NOTE = re.compile(
    r"(?P<text>(?P<origin>[!-*,-~]+)\n(?P<size>0|[1-9][0-9]{0,15})\n(?P<root>[A-Za-z0-9+/=]{44})\n)"
    r"\n— (?P<name>[!-*,-~]+) (?P<signature>[A-Za-z0-9+/=]{92})\n"
)


class NoteError(ValueError):
    """A note is not of the one form, or no given key signed it."""


def sign_checkpoint(checkpoint: Checkpoint, key: SigningKey) -> str:
    """The signed note of a checkpoint; the key goes by the log's name, as that form asks for."""
    text = _text(checkpoint)
    mark = _key_hash(checkpoint.origin, key.public) + key.sign(text.encode())
    return f"{text}\n— {checkpoint.origin} {_encoded(mark)}\n"


def read_checkpoint(note: str) -> Checkpoint:
    """What a note says; a claim until its cryptographic signature is checked. Raises NoteError."""
    return _parts(note)[0]


def open_checkpoint(note: str, keys: Iterable[PublicKey]) -> Checkpoint:
    """What a note says, signed by one of ``keys``: the bytes decide, the four that hint at a key do not.

    Raises:
        NoteError: it is no such note, or none of them signed it.
    """
    checkpoint, mark = _parts(note)
    text = _text(checkpoint).encode()
    for key in keys:
        if mark[:4] == _key_hash(checkpoint.origin, key) and key.verifies(mark[4:], text):
            return checkpoint
    raise NoteError("no trusted key signed the checkpoint")


def root_of(checkpoint: Checkpoint) -> bytes:
    """The root hash, 32 bytes."""
    return bytes.fromhex(checkpoint.root.removeprefix("sha256:"))


def _parts(note: str) -> tuple[Checkpoint, bytes]:
    match = _NOTE.fullmatch(note)
    if match is None or match["name"] != match["origin"]:
        raise NoteError("not a checkpoint with one cryptographic signature by its log")
    root, mark = _decoded(match["root"]), _decoded(match["signature"])
    size = int(match["size"])
    if len(root) != 32 or len(mark) != 68 or size >= 2**53:
        raise NoteError("a checkpoint's root, size or cryptographic signature is out of bounds")
    return Checkpoint(origin=match["origin"], size=size, root=f"sha256:{root.hex()}"), mark


def _text(checkpoint: Checkpoint) -> str:
    return f"{checkpoint.origin}\n{checkpoint.size}\n{_encoded(root_of(checkpoint))}\n"


def _key_hash(name: str, key: PublicKey) -> bytes:
    return hashlib.sha256(name.encode() + b"\n" + _ALGORITHM + key.raw).digest()[:4]


def _encoded(data: bytes) -> str:
    return base64.b64encode(data).decode("ascii")


def _decoded(text: str) -> bytes:
    try:
        data = base64.b64decode(text, validate=True)
    except binascii.Error:
        data = b""
    if _encoded(data) != text:
        raise NoteError("not canonical base64")
    return data

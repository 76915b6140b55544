"""Ed25519 keys: the user's own, made on first use, and public ones (REC-07, REC-08, EVI-08)."""

from __future__ import annotations

import base64
import binascii
import errno
import os
import stat
from collections.abc import Mapping
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path
from typing import TYPE_CHECKING

from contracts.canonical import Digest, digest
from tasks.errors import UsageError
from tasks.evidence.files import create_once, opened_regular

if TYPE_CHECKING:
    from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey

VARIABLE = "FORGE_SIGNING_KEY"
_FILE = "signing-key.pem"
_KEY_BYTES = 16_384
_PRIME = 2**255 - 19
_SMALL_ORDER = {
    0,
    1,
    _PRIME - 1,
    2707385501144840649318225287225658788936804267575313519463743609750303402022,
    55188659117513257062467267217118295137698188065244968500265048394206261417927,
}
"""The y coordinates of the points of order 1, 2, 4 and 8 (EVI-08)."""


class KeyFileError(UsageError):
    """A key cannot be used. The message names rule and source, never the key (REC-08)."""


@dataclass(frozen=True)
class PublicKey:
    """An Ed25519 public key; two are equal iff their bytes are (EVI-08)."""

    raw: bytes

    def __post_init__(self) -> None:
        y = int.from_bytes(self.raw, "little") & (2**255 - 1)
        if len(self.raw) != 32 or y >= _PRIME or y in _SMALL_ORDER:
            raise KeyFileError("not an Ed25519 public key, or one of small order")

    @property
    def id(self) -> Digest:
        """Digest of the raw key: a name for it, never a reason to trust it."""
        return digest(self.raw)

    def verifies(self, signature: bytes, data: bytes) -> bool:
        """True iff ``signature`` is this key's over ``data``."""
        from cryptography.exceptions import InvalidSignature
        from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PublicKey

        try:
            Ed25519PublicKey.from_public_bytes(self.raw).verify(signature, data)
        except (InvalidSignature, ValueError):
            return False
        return True


@dataclass(frozen=True)
class SigningKey:
    """A private key and where it is from; ``created`` iff its file was made just now, which the user is told."""

    private: Ed25519PrivateKey
    source: str
    created: bool = False

    @cached_property
    def public(self) -> PublicKey:
        """The other half."""
        return PublicKey(self.private.public_key().public_bytes_raw())

    def sign(self, data: bytes) -> bytes:
        """The cryptographic signature over ``data``, 64 bytes."""
        return self.private.sign(data)

    def __repr__(self) -> str:
        return f"SigningKey({self.public.id}, from {self.source})"


def load_key(environment: Mapping[str, str] = os.environ) -> SigningKey:
    """The key to sign with: of ``FORGE_SIGNING_KEY`` (PEM, or the seed as base64), else of the user's key file.

    The file is made on first use, readable by its owner only.

    Raises:
        KeyFileError: an unusable key or file; a variable that is set but empty is not "no key".
    """
    text = environment.get(VARIABLE)
    if text is not None:
        return SigningKey(_private_key(text.encode("utf-8", "surrogateescape"), VARIABLE), VARIABLE)
    path = key_file(environment)
    created = False
    if not os.path.lexists(path):
        created = _make(path)
    return SigningKey(_private_key(_read_private(path), str(path)), str(path), created)


def own_key(environment: Mapping[str, str] = os.environ) -> PublicKey | None:
    """The public half of the key that `load_key` gives; None, and nothing is made, where there is none yet.

    Raises:
        KeyFileError: a key that is there cannot be used.
    """
    made = VARIABLE in environment or os.path.lexists(key_file(environment))
    return load_key(environment).public if made else None


def key_file(environment: Mapping[str, str] = os.environ) -> Path:
    """Where the user's own key lies, or is made on first use."""
    return configuration(environment) / _FILE


def key_from(path: Path) -> SigningKey:
    """The key in a file of the user's (PEM, or the seed as base64), readable by its owner only.

    Raises:
        KeyFileError: it cannot be used.
    """
    return SigningKey(_private_key(_read_private(path), str(path)), str(path))


def new_key(path: Path) -> SigningKey:
    """Make a key file. Raises KeyFileError where something stands there, or it cannot be written."""
    if not _make(path):
        raise KeyFileError(f"{path} exists")
    return key_from(path)


def configuration(environment: Mapping[str, str] = os.environ) -> Path:
    """The user's configuration directory of Forge, by the XDG base directory specification.

    Raises:
        KeyFileError: there is no home directory to hold one.
    """
    base = Path(environment.get("XDG_CONFIG_HOME", ""))
    if not base.is_absolute():
        try:
            base = Path(environment.get("HOME") or "~").expanduser() / ".config"
        except RuntimeError:
            raise KeyFileError("there is no home directory: XDG_CONFIG_HOME or FORGE_SIGNING_KEY would help") from None
    return base / "forge"


def parse_public(data: bytes, source: str) -> PublicKey:
    """A PEM public key as Ed25519; raises KeyFileError, also for points of small order (EVI-08)."""
    from cryptography.exceptions import UnsupportedAlgorithm
    from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PublicKey
    from cryptography.hazmat.primitives.serialization import load_pem_public_key

    try:
        key = load_pem_public_key(data)
    except (ValueError, UnsupportedAlgorithm):
        raise KeyFileError(f"{source}: not a public key in PEM") from None
    if not isinstance(key, Ed25519PublicKey):
        raise KeyFileError(f"{source}: not an Ed25519 key")
    return PublicKey(key.public_bytes_raw())


def public_pem(key: PublicKey) -> bytes:
    """The key as PEM SubjectPublicKeyInfo, as other tools read it."""
    from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PublicKey
    from cryptography.hazmat.primitives.serialization import Encoding, PublicFormat

    public = Ed25519PublicKey.from_public_bytes(key.raw)
    return public.public_bytes(Encoding.PEM, PublicFormat.SubjectPublicKeyInfo)


def _make(path: Path) -> bool:
    """Make the key file; False where another process was first, whose key then counts."""
    from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey
    from cryptography.hazmat.primitives.serialization import Encoding, NoEncryption, PrivateFormat

    pem = Ed25519PrivateKey.generate().private_bytes(Encoding.PEM, PrivateFormat.PKCS8, NoEncryption())
    try:
        path.parent.mkdir(mode=0o700, parents=True, exist_ok=True)
        return create_once(path, pem, 0o600)
    except OSError as error:
        raise KeyFileError(f"{path}: {error.strerror}") from error


def _read_private(path: Path) -> bytes:
    try:
        with opened_regular(path, os.O_NOFOLLOW) as file:
            status = os.fstat(file.fileno())
            if status.st_uid != os.geteuid():
                raise KeyFileError(f"{path}: belongs to another user")
            if stat.S_IMODE(status.st_mode) & 0o077:
                raise KeyFileError(f"{path}: others may read it; chmod 600 and consider the key spent")
            return file.read(_KEY_BYTES)
    except OSError as error:
        reason = "is a symbolic link" if error.errno == errno.ELOOP else error.strerror
        raise KeyFileError(f"{path}: {reason}") from error


def _private_key(data: bytes, source: str) -> Ed25519PrivateKey:
    from cryptography.exceptions import UnsupportedAlgorithm
    from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey
    from cryptography.hazmat.primitives.serialization import load_pem_private_key

    stripped = data.strip()
    if not stripped:
        raise KeyFileError(f"{source}: empty")
    if not stripped.startswith(b"-----BEGIN"):
        return Ed25519PrivateKey.from_private_bytes(_seed(stripped, source))
    try:
        key = load_pem_private_key(stripped, password=None)
    except (ValueError, TypeError, UnsupportedAlgorithm):
        raise KeyFileError(f"{source}: not an unencrypted private key in PEM") from None
    if not isinstance(key, Ed25519PrivateKey):
        raise KeyFileError(f"{source}: not an Ed25519 key")
    return key


def _seed(text: bytes, source: str) -> bytes:
    try:
        seed = base64.b64decode(text, validate=True)
    except (binascii.Error, ValueError):
        seed = b""
    if len(seed) != 32 or base64.b64encode(seed) != text:
        raise KeyFileError(f"{source}: neither PEM nor 32 bytes as base64 ({len(text)} characters)") from None
    return seed

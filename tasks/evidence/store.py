"""The store: bytes under their digest, and sealed records under the name of their run (EVI-20, EVI-23)."""

from __future__ import annotations

import errno
import re
from abc import ABC, abstractmethod
from pathlib import Path

from contracts.canonical import Digest, digest
from contracts.loading import RECORD_BYTES
from tasks.errors import StoreError, StoreUnavailable, UsageError
from tasks.evidence.files import create_once, fsync_directory, read_regular

BLOB_BYTES = 512 * 1024 * 1024
"""A candidate holds at most 256 MiB; a wheel of it a little more."""

_UNAVAILABLE = {errno.EACCES, errno.EPERM, errno.EIO, errno.ESTALE, errno.EMFILE, errno.ENFILE, errno.ENOMEM}
_DIGEST = re.compile(r"sha256:([0-9a-f]{64})")
_RUN = re.compile(r"[A-Za-z0-9][A-Za-z0-9._-]{0,99}")


class Store(ABC):
    """Content-addressed and create-once: what is in it never changes. Blobs lie in ``sha256/``, records in ``runs/``.

    A kind of store gives `create`, `read` and `names` over keys of the form ``folder/.../name``; the rest follows.
    """

    @property
    @abstractmethod
    def location(self) -> str:
        """Where it lies, the same for no other store."""

    @abstractmethod
    def create(self, key: str, data: bytes) -> bool:
        """Keep ``data`` durably under ``key``; False where something stands there, which is left. Raises StoreError."""

    @abstractmethod
    def read(self, key: str, limit: int) -> bytes | None:
        """What stands under ``key``, unchecked; None if nothing does.

        Raises:
            StoreUnavailable: it cannot be reached.
            StoreError: it is no file, or longer than ``limit`` bytes.
        """

    @abstractmethod
    def names(self, folder: str) -> frozenset[str]:
        """The names right below ``folder``: a set, since no order is relied on (EVI-20). Raises StoreError."""

    @property
    def notices(self) -> tuple[str, ...]:
        """What a run that uses this store must say about it, in lines (EVI-24)."""
        return ()

    def put(self, data: bytes) -> Digest:
        """Keep ``data`` durably; return its digest. Bytes that are there already are compared. Raises StoreError."""
        name = digest(data)
        self.keep(_blob(name), data)
        return name

    def get(self, name: Digest) -> bytes:
        """The bytes of that digest, hashed again. Raises StoreError where they are missing or others."""
        data = self._read(_blob(name), BLOB_BYTES)
        if digest(data) != name:
            raise StoreError(f"the store has other bytes under {name}")
        return data

    def put_record(self, run: str, data: bytes) -> None:
        """Keep the record of a run. Raises StoreError where another one has that name (law 6)."""
        self.keep(record_key(run), data)

    def get_record(self, run: str) -> bytes:
        """The record of a run. Raises StoreError."""
        return self._read(record_key(run), RECORD_BYTES)

    def keep(self, key: str, data: bytes) -> None:
        """As `create`, for data that may stand there already. Raises StoreError where other bytes do."""
        if not self.create(key, data) and self.read(key, len(data)) != data:
            raise StoreError(f"the store has other bytes under {_last(key)}")

    def _read(self, key: str, limit: int) -> bytes:
        data = self.read(key, limit)
        if data is None:
            raise StoreError(f"the store has no {_last(key)}")
        return data


class DirectoryStore(Store):
    """A directory: ``sha256/<hex>`` (so that ``sha256sum`` can check it) and ``runs/<run>.json``."""

    def __init__(self, root: Path) -> None:
        self.root = root

    @property
    def location(self) -> str:
        """As `Store.location`."""
        return str(self.root.absolute())

    def create(self, key: str, data: bytes) -> bool:
        """As `Store.create`."""
        path = self.root / key
        try:
            _make_directory(path.parent)
            return create_once(path, data)
        except OSError as error:
            raise StoreError(f"the store cannot keep {path.name}: {error.strerror}") from error

    def read(self, key: str, limit: int) -> bytes | None:
        """As `Store.read`."""
        try:
            return read_regular(self.root / key, limit)
        except FileNotFoundError:
            return None
        except OSError as error:
            kind = StoreUnavailable if error.errno in _UNAVAILABLE else StoreError
            raise kind(f"the store cannot read {_last(key)}: {error.strerror}") from error

    def names(self, folder: str) -> frozenset[str]:
        """As `Store.names`; hidden names are those of writers at work."""
        try:
            return frozenset(path.name for path in (self.root / folder).iterdir() if not path.name.startswith("."))
        except FileNotFoundError:
            return frozenset()
        except OSError as error:
            raise StoreError(f"the store cannot list {folder}: {error.strerror}") from error


def open_store(location: str, *, read_only: bool = False) -> Store:
    """The store at ``location``: a directory, made when something is first put there, or ``s3://bucket/prefix``.

    A bucket that is opened ``read_only`` need not grant the right to write.

    Raises:
        UsageError: no location, one of another kind, or a bucket that cannot serve as a store (EVI-21).
        StoreError: the bucket cannot be reached.
    """
    if location.startswith("s3://"):
        from tasks.evidence.s3 import open_bucket

        return open_bucket(location, read_only=read_only)
    if not location or "://" in location:
        raise UsageError(f"neither a directory nor s3://bucket/prefix: {location!r}")
    return DirectoryStore(Path(location))


def record_key(run: str) -> str:
    """Where the record of a run stands. Raises StoreError for what is no name of a run."""
    if _RUN.fullmatch(run) is None:
        raise StoreError(f"not the name of a run: {run[:80]!r}")
    return f"runs/{run}.json"


def _blob(name: Digest) -> str:
    match = _DIGEST.fullmatch(name)
    if match is None:
        raise StoreError(f"not a digest: {name[:80]!r}")
    return f"sha256/{match[1]}"


def _last(key: str) -> str:
    return key.rpartition("/")[2]


def _make_directory(path: Path) -> None:
    """Make a directory and those above it, durably: each new name is flushed in the directory that holds it."""
    if not path.is_dir():
        _make_directory(path.parent)
        path.mkdir(exist_ok=True)
        fsync_directory(path.parent)

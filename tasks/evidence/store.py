"""The store: bytes under their digest, and sealed records under the name of their run (EVI-20, EVI-23)."""

from __future__ import annotations

import re
from pathlib import Path
from typing import Protocol

from contracts.canonical import Digest, digest
from contracts.loading import RECORD_BYTES
from tasks.errors import StoreError, UsageError
from tasks.evidence.files import create_once, fsync_directory, read_regular

BLOB_BYTES = 512 * 1024 * 1024
"""A candidate holds at most 256 MiB; a wheel of it a little more."""

_DIGEST = re.compile(r"sha256:([0-9a-f]{64})")
_RUN = re.compile(r"[A-Za-z0-9][A-Za-z0-9._-]{0,99}")


class Store(Protocol):
    """Content-addressed and create-once: what is in it never changes."""

    def put(self, data: bytes) -> Digest:
        """Keep ``data`` durably; return its digest. Raises StoreError."""
        ...

    def get(self, name: Digest) -> bytes:
        """The bytes of that digest, hashed again. Raises StoreError where they are missing or others."""
        ...

    def put_record(self, run: str, data: bytes) -> None:
        """Keep the record of a run. Raises StoreError where another one has that name (law 6)."""
        ...

    def get_record(self, run: str) -> bytes:
        """The record of a run. Raises StoreError."""
        ...


class DirectoryStore:
    """A directory: ``sha256/<hex>`` (so that ``sha256sum`` can check it) and ``runs/<run>.json``."""

    def __init__(self, root: Path) -> None:
        self.root = root
        self._blobs = root / "sha256"
        self._runs = root / "runs"

    def put(self, data: bytes) -> Digest:
        """As `Store.put`; bytes that are there already are compared."""
        name = digest(data)
        self._create(self._blob(name), data)
        return name

    def get(self, name: Digest) -> bytes:
        """As `Store.get`."""
        data = _read(self._blob(name), BLOB_BYTES)
        if digest(data) != name:
            raise StoreError(f"the store has other bytes under {name}")
        return data

    def put_record(self, run: str, data: bytes) -> None:
        """As `Store.put_record`."""
        self._create(self._record(run), data)

    def get_record(self, run: str) -> bytes:
        """As `Store.get_record`."""
        return _read(self._record(run), RECORD_BYTES)

    def _create(self, path: Path, data: bytes) -> None:
        try:
            if not path.parent.is_dir():
                path.parent.mkdir(parents=True, exist_ok=True)
                fsync_directory(path.parent.parent)
            created = create_once(path, data)
        except OSError as error:
            raise StoreError(f"the store cannot keep {path.name}: {error.strerror}") from error
        if not created and _read(path, len(data)) != data:
            raise StoreError(f"the store has other bytes under {path.name}")

    def _blob(self, name: Digest) -> Path:
        match = _DIGEST.fullmatch(name)
        if match is None:
            raise StoreError(f"not a digest: {name[:80]!r}")
        return self._blobs / match[1]

    def _record(self, run: str) -> Path:
        if _RUN.fullmatch(run) is None:
            raise StoreError(f"not the name of a run: {run[:80]!r}")
        return self._runs / f"{run}.json"


def open_store(location: str) -> Store:
    """The store at ``location``, a directory that is made when something is first put there.

    Raises:
        UsageError: no location, or one of another kind.
    """
    if not location or "://" in location:
        raise UsageError(f"not a directory for a store: {location!r}")
    return DirectoryStore(Path(location))


def _read(path: Path, limit: int) -> bytes:
    try:
        return read_regular(path, limit)
    except FileNotFoundError:
        raise StoreError(f"the store has no {path.name}") from None
    except OSError as error:
        raise StoreError(f"the store cannot read {path.name}: {error.strerror}") from error

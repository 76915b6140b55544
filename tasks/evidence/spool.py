"""An outage of the store loses nothing: evidence waits in a directory and is uploaded later (EVI-24)."""

from __future__ import annotations

import os
import time
from contextlib import suppress

from tasks.errors import StoreError
from tasks.evidence.s3 import S3Error, S3Store
from tasks.evidence.store import BLOB_BYTES, DirectoryStore, Store

PAUSE = 60.0
"""Seconds for which a store that did not serve is not asked again."""

KEPT = 86_400.0
"""Seconds for which a copy stays readable here, so that a run can go on reading what it wrote before an outage."""

_BLOBS = "sha256"
_RECORDS = "runs"


class SpooledStore(Store):
    """A remote store with a directory of ``waiting`` objects that it has not received, and one of recent ``copies``.

    What `keep` keeps survives an outage. `create` does not: who must know whether he was first needs the store itself.
    """

    def __init__(self, remote: S3Store, waiting: DirectoryStore, copies: DirectoryStore) -> None:
        self._remote, self._waiting, self._copies = remote, waiting, copies
        self._outage: S3Error | None = None
        self._asked_again = 0.0
        self._prune()

    def create(self, key: str, data: bytes) -> bool:
        """As `Store.create`. Raises S3Error during an outage."""
        self._check()
        try:
            return self._remote.create(key, data)
        except S3Error as error:
            raise self._note(error) from None

    def read(self, key: str, limit: int) -> bytes | None:
        """As `Store.read`; a waiting object or a copy where the store has none or does not serve."""
        outage, data = None, None
        try:
            self._check()
            data = self._remote.read(key, limit)
        except S3Error as error:
            outage = self._note(error)
        for local in (self._waiting, self._copies):
            data = local.read(key, limit) if data is None else data
        if data is None and outage is not None:
            raise outage
        return data

    def names(self, folder: str) -> frozenset[str]:
        """As `Store.names`, waiting objects among them."""
        self._check()
        return self._remote.names(folder) | self._waiting.names(folder)

    def keep(self, key: str, data: bytes) -> None:
        """As `Store.keep`; during an outage the data wait here, durably, and that is enough."""
        if key.startswith(f"{_BLOBS}/"):
            self._copies.keep(key, data)
            os.utime(self._copies.root / key)
        try:
            self._check()
            self._remote.keep(key, data)
        except S3Error as error:
            self._note(error)
            self._waiting.keep(key, data)

    @property
    def notices(self) -> tuple[str, ...]:
        """That evidence waits, where, and why."""
        count = len(self._waiting.names(_BLOBS)) + len(self._waiting.names(_RECORDS))
        if not count:
            return ()
        place, cause = self._remote.settings.location, f" ({self._outage})" if self._outage is not None else ""
        return (f"{count} objects wait in {self._waiting.root} until {place} serves again{cause}",)

    def waiting_runs(self) -> tuple[str, ...]:
        """The runs whose sealed records wait."""
        return tuple(sorted(name.removesuffix(".json") for name in self._waiting.names(_RECORDS)))

    def deliver_blobs(self) -> None:
        """Upload the blobs that wait. Raises StoreError; what is uploaded then is uploaded."""
        for name in sorted(self._waiting.names(_BLOBS)):
            self._deliver(f"{_BLOBS}/{name}")

    def deliver_record(self, run: str) -> None:
        """Upload a record that waits; after the blobs, so that no record in the store lacks one. Raises StoreError."""
        self._deliver(f"{_RECORDS}/{run}.json")

    def _deliver(self, key: str) -> None:
        self._check()
        data = self._waiting.read(key, BLOB_BYTES)
        if data is None:  # another process delivers as well
            return
        try:
            self._remote.keep(key, data)
        except S3Error as error:
            raise self._note(error) from None
        with suppress(FileNotFoundError):
            (self._waiting.root / key).unlink()

    def _check(self) -> None:
        if self._outage is not None and time.monotonic() < self._asked_again:
            raise self._outage

    def _note(self, error: S3Error) -> S3Error:
        if error is not self._outage:
            self._outage, self._asked_again = error, time.monotonic() + PAUSE
        return error

    def _prune(self) -> None:
        for name in self._copies.names(_BLOBS):
            path = self._copies.root / _BLOBS / name
            with suppress(FileNotFoundError):
                if path.stat().st_mtime < time.time() - KEPT:
                    path.unlink()

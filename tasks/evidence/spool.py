"""An outage of the store loses nothing: evidence waits in a directory and is uploaded later (EVI-24)."""

from __future__ import annotations

import os
import time
from contextlib import suppress

from tasks.errors import StoreError
from tasks.evidence.s3 import S3Error, S3Store
from tasks.evidence.store import BLOB_BYTES, DirectoryStore, Store, record_key

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

    @property
    def location(self) -> str:
        """As `Store.location`."""
        return self._remote.location

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
            with suppress(FileNotFoundError):  # pruned by another process this very moment
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
        return (f"{count} objects wait in {self._waiting.root} to be uploaded to {place}{cause}",)

    def waiting_runs(self) -> tuple[str, ...]:
        """The runs whose sealed records wait."""
        return tuple(sorted(name.removesuffix(".json") for name in self._waiting.names(_RECORDS)))

    def upload_blobs(self) -> None:
        """Upload the blobs that wait. Raises S3Error; what is uploaded then is uploaded."""
        for name in sorted(self._waiting.names(_BLOBS)):
            key = f"{_BLOBS}/{name}"
            if self._upload(key) is not None:
                self._settle(key)

    def upload_record(self, run: str) -> bytes | None:
        """Upload a record that waits, and go on keeping it; None where the store has another one of that run.

        Raises:
            S3Error: the store does not serve.
        """
        return self._upload(record_key(run))

    def settle_record(self, run: str) -> None:
        """Let a record that is uploaded and logged wait no longer."""
        self._settle(record_key(run))

    def _upload(self, key: str) -> bytes | None:
        self._check()
        data = self._waiting.read(key, BLOB_BYTES)
        if data is None:  # another process uploads as well
            return None
        try:
            self._remote.keep(key, data)
        except S3Error as error:
            raise self._note(error) from None
        except StoreError:  # other bytes stand there: ours stay here, as evidence of it, and the notices say so
            return None
        return data

    def _settle(self, key: str) -> None:
        (self._waiting.root / key).unlink(missing_ok=True)

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

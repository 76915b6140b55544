"""An S3-compatible store: created once by condition, checksums on every write, faults in one line (EVI-20, EVI-22)."""

from __future__ import annotations

import base64
import hashlib
import os
import random
import time
from collections.abc import Callable
from contextlib import closing
from dataclasses import replace
from datetime import UTC, datetime, timedelta
from functools import cache, partial
from pathlib import Path
from typing import Any, TypeVar

from contracts.canonical import digest
from tasks.errors import StoreError, StoreUnavailable, UsageError
from tasks.evidence.s3_settings import S3Settings, read_settings
from tasks.evidence.state import state_directory
from tasks.evidence.store import DirectoryStore, Store

T = TypeVar("T")
ATTEMPTS = 3
CONFLICTS = 6
_CHUNK = 1024 * 1024


class S3Error(StoreUnavailable):
    """A request was refused or not answered; ``status`` and ``code`` are 0 and empty where no answer came.

    The message never holds what the other side wrote, since that may repeat a key.
    """

    def __init__(self, message: str, status: int, code: str) -> None:
        super().__init__(message)
        self.status = status
        self.code = code


class S3Store(Store):
    """Objects below one prefix of one bucket. Each request is bounded in time and in attempts."""

    def __init__(self, settings: S3Settings, client: Any = None) -> None:
        self.settings = settings
        self.client = client or make_client(settings)
        self._bucket = {"Bucket": settings.bucket}

    @property
    def location(self) -> str:
        """As `Store.location`."""
        return self.settings.identity

    def create(self, key: str, data: bytes) -> bool:
        """As `Store.create`. False also where an answer got lost and the bytes are our own, from the first attempt."""
        if self.settings.read_only:
            raise StoreError(f"{self.settings.location} was opened to be read")
        for attempt in range(CONFLICTS):
            try:
                self.ask("keep", lambda: self.client.put_object(**self._object(key), Body=data, **self._terms(data)))
            except S3Error as error:
                if error.status == 412:
                    return False
                if error.status != 409:
                    raise
            else:
                return True
            if self._exists(key):
                return False
            # The writer that we met in the middle did not finish: our turn, after a pause.
            time.sleep(random.uniform(0.01, 0.05) * 2**attempt)  # noqa: S311 - no secret
        raise S3Error(f"cannot keep at {self.settings.location}: other writers hold {key}", 409, "")

    def read(self, key: str, limit: int) -> bytes | None:
        """As `Store.read`; an answer that breaks off is asked for again (the client repeats what brought none)."""
        attempt = 0
        while True:
            attempt += 1
            try:
                answer = self.ask("read", lambda: self.client.get_object(**self._object(key)))
            except S3Error as error:
                if error.code == "NoSuchKey":
                    return None
                raise
            try:
                return self.ask("read", partial(self._body, answer["Body"], key, limit))
            except S3Error:
                if attempt == ATTEMPTS:
                    raise

    def names(self, folder: str) -> frozenset[str]:
        """As `Store.names`."""
        prefix = self._object(folder)["Key"] + "/"

        def listed() -> frozenset[str]:
            pages = self.client.get_paginator("list_objects_v2").paginate(**self._bucket, Prefix=prefix, Delimiter="/")
            return frozenset(item["Key"].removeprefix(prefix) for page in pages for item in page.get("Contents", ()))

        return self.ask("list", listed) - {""}  # some gateways list the folder itself

    def unlocked(self) -> S3Store:
        """The same store, where what is created can be removed again."""
        return S3Store(replace(self.settings, lock=None), self.client)

    def remove(self, key: str) -> None:
        """Remove what the probe of the bucket left; evidence is never removed. Raises StoreError."""
        self.ask("remove", lambda: self.client.delete_object(**self._object(key)))

    def versioning(self) -> bool:
        """True iff the bucket keeps versions. Raises StoreError."""
        answer = self.ask("inspect", lambda: self.client.get_bucket_versioning(**self._bucket))
        return bool(answer.get("Status") == "Enabled")

    def locking(self) -> bool:
        """True iff the bucket can lock objects. Raises StoreError."""
        try:
            answer = self.ask("inspect", lambda: self.client.get_object_lock_configuration(**self._bucket))
        except S3Error as error:
            if error.code in ("ObjectLockConfigurationNotFoundError", "NotImplemented"):
                return False
            raise
        return bool(answer["ObjectLockConfiguration"].get("ObjectLockEnabled") == "Enabled")

    def ask(self, verb: str, request: Callable[[], T]) -> T:
        """What ``request`` returns. Raises S3Error for whatever the client raises."""
        from botocore.exceptions import BotoCoreError, ClientError

        try:
            return request()
        except ClientError as error:
            code = str(error.response.get("Error", {}).get("Code", ""))
            status = int(error.response.get("ResponseMetadata", {}).get("HTTPStatusCode", 0))
            raise S3Error(f"cannot {verb} at {self.settings.location}: {code[:60]} ({status})", status, code) from None
        except (BotoCoreError, OSError) as error:
            raise S3Error(f"cannot {verb} at {self.settings.location}: {_words(error)}", 0, "") from None

    def _object(self, key: str) -> dict[str, str]:
        return self._bucket | {"Key": self.settings.prefix + key}

    def _terms(self, data: bytes) -> dict[str, Any]:
        checksum = base64.b64encode(hashlib.sha256(data).digest()).decode("ascii")
        terms: dict[str, Any] = {"IfNoneMatch": "*", "ChecksumSHA256": checksum}
        lock = self.settings.lock
        if lock is not None:
            until = datetime.now(UTC) + timedelta(days=lock.days)
            terms |= {"ObjectLockMode": lock.mode, "ObjectLockRetainUntilDate": until}
        return terms

    def _exists(self, key: str) -> bool:
        try:
            self.ask("read", lambda: self.client.head_object(**self._object(key)))
        except S3Error as error:
            if error.status == 404:
                return False
            raise
        return True

    def _body(self, body: Any, key: str, limit: int) -> bytes:
        data = bytearray()
        with closing(body):
            for chunk in body.iter_chunks(_CHUNK):
                data += chunk
                if len(data) > limit:
                    raise StoreError(f"{self.settings.location}: {key} is longer than {limit} bytes")
        return bytes(data)


def open_bucket(location: str, *, read_only: bool) -> Store:
    """The store at ``s3://bucket/prefix``: probed once by this process, and with a spool for outages (EVI-21, EVI-24).

    To be read, it is not probed: who verifies may have no right to write.

    Raises:
        UsageError: the location or its settings cannot be used, or the bucket does not keep conditions.
        StoreError: it cannot be reached.
    """
    settings = replace(read_settings(location, os.environ), read_only=read_only)
    name = digest(settings.identity.encode()).removeprefix("sha256:")
    return _opened(settings, state_directory(os.environ) / "spool" / name[:32])


@cache
def _opened(settings: S3Settings, spool: Path) -> Store:
    from tasks.evidence.s3_probe import probe
    from tasks.evidence.spool import SpooledStore

    store = S3Store(settings)
    if not settings.read_only:
        probe(store)
    return SpooledStore(store, DirectoryStore(spool / "waiting"), DirectoryStore(spool / "copies"))


def make_client(settings: S3Settings) -> Any:
    """A client with the environment's credentials, and with bounds.

    Raises:
        UsageError: the extra is not installed, or the environment's configuration cannot be used.
    """
    try:
        import boto3
        from botocore.config import Config
        from botocore.exceptions import BotoCoreError
    except ImportError:
        raise UsageError(
            f"{settings.location} needs the extra `s3`; deployments/bootstrap.py --full installs it"
        ) from None
    config = Config(
        connect_timeout=min(settings.timeout, 5),
        read_timeout=settings.timeout,
        retries={"mode": "standard", "total_max_attempts": ATTEMPTS},
        s3={"addressing_style": "path" if settings.endpoint else "auto"},
        max_pool_connections=16,
    )
    try:
        session = boto3.session.Session()
        return session.client("s3", endpoint_url=settings.endpoint, region_name=settings.region, config=config)
    except BotoCoreError as error:
        raise UsageError(f"{settings.location}: {_words(error)}") from None


def _words(error: Exception) -> str:
    """``EndpointConnectionError`` as words; messages of the client may hold more than a log should."""
    name = type(error).__name__.removesuffix("Error")
    return "".join(f" {char.lower()}" if char.isupper() else char for char in name).strip()

"""Where an S3-compatible store lies and how it is spoken to, from a location and the environment (EVI-20 to EVI-22)."""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Literal
from urllib.parse import urlsplit

from tasks.errors import UsageError

ENDPOINT = "FORGE_S3_ENDPOINT"
OBJECT_LOCK = "FORGE_S3_OBJECT_LOCK"
VERSIONING = "FORGE_S3_VERSIONING"
TIMEOUT = "FORGE_S3_TIMEOUT"

_LOCATION = re.compile(r"s3://([a-z0-9][a-z0-9.-]{1,61}[a-z0-9])((?:/[A-Za-z0-9_-][A-Za-z0-9._-]*)*)/?")
_LOCK = re.compile(r"(governance|compliance):([1-9][0-9]{0,4})")


@dataclass(frozen=True)
class ObjectLock:
    """Objects cannot be deleted or replaced for ``days``; governance can be lifted by a privileged user."""

    mode: Literal["GOVERNANCE", "COMPLIANCE"]
    days: int


@dataclass(frozen=True)
class S3Settings:
    """``prefix`` is empty or ends with a slash; ``endpoint`` None is Amazon's; ``timeout`` in seconds, per answer.

    A store that is ``read_only`` was not probed, and so nothing is written to it.
    """

    bucket: str
    prefix: str
    endpoint: str | None
    region: str
    lock: ObjectLock | None
    versioned: bool
    timeout: int
    read_only: bool = False

    @property
    def location(self) -> str:
        """The store's name for a person."""
        return f"s3://{self.bucket}/{self.prefix}".rstrip("/")

    @property
    def identity(self) -> str:
        """The store's name among those of all endpoints."""
        return f"{self.location} at {self.endpoint or 'aws'}"


def read_settings(location: str, environment: Mapping[str, str]) -> S3Settings:
    """The settings of ``s3://bucket/prefix``; credentials are read by the client alone and never pass through here.

    Raises:
        UsageError: a location or a variable that cannot be used.
    """
    match = _LOCATION.fullmatch(location)
    if match is None:
        raise UsageError(f"not of the form s3://bucket/prefix: {location!r}")
    return S3Settings(
        bucket=match[1],
        prefix=match[2].lstrip("/") + "/" if match[2] else "",
        endpoint=_endpoint(environment.get(ENDPOINT)),
        region=environment.get("AWS_REGION") or environment.get("AWS_DEFAULT_REGION") or "us-east-1",
        lock=_lock(environment.get(OBJECT_LOCK)),
        versioned=_versioned(environment.get(VERSIONING)),
        timeout=_timeout(environment.get(TIMEOUT)),
    )


def _endpoint(text: str | None) -> str | None:
    if text is None:
        return None
    parts = urlsplit(text)
    if parts.scheme not in ("http", "https") or not parts.hostname or "@" in parts.netloc or parts.query:
        raise UsageError(f"{ENDPOINT} is not of the form https://host:port (and holds no password)")
    return text


def _lock(text: str | None) -> ObjectLock | None:
    if text is None:
        return None
    match = _LOCK.fullmatch(text)
    if match is None:
        raise UsageError(f"{OBJECT_LOCK} is neither governance:DAYS nor compliance:DAYS: {text[:40]!r}")
    return ObjectLock("GOVERNANCE" if match[1] == "governance" else "COMPLIANCE", int(match[2]))


def _versioned(text: str | None) -> bool:
    if text not in (None, "required"):
        raise UsageError(f"{VERSIONING} can only be 'required': {text[:40]!r}")
    return text is not None


def _timeout(text: str | None) -> int:
    if text is None:
        return 10
    if not re.fullmatch(r"[1-9][0-9]{0,2}", text):
        raise UsageError(f"{TIMEOUT} is not a number of seconds from 1 to 999: {text[:40]!r}")
    return int(text)

"""Does a bucket do what it is relied on for? Tried when it is opened; several gateways ignore conditions (EVI-21)."""

from __future__ import annotations

import secrets
from contextlib import suppress

from tasks.errors import StoreError, UsageError
from tasks.evidence.s3 import S3Store

RACERS = 8
_LIMIT = 100


def probe(store: S3Store) -> None:
    """Inspect and try the bucket; what the trial leaves is removed, where removal is allowed.

    Raises:
        UsageError: it ignores conditions, or lacks what the settings require of it (EVI-22).
        StoreError: it cannot be reached or used.
    """
    settings = store.settings
    if settings.lock is not None and not store.locking():
        raise UsageError(f"{settings.location}: the bucket cannot lock objects")
    if settings.versioned and not store.versioning():
        raise UsageError(f"{settings.location}: the bucket does not keep versions")
    trial = store.unlocked()
    keys = [f"probe/{secrets.token_hex(16)}" for _ in range(2)]
    try:
        fault = _twice(trial, keys[0]) or _race(trial, keys[1])
    finally:
        for key in keys:
            with suppress(StoreError):
                trial.remove(key)
    if fault is not None:
        raise UsageError(f"{settings.location} cannot hold evidence: {fault}")


def _twice(store: S3Store, key: str) -> str | None:
    if not store.create(key, b"first"):
        return "it refuses to create an object under a name that is free"
    if store.create(key, b"second") or store.read(key, _LIMIT) != b"first":
        return "it ignores conditions, so that an object can be replaced"
    return None


def _race(store: S3Store, key: str) -> str | None:
    from concurrent.futures import ThreadPoolExecutor

    texts = [b"racer %d" % number for number in range(RACERS)]
    with ThreadPoolExecutor(RACERS) as pool:
        created = list(pool.map(lambda text: store.create(key, text), texts))
    winners = [text for text, won in zip(texts, created, strict=True) if won]
    if len(winners) != 1 or store.read(key, _LIMIT) != winners[0]:
        return f"of {RACERS} writers at once {len(winners)} were told that they created the object"
    return None

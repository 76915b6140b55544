"""The newest checkpoint that this user has seen of each log: it shows a rollback, which the store alone cannot."""

from __future__ import annotations

import os
import secrets
from collections.abc import Mapping
from pathlib import Path

from contracts.canonical import digest
from contracts.log import Checkpoint
from tasks.errors import StoreError
from tasks.evidence.files import read_regular
from tasks.evidence.log.note import NoteError, read_checkpoint
from tasks.evidence.log.tree import Log, LogError
from tasks.evidence.state import state_directory
from tasks.evidence.store import Store

_BYTES = 4_096


def seen_note(store: Store, environment: Mapping[str, str] = os.environ) -> str | None:
    """The note that `remember` kept for this store. Raises StoreError where it cannot be read."""
    path = _path(store, environment)
    try:
        return read_regular(path, _BYTES).decode("utf-8", "replace")
    except FileNotFoundError:
        return None
    except OSError as error:
        raise StoreError(f"{path}: {error.strerror}") from error


def remember(store: Store, note: str, environment: Mapping[str, str] = os.environ) -> None:
    """Keep ``note`` in place of the last one. Raises StoreError."""
    path = _path(store, environment)
    fresh = path.with_name(f"{path.name}.{secrets.token_hex(8)}")
    try:
        path.parent.mkdir(mode=0o700, parents=True, exist_ok=True)
        fresh.write_text(note, encoding="utf-8")
        fresh.replace(path)
    except OSError as error:
        raise StoreError(f"{path}: {error.strerror}") from error


def check_extends(log: Log, note: str) -> None:
    """Check that ``log`` still begins as ``note`` says. Only the form of the note is checked: it is our own.

    Raises:
        LogError: rolled back, replaced, or another history.
        StoreError: the store does not serve.
    """
    try:
        known = read_checkpoint(note)
    except NoteError as error:
        raise LogError(f"the remembered checkpoint: {error}") from error
    fault = differs(log, known, log.size())
    if fault is not None:
        raise LogError(fault)


def differs(log: Log, known: Checkpoint, size: int) -> str | None:
    """How a log of ``size`` entries is not one that began as ``known``; None if it is. Raises StoreError."""
    if log.origin() != known.origin:
        return f"the log was replaced: it was {known.origin}, and is {log.origin()}"
    if size < known.size:
        return f"the log was rolled back: it had {known.size} entries, and has {size}"
    if log.state(known.size) != known:
        return f"the log has another history than it had at {known.size} entries"
    return None


def _path(store: Store, environment: Mapping[str, str]) -> Path:
    name = digest(store.location.encode()).removeprefix("sha256:")
    return state_directory(environment) / "logs" / name[:32]

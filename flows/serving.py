"""The state file of ``forge serve``: how a build finds a live one. Imports no Prefect.

The server holds a lock on the file for as long as it lives; the kernel drops it however the server ends, so that
what a dead server left behind is never taken for a live one.
"""

from __future__ import annotations

import fcntl
import json
import os
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from flows.places import state_home
from tasks.errors import UsageError


def state_file() -> Path:
    """Where the address and the process id of a running server stand."""
    return state_home() / "serve.json"


def live_server() -> str | None:
    """The API address of a live ``forge serve`` of this user, or None."""
    try:
        descriptor = os.open(state_file(), os.O_RDONLY | os.O_CLOEXEC)
    except OSError:
        return None
    with os.fdopen(descriptor, encoding="utf-8") as file:
        if _lock(descriptor, fcntl.LOCK_SH):
            return None  # nobody holds it
        try:
            address = json.load(file)["api"]
        except (ValueError, KeyError, TypeError):
            return None  # it is just starting
    return address if isinstance(address, str) else None


@contextmanager
def claimed() -> Iterator[int]:
    """Be the one server of this user; yields the descriptor of the state file for `announce`.

    Raises:
        UsageError: another one is alive.
    """
    descriptor = os.open(state_file(), os.O_RDWR | os.O_CREAT | os.O_CLOEXEC, 0o600)
    try:
        if not _lock(descriptor, fcntl.LOCK_EX):
            raise UsageError("forge serve is running already")
        os.ftruncate(descriptor, 0)
        yield descriptor
        os.ftruncate(descriptor, 0)
    finally:
        os.close(descriptor)


def announce(descriptor: int, api: str) -> None:
    """Write the address, now that it answers."""
    os.pwrite(descriptor, json.dumps({"api": api, "pid": os.getpid()}).encode(), 0)


def _lock(descriptor: int, kind: int) -> bool:
    try:
        fcntl.flock(descriptor, kind | fcntl.LOCK_NB)
    except BlockingIOError:
        return False
    return True

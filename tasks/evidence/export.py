"""A record as a directory that anyone can carry away: all of it, or nothing (OUT)."""

from __future__ import annotations

import fcntl
import os
import secrets
from collections.abc import Iterator, Mapping
from contextlib import contextmanager, suppress
from pathlib import Path
from types import MappingProxyType

from contracts.evidence import Record
from sandbox.workspace import remove
from tasks.errors import OutputError
from tasks.evidence.arrangement import read_contents
from tasks.evidence.files import create_once, fsync_directory
from tasks.evidence.store import DirectoryStore, Store
from tasks.packaging.wheel import is_wheel_name

RECORD_FILE = "record.json"


def export(record: Record, store: Store, destination: Path, beside: Mapping[str, bytes] = MappingProxyType({})) -> Path:
    """Write ``record.json``, ``blobs/sha256/...`` and, where there is one, ``package/<wheel>`` below ``destination``.

    ``beside`` are further documents about the record, by file name: its proof in the log, statements for other tools.

    It is built beside the destination under a hidden name and renamed when it is durable: a killed export leaves
    nothing at ``destination``, and what it leaves beside it the next export there removes.

    Returns:
        The path of the record file.

    Raises:
        OutputError: ``destination`` exists or cannot be written.
        StoreError: the store lacks a blob.
    """
    destination = destination.absolute()
    if os.path.lexists(destination):
        raise OutputError(f"{destination} exists")
    try:
        destination.parent.mkdir(parents=True, exist_ok=True)
        with _hidden(destination) as hidden:
            for name, data in beside.items():
                create_once(hidden / name, data, 0o644)
            _fill(record, store, hidden)
            hidden.rename(destination)
        fsync_directory(destination.parent)
    except OSError as error:
        raise OutputError(f"{destination} cannot be written: {error.strerror}") from error
    return destination / RECORD_FILE


def _fill(record: Record, store: Store, directory: Path) -> None:
    contents = read_contents(record, store)
    blobs = DirectoryStore(directory / "blobs")
    long = {entry.content for entry in record.entries if entry.body is None}
    for name in sorted(long | {name for name, _ in contents.blobs()}):
        blobs.put(store.get(name))
    package = contents.package
    if package is not None:
        if not is_wheel_name(package.filename):
            raise OutputError(f"not a name for a package: {package.filename!r}")
        (directory / "package").mkdir()
        create_once(directory / "package" / package.filename, store.get(package.wheel), 0o644)
    create_once(directory / RECORD_FILE, record.canonical(), 0o644)


@contextmanager
def _hidden(destination: Path) -> Iterator[Path]:
    """A locked directory beside ``destination``; those whose owner is dead, and so unlocked, are removed first."""
    prefix = f".{destination.name}.export-"
    for left in destination.parent.glob(f"{_literal(prefix)}*"):
        with suppress(OSError), _locked(left):
            remove(left)
    hidden = destination.parent / f"{prefix}{secrets.token_hex(8)}"
    hidden.mkdir()
    with _locked(hidden):
        try:
            yield hidden
        finally:
            remove(hidden)


def _literal(name: str) -> str:
    return "".join(f"[{char}]" if char in "*?[" else char for char in name)


@contextmanager
def _locked(directory: Path) -> Iterator[None]:
    """Holds the lock that says that the directory has a living owner; the kernel drops it when the owner dies."""
    descriptor = os.open(directory, os.O_RDONLY | os.O_DIRECTORY | os.O_NOFOLLOW | os.O_CLOEXEC)
    try:
        fcntl.flock(descriptor, fcntl.LOCK_EX | fcntl.LOCK_NB)
        yield
    finally:
        os.close(descriptor)

"""The mended tree as a directory of the user's: a new one, apart from everything that the repair reads (OUT-07 to 13).

Since nothing may stand there, nothing there can be another name of the task, the report or the candidate.
"""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

from contracts.candidate import Candidate
from sandbox.workspace import populate, remove
from tasks.errors import OutputError
from tasks.evidence.store import Store


def check_destination(destination: Path, others: Sequence[Path]) -> None:
    """Refuse a place before any work.

    Args:
        destination: where the tree is to be written.
        others: candidate, task, base, and the directory of the record: none may contain the place, nor be in it.

    Raises:
        OutputError: it cannot be written there.
    """
    if destination.is_symlink() or destination.exists():
        raise OutputError(f"--patched-out: {destination} exists")
    if not destination.parent.is_dir():
        raise OutputError(f"--patched-out: {destination.parent} is not a directory")
    place = destination.resolve()
    for other in (path.resolve() for path in others):
        if place == other or place in other.parents or other in place.parents:
            raise OutputError(f"--patched-out: {destination} and {other} lie in one another")


def write_tree(destination: Path, candidate: Candidate, store: Store) -> None:
    """Write the tree, whole or not at all.

    Raises:
        OutputError: something stands there by now, or it cannot be written.
        StoreError: a file is not in the store.
    """
    try:
        destination.mkdir()
    except OSError as error:
        raise OutputError(f"--patched-out: {destination}: {error.strerror}") from error
    try:
        populate(destination, ((entry, store.get(entry.digest)) for entry in candidate.files))
    except BaseException as error:
        remove(destination)
        if isinstance(error, OSError):
            raise OutputError(f"--patched-out: {destination}: {error.strerror}") from error
        raise

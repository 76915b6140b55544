"""How the candidate differs from the base."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator

from contracts.candidate import FileEntry
from contracts.gate import FileChange, Subject
from contracts.paths import path_bytes
from tasks.evidence.store import Store


def changes(subject: Subject, store: Store) -> tuple[FileChange, ...]:
    """Every file that differs, in order of paths; none where there is no base.

    Lines are counted by content, however they were moved; a changed file counts as one line at least.

    Raises:
        StoreError: a file is not in the store.
    """
    return tuple(
        FileChange(path=path, kind=kind, lines=_lines(old, new, store)) for path, kind, old, new in pairs(subject)
    )


def pairs(subject: Subject) -> Iterator[tuple[str, str, FileEntry | None, FileEntry | None]]:
    """Path, kind of change, and the entries before and after. Pure."""
    if subject.base is None:
        return
    old = {entry.path: entry for entry in subject.base.files}
    new = {entry.path: entry for entry in subject.candidate.files}
    for path in sorted({*old, *new}, key=path_bytes):
        before, after = old.get(path), new.get(path)
        if before != after:
            yield path, "added" if before is None else "removed" if after is None else "changed", before, after


def _lines(old: FileEntry | None, new: FileEntry | None, store: Store) -> int:
    before, after = _content(old, store), _content(new, store)
    if b"\0" in before + after:
        return 1
    here, there = Counter(before.splitlines()), Counter(after.splitlines())
    return max(1, (here - there).total() + (there - here).total())


def _content(entry: FileEntry | None, store: Store) -> bytes:
    return b"" if entry is None else store.get(entry.digest)

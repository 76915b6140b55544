"""The whole diff on a copy in memory; the disk is looked at, never written (PAT-01, PAT-30 to PAT-32, PAT-39).

Renames and copies read the tree as it was, whatever the order of the diff; a second change of a file reads the result
of the first. What stands afterwards is then compared with what the disk holds beside it.
"""

from __future__ import annotations

import os
import stat
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path

from contracts.patch import Rejection
from contracts.paths import path_bytes, path_text
from sandbox.workspace import MAX_BYTES, MAX_DIRECTORIES, MAX_FILES, scan
from tasks.repair.patch.errors import Code, PatchError, refusal, rejection
from tasks.repair.patch.hunks import Placement, apply_hunks, with_own_ends
from tasks.repair.patch.model import FilePatch, Kind

MAX_TEXT = 16 * 1024 * 1024
_BINARY_PREFIX = 8_000


@dataclass(frozen=True)
class File:
    """A regular file: its content and permission bits."""

    data: bytes
    mode: int


@dataclass(frozen=True)
class Change:
    """What happened to one file; names as `path_text`. ``source`` is what it was renamed or copied from."""

    path: str
    kind: Kind
    source: str = ""
    executable: bool | None = None
    placements: tuple[Placement, ...] = ()


@dataclass(frozen=True)
class Staged:
    """The result of a diff: files to write, files to remove (disjoint), and what happened in the diff's order."""

    written: dict[bytes, File]
    removed: frozenset[bytes]
    changes: tuple[Change, ...]


class Tree:
    """A directory as it was: its regular files in memory, and what else lies at a name.

    Raises:
        ValueError: ``root`` is no path, or is beyond the bounds of a candidate (PAT-34).
        FileNotFoundError: ``root`` is no directory.
    """

    def __init__(self, root: Path) -> None:
        scanned, dropped = scan(root)
        self.root = root
        self.files = {path_bytes(item.entry.path): item.data for item in scanned if item.entry.kind == "file"}
        self.others = len(scanned) - len(self.files) + len(dropped)

    def mode(self, path: bytes) -> int:
        """The permission bits of a file.

        Raises:
            PatchError: the file system cannot look it up (PAT-29).
        """
        status = self._status(path)
        return 0o644 if status is None else status.st_mode & 0o777

    def kind(self, path: bytes) -> str:
        """What lies at a name: ``nothing``, ``file``, ``directory``, ``symbolic link``, ``special file``.

        A name below a symbolic link is that link's business, and below a file there is nothing.

        Raises:
            PatchError: the file system cannot look it up (PAT-29).
        """
        for ancestor in ancestors(path):
            kind = self._kind(ancestor)
            if kind != "directory":
                return "nothing" if kind == "file" else kind
        return self._kind(path)

    def below(self, path: bytes) -> Iterator[bytes]:
        """Every name below a directory, of directories too."""
        pending = [path]
        while pending:
            directory = pending.pop()
            with os.scandir(self._at(directory)) as entries:
                for entry in entries:
                    name = directory + b"/" + os.fsencode(entry.name)
                    yield name
                    if entry.is_dir(follow_symlinks=False):
                        pending.append(name)

    def _kind(self, path: bytes) -> str:
        status = self._status(path)
        names = {stat.S_IFREG: "file", stat.S_IFDIR: "directory", stat.S_IFLNK: "symbolic link"}
        return "nothing" if status is None else names.get(stat.S_IFMT(status.st_mode), "special file")

    def _status(self, path: bytes) -> os.stat_result | None:
        try:
            return os.lstat(self._at(path))
        except (FileNotFoundError, NotADirectoryError):
            return None
        except (OSError, ValueError) as error:
            raise refusal(Code.NAME, f"the file system cannot look it up: {type(error).__name__}", path=path) from None

    def _at(self, path: bytes) -> Path:
        return self.root / os.fsdecode(path)


def ancestors(path: bytes) -> list[bytes]:
    """The directories that a name lies in, outermost first."""
    parts = path.split(b"/")
    return [b"/".join(parts[:count]) for count in range(1, len(parts))]


def stage(tree: Tree, patches: Sequence[FilePatch]) -> Staged:
    """Apply a diff in memory.

    Raises:
        PatchError: with the reasons of every file and hunk that does not apply.
    """
    staging = _Staging(tree, patches)
    reasons: list[Rejection] = []
    for patch in patches:
        try:
            staging.apply(patch)
        except PatchError as error:
            reasons += error.reasons
    if not reasons:
        reasons = staging.problems()
    if reasons:
        raise PatchError(reasons)
    return Staged(staging.written, frozenset(staging.removed - staging.written.keys()), tuple(staging.changes))


class _Staging:
    def __init__(self, tree: Tree, patches: Sequence[FilePatch]) -> None:
        self._tree = tree
        self._leaving = {patch.old for patch in patches if patch.kind in (Kind.DELETE, Kind.RENAME)}
        self._modified: set[bytes] = set()
        self.written: dict[bytes, File] = {}
        self.removed: set[bytes] = set()
        self.changes: list[Change] = []

    def apply(self, patch: FilePatch) -> None:
        """Add one file's change."""
        kind = self._kind(patch)
        source = File(b"", 0o644) if kind is Kind.CREATE else self._source(patch, kind)
        changes = bool(patch.hunks) or patch.content is not None
        if changes and b"\0" in source.data[:_BINARY_PREFIX] + (patch.content or b""):
            raise _refused(Code.BINARY, "the file is binary", patch)
        if changes and len(source.data) > MAX_TEXT:
            raise _refused(Code.BOUNDS, f"a file of more than {MAX_TEXT} bytes is not patched", patch)
        if kind in (Kind.CREATE, Kind.RENAME, Kind.COPY):
            self._require_free(patch)
        data, placements = self._changed(patch, kind, source.data)
        if kind is Kind.DELETE and data:
            raise _refused(Code.CONTENT_LEFT, "the file is not empty once the hunks are applied", patch)
        if kind in (Kind.DELETE, Kind.RENAME):
            self.removed.add(patch.old or b"")
        if kind is Kind.MODIFY:
            self._modified.add(patch.path)
        if patch.new is not None:
            self.written[patch.new] = File(data, _mode(source.mode, patch.executable))
        origin = patch.old if kind in (Kind.RENAME, Kind.COPY) else b""
        self.changes.append(Change(path_text(patch.path), kind, path_text(origin or b""), patch.executable, placements))

    def _changed(self, patch: FilePatch, kind: Kind, data: bytes) -> tuple[bytes, tuple[Placement, ...]]:
        if patch.content is None:
            return apply_hunks(data, patch.hunks, patch.path)
        content = with_own_ends(patch.content, data)
        if kind is Kind.MODIFY and content == data:
            raise _refused(Code.NOTHING, "the file stands there just so", patch)
        return content, ()

    def problems(self) -> list[Rejection]:
        """What is wrong with the tree as it would stand."""
        reasons = []
        for path in sorted(self.written):
            problem = self._beside(path)
            if problem:
                reasons.append(rejection(Code.CONFLICT, problem, path=path))
        after = (self._tree.files.keys() - self.removed) | self.written.keys()
        size = sum(len(self.written[path].data if path in self.written else self._tree.files[path]) for path in after)
        directories = {directory for path in after for directory in ancestors(path)}
        if len(after) + self._tree.others > MAX_FILES or size > MAX_BYTES or len(directories) > MAX_DIRECTORIES:
            detail = f"more than {MAX_FILES} files, {MAX_DIRECTORIES} directories or {MAX_BYTES} bytes"
            reasons.append(rejection(Code.BOUNDS, detail))
        return reasons

    def _kind(self, patch: FilePatch) -> Kind:
        """An open creation is one if the file is not there (a plain header says no more)."""
        if patch.created is None and self._current(patch.path) is None:
            return Kind.CREATE
        return patch.kind

    def _current(self, path: bytes) -> File | None:
        """The file as the diff has left it so far."""
        if path in self.written:
            return self.written[path]
        if path in self.removed or path not in self._tree.files:
            return None
        return File(self._tree.files[path], self._tree.mode(path))

    def _source(self, patch: FilePatch, kind: Kind) -> File:
        old = patch.old or b""
        if kind is Kind.COPY or (kind is Kind.RENAME and old not in self._modified | self.removed):
            original = self._tree.files.get(old)
            found = None if original is None else File(original, self._tree.mode(old))
        elif old in self.removed and old not in self.written:
            raise _refused(Code.CONFLICT, "the diff has deleted or renamed it before", patch)
        elif kind is not Kind.MODIFY and (old in self.written or old in self.removed):
            raise _refused(Code.CONFLICT, "the diff has changed it before", patch)
        else:
            found = self._current(old)
        if found is None:
            lies = self._tree.kind(old)
            code = Code.MISSING if lies == "nothing" else Code.NOT_A_FILE
            raise refusal(code, f"{lies} is there", path=old, line=patch.line)
        return found

    def _require_free(self, patch: FilePatch) -> None:
        new = patch.new or b""
        if new in self.written:
            raise _refused(Code.CONFLICT, "the diff has written it before", patch)
        lies = self._tree.kind(new)
        if lies not in ("nothing", "directory") and new not in self._leaving:
            raise _refused(Code.OCCUPIED, f"a {lies} is there already", patch)

    def _beside(self, path: bytes) -> str:
        """Why the disk has no place for a written file; empty if it has."""
        for ancestor in ancestors(path):
            lies = self._tree.kind(ancestor)
            if ancestor in self.written:
                return f"the diff makes {path_text(ancestor)} a file and a directory"
            if lies not in ("nothing", "directory") and ancestor not in self.removed:
                return f"{path_text(ancestor)} is a {lies}"
        if self._tree.kind(path) == "directory":
            left = next((name for name in self._tree.below(path) if not self._goes(name)), None)
            return f"a directory is there, and {path_text(left)} is left in it" if left else self._empty(path)
        return ""

    def _goes(self, name: bytes) -> bool:
        return name in self.removed or any(path.startswith(name + b"/") for path in self.removed)

    def _empty(self, path: bytes) -> str:
        return "" if self._goes(path) else "an empty directory is there"


def _mode(mode: int, executable: bool | None) -> int:
    if executable is None:
        return mode
    return mode | (mode & 0o444) >> 2 if executable else mode & ~0o111


def _refused(code: Code, detail: str, patch: FilePatch) -> PatchError:
    return refusal(code, detail, path=patch.path, line=patch.line)

"""Bounded, link-contained copies of directories: names are bytes, any depth, nothing outside is ever opened.

One traversal serves ingestion, copying and removal (SBX-14, SBX-15). It walks by directory descriptors, so that
no name is resolved twice, no link is followed and no path is too long.
"""

from __future__ import annotations

import os
import stat
from collections.abc import Callable, Iterable, Iterator
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path
from typing import NamedTuple

from contracts.candidate import Dropped, FileEntry
from contracts.canonical import digest
from contracts.paths import path_bytes, path_text

MAX_FILES = 10_000
MAX_BYTES = 256 * 1024 * 1024
MAX_DIRECTORIES = 10_000
LEFT_OUT = {
    **dict.fromkeys((b".git", b".hg", b".svn"), "version control"),
    **dict.fromkeys((b"__pycache__", b".pytest_cache", b".mypy_cache", b".ruff_cache"), "cache of a tool"),
}
"""Names that are no part of a tree, wherever they stand: history must not be visible, and a cache is code unseen."""

_DIRECTORY = os.O_RDONLY | os.O_DIRECTORY | os.O_NOFOLLOW | os.O_CLOEXEC
_FILE = os.O_RDONLY | os.O_NOFOLLOW | os.O_NONBLOCK | os.O_CLOEXEC


@dataclass(frozen=True)
class ScannedFile:
    """One entry and its bytes. A link's bytes are its target, relative to the link, as raw path."""

    entry: FileEntry
    data: bytes


def scan(root: Path) -> tuple[list[ScannedFile], list[Dropped]]:
    """Read a directory: every regular file and contained link, in sorted order of raw paths (SBX-12 to 18).

    Links inside the tree survive, those given as an absolute path inside it as relative ones (SCN-45). Dangling,
    outside and looping links, special files and what `LEFT_OUT` names are left out and listed. Empty directories are
    no part of a tree.

    Raises:
        ValueError: ``root`` is no path or empty; more than 10,000 files or directories or 256 MiB (BND-01, BND-02),
            found before the bytes in question are read; a file changed while it was read.
        FileNotFoundError: ``root`` is no directory.
        OSError: an entry cannot be read.
    """
    top = _root(root)
    found = _Found()
    base = os.open(top, _DIRECTORY & ~os.O_NOFOLLOW)
    _walk(base, found)
    inside = os.fsencode(top.resolve())
    files, dropped = dict(found.files), list(found.dropped)
    for path, target in found.links.items():
        relative = _relative(path, target, inside)
        reason = "points outside the tree" if relative is None else _resolve(path, relative, found, inside)
        if relative is None or reason:
            dropped.append(Dropped(path=path_text(path), reason=f"link: {reason}"))
        else:
            files[path] = _scanned(path, "link", False, relative)
    return [files[path] for path in sorted(files)], sorted(dropped, key=lambda item: path_bytes(item.path))


def populate(root: Path, files: Iterable[tuple[FileEntry, bytes]]) -> None:
    """Write entries into the existing, private directory ``root``; everything is readable to all (SBX-11).

    Raises:
        ValueError: the bytes are not those of the entry, or a path leaves the tree (law 5).
        OSError: it cannot be written.
    """
    for entry, data in files:
        if digest(data) != entry.digest:
            raise ValueError(f"{entry.path}: the bytes do not match the entry's digest")
        parts = path_bytes(entry.path).split(b"/")
        if any(part in (b"", b".", b"..") for part in parts):
            raise ValueError(f"{entry.path}: not a path inside the tree")
        directory = _make_directories(root, parts[:-1])
        try:
            if entry.kind == "link":
                os.symlink(data, parts[-1], dir_fd=directory)
            else:
                _write(directory, parts[-1], data, 0o755 if entry.executable else 0o644)
        finally:
            os.close(directory)


def remove(root: Path) -> None:
    """Remove a directory of ours with all it holds, at any depth; what is gone already is no error."""
    with suppress(FileNotFoundError):
        descriptor = os.open(root, _DIRECTORY)
        _walk(descriptor, _Remover())
        root.rmdir()


class _Name(NamedTuple):
    directory: int
    name: bytes
    path: bytes
    status: os.stat_result


class _Visitor:
    """What a traversal does: ``entry`` sees each name that is no directory, ``leave`` each directory when done."""

    def enter(self, path: bytes) -> bool:  # noqa: ARG002 - the form of a visitor
        """Before a directory is listed; False leaves it out."""
        return True

    def entry(self, item: _Name) -> None:
        """A name that is no directory."""

    def leave(self, parent: int, name: bytes) -> None:
        """After a directory."""


def _walk(base: int, visitor: _Visitor) -> None:
    """Depth first and sorted, holding one descriptor: the way up is ``..``, checked by identity. Closes ``base``."""
    current, path = base, b""
    pending: list[tuple[bytes, Iterator[bytes], tuple[int, int]]] = []
    try:
        names = _names(current)
        while True:
            name = next(names, None)
            if name is None:
                if not pending:
                    return
                left, (path, names, identity) = path, pending.pop()
                current = _ascend(current, identity)
                visitor.leave(current, left.rsplit(b"/", 1)[-1])
                continue
            status = os.stat(name, dir_fd=current, follow_symlinks=False)
            below = path + b"/" + name if path else name
            if not stat.S_ISDIR(status.st_mode):
                visitor.entry(_Name(current, name, below, status))
                continue
            if not visitor.enter(below):
                continue
            pending.append((path, names, _identity(current)))
            current = _swap(current, os.open(name, _DIRECTORY, dir_fd=current))
            path, names = below, _names(current)
    finally:
        os.close(current)


def _names(directory: int) -> Iterator[bytes]:
    return iter(sorted(os.fsencode(name) for name in os.listdir(directory)))


def _identity(descriptor: int) -> tuple[int, int]:
    status = os.fstat(descriptor)
    return status.st_dev, status.st_ino


def _swap(old: int, new: int) -> int:
    os.close(old)
    return new


def _ascend(current: int, identity: tuple[int, int]) -> int:
    parent = os.open(b"..", _DIRECTORY, dir_fd=current)
    if _identity(parent) != identity:
        os.close(parent)
        raise ValueError("the directory was moved while it was read")
    return _swap(current, parent)


class _Found(_Visitor):
    """Collects a tree within the bounds."""

    def __init__(self) -> None:
        self.files: dict[bytes, ScannedFile] = {}
        self.links: dict[bytes, bytes] = {}
        self.directories: set[bytes] = set()
        self.dropped: list[Dropped] = []
        self.bytes = 0

    def enter(self, path: bytes) -> bool:
        if self._left_out(path):
            return False
        self.directories.add(path)
        if len(self.directories) > MAX_DIRECTORIES:
            raise ValueError(f"more than {MAX_DIRECTORIES} directories")
        return True

    def _left_out(self, path: bytes) -> bool:
        reason = LEFT_OUT.get(path.rpartition(b"/")[2])
        if reason:
            self.dropped.append(Dropped(path=path_text(path), reason=reason))
        return reason is not None

    def entry(self, item: _Name) -> None:
        path, status = item.path, item.status
        if self._left_out(path):
            return
        if len(self.files) + len(self.links) + len(self.dropped) >= MAX_FILES:
            raise ValueError(f"more than {MAX_FILES} files")
        if stat.S_ISLNK(status.st_mode):
            self.links[path] = os.readlink(item.name, dir_fd=item.directory)
        elif stat.S_ISREG(status.st_mode):
            self.bytes += status.st_size
            if self.bytes > MAX_BYTES:
                raise ValueError(f"more than {MAX_BYTES} bytes")
            data = _read(item)
            self.files[path] = _scanned(path, "file", bool(status.st_mode & 0o111), data)
        else:
            self.dropped.append(Dropped(path=path_text(path), reason=f"special file: {_kind(status.st_mode)}"))


class _Remover(_Visitor):
    """Removes what it sees."""

    def entry(self, item: _Name) -> None:
        os.unlink(item.name, dir_fd=item.directory)

    def leave(self, parent: int, name: bytes) -> None:
        os.rmdir(name, dir_fd=parent)


def _scanned(path: bytes, kind: str, executable: bool, data: bytes) -> ScannedFile:
    entry = FileEntry.model_validate(
        {"path": path_text(path), "kind": kind, "executable": executable, "size": len(data), "digest": digest(data)}
    )
    return ScannedFile(entry, data)


def _read(item: _Name) -> bytes:
    descriptor = os.open(item.name, _FILE, dir_fd=item.directory)
    with os.fdopen(descriptor, "rb", buffering=0) as file:
        same = _identity(descriptor) == (item.status.st_dev, item.status.st_ino)
        data = _read_at_most(file.read, item.status.st_size + 1) if same else b""
    if not same or len(data) != item.status.st_size:
        raise ValueError(f"{path_text(item.path)}: changed while it was read")
    return data


def _read_at_most(read: Callable[[int], bytes | None], count: int) -> bytes:
    chunks: list[bytes] = []
    while count and (chunk := read(count)):
        chunks.append(chunk)
        count -= len(chunk)
    return b"".join(chunks)


def _kind(mode: int) -> str:
    names = {stat.S_IFIFO: "FIFO", stat.S_IFSOCK: "socket", stat.S_IFCHR: "device", stat.S_IFBLK: "device"}
    return names.get(stat.S_IFMT(mode), "unknown")


def _relative(path: bytes, target: bytes, inside: bytes) -> bytes | None:
    """The link's target as a path relative to the link; None if it is absolute and outside the tree."""
    if not target.startswith(b"/"):
        return target
    if target != inside and not target.startswith(inside + b"/"):
        return None
    ups = [b".."] * path.count(b"/")
    below = [part for part in target[len(inside) :].split(b"/") if part]
    return b"/".join(ups + below) or b"."


def _resolve(path: bytes, target: bytes, found: _Found, inside: bytes) -> str | None:
    """Why a link does not lead to something in the tree, or None. Decided on what was read, not on the disk."""
    parts = path.split(b"/")[:-1]
    pending = target.split(b"/")[::-1]
    for _ in range(10_000):
        while pending and pending[-1] in (b"", b"."):
            pending.pop()
        if not pending:
            return None
        part = pending.pop()
        if part == b"..":
            if not parts:
                return "points outside the tree"
            parts.pop()
            continue
        here = b"/".join([*parts, part])
        if here in found.links:
            further = _relative(here, found.links[here], inside)
            if further is None:
                return "points outside the tree"
            if len(pending) > 4_096:
                break
            pending.extend(further.split(b"/")[::-1])
        elif here in found.directories or (here in found.files and not pending):
            parts.append(part)
        else:
            return "dangling"
    return "loops"


def _make_directories(root: Path, parts: list[bytes]) -> int:
    current = os.open(root, _DIRECTORY)
    try:
        for part in parts:
            with suppress(FileExistsError):
                os.mkdir(part, 0o755, dir_fd=current)
            current = _swap(current, os.open(part, _DIRECTORY, dir_fd=current))
    except BaseException:
        os.close(current)
        raise
    return current


def _write(directory: int, name: bytes, data: bytes, mode: int) -> None:
    flags = os.O_WRONLY | os.O_CREAT | os.O_EXCL | os.O_NOFOLLOW | os.O_CLOEXEC
    with os.fdopen(os.open(name, flags, mode, dir_fd=directory), "wb") as file:
        file.write(data)
        os.fchmod(file.fileno(), mode)


def _root(root: object) -> Path:
    if not isinstance(root, os.PathLike) or not os.fspath(root):
        raise ValueError("the root is not a path")
    path = Path(os.fsdecode(os.fspath(root)))
    if not path.is_dir():
        raise FileNotFoundError(f"{path}: not a directory")
    return path

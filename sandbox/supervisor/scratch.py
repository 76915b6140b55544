"""The scratch directory of a probe: files in, what was created or changed out, nothing left behind.

Everything here runs when no process of the candidate is alive, as the owner of the files, by directory
descriptors: no link is followed, no special file opened, any name and depth is fine (SBX-15, SBX-18).
"""

from __future__ import annotations

import base64
import hashlib
import os
import stat
from collections.abc import Callable, Iterator
from contextlib import suppress
from typing import Any

from .wire import Frame

_DIRECTORY = os.O_RDONLY | os.O_DIRECTORY | os.O_NOFOLLOW | os.O_CLOEXEC
_FILE = os.O_RDONLY | os.O_NOFOLLOW | os.O_NONBLOCK | os.O_CLOEXEC
_CHUNK = 1 << 20

Visit = Callable[[int, bytes, bytes, os.stat_result], None]


def place(root: str, files: list[Frame]) -> None:
    """Create the probe's input files below ``root``; ``path`` and ``content`` are base64."""
    for file in files:
        *directories, name = base64.b64decode(file["path"]).split(b"/")
        current = os.open(root, _DIRECTORY)
        for part in directories:
            with suppress(FileExistsError):
                os.mkdir(part, 0o755, dir_fd=current)
            current = _swap(current, os.open(part, _DIRECTORY, dir_fd=current))
        flags = os.O_WRONLY | os.O_CREAT | os.O_EXCL | os.O_CLOEXEC
        with os.fdopen(os.open(name, flags, 0o755 if file["executable"] else 0o644, dir_fd=current), "wb") as out:
            out.write(base64.b64decode(file["content"]))
        os.close(current)


class Collector:
    """Observes a scratch directory. Contents are kept up to ``kept`` bytes each and ``total`` bytes together.

    Digests are computed over at most four times ``total`` bytes, so that sparse files cost a bounded time;
    a file beyond that has no digest.
    """

    def __init__(self, inputs: list[Frame], kept: int, total: int) -> None:
        self.files: list[Frame] = []
        self._kept = kept
        self._room = total
        self._hashing = 4 * total
        self._inputs: dict[bytes, tuple[str, bool]] = {}
        self._parents: set[bytes] = set()
        for file in inputs:
            path = base64.b64decode(file["path"])
            digest = _digest(hashlib.sha256(base64.b64decode(file["content"])))
            self._inputs[path] = (digest, file["executable"])
            parts = path.split(b"/")
            self._parents.update(b"/".join(parts[:count]) for count in range(1, len(parts)))

    def collect(self, root: str) -> list[Frame]:
        """Everything below ``root`` that was created or changed, sorted by raw path (base64 in the answer)."""
        _walk(root, self._visit, self._enter)
        return sorted(self.files, key=lambda file: base64.b64decode(file["path"]))

    def _enter(self, _parent: int, _name: bytes, path: bytes, _status: os.stat_result) -> None:
        if path not in self._parents:
            self._add(path, "directory", 0)

    def _visit(self, directory: int, name: bytes, path: bytes, status: os.stat_result) -> None:
        if stat.S_ISLNK(status.st_mode):
            target = os.readlink(name, dir_fd=directory)
            self._add(path, "link", len(target), digest=_digest(hashlib.sha256(target)), content=target)
        elif stat.S_ISREG(status.st_mode):
            self._file(directory, name, path, status)
        else:
            self._add(path, "other", 0)

    def _file(self, directory: int, name: bytes, path: bytes, status: os.stat_result) -> None:
        executable = bool(status.st_mode & 0o111)
        digest, content = None, None
        if status.st_size <= self._hashing:
            self._hashing -= status.st_size
            keep = status.st_size <= min(self._kept, self._room)
            digest, content = _read(_open(name, _FILE, directory), keep)
        if self._inputs.get(path) == (digest, executable):
            return
        self._room -= len(content or b"")
        self._add(path, "file", status.st_size, digest=digest, content=content, executable=executable)

    def _add(self, path: bytes, kind: str, size: int, **more: Any) -> None:
        content = more.pop("content", None)
        self.files.append(
            {
                "path": base64.b64encode(path).decode(),
                "kind": kind,
                "size": size,
                "digest": None,
                "content": None if content is None else base64.b64encode(content).decode(),
                "executable": False,
                **more,
            }
        )


def empty(root: str) -> None:
    """Remove everything below ``root`` that the caller may remove."""

    def unlink(directory: int, name: bytes, _path: bytes, _status: os.stat_result) -> None:
        with suppress(OSError):
            os.unlink(name, dir_fd=directory)

    def rmdir(directory: int, name: bytes) -> None:
        with suppress(OSError):
            os.rmdir(name, dir_fd=directory)

    _walk(root, unlink, leave=rmdir)


def _walk(
    root: str, visit: Visit, enter: Visit | None = None, leave: Callable[[int, bytes], None] | None = None
) -> None:
    """Depth first with one descriptor; no other process touches the tree, so ``..`` is where we came from."""
    current, path = os.open(root, _DIRECTORY), b""
    pending: list[tuple[bytes, Iterator[bytes]]] = []
    names = _names(current)
    while True:
        name = next(names, None)
        if name is None:
            if not pending:
                os.close(current)
                return
            left, (path, names) = path, pending.pop()
            current = _swap(current, os.open(b"..", _DIRECTORY, dir_fd=current))
            if leave:
                leave(current, left.rsplit(b"/", 1)[-1])
            continue
        status = os.stat(name, dir_fd=current, follow_symlinks=False)
        below = path + b"/" + name if path else name
        if not stat.S_ISDIR(status.st_mode):
            visit(current, name, below, status)
            continue
        if enter:
            enter(current, name, below, status)
        pending.append((path, names))
        current = _swap(current, _open(name, _DIRECTORY, current))
        path, names = below, _names(current)


def _names(directory: int) -> Iterator[bytes]:
    return iter(sorted(os.fsencode(name) for name in os.listdir(directory)))


def _open(name: bytes, flags: int, directory: int) -> int:
    """Open what we own whatever its mode says."""
    try:
        return os.open(name, flags, dir_fd=directory)
    except PermissionError:
        os.chmod(name, 0o700, dir_fd=directory)
        return os.open(name, flags, dir_fd=directory)


def _read(descriptor: int, keep: bool) -> tuple[str, bytes | None]:
    whole = hashlib.sha256()
    parts: list[bytes] = []
    with os.fdopen(descriptor, "rb", buffering=0) as file:
        while chunk := file.read(_CHUNK):
            whole.update(chunk)
            if keep:
                parts.append(chunk)
    return _digest(whole), b"".join(parts) if keep else None


def _digest(whole: hashlib._Hash) -> str:
    return "sha256:" + whole.hexdigest()


def _swap(old: int, new: int) -> int:
    os.close(old)
    return new

"""A staged result onto the disk, whole or not at all (PAT-01, PAT-33, PAT-37).

New content is written in full before the first change of the tree, in a directory within it, so that what follows
are renames on one file system. What is replaced or removed is moved aside, not overwritten: another name of the same
file keeps its content, and on any failure everything is moved back. No link is followed: every step goes through a
descriptor of the directory that it works in.
"""

from __future__ import annotations

import errno
import os
import secrets
import stat
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from functools import partial
from pathlib import Path

from sandbox.workspace import remove
from tasks.repair.patch.stage import File, Staged, ancestors

_DIRECTORY = os.O_RDONLY | os.O_DIRECTORY | os.O_NOFOLLOW | os.O_CLOEXEC
_NEW_FILE = os.O_WRONLY | os.O_CREAT | os.O_EXCL | os.O_NOFOLLOW | os.O_CLOEXEC


def commit(root: Path, staged: Staged) -> None:
    """Bring a tree to its staged state.

    Raises:
        OSError: the file system failed; the tree has been put back.
    """
    top = os.open(root, _DIRECTORY & ~os.O_NOFOLLOW)
    try:
        aside = _Aside(top)
        try:
            aside.run(staged)
        finally:
            remove(root / os.fsdecode(aside.name))
    finally:
        os.close(top)


class _Aside:
    """The directory of new and replaced files, and the way back."""

    def __init__(self, top: int) -> None:
        self.name = b".forge-patch-" + secrets.token_hex(8).encode("ascii")
        self._top = top
        self._undo: list[Callable[[], None]] = []
        os.mkdir(self.name, 0o700, dir_fd=top)

    def run(self, staged: Staged) -> None:
        new = {path: self._write(file, b"new-%d" % index) for index, (path, file) in enumerate(staged.written.items())}
        try:
            for index, path in enumerate([*sorted(staged.removed), *new]):
                self._set_aside(path, b"old-%d" % index)
            self._remove_emptied(staged)
            for path, name in new.items():
                self._make_directories(path)
                self._move(name, path)
        except BaseException:
            for step in reversed(self._undo):
                step()
            raise

    def _write(self, file: File, name: bytes) -> bytes:
        path = self.name + b"/" + name
        with self._parent(path) as (directory, last):
            descriptor = os.open(last, _NEW_FILE, 0o600, dir_fd=directory)
        with os.fdopen(descriptor, "wb") as target:
            target.write(file.data)
            os.fchmod(target.fileno(), file.mode)
        return path

    def _set_aside(self, path: bytes, name: bytes) -> None:
        """Move what the tree has at a name out of the way; a directory stays, to be emptied."""
        with suppress(FileNotFoundError, NotADirectoryError), self._parent(path) as (directory, last):
            if not stat.S_ISDIR(os.stat(last, dir_fd=directory, follow_symlinks=False).st_mode):
                self._move(path, self.name + b"/" + name)

    def _remove_emptied(self, staged: Staged) -> None:
        """Directories that held nothing but what was removed go with it, as git does it."""
        kept = {directory for path in staged.written for directory in ancestors(path)}
        emptied = {directory for path in staged.removed for directory in ancestors(path)} - kept
        for path in sorted(emptied, key=lambda path: path.count(b"/"), reverse=True):
            with self._parent(path) as (directory, last):
                mode = stat.S_IMODE(os.stat(last, dir_fd=directory, follow_symlinks=False).st_mode)
                try:
                    os.rmdir(last, dir_fd=directory)
                except OSError as error:
                    if error.errno in (errno.ENOTEMPTY, errno.EEXIST):
                        continue
                    raise
                self._undo.append(partial(self._mkdir, path, mode))

    def _make_directories(self, path: bytes) -> None:
        for directory in ancestors(path):
            with suppress(FileExistsError):
                self._mkdir(directory, 0o755)
                self._undo.append(partial(self._rmdir, directory))

    def _move(self, source: bytes, target: bytes) -> None:
        self._rename(source, target)
        self._undo.append(partial(self._rename, target, source))

    def _rename(self, source: bytes, target: bytes) -> None:
        with self._parent(source) as (here, name), self._parent(target) as (there, other):
            os.rename(name, other, src_dir_fd=here, dst_dir_fd=there)

    def _mkdir(self, path: bytes, mode: int) -> None:
        with self._parent(path) as (directory, last):
            os.mkdir(last, mode, dir_fd=directory)
            os.chmod(last, mode, dir_fd=directory)

    def _rmdir(self, path: bytes) -> None:
        with self._parent(path) as (directory, last):
            os.rmdir(last, dir_fd=directory)

    @contextmanager
    def _parent(self, path: bytes) -> Iterator[tuple[int, bytes]]:
        """A descriptor of the directory that a name lies in, and the last part of the name."""
        *parts, last = path.split(b"/")
        current = os.dup(self._top)
        try:
            for part in parts:
                below = os.open(part, _DIRECTORY, dir_fd=current)
                os.close(current)
                current = below
            yield current, last
        finally:
            os.close(current)

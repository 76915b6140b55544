"""Files that are created once and whole, or not at all (EVI-23), and reads that are bounded (BND-05)."""

from __future__ import annotations

import errno
import os
import secrets
import stat
from collections.abc import Iterable, Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import BinaryIO

from tasks.errors import OutputError

_NO_TMPFILE = {errno.EOPNOTSUPP, errno.EISDIR, errno.ENOENT, errno.EINVAL}


def create_once(path: Path, data: bytes, mode: int = 0o444) -> bool:
    """Create ``path`` with ``data``, durable and in one step; its directory must exist.

    A killed writer leaves nothing at ``path``, and one of several concurrent writers wins.

    Returns:
        False where something stood there already; it is left as it is.

    Raises:
        OSError: the file system refuses.
    """
    with _opened(path.parent) as directory:
        created = not os.path.lexists(path) and _link_new(directory, path.name, data, mode)
        os.fsync(directory)
    return created


def replace_regular(path: Path, data: bytes, protected: Iterable[Path]) -> None:
    """Write a file in one step, in place of an earlier one; what stood there stays whole where that fails (OUT-13).

    Raises:
        OutputError: what stands there is no regular file, has further names, or is one of ``protected`` (OUT-02,
            OUT-05, VIEW-05); or it cannot be written.
    """
    fresh = path.with_name(f".{path.name}.{secrets.token_hex(8)}")
    try:
        if os.path.lexists(path):
            status = path.lstat()
            if not stat.S_ISREG(status.st_mode) or status.st_nlink > 1:
                raise OutputError(f"{path} is not a regular file with one name")
            if any(other.exists() and other.samefile(path) for other in protected):
                raise OutputError(f"{path} is what is to be read")
        create_once(fresh, data, 0o644)
        fresh.replace(path)
    except OSError as error:
        raise OutputError(f"{path} cannot be written: {error.strerror}") from error
    finally:
        with suppress(OSError):
            fresh.unlink()


def read_regular(path: Path, limit: int) -> bytes:
    """The bytes of a regular file of at most ``limit`` bytes.

    Raises:
        OSError: it cannot be opened, is no regular file, or is larger.
    """
    with opened_regular(path) as file:
        data = file.read(limit + 1)
    if len(data) > limit:
        raise OSError(errno.EFBIG, f"larger than {limit} bytes", str(path))
    return data


@contextmanager
def opened_regular(path: Path, flags: int = 0) -> Iterator[BinaryIO]:
    """A regular file to read; never blocks on a pipe or a device. Raises OSError, also where it is none."""
    descriptor = os.open(path, os.O_RDONLY | os.O_CLOEXEC | os.O_NONBLOCK | flags)
    try:
        if not stat.S_ISREG(os.fstat(descriptor).st_mode):
            raise OSError(errno.EINVAL, "not a regular file", str(path))
        with os.fdopen(descriptor, "rb", closefd=False) as file:
            yield file
    finally:
        os.close(descriptor)


def fsync_directory(path: Path) -> None:
    """Make the names in a directory durable."""
    with _opened(path) as directory:
        os.fsync(directory)


@contextmanager
def _opened(directory: Path) -> Iterator[int]:
    descriptor = os.open(directory, os.O_RDONLY | os.O_DIRECTORY | os.O_CLOEXEC)
    try:
        yield descriptor
    finally:
        os.close(descriptor)


def _link_new(directory: int, name: str, data: bytes, mode: int) -> bool:
    try:
        descriptor = os.open(".", os.O_WRONLY | os.O_TMPFILE | os.O_CLOEXEC, mode, dir_fd=directory)
    except OSError as error:
        if error.errno not in _NO_TMPFILE:
            raise
        return _link_named(directory, name, data, mode)
    with os.fdopen(descriptor, "wb", buffering=0) as file:
        _write(file.fileno(), data)
        # The directory descriptor makes this linkat(AT_SYMLINK_FOLLOW): the file behind the link, not the link.
        return _link(f"/proc/self/fd/{file.fileno()}", name, directory)


def _link_named(directory: int, name: str, data: bytes, mode: int) -> bool:
    """The way for file systems without unnamed files: a killed writer leaves a hidden file, never ``name``."""
    hidden = f".{secrets.token_hex(8)}.new"
    flags = os.O_WRONLY | os.O_CREAT | os.O_EXCL | os.O_NOFOLLOW | os.O_CLOEXEC
    descriptor = os.open(hidden, flags, mode, dir_fd=directory)
    try:
        with os.fdopen(descriptor, "wb", buffering=0) as file:
            _write(file.fileno(), data)
        return _link(hidden, name, directory)
    finally:
        os.unlink(hidden, dir_fd=directory)


def _write(descriptor: int, data: bytes) -> None:
    view = memoryview(data)
    while view:
        view = view[os.write(descriptor, view) :]
    os.fsync(descriptor)


def _link(source: str, name: str, directory: int) -> bool:
    try:
        os.link(source, name, src_dir_fd=directory, dst_dir_fd=directory, follow_symlinks=True)
    except FileExistsError:
        return False
    return True

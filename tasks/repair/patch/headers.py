"""The header of one file's change: ``diff --git`` with its extended lines, or a plain ``---``/``+++`` pair."""

from __future__ import annotations

import re
import stat
from collections.abc import Callable

from tasks.repair.patch.errors import Code, refusal
from tasks.repair.patch.model import FilePatch
from tasks.repair.patch.names import NULL, check_name, header_name, is_epoch, plain_name, same_name, strip


class GitHeader:
    """Collects the lines of a git header. Names and flags must agree with one another (PAT-08 to PAT-17)."""

    def __init__(self, text: bytes, line: int, strip_count: int) -> None:
        self.patch = FilePatch(line=line)
        self._strip = strip_count
        self._default = same_name(text, strip_count)
        self._old_mode: int | None = None
        self._new_mode: int | None = None
        self._handlers: dict[bytes, Callable[[bytes, int], None]] = {
            b"--- ": self._old_name,
            b"+++ ": self._new_name,
            b"old mode ": self._old,
            b"new mode ": self._new,
            b"deleted file mode ": self._deleted,
            b"new file mode ": self._created,
            b"copy from ": self._from,
            b"copy to ": self._to,
            b"rename from ": self._from,
            b"rename to ": self._to,
            b"rename old ": self._from,
            b"rename new ": self._to,
            b"similarity index ": lambda _text, _line: None,
            b"dissimilarity index ": lambda _text, _line: None,
            b"index ": self._index,
        }

    def take(self, text: bytes, line: int) -> bool:
        """Read one line; False if it does not belong to the header."""
        for prefix, handler in self._handlers.items():
            if text.startswith(prefix):
                if prefix.startswith(b"rename"):
                    self.patch.renamed = True
                if prefix.startswith(b"copy"):
                    self.patch.copied = True
                handler(text[len(prefix) :], line)
                self._consistent(line)
                return True
        return False

    def finish(self) -> FilePatch:
        """The file patch, once the header has ended.

        Raises:
            PatchError: there is no name, or a name is not allowed.
        """
        patch = self.patch
        if patch.old is None and patch.new is None:
            patch.old = None if patch.created else self._default
            patch.new = None if patch.deleted else self._default
        if (patch.new is None and not patch.deleted) or (patch.old is None and not patch.created):
            raise refusal(Code.HEADER, "the header does not name its file on both sides", line=patch.line)
        for name in {patch.old, patch.new} - {None}:
            check_name(name or b"", patch.line)
        if self._new_mode is not None:
            patch.executable = bool(self._new_mode & stat.S_IXUSR)
            patch.modes = self._old_mode not in (None, self._new_mode)
        return patch

    def _consistent(self, line: int) -> None:
        patch = self.patch
        if sum((bool(patch.created), patch.deleted, patch.renamed, patch.copied)) > 1:
            raise refusal(Code.HEADER, "more than one of creation, deletion, rename and copy", line=line)

    def _old_name(self, text: bytes, line: int) -> None:
        name = header_name(text)
        if name == NULL and self.patch.old in (None, self._default) and not self.patch.deleted:
            self.patch.created, self.patch.old = True, None
        elif self.patch.created:
            raise refusal(Code.HEADER, "a new file must have /dev/null as its old side", line=line)
        else:
            self.patch.old = _agree(self.patch.old, self._stripped(name, line), line)

    def _new_name(self, text: bytes, line: int) -> None:
        name = header_name(text)
        if name == NULL and self.patch.new in (None, self._default) and not self.patch.created:
            self.patch.deleted, self.patch.new = True, None
        elif self.patch.deleted:
            raise refusal(Code.HEADER, "a deleted file must have /dev/null as its new side", line=line)
        else:
            self.patch.new = _agree(self.patch.new, self._stripped(name, line), line)

    def _stripped(self, raw: bytes, line: int) -> bytes:
        name = strip(raw, self._strip)
        if name is None:
            raise refusal(Code.NAME, "expected a name such as a/path or b/path", path=raw, line=line)
        return name

    def _from(self, text: bytes, _line: int) -> None:
        self.patch.old = header_name(text)

    def _to(self, text: bytes, _line: int) -> None:
        self.patch.new = header_name(text)

    def _old(self, text: bytes, line: int) -> None:
        self._old_mode = read_mode(text, line)

    def _new(self, text: bytes, line: int) -> None:
        self._new_mode = read_mode(text, line)

    def _deleted(self, text: bytes, line: int) -> None:
        read_mode(text, line)
        self.patch.deleted, self.patch.old = True, self._default

    def _created(self, text: bytes, line: int) -> None:
        self._new_mode = read_mode(text, line)
        self.patch.created, self.patch.new = True, self._default

    def _index(self, text: bytes, line: int) -> None:
        _, _, mode = text.partition(b" ")
        if mode.strip():
            read_mode(mode, line)


def read_mode(text: bytes, line: int) -> int:
    """An octal file mode.

    Raises:
        PatchError: it is no number (PAT-10), or not that of a regular file (PAT-09).
    """
    token = text.strip()
    if not re.fullmatch(rb"[0-7]{1,7}", token):
        raise refusal(Code.MODE, "the mode is not an octal number", line=line)
    mode = int(token, 8)
    if mode & ~0o777 != stat.S_IFREG:
        raise refusal(Code.MODE, f"{mode:06o} is not the mode of a regular file", line=line)
    return mode


def plain_header(old: bytes, new: bytes, line: int, strip_count: int) -> FilePatch:
    """The file patch of a plain pair; where its names differ the file is the one that git takes.

    Raises:
        PatchError: there is no name, or it is not allowed.
    """
    old_raw, new_raw = plain_name(old), plain_name(new)
    if old_raw == NULL == new_raw:
        raise refusal(Code.HEADER, "both sides are /dev/null", line=line)
    old_name = None if old_raw == NULL else strip(old_raw, strip_count)
    new_name = None if new_raw == NULL else strip(new_raw, strip_count)
    name = new_name or old_name
    if old_name and new_name and new_name.startswith(old_name):
        name = old_name
    if name is None or (old_name is None and old_raw != NULL) or (new_name is None and new_raw != NULL):
        raise refusal(Code.NAME, "expected names such as a/path and b/path", path=new_raw, line=line)
    check_name(name, line)
    if old_raw == NULL or is_epoch(old):
        return FilePatch(line=line, new=name, created=True)
    if new_raw == NULL or is_epoch(new):
        return FilePatch(line=line, old=name, deleted=True)
    return FilePatch(line=line, old=name, new=name, created=None)


def without_directory(text: bytes) -> bool:
    """Whether the name of a plain header line has no directory at all, so that none is to be stripped."""
    return b"/" not in plain_name(text)


def is_null(text: bytes) -> bool:
    """Whether a header line names no file on its side."""
    return header_name(text) == NULL


def _agree(known: bytes | None, name: bytes, line: int) -> bytes:
    if known is not None and known != name:
        raise refusal(Code.HEADER, "the header names two different files on one side", path=name, line=line)
    return name

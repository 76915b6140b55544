"""A parsed unified diff. Content is bytes and lines keep their ends, so that nothing is lost on the way."""

from __future__ import annotations

from dataclasses import dataclass, field
from enum import StrEnum


class Kind(StrEnum):
    """What a file patch does to its file."""

    MODIFY = "modify"
    CREATE = "create"
    DELETE = "delete"
    RENAME = "rename"
    COPY = "copy"


@dataclass(frozen=True)
class Line:
    """A line of a hunk: ``tag`` is one of space, ``-`` and ``+``; ``text`` ends with a newline, or the file does."""

    tag: str
    text: bytes


@dataclass(frozen=True)
class Numbers:
    """The ranges of a hunk's header, as written: first line and count on the old and on the new side."""

    old_start: int
    old_count: int
    new_start: int
    new_count: int


@dataclass(frozen=True)
class Hunk:
    """Consecutive lines to find and what to put there. ``numbers`` is None for a bare ``@@`` (PAT-06).

    ``loose_end`` is True where the form cannot say that a file's last line has no newline.
    """

    number: int
    line: int
    numbers: Numbers | None
    lines: tuple[Line, ...]
    loose_end: bool = False

    @property
    def old(self) -> list[bytes]:
        """The lines that must be in the file."""
        return [line.text for line in self.lines if line.tag != "+"]

    @property
    def new(self) -> list[bytes]:
        """The lines that stand there afterwards."""
        return [line.text for line in self.lines if line.tag != "-"]

    @property
    def trailing(self) -> int:
        """How many lines of context end the hunk."""
        count = 0
        for line in reversed(self.lines):
            if line.tag != " ":
                break
            count += 1
        return count


@dataclass
class FilePatch:
    """The change of one file. ``created`` is None where the form leaves it open; ``content`` is the whole new file."""

    line: int
    old: bytes | None = None
    new: bytes | None = None
    created: bool | None = False
    deleted: bool = False
    renamed: bool = False
    copied: bool = False
    executable: bool | None = None
    modes: bool = False
    content: bytes | None = None
    hunks: list[Hunk] = field(default_factory=list)

    @property
    def kind(self) -> Kind:
        """What it does; an open ``created`` is decided by the tree and counts as a modification here."""
        if self.created:
            return Kind.CREATE
        if self.deleted:
            return Kind.DELETE
        if self.copied:
            return Kind.COPY
        return Kind.RENAME if self.old != self.new else Kind.MODIFY

    @property
    def path(self) -> bytes:
        """The name to speak of it by."""
        return self.new or self.old or b""

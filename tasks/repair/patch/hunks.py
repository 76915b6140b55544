"""Where a hunk goes: where its lines stand, decided by context alone; no fuzz (PAT-02, PAT-07).

All hunks are placed in the file as it was, and none may share a line with another. The numbers of a header are
believed as long as they are right: once a hunk was found elsewhere, a later one must fit in one place only. Two
conventions of the format bind: a hunk without context after it ends with the file, and one for line 1 without context
before it begins with the file. A bare ``@@`` has no numbers, so it must fit in one place only.

What differs from the file in its line ends alone (a chat that turned CRLF into LF, or the reverse; a last line that
lacks its newline) is placed too, if it fits in one place only. The file's own bytes win then (PAT-24, SCN-39).
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from enum import StrEnum
from itertools import islice

from tasks.repair.patch.errors import Code, PatchError, rejection
from tasks.repair.patch.model import Hunk

MAX_TRIES = 500_000
_SHOWN = 5


class How(StrEnum):
    """Why a hunk stands where it was put."""

    NUMBERED = "as_numbered"
    MOVED = "only_place"
    LINE_ENDS = "only_place_but_for_line_ends"


@dataclass(frozen=True)
class Placement:
    """A placed hunk; ``line`` is its first line in the file as it was, from 1."""

    hunk: int
    line: int
    how: How


def apply_hunks(data: bytes, hunks: Sequence[Hunk], path: bytes) -> tuple[bytes, tuple[Placement, ...]]:
    """The content with every hunk in its place.

    Raises:
        PatchError: with a reason for each hunk that has no place, or more than one (SCN-42).
    """
    image = _Image(data, {_body(line) for hunk in hunks for line in hunk.old})
    failures = []
    for hunk in hunks:
        problem = image.place(hunk)
        if problem is not None:
            failures.append(rejection(*problem, path=path, hunk=hunk.number, line=hunk.line))
    if failures:
        raise PatchError(failures)
    return image.result(), tuple(image.placements)


def with_own_ends(content: bytes, original: bytes) -> bytes:
    """A file that was given whole, with the line ends of the one that it replaces (PAT-23, PAT-24).

    A fence cannot say which ends it means, nor that the last line has none. A file of mixed ends decides nothing.
    """
    own = {_end(line) for line in _split(original)}
    if len(own - {b""}) == 1:
        usual = next(iter(own - {b""}))
        content = b"".join(_body(line) + usual if _end(line) else line for line in _split(content))
    return _body(content) if b"" in own else content


class _Image:
    """A file's lines, an index over those that hunks speak of, and what stands to be put in place of some."""

    def __init__(self, data: bytes, wanted: set[bytes]) -> None:
        self._lines = _split(data)
        self._where: dict[bytes, list[int]] = defaultdict(list)
        for index, line in enumerate(self._lines):
            if (body := _body(line)) in wanted:
                self._where[body].append(index)
        self._tries = 0
        self._edits: dict[int, tuple[int, list[bytes]]] = {}
        self._steady = True
        self.placements: list[Placement] = []

    def place(self, hunk: Hunk) -> tuple[Code, str] | None:
        """Take the hunk's place, or say why there is none."""
        old = hunk.old
        numbered = self._numbered(hunk)
        if numbered is not None and self._lines[numbered : numbered + len(old)] == old:
            return self._put(hunk, numbered, hunk.new, How.NUMBERED)
        if not any(line.strip() for line in old):
            return Code.CONTEXT, "it has no line to find its place by"
        places = islice(self._places(hunk), _SHOWN + 1)
        loose = islice(self._places(hunk, own_ends=True), _SHOWN + 1)
        found = list(places) or list(loose)
        if self._tries > MAX_TRIES:
            return Code.BOUNDS, "the file repeats itself too much to be searched"
        if not found:
            return Code.CONTEXT, self._explain(hunk)
        if len(found) > 1:
            return Code.AMBIGUOUS, _listed([at for at, _ in found])
        at, new = found[0]
        return self._put(hunk, at, new, How.MOVED if self._lines[at : at + len(old)] == old else How.LINE_ENDS)

    def result(self) -> bytes:
        """The content after all hunks."""
        parts, at = [], 0
        for start in sorted(self._edits):
            length, new = self._edits[start]
            parts += self._lines[at:start] + new
            at = start + length
        return b"".join(parts + self._lines[at:])

    def _put(self, hunk: Hunk, at: int, new: list[bytes], how: How) -> tuple[Code, str] | None:
        length = len(hunk.old)
        if self._would_join(at, length, new):
            return Code.CONFLICT, "it would join two lines, since one has no newline"
        for start, (other, _) in self._edits.items():
            if start == at or (start < at + length and at < start + other):
                return Code.CONFLICT, "it shares lines with a hunk before it"
        self._edits[at] = (length, new)
        self._steady = self._steady and how is How.NUMBERED
        self.placements.append(Placement(hunk.number, at + 1, how))
        return None

    def _would_join(self, at: int, length: int, new: list[bytes]) -> bool:
        """Whether a line without newline would come to stand before another line."""
        after_last = at == len(self._lines) > 0 and not self._lines[-1].endswith(b"\n")
        return bool(new) and (after_last or (not new[-1].endswith(b"\n") and at + length < len(self._lines)))

    def _numbered(self, hunk: Hunk) -> int | None:
        """The place that the header names, if its numbers agree with the hunks before and its context can be there."""
        numbers = hunk.numbers
        if numbers is None or not self._steady:
            return None
        at = numbers.old_start - (1 if numbers.old_count else 0)
        shift = sum(len(new) - length for start, (length, new) in self._edits.items() if start < at)
        if numbers.new_start - (1 if numbers.new_count else 0) != at + shift:
            return None
        return at if self._may_stand(hunk, at) else None

    def _may_stand(self, hunk: Hunk, at: int) -> bool:
        """The conventions on context that is missing before or after."""
        if hunk.numbers is None:
            return True
        if hunk.numbers.old_start <= 1 and hunk.lines[0].tag != " " and at != 0:
            return False
        return hunk.trailing > 0 or at + len(hunk.old) == len(self._lines)

    def _places(self, hunk: Hunk, own_ends: bool = False) -> Iterator[tuple[int, list[bytes]]]:
        """Every place where the lines stand, and the new lines there; tried where the rarest of them stands."""
        old = hunk.old
        bodies = [_body(line) for line in old]
        rarest = min(range(len(bodies)), key=lambda index: len(self._where.get(bodies[index], ())))
        for index in self._where.get(bodies[rarest], ()):
            self._tries += 1
            at = index - rarest
            if self._tries > MAX_TRIES:
                return
            if at < 0 or not self._fits(bodies, at) or not self._may_stand(hunk, at):
                continue
            new = self._with_own_ends(hunk, at) if own_ends else hunk.new
            if new is not None and (own_ends or self._lines[at : at + len(old)] == old):
                yield at, new

    def _fits(self, bodies: list[bytes], at: int) -> bool:
        lines = self._lines
        if at + len(bodies) > len(lines):
            return False
        return all(_body(lines[at + offset]) == body for offset, body in enumerate(bodies))

    def _with_own_ends(self, hunk: Hunk, at: int) -> list[bytes] | None:
        """The new lines with the file's own ends; None where the ends are not plainly those of another system."""
        end = at + len(hunk.old)
        there = iter(self._lines[at:end])
        theirs = {_end(line.text) for line in hunk.lines} - {b""}
        own = {_end(line) for line in self._lines[at : at + len(hunk.old)]} - {b""}
        if len(theirs) != 1 or len(own) > 1:
            return None
        usual = next(iter(own or theirs))
        unended = hunk.loose_end and not _end(self._lines[end - 1])
        new = []
        for line in hunk.lines:
            if line.tag == "+":
                new.append(_body(line.text) + (usual if _end(line.text) else b""))
                continue
            original = next(there)
            last_differs = not _end(original) or (not _end(line.text) and end == len(self._lines))
            tolerated = last_differs and (line.tag == " " or unended)
            if _end(original) != (usual if _end(line.text) else b"") and not tolerated:
                return None
            if line.tag == " ":
                kept = _body(original) + usual if unended else original
                new.append(kept if _end(line.text) else line.text)
        if unended and new:
            new[-1] = _body(new[-1])
        return new if all(_end(line) for line in new[:-1]) else None

    def _explain(self, hunk: Hunk) -> str:
        unknown = next((line for line in hunk.old if _body(line) not in self._where), None)
        if unknown is not None:
            return f"no line of the file reads {_body(unknown)[:120].decode('utf-8', 'replace')!r}"
        if not hunk.trailing and hunk.numbers is not None:
            return "its lines do not stand at the end of the file, and it has no context after its last change"
        return f"its {len(hunk.old)} lines do not stand together anywhere in the file"


def _split(data: bytes) -> list[bytes]:
    """Lines with their ends; a newline ends a line, a lone carriage return does not."""
    lines = [line + b"\n" for line in data.split(b"\n")]
    lines[-1] = lines[-1][:-1]
    return lines if lines[-1] else lines[:-1]


def _end(line: bytes) -> bytes:
    if line.endswith(b"\r\n"):
        return b"\r\n"
    return b"\n" if line.endswith(b"\n") else b""


def _body(line: bytes) -> bytes:
    return line[: len(line) - len(_end(line))]


def _listed(starts: Sequence[int]) -> str:
    shown = ", ".join(str(start + 1) for start in starts[:_SHOWN])
    return f"its lines stand in more than one place (lines {shown}{', ...' if len(starts) > _SHOWN else ''})"

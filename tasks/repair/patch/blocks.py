"""Edits as chats write them: search/replace blocks, and whole files in fences. The line above a block names its file.

A search text is a hunk without numbers: it must stand in one place of the file as it was. Whatever looks like a block
and cannot be read with certainty is refused, never skipped: to pass over it would apply a part.
"""

from __future__ import annotations

import re
from dataclasses import dataclass

from tasks.repair.patch.errors import Code, refusal
from tasks.repair.patch.model import FilePatch, Hunk, Line, Numbers
from tasks.repair.patch.names import check_name

_SEARCH, _DIVIDER, _REPLACE = b"<<<<<<< SEARCH", b"=======", b">>>>>>> REPLACE"
_ALMOST = re.compile(rb"[<>]{4,}\s*(?:SEARCH|REPLACE)\s*")
_FENCE = re.compile(rb"(`{3,}|~{3,})[ \t]*([^`]*)")
_LANGUAGE = re.compile(rb"[\w+#-]*")
_DIFF = re.compile(rb"\s*(?:diff --git |Index: |--- [^\n]*\n\+\+\+ |@@)")
_NAME = re.compile(
    rb"(?:#{1,6}[ \t]+)?(?P<label>(?:\*\*)?(?:file|filename|path)[ \t]*:(?:\*\*)?[ \t]*)?(?:\*\*`|\*\*|`)?"
    rb"(?P<name>[^`*\s](?:[^`*]*[^`*\s:])?)(?:`\*\*|\*\*|`)?:?(?:\*\*)?",
    re.IGNORECASE,
)
_PATH_LIKE = re.compile(rb"\S*/\S+|\S+\.[A-Za-z0-9_+-]+|\.[A-Za-z0-9_.+-]+")
_NESTING = (b".md", b".markdown", b".mdx", b".rst", b".qmd", b".rmd")


@dataclass(frozen=True)
class _Fence:
    """An open fence: its run of marks, and the index of its line."""

    marks: bytes
    at: int

    def closed_by(self, text: bytes) -> bool:
        return len(text) >= len(self.marks) and text == self.marks[:1] * len(text)


def find_blocks(text: bytes) -> tuple[list[FilePatch], bytes]:
    """The edits by blocks, one for each file, and the text with the lines of the blocks made blank.

    Raises:
        PatchError: a block cannot be read, or names no file.
    """
    reader = _Reader(text)
    return reader.patches(), b"".join(reader.rest)


class _Reader:
    def __init__(self, text: bytes) -> None:
        self._lines: list[bytes] = re.findall(rb"[^\n]*\n|[^\n]+\Z", text)
        self.rest = list(self._lines)
        self._at = 0
        self._fence: _Fence | None = None
        self._last: tuple[int, bytes] | None = None  # where the last search/replace block ended, and its file
        self._edits: dict[bytes, FilePatch] = {}
        self._files: dict[bytes, FilePatch] = {}
        self._nameless: int | None = None

    def patches(self) -> list[FilePatch]:
        while self._at < len(self._lines):
            text = self._text(self._at)
            if text == _SEARCH:
                self._edit()
            elif _ALMOST.fullmatch(text):
                raise refusal(Code.STRAY, "a mark of a search/replace block that is not complete", line=self._at + 1)
            elif self._fence is not None and self._fence.closed_by(text):
                self._fence = None
                self._at += 1
            elif self._fence is None and (found := _FENCE.fullmatch(text)):
                self._open(found[1], found[2])
            else:
                self._at += 1
        self._refuse_loose_ends()
        if self._edits:  # an excerpt for the reader must not take the place of a file
            for patch in self._files.values():
                patch.created = True
        return sorted([*self._edits.values(), *self._files.values()], key=lambda patch: patch.line)

    def _text(self, index: int) -> bytes:
        return self._lines[index].rstrip()

    def _refuse_loose_ends(self) -> None:
        if self._fence is not None and (self._files or self._edits):
            raise refusal(Code.UNTERMINATED, "a fence is not closed: the end may be missing", line=self._fence.at + 1)
        if self._files and self._nameless is not None:
            raise refusal(Code.HEADER, "the line above the fence does not name its file", line=self._nameless)
        for name in self._files.keys() & self._edits.keys():
            raise refusal(Code.CONFLICT, "the file is given whole and edited", path=name, line=self._files[name].line)

    def _edit(self) -> None:
        """A search/replace block, from its first mark to its last."""
        start, line = self._at, self._at + 1
        divider = self._until(_DIVIDER, start + 1, start)
        end = self._until(_REPLACE, divider + 1, start)
        old, new = self._lines[start + 1 : divider], self._lines[divider + 1 : end]
        name = self._edited_file(start, creates=not old)
        if _DIVIDER in [self._text(index) for index in range(divider + 1, end)]:
            raise refusal(Code.CORRUPT, "more than one line divides the block: use a diff", path=name, line=line)
        if old == new:
            raise refusal(Code.NOTHING, "the block changes nothing", path=name, line=line)
        patch = self._edits.setdefault(name, FilePatch(line=line, old=name, new=name, created=None))
        if old or patch.hunks:
            patch.created = False
        numbers = None if old else Numbers(0, 0, 1, len(new))
        patch.hunks.append(Hunk(len(patch.hunks) + 1, line, numbers, _lines(old, new), loose_end=True))
        self._blank(start, end)
        self._last = (end, name)
        self._at = end + 1

    def _until(self, mark: bytes, index: int, start: int) -> int:
        for at in range(index, len(self._lines)):
            text = self._text(at)
            if text == mark:
                return at
            if _ALMOST.fullmatch(text):
                break
        missing = f"no line reads {mark.decode('ascii')} where the block needs one"
        raise refusal(Code.UNTERMINATED, missing, line=start + 1)

    def _edited_file(self, start: int, *, creates: bool) -> bytes:
        """The line above the block or above its fence; a block right after another one edits the same file."""
        above = start - 1
        if self._last is not None and not any(self._text(index) for index in range(self._last[0] + 1, start)):
            return self._last[1]
        if self._fence is not None and above == self._fence.at:
            above -= 1
        name = self._name(above, certain=creates)
        if name is None:
            raise refusal(Code.HEADER, "the line above the block does not name its file", line=start + 1)
        return name

    def _open(self, marks: bytes, info: bytes) -> None:
        """A fence: of a whole file if the line above names one; of edits, a diff or an example otherwise."""
        start = self._at
        self._at += 1
        body = self._body(marks, start)
        if self._is_other_form(info, self._lines[start + 1 :] if body is None else body):
            self._fence = _Fence(marks, start)
        elif (name := self._name(start - 1, certain=True)) is None:
            self._fence = _Fence(marks, start)
            if not _LANGUAGE.fullmatch(info):
                self._nameless = start + 1
        elif body is None:
            raise refusal(Code.UNTERMINATED, "the fence of the file is not closed", path=name, line=start + 1)
        else:
            self._whole(name, marks, body, start)

    def _is_other_form(self, info: bytes, body: list[bytes]) -> bool:
        """Whether a fence is around a diff, or around search/replace blocks."""
        blocks = any(line.rstrip() == _SEARCH for line in body)
        return blocks or info.strip().lower() in (b"diff", b"patch") or bool(_DIFF.match(b"".join(body)))

    def _whole(self, name: bytes, marks: bytes, body: list[bytes], start: int) -> None:
        line = start + 1
        if name in self._files:
            raise refusal(Code.CONFLICT, "the file is given twice", path=name, line=line)
        nested = any((found := _FENCE.fullmatch(inner.rstrip())) and found[1].startswith(marks) for inner in body)
        if nested or (len(marks) == 3 and name.lower().endswith(_NESTING)):
            detail = "a file that holds fences is fenced by more marks than any of them"
            raise refusal(Code.CORRUPT, detail, path=name, line=line)
        content = b"".join(body)
        self._files[name] = FilePatch(line=line, old=name, new=name, created=None, content=content)
        end = start + len(body) + 1
        self._blank(start, end)
        self._at = end + 1

    def _body(self, marks: bytes, start: int) -> list[bytes] | None:
        """The lines within a fence; None if it is never closed."""
        fence = _Fence(marks, start)
        for index in range(start + 1, len(self._lines)):
            if fence.closed_by(self._text(index)):
                return self._lines[start + 1 : index]
        return None

    def _name(self, index: int, *, certain: bool) -> bytes | None:
        """The file that a line names: marked as one, or shaped as one; any single word where it need not be certain.

        Raises:
            PatchError: the name is not allowed (PAT-27 to PAT-29).
        """
        found = _NAME.fullmatch(self._text(index).strip()) if index >= 0 else None
        if found is None:
            return None
        name = found["name"]
        if not found["label"] and not (_PATH_LIKE.fullmatch(name) if certain else not re.search(rb"\s", name)):
            return None
        check_name(name, index + 1)
        self.rest[index] = b"\n"
        return name

    def _blank(self, start: int, end: int) -> None:
        self.rest[start : end + 1] = [b"\n"] * (end + 1 - start)


def _lines(old: list[bytes], new: list[bytes]) -> tuple[Line, ...]:
    """The change between two texts, where they begin and end alike as context."""
    shorter = min(len(old), len(new))
    head = next((index for index in range(shorter) if old[index] != new[index]), shorter)
    tail = next((index for index in range(shorter - head) if old[-1 - index] != new[-1 - index]), shorter - head)
    removed, added = old[head : len(old) - tail], new[head : len(new) - tail]
    return (
        *(Line(" ", line) for line in old[:head]),
        *(Line("-", line) for line in removed),
        *(Line("+", line) for line in added),
        *(Line(" ", line) for line in old[len(old) - tail :]),
    )

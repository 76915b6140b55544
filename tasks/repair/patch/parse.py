"""From the text of a unified diff to typed file patches. What cannot be read with certainty is refused, never skipped.

Prose before, between and after the changes of files is passed over, as mail and models have it. A hunk outside a file,
a corrupt line inside a hunk and a change beyond a hunk's counts are refused: to pass over them would apply a part.
"""

from __future__ import annotations

import re

from tasks.repair.patch.errors import Code, PatchError, refusal
from tasks.repair.patch.headers import GitHeader, is_null, plain_header, without_directory
from tasks.repair.patch.model import FilePatch, Hunk, Line, Numbers

MAX_PATCH = 65_536

_NUMBERED = re.compile(rb"@@ -(\d{1,9})(?:,(\d{1,9}))? \+(\d{1,9})(?:,(\d{1,9}))? @@")
_BARE = re.compile(rb"@@(?! -\d)(?:\s|$)")
_BINARY = re.compile(rb"GIT binary patch\s*|Binary files .* differ\s*")
_BINARY_HERE = re.compile(rb"Files .* differ\s*")
_NO_NEWLINE = re.compile(rb"\\ .{9,}", re.DOTALL)
_SIGNATURE = re.compile(rb"--[- ]?\r?\n?")


def encode(patch: str | bytes) -> bytes:
    """The bytes of a patch.

    Raises:
        PatchError: more than 65,536 characters (PAT-38, BND-09), or a lone surrogate (PAT-28, ENC-01).
    """
    if len(patch) > MAX_PATCH:
        raise refusal(Code.TOO_LARGE, f"more than {MAX_PATCH} characters")
    if isinstance(patch, bytes):
        return patch
    try:
        return patch.encode("utf-8")
    except UnicodeEncodeError as error:
        line = patch.count("\n", 0, error.start) + 1
        raise refusal(Code.TEXT, "a lone surrogate is not text", line=line) from None


def parse(text: bytes) -> list[FilePatch]:
    """The changes of a diff, in its order.

    Raises:
        PatchError: it cannot be read as a whole (PAT-03, PAT-04, PAT-09, PAT-10, PAT-19, PAT-28, PAT-35).
    """
    patches = find_diff(text)
    if not patches:
        raise refusal(Code.NO_DIFF, "no unified diff found, nor a block that names its file")
    return patches


def find_diff(text: bytes) -> list[FilePatch]:
    """As `parse`; an empty list where the text holds no diff."""
    return _Parser(text).patches()


class _Parser:
    def __init__(self, text: bytes) -> None:
        self._lines: list[bytes] = re.findall(rb"[^\n]*\n|[^\n]+\Z", text)
        self._at = 0
        self._strip: int | None = None
        self._open = len(self._lines) - 1 if self._lines and not text.endswith(b"\n") else None
        if self._open is not None:
            self._lines[self._open] += b"\n"

    def patches(self) -> list[FilePatch]:
        found = []
        while self._at < len(self._lines):
            line = self._lines[self._at]
            if _NUMBERED.match(line) or _BARE.match(line):
                raise refusal(Code.STRAY, "a hunk without the name of a file before it", line=self._at + 1)
            self._refuse_binary(_BINARY)
            patch = self._header()
            if patch is None:
                self._at += 1
            else:
                self._refuse_binary(_BINARY_HERE, _BINARY)
                self._hunks(patch)
                _check(patch)
                found.append(patch)
        return found

    def _refuse_binary(self, *forms: re.Pattern[bytes]) -> None:
        """The marks of a binary change count as whole lines outside hunks only (PAT-19, PAT-20)."""
        if self._at < len(self._lines) and any(form.fullmatch(self._lines[self._at]) for form in forms):
            raise refusal(Code.BINARY, "binary changes are not accepted", line=self._at + 1)

    def _header(self) -> FilePatch | None:
        """The header that begins here, read to its end; None if none does."""
        if self._lines[self._at].startswith(b"diff --git "):
            return self._git_header()
        if self._is_plain_header(self._at):
            old, new = (self._text(self._at + side)[4:] for side in (0, 1))
            if self._strip is None and all(without_directory(text) or is_null(text) for text in (old, new)):
                self._strip = 0
            self._at += 2
            return plain_header(old, new, self._at - 1, 1 if self._strip is None else self._strip)
        return None

    def _git_header(self) -> FilePatch | None:
        start = self._at
        header = GitHeader(self._text(start)[11:], start + 1, 1 if self._strip is None else self._strip)
        end = start + 1
        while end < len(self._lines) and header.take(self._text(end), end + 1):
            if end == self._open:
                raise refusal(Code.UNTERMINATED, "the patch ends within a header", line=end + 1)
            end += 1
        patch = header.finish()
        if end == start + 1:
            if not self._plain_header_follows(end):
                raise refusal(Code.NOTHING, "the header is followed by no change", path=patch.path, line=end)
            return None
        self._at = end
        return patch

    def _plain_header_follows(self, index: int) -> bool:
        """Some tools put lines of their own between the two headers of a file."""
        while index < len(self._lines) and not self._lines[index].startswith(b"diff --git "):
            if self._is_plain_header(index):
                return True
            index += 1
        return False

    def _is_plain_header(self, index: int) -> bool:
        """A pair of names, followed by a hunk; or one of them is /dev/null, which says enough (PAT-17)."""
        pair = self._lines[index : index + 3]
        if len(pair) < 2 or not pair[0].startswith(b"--- ") or not pair[1].startswith(b"+++ "):
            return False
        null = is_null(pair[0][4:].rstrip(b"\r\n")) or is_null(pair[1][4:].rstrip(b"\r\n"))
        return null or (len(pair) == 3 and bool(re.match(rb"@@(?:\s|$)", pair[2])))

    def _text(self, index: int) -> bytes:
        """A line without its end; git quotes a carriage return within a name."""
        return self._lines[index].removesuffix(b"\n").removesuffix(b"\r")

    def _hunks(self, patch: FilePatch) -> None:
        self._refuse_lost_change(patch)
        while self._at < len(self._lines) and self._lines[self._at].startswith(b"@@"):
            line = self._lines[self._at]
            numbered = _NUMBERED.match(line)
            number, start = len(patch.hunks) + 1, self._at + 1
            self._at += 1
            if numbered:
                old_start, old_count, new_start, new_count = (
                    1 if part is None else int(part) for part in numbered.groups()
                )
                numbers = Numbers(old_start, old_count, new_start, new_count)
                body = self._counted(patch, number, numbers)
            elif _BARE.match(line):
                numbers, body = None, self._bare(patch, number)
            else:
                raise self._corrupt(patch, number, "the hunk header cannot be read", start)
            patch.hunks.append(self._hunk(patch, Hunk(number, start, numbers, tuple(body))))
            self._surplus(patch)

    def _counted(self, patch: FilePatch, number: int, numbers: Numbers) -> list[Line]:
        """As many lines as the header counts, and the mark of a missing final newline (PAT-03)."""
        body: list[Line] = []
        old, new = numbers.old_count, numbers.new_count
        while old > 0 or new > 0:
            if self._at == len(self._lines):
                raise self._corrupt(patch, number, "the hunk ends before its counts are reached", self._at)
            line = self._body_line(patch, number, body)
            if line is not None:
                old -= line.tag != "+"
                new -= line.tag != "-"
        if old < 0 or new < 0:
            raise self._corrupt(patch, number, "the lines do not fit the counts", self._at)
        if self._at < len(self._lines) and _NO_NEWLINE.match(self._lines[self._at]):
            self._body_line(patch, number, body)
        return body

    def _bare(self, patch: FilePatch, number: int) -> list[Line]:
        """The lines up to the next header; empty ones at the end are the space between two hunks."""
        body: list[Line] = []
        while self._at < len(self._lines):
            line = self._lines[self._at]
            if line.startswith((b"@@", b"diff --git ", b"```")) or self._is_plain_header(self._at):
                break
            self._body_line(patch, number, body)
        while body and body[-1] == Line(" ", b"\n"):
            body.pop()
        return body

    def _body_line(self, patch: FilePatch, number: int, body: list[Line]) -> Line | None:
        """Read one line into the body; None for the mark of a missing newline."""
        index, line = self._at, self._lines[self._at]
        self._at += 1
        if _NO_NEWLINE.match(line) and body:
            body[-1] = Line(body[-1].tag, body[-1].text.removesuffix(b"\n"))
            return None
        tag = chr(line[0])
        if line == b"\n":
            parsed = Line(" ", line)
        elif tag in " +-":
            parsed = Line(tag, line[1:])
        else:
            raise self._corrupt(patch, number, "a line begins with none of space, + and -", index + 1)
        if index == self._open and tag == "+":
            detail = "the patch ends within an added line: end it with a newline"
            raise refusal(Code.UNTERMINATED, detail, path=patch.path, hunk=number, line=index + 1)
        body.append(parsed)
        return parsed

    def _hunk(self, patch: FilePatch, hunk: Hunk) -> Hunk:
        if all(line.tag == " " for line in hunk.lines):
            raise self._corrupt(patch, hunk.number, "the hunk changes nothing", hunk.line)
        for side in (hunk.old, hunk.new):
            if any(not line.endswith(b"\n") for line in side[:-1]):
                raise self._corrupt(patch, hunk.number, "a line without newline is not the last one", hunk.line)
        return hunk

    def _surplus(self, patch: FilePatch) -> None:
        """Pass over context beyond the counts of a hunk (PAT-05)."""
        while self._at < len(self._lines) and self._lines[self._at].startswith((b" ", b"\n", b"\r\n")):
            self._at += 1
        self._refuse_lost_change(patch)

    def _refuse_lost_change(self, patch: FilePatch) -> None:
        """A change outside the counts of a hunk belongs to one whose header is wrong, or lost."""
        if self._at == len(self._lines) or self._is_plain_header(self._at):
            return
        line = self._lines[self._at]
        if line.startswith((b"+", b"-")) and not _SIGNATURE.fullmatch(line):
            detail = "a change stands outside the counts of its hunk"
            raise refusal(Code.SURPLUS, detail, path=patch.path, hunk=len(patch.hunks), line=self._at + 1)

    def _corrupt(self, patch: FilePatch, number: int, detail: str, line: int) -> PatchError:
        return refusal(Code.CORRUPT, detail, path=patch.path, hunk=number, line=line)


def _check(patch: FilePatch) -> None:
    """What a header says must fit its hunks."""
    if patch.created is None and (len(patch.hunks) > 1 or any(hunk.old for hunk in patch.hunks)):
        patch.created = False
    if patch.created and any(hunk.old for hunk in patch.hunks):
        raise refusal(Code.CORRUPT, "a new file has no old content", path=patch.path, line=patch.line)
    if patch.deleted and any(hunk.new for hunk in patch.hunks):
        raise refusal(Code.CORRUPT, "a deleted file has no new content", path=patch.path, line=patch.line)
    if not (patch.hunks or patch.modes or patch.created or patch.deleted or patch.renamed or patch.copied):
        raise refusal(Code.NOTHING, "the header is followed by no change", path=patch.path, line=patch.line)

"""File names in diff headers: C quoting, prefixes, time stamps, and which names are allowed (PAT-25 to PAT-29)."""

from __future__ import annotations

import re
from datetime import UTC, datetime, timedelta

from tasks.repair.patch.errors import Code, refusal

NULL = b"/dev/null"
MAX_PATH = 4_000
MAX_PART = 255

_ESCAPES = {b"a": 7, b"b": 8, b"t": 9, b"n": 10, b"v": 11, b"f": 12, b"r": 13, b'"': 34, b"\\": 92}
_QUOTED = re.compile(rb'"((?:[^"\\\n]|\\.)*)"')
_ESCAPE = re.compile(rb"\\([0-3][0-7]{2}|.)", re.DOTALL)
_EPOCH = re.compile(rb"(1969-12-31|1970-01-01) (\d\d:\d\d):00(?:\.0+)? ([-+]\d\d):?(\d\d)")
_STAMP = re.compile(rb"\s+(?:\d\d)?\d\d-\d\d-\d\d \d\d:\d\d:\d\d(?:\.\d+)?(?: [-+]\d\d:?\d\d)?$")


def unquote(text: bytes) -> bytes | None:
    """The bytes of a C-quoted name with nothing after it; None if it is none (PAT-26)."""
    found = _QUOTED.fullmatch(text)
    return None if found is None else _unescape(found[1])


def _unescape(body: bytes) -> bytes | None:
    if any(len(code) == 1 and code not in _ESCAPES for code in _ESCAPE.findall(body)):
        return None
    return _ESCAPE.sub(lambda found: bytes([_byte(found[1])]), body)


def _byte(code: bytes) -> int:
    return int(code, 8) if len(code) == 3 else _ESCAPES[code]


def header_name(text: bytes) -> bytes:
    """The raw name after ``--- ``, ``+++ `` or ``rename from ``: quoted, or up to a tab or the end (PAT-25)."""
    if text.startswith(b'"') and (found := _QUOTED.match(text)) and (name := _unescape(found[1])) is not None:
        return name
    name = text.split(b"\t", 1)[0]
    return NULL if re.fullmatch(rb"/dev/null\s*", name) else name


def plain_name(text: bytes) -> bytes:
    """The raw name in a header without a ``diff --git`` line, where a time stamp may follow after spaces."""
    return header_name(text if text.startswith(b'"') else _STAMP.sub(b"", text))


def is_epoch(text: bytes) -> bool:
    """Whether a header ends with the time stamp by which GNU diff says that there is no file on this side."""
    if b"\t" not in text or not (found := _EPOCH.fullmatch(text.rsplit(b"\t", 1)[1])):
        return False
    day, clock, hours, minutes = (part.decode("ascii") for part in found.groups())
    try:
        local = datetime.strptime(f"{day} {clock}", "%Y-%m-%d %H:%M").replace(tzinfo=UTC)
    except ValueError:
        return False
    offset = timedelta(hours=int(hours), minutes=int(hours[0] + minutes))
    return (local - offset).timestamp() == 0


def strip(name: bytes, count: int) -> bytes | None:
    """The name without its first ``count`` directories; None if it has none, or begins with a slash."""
    if name.startswith(b"/"):
        return None
    parts = name.split(b"/", count)
    return parts[count] if len(parts) > count and parts[count] else None


def same_name(text: bytes, count: int) -> bytes | None:
    """The one name that ``diff --git`` gives twice, stripped; None where the two differ or cannot be told apart."""
    found = set()
    for left, right in _pairs(text):
        name = strip(left, count)
        if name is not None and name == strip(right, count):
            found.add(name)
    return found.pop() if len(found) == 1 else None


def _pairs(text: bytes) -> list[tuple[bytes, bytes]]:
    """Every way to read two names; a name that is quoted leaves one way."""
    ends = [found.span() for found in _QUOTED.finditer(text)]
    if text.startswith(b'"'):
        splits = [ends[0][1]] if ends else []
    elif ends and ends[-1][1] == len(text):
        splits = [ends[-1][0] - 1]
    else:
        splits = [index for index, byte in enumerate(text) if byte in b" \t"]
    pairs = ((_raw(text[:at]), _raw(text[at + 1 :])) for at in splits)
    return [(left, right) for left, right in pairs if left is not None and right is not None]


def _raw(text: bytes) -> bytes | None:
    return unquote(text) if text.startswith(b'"') else text


def check_name(name: bytes, line: int) -> None:
    """Refuse a name that leaves the root, names git's own files, or that no file system can hold.

    Raises:
        PatchError: PAT-27, PAT-28, PAT-29, SCN-47.
    """
    parts = name.split(b"/")
    problem = ""
    if b"\0" in name:
        problem = "it holds a NUL"
    elif any(part in (b"", b".", b"..") for part in parts):
        problem = "it is not a plain path below the root"
    elif any(_is_git(part) for part in parts):
        problem = "git's own files are not part of a change"
    elif len(name) > MAX_PATH or any(len(part) > MAX_PART for part in parts):
        problem = "it is too long"
    if problem:
        raise refusal(Code.NAME, problem, path=name, line=line)


def _is_git(part: bytes) -> bool:
    """``.git`` in any form that some file system takes for it: case, trailing dots, streams, backslashes."""
    pieces = (re.split(rb":", piece, maxsplit=1)[0].rstrip(b" .").lower() for piece in part.split(b"\\"))
    return any(piece in (b".git", b"git~1") for piece in pieces)

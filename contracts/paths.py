"""Names of files as text that canonical JSON can hold, without losing a byte (ENC-05).

A name is bytes. Bytes that are not UTF-8, control characters and ``%`` itself are written ``%XX``; all else stays.
"""

from __future__ import annotations

import re
from urllib.parse import unquote_to_bytes


def path_text(raw: bytes) -> str:
    """Reversible text of a raw path; the inverse of `path_bytes`."""
    text = raw.decode("utf-8", errors="surrogateescape")
    return "".join(_escape(char) for char in text)


def path_bytes(text: str) -> bytes:
    """The raw path that `path_text` wrote."""
    return unquote_to_bytes(text)


def is_contained(text: str) -> bool:
    """True for a relative path that stays below its root: no empty, ``.`` or ``..`` part, no NUL."""
    raw = path_bytes(text)
    return b"\0" not in raw and all(part not in (b"", b".", b"..") for part in raw.split(b"/"))


def _escape(char: str) -> str:
    code = ord(char)
    if 0xDC80 <= code <= 0xDCFF:
        return f"%{code - 0xDC00:02X}"
    if char == "%" or code < 0x20 or code == 0x7F:
        return f"%{code:02X}"
    return char


SLUG = re.compile(r"[^a-z0-9]+")


def slug(text: str, fallback: str) -> str:
    """A lower-case name of letters, digits and hyphens, at most 40 characters."""
    return SLUG.sub("-", text.lower()).strip("-")[:40].strip("-") or fallback

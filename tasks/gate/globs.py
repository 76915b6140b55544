"""Patterns of paths: ``*`` and ``?`` within one part, a part ``**`` for any number of parts. Case counts."""

from __future__ import annotations

import re
from collections.abc import Iterable
from functools import lru_cache


def matches(path: str, globs: Iterable[str]) -> bool:
    """True iff one of ``globs`` is a pattern of ``path``, or of a directory above it; both are path text."""
    return any(_pattern(glob).fullmatch(path) for glob in globs)


@lru_cache(maxsize=4_096)
def _pattern(glob: str) -> re.Pattern[str]:
    """A pattern of a directory stands for all that is below."""
    parts = glob.split("/")
    words = [r"(?:[^/]+/)*" if part == "**" else _part(part) + "/" for part in parts]
    if parts[-1] == "**":
        return re.compile("".join(words[:-1]) + r".+", re.DOTALL)
    return re.compile("".join(words).removesuffix("/") + r"(?:/.*)?", re.DOTALL)


def _part(part: str) -> str:
    return "".join({"*": "[^/]*", "?": "[^/]"}.get(char, re.escape(char)) for char in re.sub(r"\*+", "*", part))

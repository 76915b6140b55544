"""Patterns of paths: ``*`` and ``?`` within one part, a part ``**`` for any number of parts. Case counts.

What stands between two wildcards takes the first place that fits and is not tried elsewhere (atomic groups). No match
is lost by that, and the time is bounded by the length of the pattern times that of the path: a record from elsewhere
brings both, and is judged again.
"""

from __future__ import annotations

import re
from collections.abc import Iterable
from functools import lru_cache
from itertools import groupby


def matches(path: str, globs: Iterable[str]) -> bool:
    """True iff one of ``globs`` is a pattern of ``path``, or of a directory above it; both are path text."""
    return any(_pattern(glob).fullmatch(f"{path}/") for glob in globs)


@lru_cache(maxsize=4_096)
def _pattern(glob: str) -> re.Pattern[str]:
    """A pattern of a directory stands for all that is below; each part of a path ends with a slash."""
    words, leap = "", ""
    for is_leap, parts in groupby(glob.split("/"), lambda part: part == "**"):
        if is_leap:
            leap = "(?:[^/]+/)*?"
        else:
            words, leap = f"{words}(?>{leap}{''.join(map(_part, parts))})", ""
    return re.compile(words + (".+" if leap else ".*"), re.DOTALL)


def _part(part: str) -> str:
    first, *rest = re.sub(r"\*+", "*", part).split("*")
    if not rest:
        return f"{_fixed(first)}/"
    *middle, last = rest
    return _fixed(first) + "".join(f"(?>[^/]*?{_fixed(piece)})" for piece in middle) + f"[^/]*{_fixed(last)}/"


def _fixed(piece: str) -> str:
    return "".join("[^/]" if char == "?" else re.escape(char) for char in piece)

"""Which kinds of input a text shows: an input all of whose traits stand in some example, or are named (DEC-09).

On kinds that are not shown no clause decides what a call does: readings that differ there make no ambiguity. Pure.
"""

from __future__ import annotations

import math
import re
from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from itertools import combinations
from typing import Any

from tasks.reading.pools import ENOUGH

Trait = tuple[str, str]
"""Where: the place of an argument, and the part of it; and what. "" is anywhere."""

EDGES = frozenset({"empty", "zero", "one", "single", "twice"})
"""What values at the edge of a domain have, rather than those outside of it."""

RELATION = "argument "
"""How a trait of two arguments begins. A relation that no example shows may be chance: it is none of the outside."""

FALLING = "falling pair"

_NAMED = {
    r"(?<!non-)(?<!non )\bempty\b": "empty",
    r"(?<!non-)(?<!non )\bnegatives?\b": "negative",
    r"\bzeros?\b": "zero",
    r"\bduplicat\w+\b|\brepeat\w*\b|\bunique\b|\boccurrences?\b|\bfrequen\w+\b": "twice",
    r"\bupper-?\s?case\b|\bcapital\w*\b": "upper",
    r"\blower-?\s?case\b": "lower",
    r"\bspaces?\b|\bwhite\s?space\b": "char  ",
    r"\bdigits?\b|\bnumeric\b": "digit",
}
"""Words of a text, and what they name."""

_ORDERED = re.compile(r"\b[a-z_]\w*\s*(?:<=?|≤)\s*[a-z_]\w*")
"""A text that states an order of two things: "with start <= end"; else a pair of numbers may fall as well as rise."""

_ORDINARY = ("positive", "zero", "one", "lower", "float", "bool", "none", "items", "text")
"""What needs no example where the text holds none but at the edge."""

LARGE = 10_000
"""From here on the number of digits tells how large a number is."""

_PAIRS = {"(": ")", "[": "]", "{": "}", "<": ">"}
_MOST_PAIRS = 4


def shown_traits(text: str, examples: Iterable[Sequence[Any]]) -> frozenset[Trait]:
    """The traits of the argument lists in ``examples``, and those that ``text`` names for any argument.

    Enough different characters of one class stand for the class.
    """
    seen = {trait for arguments in examples for trait in _traits(arguments)}
    classes = Counter(map(_classed, seen))
    if all(what in EDGES for _, what in seen):
        seen |= {("", what) for what in _ORDINARY}
    enough = {trait for trait, count in classes.items() if count >= ENOUGH}
    if not _ORDERED.search(text):
        seen.add(("", FALLING))
    named = {("", what) for pattern, what in _NAMED.items() if re.search(pattern, text, re.IGNORECASE)}
    return frozenset(seen) | enough | named


def unshown(arguments: Sequence[Any], shown: frozenset[Trait]) -> frozenset[str]:
    """What a call has that is not shown: neither by an example for the same place, nor by name."""
    return frozenset(
        trait[1]
        for trait in _traits(arguments)
        if not {trait, _classed(trait), ("", trait[1]), ("", _classed(trait)[1])} & shown
    )


def is_edge(traits: frozenset[str]) -> bool:
    """Whether a call with these unshown traits is at the edge of what the text shows, rather than outside."""
    return all(trait in EDGES or trait.startswith(RELATION) for trait in traits)


def _classed(trait: Trait) -> Trait:
    """A character stands for its class."""
    where, what = trait
    if not what.startswith("char "):
        return trait
    char = what[-1]
    if not char.isascii():
        return where, "beyond ASCII"
    if char.isalpha():
        return where, "upper" if char.isupper() else "lower"
    return where, "digit" if char.isdigit() else what


def _traits(arguments: Sequence[Any]) -> Iterator[Trait]:
    """The traits of each argument, and how arguments compare."""
    for place, value in enumerate(arguments):
        yield from _of_value(str(place), value)
    yield from (("", relation) for relation in _relations(arguments))


def _of_value(where: str, value: Any) -> Iterator[Trait]:
    match value:
        case None:
            yield where, "none"
        case bool():
            yield where, "bool"
        case int() | float():
            yield where, "negative" if value < 0 else "zero" if not value else "one" if value == 1 else "positive"
            if isinstance(value, float):
                yield where, "float"
            if abs(value) >= LARGE:
                yield where, f"{len(str(int(abs(value))))} digits" if math.isfinite(value) else "no number"
        case str():
            yield from ((where, what) for what in _of_text(value))
        case bytes():
            yield where, "bytes" if value else "empty"
        case dict():
            yield where, "items" if len(value) > 1 else "single" if value else "empty"
            yield from (trait for key in value for trait in _of_value(f"{where} key", key))
            yield from (trait for item in value.values() for trait in _of_value(f"{where} item", item))
        case _:
            yield from _of_items(where, list(value))


def _of_items(where: str, items: list[Any]) -> Iterator[Trait]:
    yield where, "items" if len(items) > 1 else "single" if items else "empty"
    if len({repr(item) for item in items}) < len(items):
        yield where, "twice"
    if " item" in where and _falls(items):
        yield where, FALLING
    if len({type(item) for item in items}) > 1:
        yield where, "mixed"
    if len({len(item) for item in items if isinstance(item, list)}) > 1:
        yield where, "ragged"
    yield from (trait for item in items for trait in _of_value(f"{where} item", item))


def _falls(items: list[Any]) -> bool:
    return len(items) == 2 and all(isinstance(item, int | float) for item in items) and items[0] > items[1]


def _of_text(text: str) -> Iterator[str]:
    """Its characters, blanks and words with signs, whether brackets are balanced, its form where it holds numbers."""
    yield "text" if text else "empty"
    yield from (f"char {char}" for char in dict.fromkeys(text))
    words = text.split()
    yield from (f"word {word}" for word in dict.fromkeys(words) if len(words) > 1 and not word.isalnum())
    if len(words) >= ENOUGH and any(map(str.isdigit, text)):
        yield "form " + re.sub(r"\d+", "1", text)
    if text != text.strip():
        yield "blank ends"
    if "  " in text:
        yield "two blanks"
    if any(char in text for pair in _PAIRS.items() for char in pair):
        yield "balanced" if _is_balanced(text) else "unbalanced"


def _is_balanced(text: str) -> bool:
    awaited: list[str] = []
    for char in text:
        if char in _PAIRS:
            awaited.append(_PAIRS[char])
        elif char in _PAIRS.values() and (not awaited or awaited.pop() != char):
            return False
    return not awaited


def _relations(arguments: Sequence[Any]) -> Iterator[str]:
    """How the sizes of two arguments compare: numbers by value, others by length; nothing has none to compare."""
    sized = [(place, size) for place, value in enumerate(arguments) if (size := _size(value)) is not None]
    for (first, one), (second, other) in list(combinations(sized, 2))[:_MOST_PAIRS]:
        sign = "<" if one < other else ">" if one > other else "="
        yield f"{RELATION}{first} {sign} argument {second}"


def _size(value: Any) -> float | None:
    if isinstance(value, int | float):
        return None if isinstance(value, bool) else value
    return len(value) if isinstance(value, str | list | tuple) and value else None

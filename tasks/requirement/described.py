"""What prose says of a parameter: "a list of positive integers", "1 <= n <= 100", "non-empty". Pure.

Only what leaves no doubt of which parameter it is said; what is not read leaves the parameter to its annotation and to
the examples.
"""

from __future__ import annotations

import re
from collections.abc import Sequence

from contracts.valuetype import ValueType
from tasks.requirement.annotations import ANY

_COUNTS = {"one": 1, "two": 2, "three": 3, "four": 4, "1": 1, "2": 2, "3": 3, "4": 4}
_KINDS = (
    (r"integers?|ints?|whole\s+numbers?|numbers?", ValueType(name="int")),
    (r"digits?", ValueType(name="int", least=0, most=9)),
    (r"natural\s+numbers?", ValueType(name="int", least=0)),
    (r"floats?|floating[- ]point\s+numbers?|real\s+numbers?|decimals?", ValueType(name="float")),
    (r"strings?|words?|texts?|sentences?|names?|characters?|letters?", ValueType(name="str")),
    (r"booleans?|bools?", ValueType(name="bool")),
    (r"lists?|arrays?|sequences?|vectors?", ValueType(name="list", of=(ANY,))),
    (r"tuples?", ValueType(name="tuple", of=(ANY,), repeated=True)),
    (r"sets?", ValueType(name="set", of=(ANY,))),
    (r"dict(?:ionar(?:y|ies)|s)?|mappings?", ValueType(name="dict", of=(ANY, ANY))),
)
_ADJECTIVES = r"non-?\s?empty|positive|non-?\s?negative|negative|unique|distinct|sorted|small|given|single|valid|input"
_NOUN = "|".join(pattern for pattern, _ in _KINDS)
_ONE = rf"(?:(?:{_ADJECTIVES})\s+)*(?:{_NOUN})\b"
_PHRASE = rf"{_ONE}(?:\s+(?:of|containing)\s+(?:only\s+)?{_ONE})*"
_LIMIT = r"-?\d+(?:\^\d+|\*\*\d+)?"
_LESS = r"(<=|<|≤)"


def described(text: str, names: Sequence[str]) -> dict[str, ValueType]:
    """The types that ``text`` states for the parameters ``names``; those of which it says nothing are left out."""
    found = {name: kind for name in names if (kind := _said_of(text, name, names)) is not None}
    if not found and names:
        together = _said_of_all(text, len(names))
        found = dict.fromkeys(names, together) if together is not None else {}
    return found


def bounded(text: str, name: str, kind: ValueType, *, only: bool) -> ValueType:
    """``kind`` with the bounds that ``text`` draws for the parameter ``name``: its value, or its length.

    Of an ``only`` parameter texts speak by other names too ("1 <= num <= 1000" of ``number``).
    """
    number = r"[A-Za-z_]\w*" if only and kind.name in {"any", "int", "float"} else re.escape(name)
    if kind == ANY or kind.name in {"int", "float"}:
        least, most = _chain(text, rf"\(?{number}\)?")
        least = _alone(text, number) if least is None else least
        known = ValueType(name="int") if kind == ANY and (least, most) != (None, None) else kind
        return _with(known, least=least, most=most)
    if kind.of or kind.name == "str":
        low, high = _chain(text, rf"(?:len\(\s*{number}\s*\)|{number}\.(?:length|size)|length\s+of\s+{number})")
        return _with(kind, shortest=low, longest=high)
    return kind


def _with(kind: ValueType, **bounds: int | None) -> ValueType:
    negative = {name for name, value in bounds.items() if name in {"shortest", "longest"} and (value or 0) < 0}
    return kind.model_copy(
        update={name: value for name, value in bounds.items() if value is not None and name not in negative}
    )


def _chain(text: str, subject: str) -> tuple[int | None, int | None]:
    """``1 <= n <= 10``: both bounds, inclusive."""
    match = re.search(rf"(?<![\w.])({_LIMIT})\s*{_LESS}\s*{subject}\s*{_LESS}\s*({_LIMIT})(?!\w|\.\d)", text)
    if match is None:
        return None, None
    low, left, right, high = match.groups()
    return _number(low) + (left == "<"), _number(high) - (right == "<")


def _number(text: str) -> int:
    base, power, exponent = text.replace("**", "^").partition("^")
    return min(int(base) ** int(exponent), 10**12) if power and int(exponent) < 100 else int(base)


def _alone(text: str, name: str) -> int | None:
    """``n >= 1`` on a line of its own, or in one that calls itself a condition on the input."""
    stated = rf"(?<![\w.])(?:{name})\s*(>=|>|≥)\s*(-?\d+)(?![\w.])"
    for line in text.splitlines():
        match = re.search(stated, line)
        alone = re.fullmatch(rf"\s*[-*]?\s*{stated}.{{0,40}}", line)
        if match and (alone or re.search(r"\b(?:pre-?conditions?|constraints?|assum\w+|guarantee\w*)\b", line, re.I)):
            return int(match[2]) + (match[1] == ">")
    return None


def _said_of(text: str, name: str, names: Sequence[str]) -> ValueType | None:
    others = "|".join(map(re.escape, names))
    quoted = rf"[`'\"(]{{0,2}}{re.escape(name)}[`'\")]{{0,2}}(?!\w)"
    listed = rf"(?:[`'\"]?(?:{others})[`'\"]?\s*(?:,\s*and\s+|,|\band\b)\s*){{0,4}}"
    before = rf"(?P<phrase>{_PHRASE})(?:\s+(?:called|named))?\s*,?\s*{listed}{quoted}(?!\s*:)"
    after = rf"(?<![\w.]){quoted}\s*(?::|-|–|is|are|=)\s*(?:a|an|the|any|list\s+of)?\s*(?P<phrase>{_PHRASE})"
    for pattern in (after, before):
        match = re.search(pattern, text, re.IGNORECASE)
        if match is not None:
            return _kind(match["phrase"])
    return None


def _said_of_all(text: str, count: int) -> ValueType | None:
    """What is said of the arguments without naming them: "takes a list of integers", "given two strings"."""
    words = "|".join(word for word, number in _COUNTS.items() if number == count)
    number = rf"(?:a|an|the|any|some|your)?\s*(?:{words})?\s*" if count == 1 else rf"(?:the\s+)?(?:{words})\s+"
    lead = r"(?:given|takes?|taking|accepts?|receives?|input\s+(?:\w+\s+){0,4}is|for|of|in)"
    match = re.search(rf"\b{lead}\s+(?:as\s+(?:an\s+)?input\s+)?{number}(?P<phrase>{_PHRASE})", text, re.IGNORECASE)
    return None if match is None else _kind(match["phrase"])


def _kind(phrase: str) -> ValueType | None:
    """``non-empty list of positive integers``, from its end."""
    kind: ValueType | None = None
    for part in reversed(re.split(r"\s+(?:of|containing)\s+(?:only\s+)?", phrase.lower())):
        kind = _noun(part, kind)
    return kind


def _noun(part: str, items: ValueType | None) -> ValueType:
    known = next(kind for pattern, kind in _KINDS if re.search(rf"\b(?:{pattern})$", part))
    if known.of and items is not None and known.name != "dict":
        known = known.model_copy(update={"of": (items,)})
    says = {word: re.search(rf"\b{word}\b", part) is not None for word in ("positive", "negative", "sorted")}
    if known.name in {"int", "float"}:
        least = 0 if re.search(r"non-?\s?negative", part) else 1 if says["positive"] else known.least
        return known.model_copy(update={"least": least})
    if known.of:
        distinct = re.search(r"\b(?:unique|distinct)\b", part) is not None
        known = known.model_copy(update={"ascending": says["sorted"], "distinct": distinct})
    return known.model_copy(update={"shortest": 1}) if re.search(r"non-?\s?empty", part) else known


def merged(stated: ValueType, said: ValueType) -> ValueType:
    """``stated``, and the bounds that prose adds to it; where the two differ in kind, what was stated stands."""
    if said.name == "any":
        return stated
    if stated.name == "any":
        return said
    if {stated.name, said.name} == {"int", "float"}:
        said = said.model_copy(update={"name": stated.name})
    if stated.name != said.name or stated.name == "union":
        return stated
    parts = tuple(map(merged, stated.of, said.of)) if len(stated.of) == len(said.of) else stated.of
    given = said.model_dump(include={"least", "most", "shortest", "longest"}, exclude_none=True)
    flags = {"distinct": stated.distinct or said.distinct, "ascending": stated.ascending or said.ascending}
    return stated.model_copy(update={"of": parts, **given, **flags})

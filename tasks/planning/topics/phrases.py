"""Phrases that several topics share: numbers, bounds, openings; as regular expressions over joined words."""

from __future__ import annotations

import re

from contracts.plan import Expression
from tasks.planning.terms import NotUnderstood, combine, integer

_WORDS = [
    "zero",
    "one",
    "two",
    "three",
    "four",
    "five",
    "six",
    "seven",
    "eight",
    "nine",
    "ten",
    "eleven",
    "twelve",
    "thirteen",
    "fourteen",
    "fifteen",
    "sixteen",
]
_VALUES = {word: value for value, word in enumerate(_WORDS)} | {
    "twenty": 20,
    "thirty": 30,
    "fifty": 50,
    "a": 1,
    "an": 1,
}
NUMBER = r"(?:\d[\d,]*|" + "|".join(sorted((word for word in _VALUES if len(word) > 2), key=len, reverse=True)) + ")"
_OPS = {
    "exactly": "=",
    "precisely": "=",
    "at least": ">=",
    "a minimum of": ">=",
    "no fewer than": ">=",
    "no less than": ">=",
    "not less than": ">=",
    "not fewer than": ">=",
    "at most": "<=",
    "a maximum of": "<=",
    "up to": "<=",
    "no more than": "<=",
    "not more than": "<=",
    "no longer than": "<=",
    "no larger than": "<=",
    "no bigger than": "<=",
    "no shorter than": ">=",
    "no smaller than": ">=",
    "more than": ">",
    "longer than": ">",
    "larger than": ">",
    "bigger than": ">",
    "greater than": ">",
    "over": ">",
    "above": ">",
    "fewer than": "<",
    "less than": "<",
    "shorter than": "<",
    "smaller than": "<",
    "under": "<",
    "below": "<",
}
OP = "(?:" + "|".join(sorted(_OPS, key=len, reverse=True)) + ")"
MUST = r"(?:(?:must|should|shall|has to|have to|needs to|need to) )?"
MAKES = (
    r"(?:(?:write|build|create|implement|develop|make|design|provide) (?:a|an|the) "
    r"(?:(?:small|simple|tiny|short|python|command|line|command-line|cli) )*"
    r"(?:program|tool|script|cli|utility|application|generator|command) (?:that|which) "
    r"|(?:the|this) (?:program|tool|script|cli|utility|application|generator|command) |it )"
)


def value(word: str) -> int:
    """The integer that a number names."""
    return _VALUES[word] if word in _VALUES else int(word.replace(",", ""))


def compared(subject: Expression, op: str | None, number: Expression, *, bare: str = "=") -> Expression:
    """``subject`` held against ``number`` by the words ``op``; ``bare`` is meant where there are none."""
    if op is not None and op not in _OPS:
        raise NotUnderstood
    return combine(bare if op is None else _OPS[op], subject, number)


def variable(name: str) -> Expression:
    """A variable of a topic. Its name has a ``#``, which no word of a text has."""
    return Expression(op="variable", name=name)


def total(terms: list[Expression]) -> Expression:
    """Their sum."""
    found = terms[0]
    for item in terms[1:]:
        found = combine("+", found, item)
    return found


def listed(text: str) -> list[str]:
    """The items of "a, b and c"."""
    return [item for item in re.split(r",? and |, ", text) if item]


def conditioned(text: str) -> tuple[str | None, str]:
    """Condition and statement of "if C, S", "S if C"; a statement alone has no condition."""
    match = re.fullmatch(r"(?:if|when|whenever) (?P<if>.+?), (?:then )?(?P<then>.+)", text) or re.fullmatch(
        r"(?P<then>.+?),? (?:if|when|whenever) (?P<if>.+)", text
    )
    return (None, text) if match is None else (match["if"], match["then"])


def bounded(low: int, subject: Expression, high: int) -> list[Expression]:
    """``low`` to ``high``, both included."""
    return [combine(">=", subject, integer(low)), combine("<=", subject, integer(high))]

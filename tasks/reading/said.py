"""What the statements of a contract say of its inputs, for the generators: numbers, quoted characters, cases. Pure.

Nothing is judged by it: it decides which inputs are tried, and which are left out because no clause decides them.
"""

from __future__ import annotations

import re

from contracts.requirement import Argument, BuildSpec, Category, Column

MOST_NUMBERS = 12
_QUOTED = re.compile(r"`([^`\s\w]{1,2})`|\"([^\"\s\w]{1,2})\"|'([^'\s\w]{1,2})'")
_NUMBER = re.compile(r"(?<![\w.-])\d{1,6}(?![\w.]*\w)")
_CONTENT = r"(?:words?|letters?|numbers?|digits?|brackets?|text|lines?|input)"
_NOTHING_OF = re.compile(rf"\b(?:no|without(?:\s+any)?)\s+{_CONTENT}\b", re.IGNORECASE)
_ONE_LINE = re.compile(r"\breads?\s+(?:one|a|a\s+single|exactly\s+one)\s+line\b", re.IGNORECASE)
_BAD_VALUE = (
    r"\b(?:not|no|isn't|neither|non|invalid|bad|wrong)[\s-]+(?:\w+[\s-]+){{0,3}}"
    r"(?:{noun}|integers?|numbers?|numeric|digits?)\b"
)
_LIMITED = r"range|\bfrom\b|between|positive|negative|less|greater|smaller|larger|at (?:least|most)|below|above|invalid"


def said(spec: BuildSpec) -> str:
    """All statements, one a line."""
    return "\n".join(atom.text for atom in spec.requirement_atoms)


def numbers(spec: BuildSpec) -> tuple[int, ...]:
    """The whole numbers that the statements name, each once."""
    return tuple(dict.fromkeys(map(int, _NUMBER.findall(said(spec)))))[:MOST_NUMBERS]


def characters(spec: BuildSpec) -> tuple[str, ...]:
    """The signs that the statements quote: what a parser of them has to tell apart."""
    return tuple(dict.fromkeys("".join(match.groups("")) for match in _QUOTED.finditer(said(spec))))


def speaks_of_lines(spec: BuildSpec) -> bool:
    """Whether lines are what the program works on."""
    return re.search(r"\blines\b", said(spec), re.IGNORECASE) is not None


def speaks_of_empty(spec: BuildSpec) -> bool:
    """Whether some statement says what becomes of an input or a text that is empty."""
    return re.search(r"(?<!non-)\bempty\s+(?:input|file|text|string|argument|line)\b", said(spec), re.I) is not None


def speaks_of_nothing(spec: BuildSpec) -> bool:
    """Whether some statement is about an input that lacks what the program looks for: "holds no word"."""
    return _NOTHING_OF.search(said(spec)) is not None


def reads_one_line(spec: BuildSpec) -> bool:
    """Whether the input is a single line, so that no clause decides what further ones do."""
    return _ONE_LINE.search(said(spec)) is not None


def decides_bad(spec: BuildSpec, value: Argument | Column) -> bool:
    """Whether a clause says what follows where an argument, or a field of a column, is none of its kind."""
    return bool(_bad_clauses(spec, value))


def decides_fields(spec: BuildSpec) -> bool:
    """Whether a clause says what follows where a row has too few or too many fields."""
    return any(re.search(r"\b(?:fields|columns|values)\b", text, re.IGNORECASE) for text in _conditions(spec))


def decides_outside(spec: BuildSpec, argument: Argument) -> bool:
    """Whether a clause says what follows where ``argument`` is beyond its bounds."""
    noun = rf"\b(?:no|not\s+an?)\s+(?:valid\s+)?{_noun(argument)}\b"
    return any(re.search(rf"{_LIMITED}|{noun}", text, re.IGNORECASE) for text in _bad_clauses(spec, argument))


def _bad_clauses(spec: BuildSpec, value: Argument | Column) -> list[str]:
    pattern = _BAD_VALUE.format(noun=_noun(value)) + r"|out\s+of\s+range|\binvalid\b"
    return [text for text in _conditions(spec) if re.search(pattern, text, re.IGNORECASE)]


def _conditions(spec: BuildSpec) -> list[str]:
    return [atom.text for atom in spec.requirement_atoms if atom.category is Category.CONDITIONAL]


def _noun(value: Argument | Column) -> str:
    return re.escape(value.name.lower().rstrip("0123456789"))

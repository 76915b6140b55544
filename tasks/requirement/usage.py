"""The usage line of a text: ``grepcount PATTERN FILE``, ``usage: headn FILE [N]``. It tells all arguments in order."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Literal

from tasks.requirement.blocks import Sentence
from tasks.requirement.grammar import word_set
from tasks.requirement.phrasings import BEHAVIOUR
from tasks.requirement.tokens import Token

Role = Literal["input_file", "output_file", "integer", "text"]

_LINE = re.compile(
    r"(?:usage|synopsis|tool)?:?\s*(?P<name>[a-z][\w.-]*)(?P<rest>(?:\s+(?:[A-Z][A-Z0-9_]*|\[[A-Z][A-Z0-9_]*\]))+)",
    re.IGNORECASE,
)
_ARGUMENT = re.compile(r"\[?[A-Z][A-Z0-9_]*\]?")
_OPENING = 3
_AFTER = re.compile(r"\s*(?::|prints\b|--|\n|$)")
_NO_ARGUMENT = word_set("MUST SHALL SHOULD MAY NOT REQUIRED WILL AND OR")
_INPUTS = word_set("FILE PATH INPUT SOURCE FILENAME INFILE SRC LOG DOCUMENT")
_OUTPUTS = word_set("OUTPUT TARGET DEST DESTINATION OUTFILE OUT")
_INTEGERS = word_set("N COUNT NUMBER NUM WIDTH SIZE LIMIT K")


@dataclass(frozen=True, slots=True)
class Usage:
    """Name and role of every required argument; ``open_end``: further ones may follow."""

    arguments: tuple[tuple[str, Role], ...]
    open_end: bool


def usage_of(sentences: Sequence[Sentence]) -> Usage | None:
    """The usage that the text states; None where it states none, or several that differ."""
    found = {usage for sentence in sentences for usage in _usages(sentence)}
    return found.pop() if len(found) == 1 else None


def synopses(sentences: Sequence[Sentence]) -> frozenset[str]:
    """The literals that show how the program is called, by the name that starts the text."""
    literals = [token for sentence in sentences for token in sentence.words if token.kind == "literal"]
    shown = [match for token in literals if (match := _LINE.fullmatch(token.value)) and match["rest"].isupper()]
    first = [sentence.words[0] for sentence in sentences[:_OPENING] if sentence.words]
    first += [token for sentence in sentences[:1] for token in sentence.words if token.kind == "literal"]
    named = {token.value.split()[0] for token in first if token.value.strip()}
    return frozenset(match.string for match in shown if match["name"] in named)


def _usages(sentence: Sentence) -> Iterator[Usage]:
    if sentence.kind in {"code", "doctest", "table"} or not sentence.words:
        return
    for token in sentence.words:
        if token.kind == "literal" and (match := _LINE.fullmatch(token.value.strip())):
            yield from _usage(match)
    words = sentence.words
    line = "".join(" " * (token.start - before) + token.text for before, token in _spaced(sentence))
    match = _LINE.match(line)
    if (
        match
        and words[0].kind == "word"
        and (_AFTER.match(line, match.end()) or words[0].norm in {"usage", "synopsis"})
    ):
        yield from _usage(match)


def _spaced(sentence: Sentence) -> Iterator[tuple[int, Token]]:
    before = sentence.words[0].start
    for token in sentence.words:
        yield before, token
        before = token.end


def _usage(match: re.Match[str]) -> Iterator[Usage]:
    written = _ARGUMENT.findall(match["rest"])
    names = [name for name in written if not name.startswith("[")]
    plain = match["rest"].isupper() and match["name"].islower() and match["name"] not in BEHAVIOUR
    if names and plain and not _NO_ARGUMENT & set(names) and len(set(names)) == len(names):
        yield Usage(tuple((name, _role(name)) for name in names), len(names) < len(written))


def _role(name: str) -> Role:
    plain = name.rstrip("0123456789_")
    if plain in _INPUTS:
        return "input_file"
    return "output_file" if plain in _OUTPUTS else "integer" if plain in _INTEGERS else "text"

"""Sentences of a text, block by block."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from functools import cached_property

from tasks.requirement.lines import BlockKind, blocks
from tasks.requirement.tokens import Token, tokenize

_ENDS = {".", "!", "?"}
_STOPS = {",", ";", ":", "("}
_ASKS = {"what", "why", "how", "who", "whom", "whose", "which", "where", "when", "whether"}
_LONGEST_QUESTION = 12
MAX_TOKENS = 300
"""A longer sentence is cut there: the work of the parser grows with the square of it."""


@dataclass(frozen=True)
class Sentence:
    """A run of tokens. ``tokens[body:]`` comes after a list marker or heading sign; ``block`` counts from zero."""

    tokens: tuple[Token, ...]
    body: int
    kind: BlockKind
    block: int

    @cached_property
    def words(self) -> tuple[Token, ...]:
        """The tokens without marker and without the final stop."""
        rest = self.tokens[self.body :]
        while rest and rest[-1].text in _ENDS | {":", ";", ","}:
            rest = rest[:-1]
        return rest

    @property
    def start(self) -> int:
        """Where it starts, in characters."""
        return self.tokens[0].start

    @property
    def end(self) -> int:
        """Where it ends, in characters (exclusive)."""
        return self.tokens[-1].end


def sentences(text: str) -> tuple[Sentence, ...]:
    """All sentences in order. Together they hold every character that is not white space, each once."""
    found: list[Sentence] = []
    for number, block in enumerate(blocks(text)):
        tokens = tokenize(text, block.start, block.end)
        marker = sum(token.end <= block.body for token in tokens)
        if not tokens:
            continue
        if block.kind in {"heading", "table", "code", "doctest"}:
            found.append(Sentence(tokens, min(marker, len(tokens)), block.kind, number))
        else:
            found.extend(_split(tokens, marker, block.kind, number))
    return tuple(found)


def _split(tokens: tuple[Token, ...], marker: int, kind: BlockKind, block: int) -> Iterator[Sentence]:
    start, depth = 0, 0
    for index, token in enumerate(tokens):
        depth = max(0, depth + (token.text in "([{") - (token.text in ")]}")) if token.kind == "punct" else depth
        if index + 1 < len(tokens) and index + 1 - start < MAX_TOKENS:
            asks = _asks(tokens, max(start, marker), index)
            if depth or asks or not _ends_here(tokens, index):
                continue
        yield Sentence(tokens[start : index + 1], max(0, marker - start) or _enumerator(tokens, start), kind, block)
        start, depth = index + 1, 0


def _asks(tokens: tuple[Token, ...], start: int, index: int) -> bool:
    """A short question that is a condition of what follows: "Is the file empty?", then "Print 0"."""
    if tokens[index].text != "?" or not 0 < index - start <= _LONGEST_QUESTION:
        return False
    asked = tokens[start:index]
    return asked[0].norm not in _ASKS and not any(token.text in _STOPS for token in asked)


def _enumerator(tokens: tuple[Token, ...], start: int) -> int:
    """The length of an "(a)" or a "4.2" in front of a sentence."""
    if len(tokens) > start + 1 and tokens[start].kind == "number" and "." in tokens[start].text:
        return int(tokens[start + 1].text.istitle())
    texts = [token.text for token in tokens[start : start + 3]]
    return 3 if len(tokens) > start + 3 and texts[::2] == ["(", ")"] and len(texts[1]) == 1 else 0


def _ends_here(tokens: tuple[Token, ...], index: int) -> bool:
    token, following = tokens[index], tokens[index + 1]
    if token.kind != "punct" or token.text not in _ENDS or following.start == token.end:
        return False
    return not (index > 0 and tokens[index - 1].text == "." and tokens[index - 1].end == token.start)

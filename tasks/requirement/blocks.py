"""Blocks of a text (headings, list items, tables, code, paragraphs) and the sentences in them."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Literal

from tasks.requirement.tokens import Token, tokenize

BlockKind = Literal["heading", "item", "table", "code", "doctest", "paragraph"]

_HEADING = re.compile(r"[ \t]*#{1,6}(?:[ \t]|$)")
_RULE = re.compile(r"[ \t]*(?:=+|-{3,}|\*{3,}|_{3,})[ \t]*$")
_ITEM = re.compile(r"[ \t]*(?:[-*•+][ \t]+(?:\[[ xX]?\][ \t]+)?|\(?\d{1,2}[.)][ \t]+|\(?[a-z]\)[ \t]+)")
_NUMBERED = re.compile(r"[ \t]*\(?(\d{1,2})[.)][ \t]")
_TABLE = re.compile(r"[ \t]*\|.*\|[ \t]*$")
_FENCE = re.compile(r"[ \t]*(```+|~~~+)")
_DOCTEST = re.compile(r"[ \t]*>>> ")
_ENDS = {".", "!", "?"}
MAX_TOKENS = 300
"""A longer sentence is cut there: the work of the parser grows with the square of it."""


@dataclass(frozen=True, slots=True)
class Sentence:
    """A run of tokens. ``tokens[body:]`` comes after a list marker or heading sign; ``block`` counts from zero."""

    tokens: tuple[Token, ...]
    body: int
    kind: BlockKind
    block: int

    @property
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
    for number, (kind, start, body, end) in enumerate(_blocks(text)):
        tokens = tokenize(text, start, end)
        marker = sum(token.end <= body for token in tokens)
        if not tokens:
            continue
        if kind in {"heading", "table", "code", "doctest"}:
            found.append(Sentence(tokens, min(marker, len(tokens)), kind, number))
        else:
            found.extend(_split(tokens, marker, kind, number))
    return tuple(found)


def _blocks(text: str) -> Iterator[tuple[BlockKind, int, int, int]]:
    """Kind, start, start of the body, end."""
    lines = [(match.start(), match.end()) for match in re.finditer(r"[^\n]*(?:\n|$)", text) if match.group()]
    at = number = 0
    while at < len(lines):
        start, end = lines[at]
        line = text[start:end].rstrip("\n")
        kind = _kind_of(line)
        at += 1
        if kind == "blank":
            continue
        if kind == "code":
            at = _after_fence(text, lines, at, line)
        elif kind in {"paragraph", "item", "doctest"}:
            counted = _NUMBERED.match(line)
            number = int(counted[1]) if counted else number
            while at < len(lines) and _continues(kind, text[slice(*lines[at])], number):
                at += 1
        end = lines[at - 1][1]
        mark = (_HEADING if kind == "heading" else _ITEM).match(text, start) if kind in {"heading", "item"} else None
        yield kind, start, mark.end() if mark else start, end


def _kind_of(line: str) -> BlockKind | Literal["blank"]:
    if not line.strip():
        return "blank"
    if _FENCE.match(line):
        return "code"
    if _HEADING.match(line) or _RULE.match(line):
        return "heading"
    if _TABLE.match(line):
        return "table"
    if _DOCTEST.match(line):
        return "doctest"
    return "item" if _ITEM.match(line) else "paragraph"


def _continues(kind: BlockKind, line: str, number: int) -> bool:
    """True iff the block goes on; a line that a sum or a status happens to start is no item of a list.

    As in CommonMark, only a 1 starts a numbered list inside of a paragraph; after item ``number`` the next one follows.
    """
    following = _kind_of(line.rstrip("\n"))
    counted = _NUMBERED.match(line)
    if counted and int(counted[1]) not in {1, number + 1}:
        return True
    return following == "paragraph" or (kind == "doctest" and following not in {"blank", "doctest"})


def _after_fence(text: str, lines: Sequence[tuple[int, int]], at: int, opening: str) -> int:
    fence = opening.strip()[:3]
    while at < len(lines):
        at += 1
        if text[slice(*lines[at - 1])].strip().startswith(fence):
            break
    return at


def _split(tokens: tuple[Token, ...], marker: int, kind: BlockKind, block: int) -> Iterator[Sentence]:
    start, depth = 0, 0
    for index, token in enumerate(tokens):
        depth = max(0, depth + (token.text in "([{") - (token.text in ")]}")) if token.kind == "punct" else depth
        full = index + 1 - start >= MAX_TOKENS
        if index + 1 < len(tokens) and not full and not (_ends_here(tokens, index) and depth == 0):
            continue
        yield Sentence(tokens[start : index + 1], max(0, marker - start) or _enumerator(tokens, start), kind, block)
        start, depth = index + 1, 0


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

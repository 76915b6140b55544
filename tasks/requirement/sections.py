"""Conditions that the layout states: rows of a table, entries of a docstring or a man page, steps of a scenario."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass

from tasks.requirement.answers import EXCEPTION
from tasks.requirement.blocks import Sentence
from tasks.requirement.clauses import Branch, Parsed
from tasks.requirement.consequences import lent_by, starts_consequence
from tasks.requirement.grammar import number_of, word_set
from tasks.requirement.phrasings import GRAMMAR, SETS
from tasks.requirement.pieces import Piece
from tasks.requirement.tokens import Token

_CONDITION = word_set("condition conditions situation case when if error errors problem event cause trigger failure")
_MEANING = word_set("meaning reason")
_AFTER_NAME = {":", "—", "–", "--", "-", "="}
_GIVEN, _THEN, _AND = {"given", "when"}, {"then"}, {"and", "but"}
_LONGEST_TITLE = 3


@dataclass(frozen=True, slots=True)
class Row:
    """A condition, and each of its consequences with the channel that its column lends to a bare value."""

    condition: tuple[Token, ...]
    consequences: tuple[tuple[tuple[Token, ...], str | None], ...]


def row(sentence: Sentence, header: Sequence[str]) -> Row | None:
    """The row of a table that has a column of conditions; None for any other."""
    named = [set(name.lower().split()) for name in header]
    at = next((index for words in (_CONDITION, _MEANING) for index, name in enumerate(named) if words & name), None)
    cells = cells_of(sentence)
    if at is None and len(cells) == 2 and starts_consequence(cells[1], 0):
        at = 0
    if at is None or len(named) < 2 or len(cells) != len(named) or not cells[at]:
        return None
    if all(set(token.text) <= set("-:|") for token in sentence.tokens):
        return None
    lent = [lent_by([Token("word", 0, 0, word, word) for word in name.lower().split()]) for name in header]
    found = tuple((cell, lent[index]) for index, cell in enumerate(cells) if index != at and cell)
    return Row(cells[at], found) if found else None


def cells_of(sentence: Sentence) -> list[tuple[Token, ...]]:
    """The cells of a table row."""
    cells: list[list[Token]] = []
    for token in sentence.tokens[1:]:
        if not cells or token.text == "|":
            cells.append([])
        if token.text != "|":
            cells[-1].append(token)
    return [tuple(cell) for cell in (cells[:-1] if cells and not cells[-1] else cells)]


def entry(words: tuple[Token, ...], lent: str | None) -> Parsed | None:
    """An entry of a list of exit statuses or exceptions: "2  the file is missing", "ValueError: n is negative"."""
    named = words[:1] and (
        (lent == "exit" and number_of(words[0]) is not None and words[0].kind == "number")
        or (lent == "raise" and EXCEPTION.fullmatch(words[0].value) is not None)
    )
    if not named:
        return None
    body = 1
    while body < len(words) and words[body].text in _AFTER_NAME:
        body += 1
    if body == len(words) or any(GRAMMAR.longest(rule, words, body) for rule in ("opener", "label", "otherwise")):
        return None
    effect = Piece(0, 0, body, "clause", frozenset(), "consequence")
    condition = Piece(body, body, len(words), "opener", frozenset(), "condition")
    branch = Branch((body, len(words)), "if", [(0, 1)], pieces=[effect, condition])
    return Parsed([effect, condition], [branch])


@dataclass(frozen=True, slots=True)
class Scenario:
    """Given and When, then Then: the steps as sentences without their first word."""

    conditions: tuple[tuple[Token, ...], ...]
    consequences: tuple[tuple[Token, ...], ...]
    end: int


def scenarios(sentences: Sequence[Sentence]) -> Mapping[int, Scenario]:
    """Every scenario by the index of its first sentence; ``end`` is the index after its last."""
    return dict(_scenarios(sentences))


def _scenarios(sentences: Sequence[Sentence]) -> Iterator[tuple[int, Scenario]]:
    at = 0
    while at < len(sentences):
        middle = _steps(sentences, at, _GIVEN)
        end = _steps(sentences, middle, _THEN) if middle > at else at
        if end > middle > at:
            conditions, consequences = (
                tuple(sentence.words[1:] for sentence in part) for part in (sentences[at:middle], sentences[middle:end])
            )
            yield at, Scenario(conditions, consequences, end)
        at = max(end, at + 1)


def _steps(sentences: Sequence[Sentence], at: int, first: set[str]) -> int:
    """Where the steps end that start at ``at`` with a word of ``first``; those of a condition state no effect."""
    start = at
    while at < len(sentences) and sentences[at].kind in {"paragraph", "item"} and len(sentences[at].words) > 1:
        words = sentences[at].words
        if words[0].norm not in (first | _AND if at > start else first):
            break
        if first == _GIVEN and any(starts_consequence(words, index) for index in range(1, len(words))):
            break
        at += 1
    return at


def fired_by(steps: Sequence[tuple[Token, ...]]) -> tuple[Token, ...] | None:
    """The one step that is a condition, beside "when the tool is started"; None where there are several."""
    telling = [step for step in steps if GRAMMAR.whole("just_run", step) is None]
    return telling[0] if len(telling) == 1 else None


def section_channel(sentence: Sentence) -> str | None:
    """The channel that a short heading lends to what stands below it: "Exit status", "Raises"."""
    words = [token for token in sentence.words if token.kind == "word"]
    return lent_by(words) if len(words) <= _LONGEST_TITLE else None


def titled(words: Sequence[Token]) -> bool:
    """True for a docstring section in its line: "Raises: ValueError ..."."""
    return len(words) > 2 and words[1].text == ":" and words[0].norm in {"raises", "returns", "exits"} | SETS["exit"]

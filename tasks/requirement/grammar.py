"""A small grammar engine over tokens; the rules themselves stand in `phrasings.py`.

A rule is written ``name : alternatives``. Alternatives are separated by `` | ``, the parts of one by blanks. A part is
a word, several words without blanks (``a|b``), a class (``<num>``, ``<digits>``, ``<lit>``, ``<caps>``, ``<file>``,
``<word>``), a rule or a word list (``$name``; a word list may be mixed with words), or a group in parentheses. ``?``
behind a part makes it optional. What a class took is captured, in order.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property

from tasks.requirement.tokens import Token

_NUMBER_WORDS = ("zero", "one", "two", "three", "four", "five", "six", "seven", "eight", "nine", "ten")
_Test = Callable[[Token], bool]
NUMBER_WORDS = {word: value for value, word in enumerate(_NUMBER_WORDS)}
_CAPS = re.compile(r"[A-Z][A-Z0-9_]+")
_FILE_NAME = re.compile(r"[\w./-]+\.[a-z]{1,5}")
_PART = re.compile(r"\(|\)\??|\||[^\s()]+")


@dataclass(frozen=True, slots=True)
class Match:
    """The index of the token after the match, and the tokens that classes took."""

    end: int
    captures: tuple[Token, ...]


@dataclass(frozen=True, slots=True)
class _Leaf:
    words: frozenset[str]
    classes: frozenset[_Test]


@dataclass(frozen=True, slots=True)
class _Call:
    name: str


@dataclass(frozen=True, slots=True)
class _Choice:
    rows: tuple[_Row, ...]


@dataclass(frozen=True, slots=True)
class _Part:
    node: _Leaf | _Call | _Choice
    optional: bool


@dataclass(frozen=True, slots=True)
class _First:
    """What a match may start with: some word, some class of token, or nothing at all."""

    words: frozenset[str] = frozenset()
    classes: frozenset[_Test] = frozenset()
    empty: bool = False

    def allows(self, tokens: Sequence[Token], at: int) -> bool:
        if self.empty or at >= len(tokens):
            return self.empty
        return tokens[at].norm in self.words or _is_of(tokens[at], self.classes)


@dataclass(slots=True)
class _Row:
    """Parts one after another; ``firsts`` says what can stand at each of them, once all rules are known."""

    parts: tuple[_Part, ...]
    firsts: tuple[_First, ...] = ()


def word_set(text: str) -> frozenset[str]:
    """A word list, written as one text."""
    return frozenset(text.split())


FORMATS = word_set("CSV TSV JSON XML HTML YAML TOML ASCII UTF PDF URL HTTP")
_NO_TEXT = FORMATS | word_set("FILE PATH INPUT OUTPUT NAME KEY VALUE")


def number_of(token: Token) -> int | None:
    """The integer that a token names, in digits or as a word up to ten; None for anything else."""
    if token.kind == "number" and not {".", ":"} & set(token.text):
        return int(token.text.replace(",", "").replace("−", "-"))
    return NUMBER_WORDS.get(token.norm) if token.kind == "word" else None


def is_caps(token: Token) -> bool:
    """True for a bare word in capitals, which people use as a literal: EMPTY, NOT_FOUND; not for a format, a role."""
    return token.kind == "word" and _CAPS.fullmatch(token.text) is not None and token.text not in _NO_TEXT


def is_file_name(token: Token) -> bool:
    """True for the name of a file: summary.csv."""
    return token.kind in {"word", "literal"} and _FILE_NAME.fullmatch(token.value) is not None


_CLASSES: Mapping[str, _Test] = {
    "<num>": lambda token: number_of(token) is not None,
    "<digits>": lambda token: token.kind == "number",
    "<lit>": lambda token: token.kind == "literal",
    "<caps>": is_caps,
    "<file>": is_file_name,
    "<word>": lambda token: token.kind == "word",
}


class Grammar:
    """Rules by name. Raises ValueError for a rule that is not well formed, KeyError for an unknown one."""

    def __init__(self, text: str, sets: Mapping[str, frozenset[str]]) -> None:
        """Read the rules of ``text``; ``sets`` are word lists by the name that ``$name`` calls them by."""
        self._text = text
        self._sets = sets

    @cached_property
    def _rules(self) -> dict[str, _Choice]:
        rules: dict[str, _Choice] = {}
        for name, body in re.findall(r"^(\w+) :((?:.*\n)(?:[ \t]+.*\n|\n)*)", self._text, re.MULTILINE):
            parts = _PART.findall(body)
            choice, used = _choice(parts, 0, self._sets)
            if used != len(parts) or name in rules:
                raise ValueError(f"rule {name} is not well formed")
            rules[name] = choice
        return rules

    @cached_property
    def _firsts(self) -> dict[str, _First]:
        """For every rule; fills the rows' own on the way."""
        found: dict[str, _First] = {}
        for name in self._rules:
            self._first(_Call(name), found)
        return found

    def _first(self, node: _Leaf | _Call | _Choice, found: dict[str, _First]) -> _First:
        if isinstance(node, _Leaf):
            return _First(node.words, node.classes)
        if isinstance(node, _Call):
            if node.name not in found:
                found[node.name] = self._first(self._rules[node.name], found)
            return found[node.name]
        for row in node.rows:
            after = _First(empty=True)
            firsts = []
            for part in reversed(row.parts):
                after = _joined(self._first(part.node, found), after, optional=part.optional)
                firsts.append(after)
            row.firsts = tuple(reversed(firsts))
        starts = [row.firsts[0] if row.firsts else _First(empty=True) for row in node.rows]
        return _First(
            frozenset().union(*(first.words for first in starts)),
            frozenset().union(*(first.classes for first in starts)),
            any(first.empty for first in starts),
        )

    def longest(self, rule: str, tokens: Sequence[Token], at: int = 0) -> Match | None:
        """The longest match of ``rule`` from token ``at`` on; None where there is none but the empty one."""
        if not self._firsts[rule].allows(tokens, at):
            return None
        best = max(self._choice(self._rules[rule], tokens, at), key=_end, default=None)
        return best if best is not None and best.end > at else None

    def whole(self, rule: str, tokens: Sequence[Token]) -> Match | None:
        """A match that takes in all of ``tokens``."""
        if not self._firsts[rule].allows(tokens, 0):
            return None
        found = self._choice(self._rules[rule], tokens, 0)
        return next((match for match in found if match.end == len(tokens)), None)

    def _choice(self, choice: _Choice, tokens: Sequence[Token], at: int) -> Iterator[Match]:
        for row in choice.rows:
            yield from self._row(row, 0, tokens, at)

    def _row(self, row: _Row, index: int, tokens: Sequence[Token], at: int) -> Iterator[Match]:
        captured: tuple[Token, ...] = ()
        while index < len(row.parts):
            part, node = row.parts[index], row.parts[index].node
            if part.optional or not isinstance(node, _Leaf):
                break
            taken = _taken(node, tokens[at]) if at < len(tokens) else None
            if taken is None:
                return
            captured += taken
            index, at = index + 1, at + 1
        else:
            yield Match(at, captured)
            return
        if row.firsts[index].allows(tokens, at):
            yield from self._branches(row, index, tokens, at, captured)

    def _branches(
        self, row: _Row, index: int, tokens: Sequence[Token], at: int, captured: tuple[Token, ...]
    ) -> Iterator[Match]:
        """The ways on from an optional part, a rule or a group."""
        part = row.parts[index]
        for first in self._part(part, tokens, at):
            for rest in self._row(row, index + 1, tokens, first.end):
                yield Match(rest.end, captured + first.captures + rest.captures)
        if part.optional:
            for rest in self._row(row, index + 1, tokens, at):
                yield Match(rest.end, captured + rest.captures)

    def _part(self, part: _Part, tokens: Sequence[Token], at: int) -> Iterator[Match]:
        node = part.node
        if isinstance(node, _Leaf):
            taken = _taken(node, tokens[at]) if at < len(tokens) else None
            if taken is not None:
                yield Match(at + 1, taken)
        else:
            yield from self._choice(self._rules[node.name] if isinstance(node, _Call) else node, tokens, at)


def _end(match: Match) -> int:
    return match.end


def _joined(first: _First, after: _First, *, optional: bool) -> _First:
    """What can stand before the rest of a row."""
    if not (optional or first.empty):
        return first
    return _First(first.words | after.words, first.classes | after.classes, after.empty)


def _taken(leaf: _Leaf, token: Token) -> tuple[Token, ...] | None:
    """What a leaf captures of a token: nothing of a word, the token of a class; None where it does not fit."""
    if token.norm in leaf.words:
        return ()
    return (token,) if _is_of(token, leaf.classes) else None


def _is_of(token: Token, classes: frozenset[_Test]) -> bool:
    for test in classes:  # noqa: SIM110 - a generator would cost twice the time, here where most of it goes
        if test(token):
            return True
    return False


def _choice(parts: Sequence[str], at: int, sets: Mapping[str, frozenset[str]]) -> tuple[_Choice, int]:
    rows: list[_Row] = []
    row: list[_Part] = []
    while at < len(parts) and not parts[at].startswith(")"):
        if parts[at] == "|":
            rows.append(_Row(tuple(row)))
            row = []
            at += 1
        elif parts[at] == "(":
            inner, at = _choice(parts, at + 1, sets)
            if at == len(parts):
                raise ValueError("a group is not closed")
            row.append(_Part(inner, parts[at] == ")?"))
            at += 1
        else:
            row.append(_leaf(parts[at], sets))
            at += 1
    return _Choice((*rows, _Row(tuple(row)))), at


def _leaf(part: str, sets: Mapping[str, frozenset[str]]) -> _Part:
    optional = len(part) > 1 and part.endswith("?")
    names = frozenset((part[:-1] if optional else part).split("|"))
    called = {name[1:] for name in names if name.startswith("$")}
    if len(names) == 1 and called - sets.keys():
        return _Part(_Call(called.pop()), optional)
    classes = frozenset(name for name in names if name.startswith("<"))
    if called - sets.keys() or classes - _CLASSES.keys():
        raise ValueError(f"{part}: only word lists and known classes can be mixed with words")
    words = {name for name in names - classes if not name.startswith("$")}
    tests = frozenset(_CLASSES[name] for name in classes)
    return _Part(_Leaf(frozenset(words).union(*(sets[name] for name in called)), tests), optional)

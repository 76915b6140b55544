"""Which integers the program chooses, and which it is given: "Write a program that chooses two integers x and y"."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from contracts.plan import Expression
from tasks.planning.statements import Reader
from tasks.planning.terms import NotUnderstood, all_of, combine, integer
from tasks.planning.wording import spoken
from tasks.requirement.grammar import word_set
from tasks.requirement.tokens import Token

MAX_UNNAMED = 40
UNNAMED = "item#"
"""How the names of integers start that the text gives none; no word of a text does."""
_MAKES = word_set("write build create implement develop make design provide")
_ARTEFACT = word_set(
    "it this a an the python small simple command line command-line cli tool program script application utility"
)
_CHOOSES = word_set(
    "chooses finds picks selects prints outputs assigns determines produces computes generates creates shows returns "
    "makes"
)
_READS = word_set("reads takes accepts receives gets")
_SOURCE = word_set("from standard input stdin the command line as its arguments argument an on two three it")
_NOUNS = {"integer", "integers"}
_DIGITS = {"digit", "digits"}
_TAIL = word_set(
    "and then prints outputs writes it them all of the three two four on one line in a single this order "
    "separated by spaces commas comma "
    "space single to standard output stdout each its own list , ("
) | {")"}
_ORDERS = word_set("prints outputs orders arranges sorts schedules lists runs")
_THINGS = word_set(
    "tasks letters steps words names jobs stages courses events lessons chapters modules packages targets services "
    "files"
)
_SUCH = (("such", "that"), ("so", "that"), ("where",), ("in", "which"), ("with",), ("whose",))
_IN_ORDER = (
    ("in", "an", "order"),
    ("in", "some", "order"),
    ("in", "a", "valid", "order"),
    ("in", "the", "order", "they", "must", "be", "done"),
    ("in", "the", "order", "in", "which", "they", "must", "be", "done"),
)
_EACH = {"each", "both", "all"}
_THAT = {"that", "which"}
_DOMAINS = {"digits": (0, 9), "booleans": (0, 1)}


@dataclass(frozen=True, slots=True)
class Piece:
    """What the declaration itself states, and the tokens that say so."""

    expression: Expression
    tokens: tuple[Token, ...]


@dataclass(frozen=True, slots=True)
class Declaration:
    """Names of integers that the program chooses and of those that it is given; what is stated of them there."""

    chosen: tuple[str, ...]
    given: tuple[str, ...]
    pieces: tuple[Piece, ...]
    ordered: bool = False
    """True where the program chooses an order: the integers are the places of things in it."""
    booleans: bool = False
    """True where they are true or false: one or zero."""


def declared(words: Sequence[Token]) -> Declaration | None:
    """What a sentence declares; None if any word of it says something else ("for each", "about")."""
    try:
        return _Declaring(words).read()
    except NotUnderstood:
        return None


class _Declaring(Reader):
    def __init__(self, tokens: Sequence[Token]) -> None:
        super().__init__(())
        self.tokens = tokens
        self.pieces: list[Piece] = []

    def read(self) -> Declaration:
        self._opening()
        given: tuple[str, ...] = ()
        if self._takes_word(_READS) or self._takes("is", "given"):
            given = self._integers(named=True)
            while self._peek(self.at) in _SOURCE:
                self.at += 1
            self._takes(",")
            if not self._takes("and"):
                raise NotUnderstood
        start = self.at
        if not given and self._takes_word(_ORDERS) and self._takes("the"):
            return self._order()
        self.at = start
        if not self._takes_word(_CHOOSES):
            raise NotUnderstood
        chosen = self._integers(named=False)
        if len({*chosen, *given}) != len(chosen) + len(given):
            raise NotUnderstood
        while self.at < len(self.tokens) and self._peek(self.at) in _TAIL:
            if self._ahead("the", "list"):
                raise NotUnderstood  # they are not chosen, but picked from what is there
            self.at += 1
        self._such(chosen, given)
        return Declaration(chosen, given, tuple(self.pieces), booleans=self.booleans)

    def _opening(self) -> None:
        """Up to the verb: "Write a ... that" or "The program"."""
        makes = self._takes_word(_MAKES)
        start = self.at
        while self._takes_word(_ARTEFACT):
            pass
        if self.at == start or (makes and not self._takes_any(("that",), ("which",))):
            raise NotUnderstood

    def _order(self) -> Declaration:
        """As in "the steps wash, dry and fold in some order": each has a place of its own."""
        start = self.at
        count = self._number() if self._is_number(self.at) else None
        if not self._takes_word(_THINGS):
            raise NotUnderstood
        names = self._names()
        if len(names) < 2 or len(set(names)) != len(names) or count not in {None, len(names)}:
            raise NotUnderstood
        words = tuple(self.tokens[start : self.at])
        if not self._takes_any(*_IN_ORDER):
            raise NotUnderstood
        places = [self._variable(name) for name in names]
        ends = [combine(op, item, integer(end)) for item in places for op, end in ((">=", 1), ("<=", len(names)))]
        self.pieces.append(Piece(all_of([*ends, combine("different", *places)]), words))
        self._such(names, (), ordered=True)
        return Declaration(names, (), tuple(self.pieces), ordered=True)

    def _such(self, chosen: tuple[str, ...], given: tuple[str, ...], *, ordered: bool = False) -> None:
        """What is said of them in the same sentence: "such that x < y", "whose sum is 9", ", all odd", "above 3"."""
        while self.at < len(self.tokens):
            self._takes(",") or self._takes("and")
            start = self.at
            lead = self._lead()
            end = next((at for at in range(self.at, len(self.tokens)) if self._leads(at)), len(self.tokens))
            rest = list(self.tokens[self.at : end])
            while rest and rest[-1].norm in {",", "and"}:
                rest.pop()
            if not rest and start < self.at == len(self.tokens):
                return  # "such that:" in front of a list
            reader = Reader(chosen, given, ordered=ordered, booleans=self.booleans)
            words = [spoken(rest[0], lead), *rest] if lead and rest else rest
            self.pieces.append(Piece(reader.sentence(words), tuple(self.tokens[start : start + 1]) + tuple(rest)))
            self.at = end

    def _leads(self, at: int) -> bool:
        return any(tuple(token.norm for token in self.tokens[at : at + len(words)]) == words for words in _SUCH)

    def _lead(self) -> str:
        """The subject that the connecting words leave for what follows; none where it has its own."""
        if self._takes("whose"):
            return "their"
        if self._takes_any(*_SUCH) or self._peek(self.at) in _EACH:
            return ""
        if (self._peek(self.at) in _THAT and self._peek(self.at + 1) in {"are", "must"}) or self._peek(
            self.at
        ) in _THAT:
            self.at += 1
            return "all"
        if not self._begins_predicate(self.at):
            raise NotUnderstood
        return "all"

    def _integers(self, *, named: bool) -> tuple[str, ...]:
        start = self.at
        listed = self._takes("a", "list", "of")
        count = self._number() if self._is_number(self.at) else None
        if count is None and not listed and self._takes_any(("a",), ("an",)):
            count = 1
        qualities = list(iter(self._quality, ""))
        kind = self._noun()
        self._takes_any(("called",), ("named",))
        names = self._names()
        if count is not None and names and len(names) != count:
            raise NotUnderstood
        if not names and (named or count is None or not 1 <= count <= MAX_UNNAMED):
            raise NotUnderstood
        names = names or tuple(f"{UNNAMED}{index}" for index in range(1, (count or 0) + 1))
        self._state(names, qualities, kind=kind, start=start)
        self._bounded(names)
        return names

    def _quality(self) -> str:
        for word in ("distinct", "different", "positive", "negative", "even", "odd", "consecutive"):
            if self._takes(word):
                return word
        return ""

    def _noun(self) -> str:
        if self._takes_word(_NOUNS):
            return ""
        if self._takes("boolean", "values") or self._takes("booleans") or self._takes("boolean"):
            self.booleans = True
            return "booleans"
        self._takes("decimal")
        if not self._takes_word(_DIGITS):
            raise NotUnderstood
        return "digits"

    def _state(self, names: Sequence[str], qualities: Sequence[str], *, kind: str, start: int) -> None:
        """The adjectives before the noun, and what digits are."""
        found: list[Expression] = []
        terms = [self._variable(name) for name in names]
        for quality in qualities:
            if quality in {"distinct", "different"}:
                found += self._distinct(terms)
            elif quality == "consecutive":
                found += self._consecutive(terms)
            elif quality in {"positive", "negative"}:
                found += [combine(">" if quality == "positive" else "<", item, integer(0)) for item in terms]
            else:
                rest = integer(int(quality == "odd"))
                found += [combine("=", combine("mod", item, integer(2)), rest) for item in terms]
        words = tuple(self.tokens[start : self.at])
        if kind:
            low, high = _DOMAINS[kind]
            bounds = [combine(op, item, integer(end)) for item in terms for op, end in ((">=", low), ("<=", high))]
            self.pieces.append(Piece(all_of(bounds), words))
        if found:
            self.pieces.append(Piece(all_of(found), words))

    def _consecutive(self, terms: Sequence[Expression]) -> list[Expression]:
        """Two that differ by one, in either order; in which order more of them stand is not said."""
        if len(terms) != 2:
            raise NotUnderstood
        one, other = terms
        return [
            combine("or", *(combine("=", combine("-", *pair), integer(1)) for pair in ((one, other), (other, one))))
        ]

    def _bounded(self, names: Sequence[str]) -> None:
        """Bounds right behind the names: "between 1 and 9", ", each from 1 to 9"."""
        start = self.at
        first = start + self._takes(",")
        self._takes("each") or self._takes("all") or self._takes("both")
        self._takes("of", "them")
        low_first = self._takes("between") or self._takes("in", "the", "range") or self._takes("from")
        if not low_first or not self._is_number(self.at):
            self.at = start
            return
        at, found = self.at, []
        for name in names:
            self.at = at
            found += self._range(self._variable(name))
        self.pieces.append(Piece(all_of(found), tuple(self.tokens[first : self.at])))

    def _names(self) -> tuple[str, ...]:
        names: list[str] = []
        while self.at < len(self.tokens) and _is_name(self.tokens[self.at]):
            names.append(self.tokens[self.at].value)
            self.at += 1
            start = self.at
            while self._peek(self.at) in {",", "and"} and self.at < start + 2:
                self.at += 1
            if self.at == start or self.at == len(self.tokens) or not _is_name(self.tokens[self.at]):
                self.at = start
                break
        return tuple(names)

    def _takes_word(self, words: frozenset[str] | set[str]) -> bool:
        found = self._peek(self.at) in words
        self.at += found
        return found


def _is_name(token: Token) -> bool:
    value = token.value
    known = value.lower() in (_TAIL - {"a"}) | {
        "between",
        "from",
        "such",
        "so",
        "where",
        "as",
        "in",
        "with",
        "whose",
        "that",
        "which",
        "both",
        "above",
        "below",
        "greater",
        "less",
        "at",
        "larger",
        "smaller",
    }
    return token.kind in {"word", "literal"} and value.isidentifier() and len(value) <= 12 and not known

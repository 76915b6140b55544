"""Statements about declared integers as expressions. Where a sentence can be scoped in two ways, the weaker is read."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from itertools import pairwise

from contracts.plan import Expression
from tasks.planning.terms import NotUnderstood, TermReader, all_of, combine, integer, names_in
from tasks.requirement.grammar import word_set
from tasks.requirement.tokens import Token

_SYMBOLS = {
    "=": "=",
    "==": "=",
    "!=": "!=",
    "<": "<",
    "<=": "<=",
    ">": ">",
    ">=": ">=",
    "≤": "<=",
    "≥": ">=",
    "≠": "!=",
}
_SMALLER = ("smaller", "less", "lower", "fewer")
_GREATER = ("greater", "larger", "bigger", "more", "higher")
_COMPARED = {
    ("exactly",): "=",
    ("equal", "to"): "=",
    ("the", "same", "as"): "=",
    ("different", "from"): "!=",
    ("not", "equal", "to"): "!=",
    ("below",): "<",
    ("under",): "<",
    ("above",): ">",
    ("at", "most"): "<=",
    ("at", "least"): ">=",
    **{(*first, word, "than"): "<" for first in ((), ("strictly",)) for word in _SMALLER},
    **{(*first, word, "than"): ">" for first in ((), ("strictly",)) for word in _GREATER},
    **{(no, word, "than"): "<=" for no in ("no", "not") for word in _GREATER},
    **{(no, word, "than"): ">=" for no in ("no", "not") for word in _SMALLER},
}
_BY_LENGTH = sorted(_COMPARED.items(), key=lambda item: -len(item[0]))
_ALL = (
    ("each", "of", "them"),
    ("each", "of", "these"),
    ("all", "of", "them"),
    ("every", "one", "of", "them"),
    ("each", "one"),
    *((each, noun) for each in ("each", "every") for noun in ("integer", "number", "item", "element", "value")),
    *((every, noun) for every in ("all", "the") for noun in ("integers", "numbers", "items", "elements", "values")),
    ("they", "all"),
    ("each",),
    ("all",),
    ("they",),
)
_AMONG = (
    ("of", "them"),
    *(("of", "the", noun) for noun in ("integers", "numbers", "items", "elements", "values")),
    *((noun,) for noun in ("integers", "numbers", "items", "elements", "values")),
)
_BEGINS = {
    "is",
    "are",
    "at",
    "lies",
    "lie",
    "must",
    "no",
    "not",
    "even",
    "odd",
    "exactly",
    "divisible",
    "below",
    "above",
}
_BEGINS |= {"less", "smaller", "fewer", "lower", "greater", "larger", "bigger", "more", "higher", "between"}
_COMES = word_set("comes come runs run stands stand appears appear goes go happens happen starts start is are")
_IF = {"if", "when", "whenever"}


class Reader(TermReader):
    """Reads sentences about ``variables``."""

    conditional = False
    """True inside a condition, where a narrower reading makes the weaker statement."""

    def sentence(self, tokens: Sequence[Token]) -> Expression:
        """What the whole sentence states.

        Raises:
            NotUnderstood: some word of it belongs to no statement.
        """
        self.tokens, self.at, self.conditional = tokens, 0, False
        if self._peek(0) in _IF:
            condition = self._condition()
            self._takes(",")
            self._takes("then")
            found = combine("implies", condition, self._alternatives())
        else:
            found = self._alternatives()
            self._takes(",")
            if self._peek(self.at) in _IF:
                found = combine("implies", self._condition(), found)
        if self.at < len(self.tokens):
            raise NotUnderstood
        return found

    def _condition(self) -> Expression:
        """Statements joined by "and" or by "or", not by both."""
        self.at, self.conditional = self.at + 1, True
        found = [all_of(self._statement())]
        joint = "or" if self._ahead("or") else "and"
        while self._takes(joint):
            found.append(all_of(self._statement()))
        self.conditional = False
        return found[0] if len(found) == 1 else combine(joint, *found)

    def _alternatives(self) -> Expression:
        either = self._takes("either")
        found = [all_of(self._conjunction())]
        while self._takes(",", "or") or self._takes("or"):
            found.append(all_of(self._conjunction()))
        if either and len(found) == 1:
            raise NotUnderstood
        return found[0] if len(found) == 1 else combine("or", *found)

    def _conjunction(self) -> list[Expression]:
        found = self._statement()
        while True:
            start = self.at
            joined = self._takes(",", "and") or self._takes(",") or self._takes("and")
            if not joined or self._peek(self.at) in {"or", *_IF}:
                self.at = start
                return found
            found += self._statement()

    def _statement(self) -> list[Expression]:
        for special in (self._counted, self._unlike, self._apart, self._exact_mean):
            found = self._attempt(special)
            if found is not None:
                return found
        subjects = self._subjects()
        together = self._attempt(lambda: self._together(subjects)) if len(subjects) > 1 else None
        if together is not None:
            return together
        start, found = self.at, []
        for subject in subjects:
            self.at = start
            found += self._predicates(subject)
        return found

    def _attempt(self, read: Callable[[], list[Expression]]) -> list[Expression] | None:
        start = self.at
        try:
            return read()
        except NotUnderstood:
            self.at = start
            return None

    def _counted(self) -> list[Expression]:
        """How many of all integers have a property: "at least two of them are even"."""
        none = self._takes("none")
        op = "=" if none else "<=" if self._takes("at", "most") else ">=" if self._takes("at", "least") else "="
        exactly = none or op != "=" or self._takes("exactly")
        number = 0 if none else self._number()
        if not self._takes_any(*_AMONG):
            raise NotUnderstood
        start, found = self.at, []
        for item in self._everything():
            self.at = start
            found.append(all_of(self._predicate(item)))
        return [combine(op if exactly else self._at_least(), combine("count", *found), integer(number))]

    def _at_least(self) -> str:
        """Two, where neither exactly nor at least is said, are two or more, unless that would widen a condition."""
        return "=" if self.conditional else ">="

    def _unlike(self) -> list[Expression]:
        if not (self._takes("no", "two") and self._takes_any(*_AMONG)):
            raise NotUnderstood
        if not self._takes_any(("are", "equal"), ("are", "the", "same"), ("may", "be", "equal"), ("are", "alike")):
            raise NotUnderstood
        return self._distinct(self._everything())

    def _apart(self) -> list[Expression]:
        """Two integers that differ by an amount. A difference may be meant with or without its sign: both do."""
        if self._takes_any(("the", "difference", "between"), ("the", "difference", "of")):
            pair, signed = self._list(), True
            self._verb()
        else:
            pair, signed = self._list(), False
            if not self._takes("differ", "by"):
                raise NotUnderstood
        if len(pair) != 2 or (signed and self.conditional):
            raise NotUnderstood
        start, ways = self.at, []
        for left, right in (pair, reversed(pair)):
            self.at = start
            ways += self._comparison(combine("-", left, right))
        every = not signed and ways[0].op in {"<", "<=", "!="}
        return [combine("and" if every else "or", *ways)]

    def _exact_mean(self) -> list[Expression]:
        """A mean that is not rounded: the sum, compared with so many times the bound."""
        if not self._takes_any(("the", "mean"), ("the", "average"), ("their", "mean"), ("their", "average")):
            raise NotUnderstood
        found = self._all_listed() if self._takes("of") else self._everything()
        total = found[0]
        for item in found[1:]:
            total = combine("+", total, item)
        self._verb()
        return self._comparison(total, len(found))

    def _subjects(self) -> list[Expression]:
        """One term, or a list of variables that the predicate holds for one by one."""
        counted = (("all", self._count()), ("the", self._count(), "integers"))
        if any(self._takes(*words) for words in sorted((*_ALL, *counted), key=len, reverse=True)):
            return self._everything()
        if self._takes("both") and len(self.chosen) == 2:
            self._takes("of", "them")
            if self._peek(self.at) not in self.variables:
                return self._everything()
        start = self.at
        listed = self._attempt(self._list)
        if listed is not None and len(listed) > 1 and not self._at_operator():
            return listed
        self.at = start
        return [self._sum()]

    def _at_operator(self) -> bool:
        return self._peek(self.at) in {"+", "-", "*", "−", "×", "plus", "minus", "times"}

    def _together(self, subjects: list[Expression]) -> list[Expression]:
        """What several integers are to each other: different, equal, in order."""
        if self._verb() == "differ":
            return self._distinct(subjects)
        self._takes("all") or self._takes("always") or self._takes("both")
        if self._takes_any(("pairwise", "different"), ("pairwise", "distinct"), ("different",), ("distinct",)):
            if self._peek(self.at) == "from":
                raise NotUnderstood
            return self._distinct(subjects)
        if self._takes("equal") and self._peek(self.at) != "to":
            return [combine("=", left, right) for left, right in pairwise(subjects)]
        return self._ordered(subjects)

    def _ordered(self, subjects: list[Expression]) -> list[Expression]:
        self._takes("sorted")
        self._takes("in")
        strictly = self._takes("strictly")
        rising = self._takes("increasing") or self._takes("ascending")
        if not rising and not (self._takes("decreasing") or self._takes("descending")):
            raise NotUnderstood
        self._takes("order")
        less = "<" if strictly or self.conditional else "<="
        found = subjects if rising else subjects[::-1]
        return [combine(less, left, right) for left, right in pairwise(found)]

    def _distinct(self, subjects: list[Expression]) -> list[Expression]:
        if len(subjects) < 2:
            raise NotUnderstood
        return [combine("!=" if len(subjects) == 2 else "different", *subjects)]

    def _predicates(self, subject: Expression) -> list[Expression]:
        """What is said of one term: "is at least 3 and at most 9", "is at most 3 or at least 7"."""
        ways = [self._predicate(subject)]
        while self._peek(self.at) in {"and", "or"} and self._begins_predicate(self.at + 1):
            if self._takes("and"):
                ways[-1] += self._predicate(subject)
            else:
                self.at += 1
                ways.append(self._predicate(subject))
        return ways[0] if len(ways) == 1 else [combine("or", *(all_of(way) for way in ways))]

    def _begins_predicate(self, at: int) -> bool:
        if self._peek(at) == "at":
            return self._peek(at + 1) in {"most", "least"} and not self._is_counted(at + 2)
        return self._peek(at) in _BEGINS and not (self._peek(at) in {"no", "exactly"} and self._is_counted(at + 1))

    def _is_counted(self, at: int) -> bool:
        """True for "two of them", which starts a statement of its own."""
        return any(self._peek(at + 1) == words[0] for words in _AMONG)

    def _predicate(self, subject: Expression) -> list[Expression]:
        if self.ordered:
            return [self._place(subject)]
        if self._peek(self.at) in _SYMBOLS:
            return self._chain(subject)
        verb = self._verb()
        if verb == "equals":
            return [combine("=", subject, self._sum())]
        if verb == "leaves":
            return self._remainder(subject)
        if verb != "is":
            raise NotUnderstood
        self._takes_any(("always",), ("all",), ("both",))
        if self._takes("between") or self._takes("in", "the", "range", "of") or self._takes("in", "the", "range"):
            return self._range(subject)
        if self._takes("one", "of") or self._takes("either"):
            return [self._one_of(subject)]
        return self._property(subject) or self._denied(subject) or self._comparison(subject)

    def _place(self, subject: Expression) -> Expression:
        """Where a thing stands in an order: first, last, before or directly after another."""
        self._takes_any(("must",), ("should",), ("shall",), ("has", "to"))
        if self._peek(self.at) not in _COMES:
            raise NotUnderstood
        self.at += 1
        for word, place in (("first", 1), ("last", len(self.chosen))):
            if self._takes(word):
                return combine("=", subject, integer(place))
        directly = self._takes("directly") or self._takes("immediately")
        before = self._takes("before")
        if not before and not self._takes("after"):
            raise NotUnderstood
        earlier, later = (subject, self._named()) if before else (self._named(), subject)
        if directly:
            return combine("=", combine("+", earlier, integer(1)), later)
        return combine("<", earlier, later)

    def _property(self, subject: Expression) -> list[Expression]:
        """What a number is by itself: even, divisible by three, positive; empty if none of these is said."""
        for word, remainder in (("even", 0), ("odd", 1)):
            if self._takes(word):
                return [combine("=", combine("mod", subject, integer(2)), integer(remainder))]
        if self._takes_any(("divisible", "by"), ("a", "multiple", "of"), ("multiples", "of")):
            return [combine("=", combine("mod", subject, integer(self._modulus())), integer(0))]
        for word, op in (("positive", ">"), ("negative", "<")):
            if self._takes(word):
                return [combine(op, subject, integer(0))]
        return []

    def _denied(self, subject: Expression) -> list[Expression]:
        if not self._ahead("not") or any(self._ahead(*words) for words in _COMPARED):
            return []
        self.at += 1
        found = self._property(subject)
        return [combine("not", *found)] if found else [combine("!=", subject, self._sum())]

    def _one_of(self, subject: Expression) -> Expression:
        """A finite choice: "one of 1, 3 and 5", "either 2 or 4"."""
        found = [combine("=", subject, self._product())]
        while self._takes(",", "and") or self._takes(",", "or") or self._takes_any((",",), ("and",), ("or",)):
            found.append(combine("=", subject, self._product()))
        if len(found) < 2 or any(names_in(item.args[1]) for item in found):
            raise NotUnderstood
        return combine("or", *found)

    def _remainder(self, subject: Expression) -> list[Expression]:
        self._takes("a")
        self._takes("remainder")
        self._takes("of")
        remainder = self._number()
        if not self._takes("when", "divided", "by"):
            raise NotUnderstood
        return [combine("=", combine("mod", subject, integer(self._modulus())), integer(remainder))]

    def _verb(self) -> str:
        self._takes("must") or self._takes("should") or self._takes("shall")
        if self._takes("equals") or self._takes("equal"):
            return "equals"
        if self._takes("differ"):
            self._takes("from", "each", "other")
            return "differ"
        if self._takes("leaves") or self._takes("leave"):
            return "leaves"
        if self._takes_any(("is",), ("are",), ("be",), ("lies",), ("lie",)):
            return "is"
        if self.at > 0 and self._peek(self.at - 1) in {"and", "or"}:
            return "is"
        raise NotUnderstood

    def _chain(self, subject: Expression) -> list[Expression]:
        """Every link of "1 <= x < y"."""
        left, found = subject, []
        while (symbol := _SYMBOLS.get(self._peek(self.at) or "")) is not None:
            self.at += 1
            right = self._sum()
            found.append(combine(symbol, left, right))
            left = right
        return found

    def _range(self, subject: Expression) -> list[Expression]:
        low = self._sum()
        if not (self._takes("and") or self._takes("to")):
            raise NotUnderstood
        high = self._sum()
        exclusive = self._takes("exclusive") or self._takes("exclusively")
        inclusive = not exclusive and (
            self._takes_any(("inclusive",), ("inclusively",), (",", "inclusive"))
            or self._takes_any(("(", "inclusive", ")"), (",", "both", "included"))
        )
        less = "<" if exclusive or (self.conditional and not inclusive) else "<="
        return [combine(less, low, subject), combine(less, subject, high)]

    def _comparison(self, subject: Expression, scale: int = 1) -> list[Expression]:
        """A comparison; ``scale`` times its right side where the subject is a sum that stands for a mean."""
        op = next((op for words, op in _BY_LENGTH if self._takes(*words)), "=")
        if op == "=" and self._peek(self.at - 1) == "exactly":
            self._takes("equal", "to")
        found = [self._scaled(scale)]
        while op == "=" and self._ahead("or") and self._is_number(self.at + 1):
            self.at += 1
            found.append(self._scaled(scale))
        if len(found) > 1 and any(names_in(item) for item in found):
            raise NotUnderstood  # "2 or 3 more than y"
        compared = [combine(op, subject, right) for right in found]
        return compared if len(compared) == 1 else [combine("or", *compared)]

    def _scaled(self, scale: int) -> Expression:
        right = self._sum()
        return right if scale == 1 else combine("*", integer(scale), right)

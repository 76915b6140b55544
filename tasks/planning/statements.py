"""Statements about declared integers as expressions. Where a sentence can be scoped in two ways, the weaker is read."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from itertools import pairwise

from contracts.plan import Expression
from tasks.planning.predicates import AMONG, PredicateReader
from tasks.planning.terms import NotUnderstood, all_of, combine, integer
from tasks.requirement.tokens import Token

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
_IF = {"if", "when", "whenever"}


class Reader(PredicateReader):
    """Reads sentences about ``variables``."""

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
        if not self._takes_any(*AMONG):
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
        if not (self._takes("no", "two") and self._takes_any(*AMONG)):
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

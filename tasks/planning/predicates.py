"""What is said of one term as an expression: compared, divisible, one of a few, in a place of an order."""

from __future__ import annotations

from contracts.plan import Expression
from tasks.planning.terms import NotUnderstood, TermReader, all_of, combine, integer, names_in
from tasks.requirement.grammar import word_set

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
AMONG = (
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


class PredicateReader(TermReader):
    """Reads what follows a term. A narrower reading inside a condition makes the weaker statement."""

    conditional = False
    """True inside a condition."""

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
        return any(self._peek(at + 1) == words[0] for words in AMONG)

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
        for word, truth in (("true", 1), ("false", 0)):
            if self.booleans and self._takes(word):
                return [combine("=", subject, integer(truth))]
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
        if self.at > 0 and self._peek(self.at - 1) in {"and", "or", "each", "all", "both"}:
            return "is"  # left out, as in "each at most 5"
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

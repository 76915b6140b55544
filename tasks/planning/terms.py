"""Terms over declared integers as expressions: recursive descent over tokens; what is no term is an error."""

from __future__ import annotations

from collections.abc import Sequence
from functools import reduce

from contracts.plan import Expression
from tasks.requirement.grammar import NUMBER_WORDS, number_of
from tasks.requirement.tokens import Token

_LIMIT = 10**9
_MEMBERS = (("integers",), ("numbers",), ("items",), ("elements",))
_MULTIPLES = {"twice": 2, "double": 2, "thrice": 3}
_MORE = ("more", "greater", "larger", "higher", "bigger")
_LESS = ("less", "smaller", "lower")


class NotUnderstood(Exception):  # noqa: N818 - not an error: the sentence is left as it is
    """The sentence is not wholly a statement about the declared integers."""


def integer(value: int) -> Expression:
    """A constant."""
    return Expression(op="integer", value=value)


def combine(op: str, *args: Expression) -> Expression:
    """An operation on two or more expressions."""
    return Expression.model_validate({"op": op, "args": args})


def all_of(expressions: Sequence[Expression]) -> Expression:
    """Their conjunction; a single one stays as it is."""
    return expressions[0] if len(expressions) == 1 else combine("and", *expressions)


def names_in(expression: Expression) -> frozenset[str]:
    """The variables of an expression."""
    own = frozenset() if expression.name is None else frozenset({expression.name})
    return own.union(*(names_in(item) for item in expression.args))


class TermReader:
    """Reads terms over integers that are ``chosen`` or ``given``, with a cursor that statements move too."""

    def __init__(
        self,
        chosen: Sequence[str],
        given: Sequence[str] = (),
        others: Sequence[str] = (),
        *,
        ordered: bool = False,
        booleans: bool = False,
    ) -> None:
        """``others`` are known by name only, "all of them" are the chosen; these are places, or true or false."""
        self.chosen, self.given, self.ordered, self.booleans = tuple(chosen), tuple(given), ordered, booleans
        self.variables = (*self.chosen, *self.given, *others)
        self.tokens: Sequence[Token] = ()
        self.at = 0

    def _sum(self) -> Expression:
        left = self._product()
        while True:
            if self._takes("+") or self._takes("plus"):
                left = combine("+", left, self._product())
            elif self._takes("-") or self._takes("−") or self._takes("minus"):
                left = combine("-", left, self._product())
            else:
                return left

    def _more_or_less(self, amount: Expression) -> Expression:
        """The term of "3 more than y"; the amount itself where nothing such follows."""
        for words, op in ((_MORE, "+"), (_LESS, "-")):
            if any(self._takes(word, "than") for word in words):
                return combine(op, self._product(), amount)
        return amount

    def _product(self) -> Expression:
        left = self._factor()
        while self._takes("*") or self._takes("×") or self._takes("times") or self._takes("multiplied", "by"):
            left = combine("*", left, self._factor())
        if self._takes("mod") or self._takes("modulo") or self._takes("%"):
            left = combine("mod", left, integer(self._modulus()))
        return left

    def _factor(self) -> Expression:
        for words, op in ((("sum",), "+"), (("product",), "*")):
            if self._takes("the", *words, "of") or self._takes("their", *words):
                return self._folded(op)
        if self._takes_any(("the", "mean"), ("the", "average"), ("their", "mean"), ("their", "average")):
            return self._mean()
        for word, factor in _MULTIPLES.items():
            if self._takes(word):
                self._takes("the", "value", "of")
                return combine("*", integer(factor), self._factor())
        if self._takes("("):
            inner = self._sum()
            if not self._takes(")"):
                raise NotUnderstood
            return inner
        if self._is_number(self.at):
            value = self._number()
            if self._peek(self.at) in self.variables:
                raise NotUnderstood
            return self._more_or_less(integer(value))
        return self._named()

    def _folded(self, op: str) -> Expression:
        """Sum or product of a list; "their sum" is that of all."""
        found = self._all_listed() if self._peek(self.at - 1) == "of" else self._everything()
        if len(found) < 2:
            raise NotUnderstood
        return reduce(lambda left, right: combine(op, left, right), found)

    def _mean(self) -> Expression:
        """A mean that is rounded as the text says; how one that is not rounded compares is `statements.py`'s to say."""
        found = self._all_listed() if self._takes("of") else self._everything()
        self._takes(",")
        down = self._takes("rounded", "down")
        if len(found) < 2 or not (down or self._takes("rounded", "up")):
            raise NotUnderstood
        self._takes(",")
        total = reduce(lambda left, right: combine("+", left, right), found)
        raised = total if down else combine("+", total, integer(len(found) - 1))
        return combine("div", raised, integer(len(found)))

    def _all_listed(self) -> list[Expression]:
        counted = (("all", self._count()), ("the", self._count()))
        members = [(every, *noun) for every in ("all", "the") for noun in _MEMBERS]
        if self._takes_any(("all", "of", "them"), ("them",), *members):
            return self._everything()
        if self._takes_any(*counted):
            self._takes_any(*_MEMBERS)
            return self._everything()
        return self._list()

    def _everything(self) -> list[Expression]:
        """All that are chosen. Where some are given, who "they" are is not said."""
        if self.given or not self.chosen:
            raise NotUnderstood
        return [self._variable(name) for name in self.chosen]

    def _count(self) -> str:
        """The number of variables as a word; one that nobody writes where there are more than ten."""
        return next((word for word, value in NUMBER_WORDS.items() if value == len(self.chosen)), "")

    def _list(self) -> list[Expression]:
        found = [self._named()]
        while True:
            start = self.at
            joined = self._takes(",", "and") or self._takes(",") or self._takes("and")
            if not joined or self._peek(self.at) not in self.variables:
                self.at = start
                return found
            found.append(self._named())

    def _named(self) -> Expression:
        name = self.tokens[self.at].value if self.at < len(self.tokens) else ""
        if name not in self.variables:
            raise NotUnderstood
        self.at += 1
        return self._variable(name)

    def _modulus(self) -> int:
        value = self._number()
        if value <= 0:
            raise NotUnderstood
        return value

    def _variable(self, name: str) -> Expression:
        return Expression(op="variable", name=name)

    def _is_number(self, at: int) -> bool:
        return at < len(self.tokens) and number_of(self.tokens[at]) is not None

    def _number(self) -> int:
        value = number_of(self.tokens[self.at]) if self.at < len(self.tokens) else None
        if value is None or abs(value) > _LIMIT:
            raise NotUnderstood
        self.at += 1
        return value

    def _peek(self, at: int) -> str | None:
        if not 0 <= at < len(self.tokens):
            return None
        token = self.tokens[at]
        return token.value if token.value in self.variables else token.norm

    def _ahead(self, *words: str) -> bool:
        return all(self._peek(self.at + index) == word for index, word in enumerate(words))

    def _takes_any(self, *choices: tuple[str, ...]) -> bool:
        return any(self._takes(*words) for words in choices)

    def _takes(self, *words: str) -> bool:
        if not self._ahead(*words):
            return False
        self.at += len(words)
        return True

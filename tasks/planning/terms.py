"""Statements about declared integers as expressions: recursive descent over tokens; a word too many is an error."""

from __future__ import annotations

from collections.abc import Callable, Sequence

from contracts.plan import Expression
from tasks.requirement.grammar import NUMBER_WORDS, number_of
from tasks.requirement.tokens import Token

_LIMIT = 10**9
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
_COMPARED = {
    ("exactly",): "=",
    ("equal", "to"): "=",
    ("the", "same", "as"): "=",
    ("different", "from"): "!=",
    ("smaller", "than"): "<",
    ("less", "than"): "<",
    ("lower", "than"): "<",
    ("below",): "<",
    ("under",): "<",
    ("strictly", "less", "than"): "<",
    ("strictly", "smaller", "than"): "<",
    ("greater", "than"): ">",
    ("larger", "than"): ">",
    ("bigger", "than"): ">",
    ("more", "than"): ">",
    ("higher", "than"): ">",
    ("above",): ">",
    ("strictly", "greater", "than"): ">",
    ("strictly", "larger", "than"): ">",
    ("at", "most"): "<=",
    ("no", "more", "than"): "<=",
    ("no", "greater", "than"): "<=",
    ("no", "larger", "than"): "<=",
    ("not", "more", "than"): "<=",
    ("not", "greater", "than"): "<=",
    ("at", "least"): ">=",
    ("no", "less", "than"): ">=",
    ("no", "smaller", "than"): ">=",
    ("not", "less", "than"): ">=",
    ("not", "smaller", "than"): ">=",
    ("not", "equal", "to"): "!=",
}
_ALL = (
    ("each", "of", "them"),
    ("each", "of", "these"),
    ("all", "of", "them"),
    ("each", "integer"),
    ("each", "one"),
    ("every", "one", "of", "them"),
    ("every", "integer"),
    ("all", "integers"),
    ("each", "number"),
    ("each",),
    ("they", "all"),
    ("all",),
    ("they",),
)
_MULTIPLES = {"twice": 2, "double": 2, "thrice": 3}


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


class Reader:
    """Reads sentences about ``variables``."""

    def __init__(self, variables: Sequence[str]) -> None:
        self.variables = tuple(variables)
        self.tokens: Sequence[Token] = ()
        self.at = 0
        self.start = 0

    def statements(self, tokens: Sequence[Token]) -> list[Expression]:
        """All statements that the sentence makes.

        Raises:
            NotUnderstood: some word of it belongs to none.
        """
        self.tokens, self.at = tokens, 0
        found = self._statement()
        while self.at < len(self.tokens):
            self._joint()
            found += self._statement()
        return found

    def _joint(self) -> None:
        comma, conjunction = self._takes(","), self._takes("and")
        if not comma and not conjunction:
            raise NotUnderstood

    def _statement(self) -> list[Expression]:
        subjects = self._subjects()
        found = self._predicate(subjects)
        while self._ahead("and") and self._is_predicate(self.at + 1):
            self.at += 1
            found += self._predicate(subjects)
        return found

    def _is_predicate(self, at: int) -> bool:
        return self._peek(at) in {"is", "are", "at", "lies", "lie", "must", "no", "even", "odd"}

    def _subjects(self) -> list[Expression]:
        """One term, or a list of variables that the predicate holds for one by one."""
        counted = (("all", self._count()), ("the", self._count(), "integers"))
        if any(self._takes(*words) for words in sorted((*_ALL, *counted), key=len, reverse=True)):
            return [self._variable(name) for name in self.variables]
        if self._takes("both") and len(self.variables) == 2:
            self._takes("of", "them")
            if self._peek(self.at) not in self.variables:
                return [self._variable(name) for name in self.variables]
        listed = self._attempt(self._list)
        return listed if listed is not None and len(listed) > 1 and not self._at_operator() else [self._rewound()]

    def _count(self) -> str:
        """The number of variables as a word; one that nobody writes where there are more than ten."""
        return next((word for word, value in NUMBER_WORDS.items() if value == len(self.variables)), "")

    def _rewound(self) -> Expression:
        self.at = self.start
        return self._sum()

    def _attempt(self, read: Callable[[], list[Expression]]) -> list[Expression] | None:
        self.start = self.at
        try:
            return read()
        except NotUnderstood:
            self.at = self.start
            return None

    def _list(self) -> list[Expression]:
        found = [self._named()]
        while self._takes(",", "and") or self._takes(",") or self._takes("and"):
            found.append(self._named())
        return found

    def _at_operator(self) -> bool:
        return self._peek(self.at) in {"+", "-", "*", "−", "×", "plus", "minus", "times"}

    def _predicate(self, subjects: list[Expression]) -> list[Expression]:
        if self._peek(self.at) in _SYMBOLS:
            return self._chain(subjects)
        verb = self._verb()
        if verb == "differ":
            return self._distinct(subjects)
        if verb == "equals":
            right = self._sum()
            return [combine("=", left, right) for left in subjects]
        self._takes("all") or self._takes("always") or self._takes("both")
        if self._takes("between") or self._takes("in", "the", "range", "of") or self._takes("in", "the", "range"):
            return self._range(subjects)
        if self._peek(self.at + 1) != "from" and self._takes_any(
            ("pairwise", "different"), ("different",), ("distinct",)
        ):
            return self._distinct(subjects)
        return self._property(subjects) or self._comparison(subjects)

    def _property(self, subjects: list[Expression]) -> list[Expression]:
        """What a number is by itself: even, divisible by three, positive; empty if none of these is said."""
        for word, remainder in (("even", 0), ("odd", 1)):
            if self._takes(word):
                return [combine("=", combine("mod", item, integer(2)), integer(remainder)) for item in subjects]
        if self._takes_any(("divisible", "by"), ("a", "multiple", "of"), ("multiples", "of")):
            modulus = integer(self._modulus())
            return [combine("=", combine("mod", item, modulus), integer(0)) for item in subjects]
        for word, op in (("positive", ">"), ("negative", "<")):
            if self._takes(word):
                return [combine(op, item, integer(0)) for item in subjects]
        return []

    def _verb(self) -> str:
        self._takes("must") or self._takes("should") or self._takes("shall")
        if self._takes("equals") or self._takes("equal"):
            return "equals"
        if self._takes("differ"):
            self._takes("from", "each", "other")
            return "differ"
        if self._takes("is") or self._takes("are") or self._takes("be") or self._takes("lies") or self._takes("lie"):
            return "is"
        if self.at > 0 and self._peek(self.at - 1) in {"and"}:
            return "is"
        raise NotUnderstood

    def _chain(self, subjects: list[Expression]) -> list[Expression]:
        """Every link of "1 <= x < y"."""
        if len(subjects) != 1:
            raise NotUnderstood
        left, found = subjects[0], []
        while (symbol := _SYMBOLS.get(self._peek(self.at) or "")) is not None:
            self.at += 1
            right = self._sum()
            found.append(combine(symbol, left, right))
            left = right
        return found

    def _range(self, subjects: list[Expression]) -> list[Expression]:
        low = self._sum()
        if not (self._takes("and") or self._takes("to")):
            raise NotUnderstood
        high = self._sum()
        exclusive = self._takes("exclusive") or self._takes("exclusively")
        if not exclusive:
            self._takes("inclusive") or self._takes("inclusively") or self._takes(",", "inclusive")
            self._takes("(", "inclusive", ")") or self._takes(",", "both", "included")
        less = "<" if exclusive else "<="
        return [item for subject in subjects for item in (combine(less, low, subject), combine(less, subject, high))]

    def _distinct(self, subjects: list[Expression]) -> list[Expression]:
        if len(subjects) < 2:
            raise NotUnderstood
        return [combine("!=", a, b) for i, a in enumerate(subjects) for b in subjects[i + 1 :]]

    def _modulus(self) -> int:
        value = self._number()
        if value <= 0:
            raise NotUnderstood
        return value

    def _comparison(self, subjects: list[Expression]) -> list[Expression]:
        for words, op in sorted(_COMPARED.items(), key=lambda item: -len(item[0])):
            if self._takes(*words):
                if op == "=" and words == ("exactly",):
                    self._takes("equal", "to")
                right = self._sum()
                return [combine(op, item, right) for item in subjects]
        right = self._sum()
        return [combine("=", item, right) for item in subjects]

    def _sum(self) -> Expression:
        left = self._product()
        while True:
            if self._takes("+") or self._takes("plus"):
                left = combine("+", left, self._product())
            elif self._takes("-") or self._takes("−") or self._takes("minus"):
                left = combine("-", left, self._product())
            else:
                return left

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
        if self._takes("the", "difference", "between") or self._takes("the", "difference", "of"):
            raise NotUnderstood  # its sign is not said
        for word, factor in _MULTIPLES.items():
            if self._takes(word):
                self._takes("the", "value", "of")
                return combine("*", integer(factor), self._factor())
        if self._takes("("):
            inner = self._sum()
            if not self._takes(")"):
                raise NotUnderstood
            return inner
        if self._at_number():
            value = self._number()
            if self._peek(self.at) in self.variables:
                raise NotUnderstood
            return integer(value)
        return self._named()

    def _folded(self, op: str) -> Expression:
        """Sum or product of a list; "their sum" is that of all."""
        if self._peek(self.at - 1) == "of":
            found = self._all_listed()
        else:
            found = [self._variable(name) for name in self.variables]
        if len(found) < 2:
            raise NotUnderstood
        result = found[0]
        for item in found[1:]:
            result = combine(op, result, item)
        return result

    def _all_listed(self) -> list[Expression]:
        for words in (("all", "of", "them"), ("all", self._count()), ("the", self._count()), ("them",)):
            if self._takes(*words):
                self._takes("integers")
                return [self._variable(name) for name in self.variables]
        return self._list()

    def _named(self) -> Expression:
        name = self.tokens[self.at].value if self.at < len(self.tokens) else ""
        if name not in self.variables:
            raise NotUnderstood
        self.at += 1
        return self._variable(name)

    def _variable(self, name: str) -> Expression:
        return Expression(op="variable", name=name)

    def _at_number(self) -> bool:
        return self.at < len(self.tokens) and number_of(self.tokens[self.at]) is not None

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

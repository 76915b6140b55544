"""A function between two finite sets of integers that the program chooses: f(1), f(2) and so on are integers."""

from __future__ import annotations

import re
from collections.abc import Sequence
from itertools import pairwise

from contracts.plan import Expression
from tasks.planning.terms import NotUnderstood, all_of, combine, integer
from tasks.planning.topics import NOTHING, Stated, readable
from tasks.planning.topics.phrases import MAKES, MUST, compared, conditioned, variable
from tasks.requirement.blocks import Sentence

MOST = 12
_SET = (
    r"(?:\{{ (?P<{0}list>-?\d+(?:, -?\d+)*) \}}|(?:the )?(?:set (?:of )?)?(?:the )?integers "
    r"(?:from )?(?P<{0}low>-?\d+) (?:to|through) (?P<{0}high>-?\d+))"
)
_OPENS = re.compile(
    rf"{MAKES}(?:prints|outputs|chooses|finds|builds|constructs|writes|picks) (?:the table of )?(?:a|an|one) "
    r"(?P<adjective>(?:(?:injective|one-to-one|surjective|onto|bijective|strictly increasing|increasing) )*)"
    r"(?:function|map|mapping|permutation|table) (?P<name>[a-z]) (?:from|of) "
    + _SET.format("a")
    + r"(?: (?:to|into|onto) "
    + _SET.format("b")
    + r")?"
)
_MAPS = re.compile(
    r"the program (?P<adjective>)(?P<name>)maps "
    + _SET.format("a")
    + r" (?:to|into|onto) "
    + _SET.format("b")
    + r"(?:,? and is (?P<is>[\w -]+))?"
)
_ADJECTIVES = r"injective|one-to-one|surjective|onto|bijective|strictly increasing|increasing|strictly decreasing"


def stated(found: Sequence[Sentence]) -> Stated:
    """What sentences say of the one function of the text."""
    texts = readable(found)
    opened = {
        index: match for index, text in texts.items() if (match := _OPENS.fullmatch(text) or _MAPS.fullmatch(text))
    }
    if len(opened) != 1:
        return NOTHING
    ((main, match),) = opened.items()
    try:
        reader = _Reader(match)
    except NotUnderstood:
        return NOTHING
    statements: dict[int, tuple[Expression, ...]] = {main: (reader.opening(match),)}
    for index, text in texts.items():
        try:
            statements[index] = statements.get(index) or (reader.sentence(text),)
        except NotUnderstood:
            continue
    return Stated(statements, subjects=frozenset({match["name"], "function", "map", "mapping", "table", "permutation"}))


class _Reader:
    """Sentences about one function."""

    def __init__(self, match: re.Match[str]) -> None:
        self.name = match["name"] or "f"
        self.domain, self.values = _members(match, "a"), _members(match, "b") or _members(match, "a")
        if not 0 < len(self.domain) <= MOST or not 0 < len(self.values) <= MOST:
            raise NotUnderstood

    def opening(self, match: re.Match[str]) -> Expression:
        """Each member of the domain has one of the values; and what the adjectives say."""
        found = [_one_of(self._at(x), self.values) for x in self.domain]
        found += [part for word in re.findall(_ADJECTIVES, match["adjective"]) for part in self._property(word)]
        if match.re is _MAPS and match["is"]:
            found += [part for word in match["is"].split(" and ") for part in self._property(word)]
        return all_of([*found, *(self._property("bijective") if " permutation " in match[0] else [])])

    def sentence(self, text: str) -> Expression:
        condition, statement = conditioned(text)
        found = all_of(self._statement(statement))
        return found if condition is None else combine("implies", all_of(self._statement(condition)), found)

    def _statement(self, text: str) -> list[Expression]:
        f, every = self.name, r" for (?:every|each|all) x(?: in the domain)?"
        match = re.fullmatch(rf"(?:{f}|it|the (?:function|map|mapping|permutation)) (?:is|must be) (?P<what>.+)", text)
        if match is not None:
            return [part for word in match["what"].split(" and ") for part in self._property(word)]
        match = re.fullmatch(
            rf"{f} \( (?P<x>-?\d+) \) {MUST}(?P<op>is not|is|equals|=|!=|<=|>=|<|>|be) (?P<y>-?\d+)", text
        )
        if match is not None:
            op = {"is": "=", "equals": "=", "be": "=", "is not": "!="}.get(match["op"], match["op"])
            return [combine(op, self._at(int(match["x"])), integer(int(match["y"])))]
        match = re.fullmatch(
            rf"{f} \( (?P<x>-?\d+) \) (?P<op><|>|<=|>=|=|is less than|is greater than) {f} \( (?P<y>-?\d+) \)", text
        )
        if match is not None:
            left, right = self._at(int(match["x"])), self._at(int(match["y"]))
            op = match["op"].removeprefix("is ")
            return [combine(op, left, right) if op in "<>=" else compared(left, op, right)]
        if re.fullmatch(rf"{f} \( {f} \( x \) \) (?:is|equals|=) x{every}", text):
            return [self._twice(x) for x in self.domain]
        if re.fullmatch(
            rf"{f} \( x \) (?:is not|is different from|differs from|!=|is never) x{every}"
            rf"|(?:{f}|it) has no fixed points?",
            text,
        ):
            return [combine("!=", self._at(x), integer(x)) for x in self.domain]
        raise NotUnderstood

    def _property(self, word: str) -> list[Expression]:
        values = [self._at(x) for x in self.domain]
        word = word.removeprefix("also ")
        if word in {"injective", "one-to-one", "bijective"}:
            found = [combine("different", *values)] if len(values) > 1 else []
            return found + (self._property("onto") if word == "bijective" else [])
        if word in {"surjective", "onto"}:
            taken = [combine("count", *(combine("=", item, integer(y)) for item in values)) for y in self.values]
            return [all_of([combine(">=", count, integer(1)) for count in taken])]
        direction = re.fullmatch(r"(strictly )?(increasing|decreasing)", word)
        if direction is None or len(values) < 2:
            raise NotUnderstood
        op = "<" if direction[1] else "<="
        ordered = sorted(self.domain) if direction[2] == "increasing" else sorted(self.domain)[::-1]
        return [combine(op, self._at(x), self._at(y)) for x, y in pairwise(ordered)]

    def _twice(self, x: int) -> Expression:
        """f(f(x)) = x: the value is one of the domain, and is brought back."""
        ways = [combine("and", combine("=", self._at(x), integer(y)), combine("=", self._at(y), integer(x)))
                for y in self.values if y in self.domain]  # fmt: skip
        if not ways:
            raise NotUnderstood
        return ways[0] if len(ways) == 1 else combine("or", *ways)

    def _at(self, x: int) -> Expression:
        if x not in self.domain:
            raise NotUnderstood
        return variable(f"{self.name}({x})#")


def _one_of(subject: Expression, values: Sequence[int]) -> Expression:
    ends = combine("and", combine(">=", subject, integer(min(values))), combine("<=", subject, integer(max(values))))
    if len(values) == max(values) - min(values) + 1:
        return ends
    return all_of([ends, combine("or", *(combine("=", subject, integer(item)) for item in values))])


def _members(match: re.Match[str], prefix: str) -> tuple[int, ...]:
    if match[f"{prefix}list"] is not None:
        return tuple(dict.fromkeys(int(item) for item in match[f"{prefix}list"].split(", ")))
    if match[f"{prefix}low"] is None:
        return ()
    return tuple(range(int(match[f"{prefix}low"]), int(match[f"{prefix}high"]) + 1))

"""Sentences that map one finite set into another, as bounds on how many values are used: pigeonholes and capacities.

A map of N members uses at most as many values as its range has, and exactly N where no two may share one. Only whole
sentences of a few forms are read, and only one map in a text; sizes that prose leaves open are taken so that less can
be proven: a domain at its smallest, a range at its largest.
"""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from contracts.plan import Expression
from tasks.planning.terms import all_of, combine, integer
from tasks.planning.topics import NOTHING, Stated, readable
from tasks.requirement.blocks import Sentence
from tasks.requirement.grammar import NUMBER_WORDS

USED = "used#values"
LARGEST = 2**53 - 1
_NUMBER = r"(?:\d[\d,]*|" + "|".join(NUMBER_WORDS) + "|single|a|an)"
_OPENING = (
    r"(?:(?:write|build|create|implement|develop|make|design|provide) )?(?:(?:a|an|the) )?(?:lossless )?"
    r"(?:(?:small|simple|python|command|line|command-line|cli) )*"
    r"(?:program|tool|script|function|encoder|encoding|codec|compressor|mapping|hash|library)"
    r"(?: function| that| which)* "
)
_SET = (
    r"(?P<{0}>(?:exactly )?(?:"
    rf"(?:an? )?(?P<{{0}}n>{_NUMBER})[ -](?:arbitrary |output |input )?(?P<{{0}}unit>byte|bit)s?"
    r"(?: (?:input|string|value|block|message|word|file|sequence|code|output|number|hash|id)s?)?"
    r"|(?P<{0}pair>a pair|pair) of (?:arbitrary )?bytes"
    rf"|(?:an? )?(?P<{{0}}digits>{_NUMBER})-digit (?P<{{0}}base>decimal|binary) "
    r"(?:string|number|code|identifier|pin|id)s?"
    r"|(?:a|an|one|a single)? ?(?P<{0}letter>decimal digit|ascii letter|english letter|lower-case letter from a to z|"
    r"letter from a to z|upper-case letter from a to z|birth month|day of the week|weekday)"
    r"|(?:an? )?(?:integer|whole number|seat|seat number|slot|slot number|room|room number|locker|locker number|"
    r"desk|desk number|day number|port|port number|index|position|table number|badge number|ticket number) "
    r"(?:from|between) (?P<{0}low>\d+) (?:to|and) (?P<{0}high>\d+)"
    r"))"
)
_OWN = r"(?P<own>a different|a unique|a distinct|its own|their own|an own)"
_DECODER = (
    r"(?: and|,|, and) (?P<decoder>a decoder that (?:reconstructs|recovers|restores|returns) "
    r"(?:the|every|each) (?:original )?(?:[\w-]+ )?(?:input|value|byte|bytes|message|file|block|string)"
    r"(?: (?:for|from) (?:every|each|its|the) (?:encoded )?(?:value|byte|code|output|input)(?: alone)?)?)"
)
_WITHOUT = (
    r"(?:,? without (?:any )?(?:(?:,|or|and|external|state|metadata|probabilistic|behavior|behaviour|rejection|hidden|"
    r"side|information|storage|loss|collisions|randomness|errors|backup|data)\s?)+)"
)
_MAP = re.compile(
    _OPENING
    + r"(?:(?P<lossless>losslessly|reversibly|injectively) )?"
    + r"(?:maps|encodes|compresses|converts|turns|packs|translates) "
    + r"(?:every|each|all|any)(?: possible)? "
    + _SET.format("a")
    + r" (?:to|into|as|in) "
    + rf"(?:{_OWN} )?"
    + _SET.format("b")
    + rf"(?:{_DECODER})?{_WITHOUT}?"
)
_SHRINK = re.compile(
    _OPENING
    + r"(?:(?P<lossless>losslessly|reversibly) )?"
    + r"(?:compresses|shrinks|encodes|packs) every(?: possible)?(?: non-empty)? "
    + r"(?:file|input|byte string|input file) (?:to|into|as) (?:an? |one )?(?:output |file )?(?:that is )?"
    + r"(?:always |strictly |at least one byte )*(?:shorter|smaller)(?: one| file| output| byte string)?"
    + rf"(?: than (?:itself|the input|the original|it))?(?:{_DECODER})?{_WITHOUT}?"
)
_ASSIGN = re.compile(
    rf"(?:{_OPENING})?(?:assigns?|gives?|allocates?|issues?) (?:to )?(?:each|every one|all) of (?:the )?"
    rf"(?P<count>{_NUMBER}) (?P<who>[\w-]+) (?:{_OWN} )?" + _SET.format("b")
)
_PLACE = re.compile(
    rf"(?:{_OPENING})?(?:puts?|places?|packs?|distributes?|seats?|assigns?) (?:all )?(?:of )?(?:the )?"
    rf"(?P<count>{_NUMBER}) "
    r"(?P<who>[\w-]+) (?:into|in|among|over|across|at|on|to) (?:exactly |at most |the )?"
    rf"(?P<boxes>{_NUMBER}) (?P<box>[\w-]+)"
    rf"(?:,? (?:with )?(?:at most |no more than |exactly |up to )?(?P<each>{_NUMBER}) "
    r"(?P<whom>[\w-]+) (?:in|at|on|per) (?:each|every)?"
    r"(?: ?(?P<same>[\w-]+))?)?"
    r"(?:,? (?:with |and )?(?:nobody|no one|none|nothing) (?:is )?left (?:over|out|standing|behind))?"
)
_LOSSLESS = re.compile(
    r"(?:(?:a|the) decoder (?:reconstructs|recovers|restores|returns) (?:the|every|each) original "
    r"(?:input|value|message|file|bytes|block|string)(?: exactly)?"
    r"(?: from (?:the|its|every) (?:code|output|byte|value))?(?: alone)?"
    r"|no information (?:is|may be|gets) lost"
    r"|(?:the|this) (?:encoding|mapping|map|function|compression|code) (?:is|must be) "
    r"(?:lossless|injective|one-to-one|reversible|invertible)"
    r"|(?:different|distinct) inputs (?:always )?(?:get|have|produce|yield|map to) (?:different|distinct) "
    r"(?:outputs|codes|values|hashes)"
    r"|no two (?:different |distinct )?inputs (?:share|have|get|map to|produce) the same (?:output|code|value|hash))"
)
_NO_TWO = re.compile(
    r"no two (?:of the )?(?P<who>[\w-]+) (?:share|get|have|receive|may share|may have|may get|are given) "
    r"(?:a|one|the same) (?P<what>[\w-]+(?: [\w-]+)?)"
)
_HOLDS = re.compile(
    r"(?:each|every|a|no) (?P<box>[\w-]+) "
    r"(?:holds|takes|has room for|contains|fits|gets|hosts|seats|can hold|must hold) "
    rf"(?P<bound>at most|no more than|up to|more than) (?P<each>{_NUMBER})(?: (?P<whom>[\w-]+))?"
)


_FEW = {
    "decimal digit": (10, 10),
    "ascii letter": (52, 52),
    "english letter": (26, 52),
    "birth month": (12, 12),
    "day of the week": (7, 7),
    "weekday": (7, 7),
}
_SO = re.compile(r"(?P<before>.+?),? (?:so that|such that|and) (?P<rule>no two .+)")


@dataclass(frozen=True, slots=True)
class _Map:
    """What the sentence of a map says. ``whole``: no two members share a value, or all have their place in it."""

    members: int
    values: int | None
    whole: bool
    who: str = ""
    what: frozenset[str] = frozenset()
    boxes: int = 0
    box: str = ""


def stated(found: Sequence[Sentence]) -> Stated:
    """What sentences say of the one map of the text; nothing unless it has exactly one."""
    texts = readable(found)
    rules = {index: match for index, text in texts.items() if (match := _SO.fullmatch(text)) is not None}
    texts |= {index: match["before"] for index, match in rules.items() if _map(match["before"]) is not None}
    maps = {index: known for index, text in texts.items() if (known := _map(text)) is not None}
    if len(maps) != 1:
        return NOTHING
    ((main, known),) = maps.items()
    statements = {main: _main(known)} if known.values is not None or known.whole else {}
    for index, text in texts.items():
        further = None if index == main else _further(text, known)
        if further is not None:
            statements[index] = further
    if main in rules:
        rule = _further(rules[main]["rule"], known)
        if rule is None:
            return NOTHING
        statements[main] = combine("and", statements[main], rule) if main in statements else rule
    if known.boxes and not known.whole and statements:
        statements[main] = _exactly(known.members)
    return Stated({index: (item,) for index, item in statements.items()})


def _map(text: str) -> _Map | None:
    if (match := _MAP.fullmatch(text)) is not None:
        members, room = _sizes(match, "a")[0], _sizes(match, "b")[1]
        whole = any(match[name] for name in ("lossless", "decoder", "own")) or " lossless " in f" {text} "
        return _limited(_Map(members, room, whole, "inputs"))
    if (match := _SHRINK.fullmatch(text)) is not None:
        whole = bool(match["lossless"] or match["decoder"] or " lossless " in f" {text} ")
        return _Map(256, 1, whole, "inputs")  # all inputs of one byte; only the empty output is shorter
    if (match := _ASSIGN.fullmatch(text)) is not None:
        what = frozenset(text[match.start("b") :].split()) | {"number"}
        members, room = _number(match["count"]), _sizes(match, "b")[1]
        return _limited(_Map(members, room, bool(match["own"]), match["who"], what))
    if (match := _PLACE.fullmatch(text)) is not None:
        boxes, each = _number(match["boxes"]), match["each"]
        if each and not (match["whom"] in {match["who"], "of"} and _same(match["same"] or match["box"], match["box"])):
            return None
        values = boxes * _number(each) if each else None
        return _limited(_Map(_number(match["count"]), values, bool(each), match["who"], boxes=boxes, box=match["box"]))
    return None


def _limited(known: _Map) -> _Map | None:
    return known if max(known.members, known.values or 0) <= LARGEST else None


def _main(known: _Map) -> Expression:
    at_most = [combine("<=", _used(), integer(known.values))] if known.values is not None else []
    return all_of([*at_most, *([_exactly(known.members)] if known.whole else [combine(">=", _used(), integer(0))])])


def _further(text: str, known: _Map) -> Expression | None:
    """What another sentence adds: that no two share a value, how much a box holds."""
    no_two = _NO_TWO.fullmatch(text)
    if no_two is not None and no_two["who"] == known.who and set(no_two["what"].split()) <= known.what:
        return _exactly(known.members)
    if _LOSSLESS.fullmatch(text) is not None and known.who == "inputs":
        return _exactly(known.members)
    holds = _HOLDS.fullmatch(text)
    if holds is None or not known.boxes or not _same(holds["box"], known.box):
        return None
    negated = text.startswith("no ")
    if negated != (holds["bound"] == "more than") or holds["whom"] not in {None, known.who}:
        return None
    room = known.boxes * _number(holds["each"])
    return all_of([combine(">=", _used(), integer(0)), combine("<=", _used(), integer(room))])


def _used() -> Expression:
    return Expression(op="variable", name=USED)


def _exactly(count: int) -> Expression:
    return combine("=", _used(), integer(count))


def _same(one: str, other: str) -> bool:
    """Singular and plural of a noun: "shelf" and "shelves"."""
    return one[:3] == other[:3] and abs(len(one) - len(other)) <= 3


def _number(word: str) -> int:
    if word in {"single", "a", "an"}:
        return 1
    return NUMBER_WORDS[word] if word in NUMBER_WORDS else int(word.replace(",", ""))


def _sizes(match: re.Match[str], prefix: str) -> tuple[int, int]:
    """The least and the greatest number of members that the words can mean."""
    part: Mapping[str, str | None] = {
        name.removeprefix(prefix): value for name, value in match.groupdict().items() if name.startswith(prefix)
    }
    if part["n"] is not None:
        return ((256 if part["unit"] == "byte" else 2) ** _bounded(part["n"]),) * 2
    if part["pair"] is not None:
        return 65_536, 65_536
    if part["digits"] is not None:
        base, length = (10 if part["base"] == "decimal" else 2), _bounded(part["digits"])
        return (base - 1) * base ** (length - 1), base**length
    if part["letter"] is not None:
        return _FEW.get(part["letter"], (26, 26))
    low, high = int(part["low"] or 0), int(part["high"] or 0)
    return (max(0, high - low + 1),) * 2


def _bounded(word: str) -> int:
    """An exponent: none larger than gives a number that is refused anyway."""
    return min(_number(word), 60)

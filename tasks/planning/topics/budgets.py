"""Parts of a whole with their times, sizes and amounts, and a bound on the whole.

Times and sizes are real numbers, counted in the smallest unit here. A kilobyte may be 1000 or 1024 bytes: a lower bound
takes the smaller, an upper bound the larger. Steps may have pauses between them, and parts separators, so that
the whole is at least the sum, and no more only where the text says that there is nothing else.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from fractions import Fraction

from contracts.plan import Expression
from tasks.planning.terms import NotUnderstood, all_of, combine, integer
from tasks.planning.topics import NOTHING, Implied, Stated, readable
from tasks.planning.topics.phrases import MAKES, MUST, NUMBER, OP, compared, listed, total, value, variable
from tasks.requirement.blocks import Sentence

TIMES = {"ms": 1, "millisecond": 1, "msec": 1, "s": 1_000, "sec": 1_000, "second": 1_000, "min": 60_000,
         "minute": 60_000, "h": 3_600_000, "hour": 3_600_000, "day": 86_400_000, "week": 604_800_000}  # fmt: skip
SIZES = {"byte": (1, 1), "kb": (1_000, 1_024), "kilobyte": (1_000, 1_024), "kib": (1_024, 1_024),
         "mb": (1_000_000, 1_048_576), "megabyte": (1_000_000, 1_048_576), "mib": (1_048_576, 1_048_576),
         "gb": (10**9, 2**30), "gigabyte": (10**9, 2**30), "gib": (2**30, 2**30)}  # fmt: skip
LENGTHS = {"mm": 1, "millimetre": 1, "cm": 10, "centimetre": 10, "m": 1_000, "metre": 1_000, "meter": 1_000,
           "km": 1_000_000, "kilometre": 1_000_000}  # fmt: skip
MASSES = {"g": 1, "gram": 1, "kg": 1_000, "kilogram": 1_000, "t": 1_000_000, "tonne": 1_000_000}
_DIMENSIONS = {
    "size": SIZES,
    **{
        name: {unit: (size, size) for unit, size in units.items()}
        for name, units in (("time", TIMES), ("length", LENGTHS), ("mass", MASSES))
    },
}
_COUNTED = "page|line|word|euro|dollar|point|credit|slide|item|row|column|character|chapter|question|token|ticket|seat"
_UNITS = "|".join(sorted({*TIMES, *SIZES, *LENGTHS, *MASSES}, key=len, reverse=True))
_AMOUNT = rf"(?:(?P<n>\d[\d,]*(?:\.\d+)?|{NUMBER}|a|an) ?(?P<unit>{_UNITS}|{_COUNTED})(?:e?s)?)"
_LONG = r"(?: long| large| in size| in length| each| of time)?"
_HOW = rf"(?:(?P<op>{OP}) )?{_AMOUNT}{_LONG}"
_PARTS = "(?:steps|phases|parts|sections|stages|tasks|components|blocks|segments|chapters|jobs|pieces)"
_PART = "(?:step|phase|part|section|stage|task|component|block|segment|chapter|job|piece)"
_WHOLE = (
    r"(?:run|program|tool|script|job|file|page|report|document|archive|message|packet|talk|lesson|book|letter|budget|"
    r"exam|pipeline|process|build|output|output file|image|presentation|trip|total|sum)"
)
_NAME = r"(?:(?:a|an|the|one) )?[a-z][\w-]*(?: [a-z][\w-]*)?(?: \( [^()]+ \))?"
_NAMES = rf"(?P<names>{_NAME}(?:, {_NAME})*,? and {_NAME})"
_ROW = (
    r"(?:,? (?P<@>one after another|one after the other|in sequence|sequentially|consecutively|one by one|in a row|"
    r"back to back|in order))"
)
_STEPS = re.compile(
    rf"(?:{MAKES}|(?:the|a|an) [\w-]+ (?:job|process|run|task|pipeline|build) )"
    r"(?:runs|performs|executes|has|does|carries out|works in)"
    rf"(?:{_ROW.replace('@', 'row')})? (?:the )?(?:(?P<n>{NUMBER}) )?{_PARTS}(?: (?:that|which) (?:are )?run)?"
    rf"(?:{_ROW.replace('@', 'row2')})?(?:(?: ?:)? {_NAMES})?(?:{_ROW.replace('@', 'row3')})?"
)
_MADE = re.compile(
    rf"(?:{MAKES}(?:writes|creates|produces|prints|generates|sends|makes|outputs) (?:a|an|one) (?P<whole>{_WHOLE}) "
    rf"(?:that )?|(?:a|an|the|each|every) (?P<whole2>{_WHOLE}) )(?:(?:consists of|is made of|"
    rf"is made up of|made of|consisting of|is composed of)|(?P<only>consists only of|consists of exactly|"
    rf"consists of nothing but)) (?:(?:exactly )?(?P<n>{NUMBER}) {_PARTS}(?:(?: ?:)? |$))?{_NAMES}?"
)
_SINGLE = re.compile(
    rf"{MAKES}(?:(?P<verb>waits|sleeps|pauses)(?: (?:before|between|after) [\w -]+)?"
    r"|(?:writes|creates|produces|generates|sends|makes|uses|has|prints|draws|keeps) (?:a|an|one|a single) "
    r"(?:(?:small|new|single|short) )?(?P<name>[a-z][\w-]*(?: (?:file|time|size|length|line|image))?))"
)
_WAITS = {"waits": "wait", "sleeps": "sleep", "pauses": "pause"}
_TAKES = (
    r"(?:takes?|lasts?|needs?|uses?|is|are|be|has|have|weighs?|costs?|runs? for|run for|gets?|spends?|occup(?:ies|y)|"
    r"contains?|holds?|requires?)"
)


def stated(found: Sequence[Sentence]) -> Stated:
    """What sentences say of the one whole, or the one thing, of the text."""
    texts = readable(found)
    opened = {index: known for index, text in texts.items() if (known := _opened(text)) is not None}
    if len(opened) != 1:
        return NOTHING
    ((main, reader),) = opened.items()
    statements: dict[int, tuple[Expression, ...]] = {main: reader.inline}
    for index, text in texts.items():
        if index == main:
            continue
        try:
            statements[index] = (all_of(reader.statements(text)),)
        except NotUnderstood:
            continue
    if len(statements) == 1 and not reader.inline:
        return NOTHING
    implied = tuple(Implied(item, main, words) for item, words in reader.meaning())
    words = frozenset(word for name in (*reader.parts, reader.whole) for word in name.split())
    return Stated(statements, implied, frozenset(reader.used - reader.counted), words)


def _opened(text: str) -> _Reader | None:
    steps, made, single = _STEPS.fullmatch(text), _MADE.fullmatch(text), _SINGLE.fullmatch(text)
    if steps is not None and (steps["n"] or steps["names"]):
        in_a_row = bool(steps["row"] or steps["row2"] or steps["row3"])
        return _reader(steps["names"], steps["n"], "run", summed=in_a_row, exact=False)
    if made is not None and (made["n"] or made["names"]):
        return _reader(made["names"], made["n"], made["whole"] or made["whole2"], summed=True, exact=bool(made["only"]))
    if single is not None:
        return _Reader((), single["name"] or _WAITS[single["verb"]], summed=False, exact=False)
    return None


def _reader(names: str | None, count: str | None, whole: str, *, summed: bool, exact: bool) -> _Reader | None:
    items = [re.sub(r"^(?:an?|the|one) ", "", item) for item in listed(names)] if names else []
    parts = tuple(item.split(" ( ")[0] for item in items)
    if count is not None and parts and value(count) != len(parts):
        return None
    if count is not None and not parts:
        parts = tuple(f"part {number}" for number in range(1, min(value(count), 40) + 1))
    if not len(set(parts)) == len(parts) > 1:
        return None
    reader = _Reader(parts, whole, summed=summed, exact=exact)
    amounts = {name: item[len(name) + 3 : -2] for name, item in zip(parts, items, strict=False) if item.endswith(" )")}
    try:
        reader.inline = tuple(all_of(reader.amounts((name,), how)) for name, how in amounts.items())
    except NotUnderstood:
        return None
    return reader


class _Reader:
    """Sentences about ``parts`` of a ``whole``; one dimension at a time has variables of its own."""

    def __init__(self, parts: tuple[str, ...], whole: str, *, summed: bool, exact: bool) -> None:
        self.parts, self.whole, self.summed, self.exact = parts, whole, summed, exact
        self.inline: tuple[Expression, ...] = ()
        self.used: set[str] = set()
        self.counted: set[str] = set()
        self.dimensions: dict[str, None] = {}

    def meaning(self) -> Iterator[tuple[Expression, str]]:
        """What the words for the parts and the whole mean, for each dimension that the text speaks of."""
        for dimension in self.dimensions:
            every = [self._variable(item, dimension) for item in (*self.parts, self.whole)]
            yield all_of([combine(">=", item, integer(0)) for item in every]), f"no {dimension} is below zero"
            if self.summed:
                exact = self.exact and dimension != "time"
                yield (
                    combine("=" if exact else ">=", every[-1], total(every[:-1])),
                    f"the {dimension} of the parts adds up",
                )

    def statements(self, text: str) -> list[Expression]:
        """A sentence, or several with a subject each, joined by commas and "and"."""
        try:
            return self.sentence(text)
        except NotUnderstood:
            parts = listed(text)
            if len(parts) == 1:
                raise
            return [item for part in parts for item in self.sentence(part)]

    def sentence(self, text: str) -> list[Expression]:
        """What is said of a part, of each, of their sum or of the whole."""
        for subject, names in self._subjects():
            match = re.fullmatch(rf"{subject} {MUST}{_TAKES} (?P<how>.+?)", text)
            if match is not None:
                return self.amounts(names, match["how"])
        if self.parts:
            several = rf"(?:(?:all|the|these|all the|all of the)(?: (?:{NUMBER}))? {_PARTS}|they)"
            summed = "in total|together|altogether|in all|in sum"
            match = re.fullmatch(
                rf"(?:(?:{summed}),? {several} {MUST}{_TAKES} (?P<first>.+)"
                rf"|{several} (?:{summed}) {MUST}{_TAKES} (?P<middle>.+)"
                rf"|{several} {MUST}{_TAKES} (?P<last>.+) (?:{summed}))", text,
            )  # fmt: skip
            if match is not None:
                return self.amounts(None, match["first"] or match["middle"] or match["last"])
        raise NotUnderstood

    def _subjects(self) -> Iterator[tuple[str, tuple[str, ...]]]:
        """Patterns, and what they speak of one by one."""
        for name in self.parts:
            yield rf"(?:the )?{re.escape(name)}(?: {_PART})?", (name,)
        if self.parts:
            yield rf"(?:(?:each|every) {_PART}|each of the {_PARTS})", self.parts
        names = "|".join(dict.fromkeys(re.escape(name) for name in (self.whole, self.whole.split()[-1])))
        yield rf"(?:the|each|every|this)(?: whole| entire| complete| total)? (?:{names})", (self.whole,)
        if self.parts and self.summed:
            yield (
                (
                    r"(?:the (?:whole|entire|complete) (?:thing|job|process|task|pipeline|build|program)"
                    r"|the total(?: time| size| length| duration)?)"
                ),
                (self.whole,),
            )

    def amounts(self, names: tuple[str, ...] | None, text: str) -> list[Expression]:
        """What is said of parts one by one, or of their sum."""
        found: list[Expression] = []
        for item in listed(re.sub(r"(between .+?) and ", r"\1 to ", text)):
            between = re.fullmatch(r"between (?P<low>.+) to (?P<high>.+)", item)
            if between is not None:
                low = between["low"] if re.search("[a-z]$", between["low"]) else ""
                low = low or between["low"] + " " + between["high"].split()[-1]
                found += self._amount(names, f"at least {low}") + self._amount(names, f"at most {between['high']}")
            else:
                found += self._amount(names, item)
        return found

    def _amount(self, names: tuple[str, ...] | None, text: str) -> list[Expression]:
        match = re.fullmatch(_HOW, text)
        if match is None:
            raise NotUnderstood
        dimension, low, high = _measured(match["n"], match["unit"])
        self.dimensions[dimension] = None
        subjects = [total([self._variable(item, dimension) for item in self.parts])] if names is None else [
            self._variable(item, dimension) for item in names
        ]  # fmt: skip
        op, found = match["op"], []
        for subject in subjects:
            known = compared(subject, op, integer(low))
            if known.op == "=" and low != high:
                found += [combine(">=", subject, integer(low)), combine("<=", subject, integer(high))]
            elif known.op in {"<", "<="}:
                found.append(compared(subject, op, integer(high)))
            else:
                found.append(known)
        return found

    def _variable(self, name: str, dimension: str) -> Expression:
        known = f"{dimension} of {name}#"
        self.used.add(known)
        if dimension not in _DIMENSIONS:
            self.counted.add(known)
        return variable(known)


def _measured(number: str, unit: str) -> tuple[str, int, int]:
    """Dimension, and the least and the greatest integer that the words can mean.

    Raises:
        NotUnderstood: it is not a whole number of the smallest unit.
    """
    count = Fraction(number.replace(",", "")) if number[0].isdigit() else Fraction(value(number))
    known = next(((name, units[unit]) for name, units in _DIMENSIONS.items() if unit in units), None)
    dimension, (small, large) = known or (f"number of {unit}s", (1, 1))
    ends = count * small, count * large
    if any(end.denominator != 1 for end in ends):
        raise NotUnderstood
    return dimension, int(ends[0]), int(ends[1])

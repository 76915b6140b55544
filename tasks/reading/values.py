"""Values for arguments that are neither files nor dates: integers around every boundary, words, texts, flags."""

from __future__ import annotations

from collections.abc import Iterator
from random import Random

from contracts.requirement import Argument, BuildSpec
from tasks.reading.said import decides_bad, decides_outside, numbers, speaks_of_empty
from tasks.reading.texts import WORDS

INTEGERS = ("0", "1", "-1", "2", "3", "10", "-10", "99", "100", "101", "-999", "1000", "65536", "2147483648")
NO_INTEGERS = ("x", "1.5", "12a", "-", "")
COMPOSED = (4, 6, 8, 9, 12, 15, 18, 24, 36, 49, 60, 97)
TEXTS = tuple(word for word in WORDS if not word.startswith("-"))
PHRASES = (
    "Hello, World!",
    "two words",
    "xyz XYZ abc ABC",
    "aaab",
    "aabbccc",
    "zzzz",
    "abababa",
    "The quick brown fox jumps over the lazy dog",
    "m n1 2;3",
    "111122",
)
MIXED = 40
WIDE = 10_000
RANDOM = 24
_RUNNING = frozenset({"TEXT", "STRING", "SENTENCE", "LINE", "MESSAGE", "PHRASE"})


def argument_values(spec: BuildSpec, rng: Random) -> Iterator[dict[str, str]]:
    """Values by argument: the usual ones, each boundary by itself, then mixed. One call where there are none."""
    free = {item.name: _choices(spec, item, rng) for item in spec.interface.arguments if item.role in _FREE}
    yield {}
    for name, values in free.items():
        yield from ({name: value} for value in values)
    for _ in range(MIXED if len(free) > 1 else 0):
        yield {name: rng.choice(values) for name, values in free.items()}


_FREE = frozenset({"integer", "text", "flag"})


def bounds(spec: BuildSpec, argument: Argument) -> tuple[int | None, int | None]:
    """From where to where the text says that the argument goes, both inclusive; None where it says nothing."""
    facts = [item for item in spec.interface.domain if item.kind == "range" and item.subject == argument.name]
    lows = [item.minimum for item in facts if item.minimum is not None]
    highs = [item.maximum for item in facts if item.maximum is not None]
    return max(lows, default=None), min(highs, default=None)


def usual_integer(spec: BuildSpec, argument: Argument) -> str:
    """An ordinary value within the bounds: 7, where that is one."""
    low, high = bounds(spec, argument)
    return str(max(7 if high is None else min(7, high), 7 if low is None else low))


def _choices(spec: BuildSpec, argument: Argument, rng: Random) -> tuple[str, ...]:
    match argument.role:
        case "integer":
            return _integers(spec, argument, rng)
        case "flag":
            return ("",)
        case _:
            running = PHRASES if argument.name.rstrip("0123456789") in _RUNNING else ()
            return (*TEXTS, *running, *([""] if speaks_of_empty(spec) else []))


def _integers(spec: BuildSpec, argument: Argument, rng: Random) -> tuple[str, ...]:
    low, high = bounds(spec, argument)
    bad = NO_INTEGERS if decides_bad(spec, argument) else ()
    if low is None and high is None:
        return (*INTEGERS, *bad)
    least = low if low is not None else (high or 0) - WIDE
    most = high if high is not None else least + WIDE
    edges = [least, least + 1, most - 1, most, (least + most) // 2]
    around = [near for number in numbers(spec) for near in (number, number - 1, number + 1, 2 * number, 3 * number)]
    drawn = [rng.randint(least, most) for _ in range(RANDOM)]
    inside = [number for number in (*edges, *around, *COMPOSED, *drawn) if least <= number <= most]
    beyond = [] if low is None else [low - 1, low - 10]
    beyond += [] if high is None else [high + 1, high * 10 + 10]
    outside = beyond if decides_outside(spec, argument) else []
    return (*map(str, dict.fromkeys([*inside, *outside])), *bad)

"""Values for arguments that are neither files nor dates: integers around the usual boundaries, and words."""

from __future__ import annotations

from collections.abc import Iterator
from random import Random

from contracts.requirement import Argument, BuildSpec
from tasks.reading.texts import WORDS

INTEGERS = ("0", "1", "-1", "2", "3", "10", "-10", "99", "100", "101", "-999", "1000", "65536", "2147483648")
TEXTS = tuple(word for word in WORDS if not word.startswith("-"))
MIXED = 40


def argument_values(spec: BuildSpec, rng: Random) -> Iterator[dict[str, str]]:
    """Values by argument: the usual ones, each boundary by itself, then mixed. One call where there are none."""
    free = [item for item in spec.interface.arguments if item.role in ("integer", "text")]
    yield {}
    for item in free:
        yield from ({item.name: value} for value in _choices(item))
    for _ in range(MIXED if len(free) > 1 else 0):
        yield {item.name: rng.choice(_choices(item)) for item in free}


def _choices(argument: Argument) -> tuple[str, ...]:
    return INTEGERS if argument.role == "integer" else TEXTS

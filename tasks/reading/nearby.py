"""Values close to one that an example gives: permuted, perturbed, scaled, cut, doubled (GAME-31)."""

from __future__ import annotations

from collections.abc import Iterator
from random import Random
from typing import Any

from tasks.reading.pools import Pool, reworded, tokens

INNER = 6
"""So many changes of single items are tried in a container."""


def near(value: Any, pool: Pool, rng: Random) -> Iterator[Any]:
    """Values of the same type, each one change away from ``value``."""
    match value:
        case bool():
            yield not value
        case int():
            yield from (value + step for step in (1, -1, 2, 3, 10))
            yield from (2 * value, 3 * value + 1, value // 2)
        case float():
            yield from (value + step for step in (1.0, -1.0, 0.5, 0.25))
            yield from (2 * value, value / 2, round(value))
        case str():
            yield from _texts(value, pool, rng)
        case list() | tuple():
            yield from (type(value)(items) for items in _sequences(list(value), pool, rng))
        case set() | frozenset():
            yield from (
                type(value)(items) for items in _sequences(sorted(value, key=repr), pool, rng) if _hashable(items)
            )
        case dict():
            yield from _dicts(value, pool, rng)


def _hashable(items: list[Any]) -> bool:
    return all(item.__hash__ is not None for item in items)


def _sequences(items: list[Any], pool: Pool, rng: Random) -> Iterator[list[Any]]:
    yield items[::-1]
    yield rng.sample(items, len(items))
    yield [*items, *items]
    for place in rng.sample(range(len(items)), min(len(items), INNER)):
        yield items[:place] + items[place + 1 :]
        yield [*items[: place + 1], *items[place:]]
        for changed in list(near(items[place], pool, rng))[:INNER]:
            yield [*items[:place], changed, *items[place + 1 :]]
    if len(items) > 1:
        yield [*items[1:], items[0]]
        yield [items[0]] * len(items)


def _dicts(value: dict[Any, Any], pool: Pool, rng: Random) -> Iterator[dict[Any, Any]]:
    yield dict(reversed(value.items()))
    yield dict(zip(value, rng.sample(list(value.values()), len(value)), strict=True))
    for key in list(value)[:INNER]:
        yield {other: item for other, item in value.items() if other != key}
        yield from ({**value, key: changed} for changed in list(near(value[key], pool, rng))[:3])
        for changed in list(near(key, pool, rng))[:3]:
            yield {changed if other == key else other: item for other, item in value.items()}


def _texts(text: str, pool: Pool, rng: Random) -> Iterator[str]:
    parts = tokens(text)
    yield text[::-1]
    yield "".join(rng.sample(text, len(text)))
    yield text + text
    yield text.swapcase()
    yield from (text[1:], text[:-1])
    for place in rng.sample(range(len(text)), min(len(text), INNER)):
        yield text[:place] + text[place + 1 :]
        yield text[:place] + rng.choice(pool.characters) + text[place + 1 :]
        yield text[:place] + text[place] + text[place:]
    if len(parts) > 1:
        yield "".join(reversed(parts))
        yield "".join(reworded(part, pool, rng) for part in parts)
        for place in rng.sample(range(len(parts)), min(len(parts), INNER)):
            yield "".join([*parts[:place], reworded(parts[place], pool, rng), *parts[place + 1 :]])
            yield "".join(parts[:place] + parts[place + 2 :])

"""Argument lists for the functions of a library, made from the contract and a seed (laws 2, 8; DEC-14)."""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator, Sequence
from itertools import chain, islice, zip_longest
from random import Random
from typing import Any, NamedTuple

from contracts.requirement import BuildSpec, FunctionInterface
from contracts.value import ValueEncodingError, decode, encode
from contracts.valuetype import ValueType, conforms
from tasks.reading.nearby import near
from tasks.reading.pools import pool_of
from tasks.reading.typed import Maker

GENERATED = 200
NEAR = 60
IN_A_ROW = 40
LARGE = (300, 1_000)
LARGE_NUMBERS = (10_007, 10**17 + 3)
"""The second is beyond what a float holds exactly."""
MOST_ENCODED = 20_000

Arguments = tuple[Any, ...]


class Calls(NamedTuple):
    """Plain argument lists of one function: those of its examples, generated ones, and some near each example."""

    function: FunctionInterface
    examples: tuple[Arguments, ...]
    generated: tuple[Arguments, ...]
    near: tuple[Arguments, ...]


def calls_of(spec: BuildSpec, seed: int) -> tuple[Calls, ...]:
    """Argument lists for every function; `GENERATED` and `NEAR` are shared among them."""
    number = max(1, len(spec.functions))
    return tuple(
        _calls(spec, function, number, Random(f"{seed}:{function.name}"))  # noqa: S311 - reproducible, no secret
        for function in spec.functions
    )


def placed(function: FunctionInterface, arguments: Sequence[Any], keywords: dict[str, Any]) -> Arguments | None:
    """The plain arguments of a call by their place; None where a keyword leaves one before it out."""
    rest = [item.name for item in function.parameters[len(arguments) :]][: len(keywords)]
    if set(rest) != set(keywords):
        return None
    return tuple(decode(value) for value in (*arguments, *(keywords[name] for name in rest)))


def _calls(spec: BuildSpec, function: FunctionInterface, number: int, rng: Random) -> Calls:
    stated = [placed(function, item.arguments, item.keywords) for item in spec.calls if item.function == function.name]
    examples = tuple(item for item in stated if item is not None)
    source = _Source(function, examples, rng)
    known = {key for item in examples if (key := _key(item)) is not None}
    close = _fresh(source.near_examples(), known, NEAR // number)
    wide = _fresh(chain(source.edges(), source.large(), source.mixed()), known, GENERATED // number)
    return Calls(function, examples, wide, close)


def _fresh(calls: Iterable[Arguments], known: set[str], count: int) -> tuple[Arguments, ...]:
    """At most ``count`` of ``calls`` that are not ``known`` yet, and have an encoding of sensible size."""

    def fresh() -> Iterator[Arguments]:
        for arguments in calls:
            key = _key(arguments)
            if key is not None and key not in known and len(key) <= MOST_ENCODED:
                known.add(key)
                yield arguments

    return tuple(islice(fresh(), count))


def _key(arguments: Arguments) -> str | None:
    try:
        return json.dumps(encode(arguments))
    except ValueEncodingError:
        return None


class _Source:
    """Argument lists of one function from its parameters and examples."""

    def __init__(self, function: FunctionInterface, examples: Sequence[Arguments], rng: Random) -> None:
        self.kinds = [item.type for item in function.parameters]
        self.examples = examples
        self.rng = rng
        self.makers = [
            Maker(pool_of([item[place] for item in examples if place < len(item)], function.constants), rng)
            for place in range(len(self.kinds))
        ]

    def near_examples(self) -> Iterator[Arguments]:
        """One argument of an example changed, the examples in turn; then arguments of several examples crossed."""
        for step in zip_longest(*map(self._changed, self.examples)):
            yield from (item for item in step if item is not None)
        for _ in range(NEAR):
            lists = [self.rng.choice(self.examples) for _ in self.kinds] if self.examples else []
            if lists and all(len(item) == len(self.kinds) for item in lists):
                yield tuple(item[place] for place, item in enumerate(lists))

    def _changed(self, example: Arguments) -> Iterator[Arguments]:
        streams = [
            [value for value in near(value, self.makers[place].pool, self.rng) if conforms(value, self.kinds[place])]
            for place, value in enumerate(example)
        ]
        for step in zip_longest(*streams, fillvalue=_NONE):
            for place, value in enumerate(step):
                if value is not _NONE:
                    yield (*example[:place], value, *example[place + 1 :])

    def edges(self) -> Iterator[Arguments]:
        """Each edge of each parameter beside ordinary values of the others; the first integers one by one."""
        for place, kind in enumerate(self.kinds):
            for value in self._telling(place, kind):
                base = self._ordinary()
                yield (*base[:place], value, *base[place + 1 :])

    def _telling(self, place: int, kind: ValueType) -> list[Any]:
        edges = self.makers[place].edges(kind)[: GENERATED // (2 * len(self.kinds))]
        if kind.name == "int" and len(self.kinds) == 1:
            start = 0 if kind.least is None else kind.least
            stop = start + IN_A_ROW if kind.most is None else min(kind.most + 1, start + IN_A_ROW)
            return [*range(start, stop), *edges]
        return edges

    def large(self) -> Iterator[Arguments]:
        """Every argument that has a size at once large, within its bounds."""
        for size in LARGE if any(kind.of or kind.name == "str" for kind in self.kinds) else ():
            yield tuple(maker.value(kind, size) for maker, kind in zip(self.makers, self.kinds, strict=True))
        for number in LARGE_NUMBERS if all(kind.name == "int" for kind in self.kinds) else ():
            values = tuple(number + place for place in range(len(self.kinds)))
            if all(map(conforms, values, self.kinds)):
                yield values

    def mixed(self) -> Iterator[Arguments]:
        """Random calls, a half of them with one argument from an example. Ends soon where the domain is small."""
        for _ in range(4 * GENERATED if self.kinds else 1):
            values = [maker.value(kind) for maker, kind in zip(self.makers, self.kinds, strict=True)]
            if len(values) > 1 and self.examples and self.rng.random() < 0.5:
                place, example = self.rng.randrange(len(values)), self.rng.choice(self.examples)
                values[place] = example[place] if place < len(example) else values[place]
            yield tuple(values)

    def _ordinary(self) -> Arguments:
        full = [item for item in self.examples if len(item) == len(self.kinds)]
        if full:
            return self.rng.choice(full)
        return tuple(maker.value(kind) for maker, kind in zip(self.makers, self.kinds, strict=True))


_NONE = object()

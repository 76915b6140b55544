"""Values of a type: its edges one by one, and random ones; numbers, words and characters mostly as in the examples."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from random import Random
from string import digits
from typing import Any

from contracts.valuetype import ValueType, conforms
from tasks.reading.pools import NUMBERS, Pool, reworded, tokens

FLOATS = (0.0, 1.0, -1.0, 0.5, 1.5, 2.5, -0.5, -2.7, 3.14159, 100.25, 1e-3, 1e6)
TEXTS = (
    "",
    "a",
    "A",
    "z",
    "ab",
    "ba",
    "aa",
    "aba",
    "abc",
    "Hello World",
    "one two three",
    "aAbB",
    "123",
    "a1b2",
    " ",
    "  x ",
    "a  b",
    "x-y",
    "é",
)
LENGTHS = (0, 1, 2, 2, 3, 3, 4, 5, 6, 8, 12)
LONG = 60
DEPTH = 4
ANYTHING = (
    ValueType(name="int"),
    ValueType(name="str"),
    ValueType(name="list", of=(ValueType(name="int"),)),
    ValueType(name="float"),
    ValueType(name="bool"),
    ValueType(name="none"),
)


_FEW: dict[str, tuple[Any, ...]] = {"none": (None,), "bool": (False, True), "bytes": (b"", b"a", b"abc", b"\0\xff")}


class Maker:
    """Makes values for one parameter; the same values for the same ``rng``."""

    def __init__(self, pool: Pool, rng: Random) -> None:
        self.pool = pool
        self.rng = rng

    def edges(self, kind: ValueType, depth: int = 0) -> list[Any]:
        """The telling values of ``kind``: least and largest, empty and single, all alike, in order and against it."""
        found = [value for value in self._edges(kind, depth) if conforms(value, kind)]
        return list({repr(value): value for value in found}.values())

    def _edges(self, kind: ValueType, depth: int) -> Iterator[Any]:
        match kind.name:
            case "none" | "bool" | "bytes":
                yield from _FEW[kind.name]
            case "int":
                yield from self._integers(kind)
            case "float":
                yield from (*FLOATS, *self.pool.floats, *map(float, self._integers(kind)))
            case "str":
                yield from (*TEXTS, *self.pool.texts, *self.pool.words, *self.pool.characters[:8])
            case "union":
                yield from (value for part in kind.of for value in self.edges(part, depth)[:12])
            case "any" | "other":
                yield from (value for part in (*kind.of, *ANYTHING) for value in self.edges(part, depth)[:6])
            case "dict":
                yield {}
                yield from (self.value(kind, size, depth) for size in (1, 2, 3, 6))
            case "tuple" if not kind.repeated:
                yield from (self.value(kind, None, depth) for _ in range(8))
            case _:
                yield from self._sequences(kind, depth)

    def _integers(self, kind: ValueType) -> Iterator[int]:
        yield from (bound for bound in (kind.least, kind.most) if bound is not None)
        yield from (*NUMBERS, 4, 6, 8, 9, -2, -10)
        near = (*self.pool.integers[:8], *self.pool.stated[:8])
        yield from (number + step for number in near for step in (0, 1, -1))

    def _sequences(self, kind: ValueType, depth: int) -> Iterator[Any]:
        item = kind.of[0] if kind.of else ANYTHING[0]
        edges = self.edges(item, depth + 1) if depth < DEPTH else []
        first, other = self.value(item, None, depth + 1), self.value(item, None, depth + 1)
        for items in ([], [first], [first, first], [first, other], [first] * 5, *([edge] for edge in edges[:6])):
            yield _made(kind, items)
        for length in (4, 7, LONG // (1 + 4 * depth)):
            items = [self.value(item, None, depth + 1) for _ in range(length)]
            yield from (_made(kind, arranged) for arranged in (items, items[::-1], sorted(items, key=_order)))

    def value(self, kind: ValueType, size: int | None = None, depth: int = 0) -> Any:
        """A random value of ``kind``, of ``size`` items where it has any."""
        rng = self.rng
        match kind.name:
            case "none" | "bool":
                return rng.choice(_FEW[kind.name])
            case "int":
                return self._integer(kind)
            case "float":
                return self._float(kind)
            case "str":
                return self._sized_text(kind, size)
            case "bytes":
                return bytes(rng.choices(range(256), k=rng.choice(LENGTHS) if size is None else size))
            case "union":
                return self.value(rng.choice(kind.of), size, depth)
            case "any" | "other":
                return self.value(rng.choice(kind.of if kind.of and rng.random() < 0.6 else ANYTHING), size, depth)
            case "dict":
                count = self._length(kind, size, depth)
                return {self._key(kind.of[0], depth): self.value(kind.of[1], None, depth + 1) for _ in range(count)}
            case "tuple" if not kind.repeated:
                return tuple(self.value(part, None, depth + 1) for part in kind.of)
            case _:
                item = kind.of[0] if kind.of else ANYTHING[0]
                keys = kind.name in {"set", "frozenset"}
                count = self._length(kind, size, depth)
                made = [self._key(item, depth) if keys else self.value(item, None, depth + 1) for _ in range(count)]
                return _made(kind, self._repeated(made))

    def _key(self, kind: ValueType, depth: int) -> Any:
        """A value that a set or a dict may hold."""
        value = self.value(kind, None, depth + 1)
        try:
            hash(value)
        except TypeError:
            return repr(value)
        return value

    def _repeated(self, items: list[Any]) -> list[Any]:
        """Now and then with few different items, so that some are equal."""
        return self.rng.choices(items[:3], k=len(items)) if len(items) > 3 and self.rng.random() < 0.3 else items

    def _length(self, kind: ValueType, size: int | None, depth: int) -> int:
        wanted = self.rng.choice(LENGTHS if depth < 2 else LENGTHS[:6]) if size is None else size
        return int(_clamped(wanted if depth < DEPTH else 0, kind.shortest, kind.longest))

    def _integer(self, kind: ValueType) -> int:
        rng, pool = self.rng, self.pool
        choice = rng.random()
        near = (*pool.integers, *pool.stated) or NUMBERS
        if choice < 0.4:
            number = rng.randint(0, 10)
        elif choice < 0.6:
            number = rng.choice(near) + rng.randint(-2, 2)
        else:
            number = rng.randint(0, pool.largest if choice < 0.97 else 10 * pool.largest)
        if (kind.least is None or kind.least < 0) and rng.random() < (
            0.3 if min(pool.integers, default=0) < 0 else 0.08
        ):
            number = -number
        return int(_clamped(number, kind.least, kind.most))

    def _float(self, kind: ValueType) -> Any:
        """Mostly with a short fraction, as people write them; whole numbers where an example has some."""
        rng, pool = self.rng, self.pool
        if rng.random() < 0.25 and (pool.integers or not pool.floats):
            return self._integer(kind)
        scale = max([10.0, *map(abs, pool.floats)])
        low = 0.0 if kind.least is not None else -scale / 2
        number = round(rng.uniform(low, scale), rng.choice((0, 1, 1, 2, 3)))
        return _clamped(number, kind.least, kind.most)

    def _sized_text(self, kind: ValueType, size: int | None) -> str:
        text = self._text(size)
        letters = kind.alphabet or self.pool.characters
        text = "".join(char for char in text if char in letters) if kind.alphabet else text
        text += "".join(self.rng.choices(letters, k=max(0, (kind.shortest or 0) - len(text))))
        return text[: kind.longest]

    def _text(self, size: int | None) -> str:
        rng, pool = self.rng, self.pool
        count = rng.choice(LENGTHS) if size is None else size
        composed = [text for text in pool.texts if len(tokens(text)) > 1]
        if size is None and composed and rng.random() < 0.5:
            return self._composed(tokens(rng.choice(composed)))
        if rng.random() < 0.6 or not pool.texts:
            few = rng.sample(pool.characters, k=min(len(pool.characters), 3)) if rng.random() < 0.3 else pool.characters
            return "".join(rng.choices(few, k=count))
        gap = " " if any(" " in text for text in pool.texts) else ""
        return gap.join(rng.choices(pool.words, k=min(count, 6)))

    def _composed(self, parts: list[str]) -> str:
        """Parts of an example, some exchanged for others of their kind, cut, drawn out or with a digit behind."""
        made = []
        for part in parts:
            choice = self.rng.random()
            if part.isspace() and choice < 0.3:
                made.append(part[:1] * self.rng.randint(1, 4))
            elif choice < 0.1:
                made.append(part + "".join(self.rng.choices(digits, k=self.rng.randint(1, 4))))
            elif choice > 0.05:
                made.append(reworded(part, self.pool, self.rng))
        blank = " " * self.rng.randint(0, 3) if self.rng.random() < 0.2 and any(map(str.isspace, parts)) else ""
        return "".join(made) + blank


def _made(kind: ValueType, items: Sequence[Any]) -> Any:
    """The container of ``kind`` with ``items``, as its bounds allow."""
    kept = sorted(items, key=_order) if kind.ascending else list(items)
    if kind.distinct:
        kept = list({repr(item): item for item in kept}.values())
    kept = kept[: kind.longest]
    if kind.name in {"set", "frozenset"}:
        hashable = [item for item in kept if item.__hash__ is not None]
        return set(hashable) if kind.name == "set" else frozenset(hashable)
    if kind.name == "iterator":
        return kept
    return tuple(kept) if kind.name == "tuple" else kept


def _clamped(number: Any, least: int | None, most: int | None) -> Any:
    if least is not None and number < least:
        number = least + abs(number) % 10
    return number if most is None or number <= most else most - int(number) % (most - (least or 0) + 1)


def _order(item: Any) -> tuple[bool, Any, str]:
    """Numbers by value before everything else by its text."""
    number = isinstance(item, int | float)
    return not number, item if number else 0, repr(item)

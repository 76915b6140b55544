"""The types that values have, and what several of them have in common. Pure."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from functools import reduce
from typing import Any

from contracts.value import decode
from contracts.valuetype import ValueType
from tasks.requirement.annotations import ANY, ANYTHING, union

NOTHING = ValueType(name="union")
"""The type of the items of an empty list: any other type stands in for it."""


def shape(values: Iterable[Any]) -> ValueType:
    """The narrowest type that all encoded ``values`` have; ``any`` where there are none."""
    return _closed(_joined(_shape(decode(value)) for value in values))


def _joined(types: Iterable[ValueType]) -> ValueType:
    return reduce(join, types, NOTHING)


def _shape(value: Any) -> ValueType:
    match value:
        case None:
            return ValueType(name="none")
        case list():
            return ValueType(name="list", of=(_joined(map(_shape, value)),))
        case tuple():
            return ValueType(name="tuple", of=tuple(map(_shape, value)))
        case set():
            return ValueType(name="set", of=(_joined(map(_shape, value)),))
        case frozenset():
            return ValueType(name="frozenset", of=(_joined(map(_shape, value)),))
        case dict():
            return ValueType(name="dict", of=(_joined(map(_shape, value)), _joined(map(_shape, value.values()))))
        case bool() | int() | float() | str() | bytes():
            return ValueType.model_validate({"name": type(value).__name__})
        case _:
            return ValueType(name="iterator", of=(NOTHING,))


def join(one: ValueType, other: ValueType) -> ValueType:
    """A type that the values of both have: parts are joined, an integer counts as a float beside floats."""
    if other in (one, NOTHING):
        return one
    if one == NOTHING:
        return other
    if {one.name, other.name} == {"int", "float"}:
        return ValueType(name="float")
    if one.name == other.name == "tuple":
        return _join_tuples(one, other)
    if one.name == other.name and len(one.of) == len(other.of) and one.name != "union":
        return ValueType(name=one.name, of=tuple(map(join, one.of, other.of)))
    return union(tuple(_members(one, other)))


def _members(one: ValueType, other: ValueType) -> Iterator[ValueType]:
    """The alternatives of a union of both, those of one kind joined."""
    found: dict[str, ValueType] = {}
    for item in (part for kind in (one, other) for part in (kind.of if kind.name == "union" else (kind,))):
        known = found.get(item.name)
        found[item.name] = item if known is None else join(known, item)
    yield from found.values()


def _join_tuples(one: ValueType, other: ValueType) -> ValueType:
    if len(one.of) == len(other.of) and not one.repeated and not other.repeated:
        return ValueType(name="tuple", of=tuple(map(join, one.of, other.of)))
    return ValueType(name="tuple", of=(_joined((*one.of, *other.of)),), repeated=True)


def _closed(kind: ValueType) -> ValueType:
    """``kind`` with ``any`` where nothing was seen."""
    if kind == NOTHING:
        return ANY
    return kind.model_copy(update={"of": tuple(map(_closed, kind.of))})


def refined(stated: ValueType, seen: ValueType) -> ValueType:
    """``stated``, with what it leaves open (``list`` of anything) taken from ``seen``.

    Where it says expressly that anything goes, it stays so, and ``seen`` is what mostly goes there.
    """
    if stated == ANYTHING:
        return stated if seen.name == "any" else stated.model_copy(update={"of": (seen,)})
    if stated.name == "any":
        return seen
    if stated.name == "float" and seen.name == "int":
        return stated
    if stated.name != seen.name or stated.name == "union" or len(stated.of) != len(seen.of):
        return stated
    return stated.model_copy(update={"of": tuple(map(refined, stated.of, seen.of))})

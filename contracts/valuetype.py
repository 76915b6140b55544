"""The types of values that a text gives for arguments and results, with the bounds that it draws."""

from __future__ import annotations

from typing import Any, Literal

from contracts.model import Count, Model

TypeName = Literal[
    "any",
    "none",
    "bool",
    "int",
    "float",
    "str",
    "bytes",
    "list",
    "tuple",
    "set",
    "frozenset",
    "dict",
    "iterator",
    "union",
    "other",
]


class ValueType(Model):
    """A type by its name. ``of`` are its parts: items, key and value of a dict, or the alternatives of a union.

    A tuple has one part for each place, or ``of`` is its one part where it is ``repeated``. ``least`` and ``most``
    bound a number, ``shortest`` and ``longest`` the length, all inclusive; ``alphabet`` holds the characters of a text,
    any where it is empty. ``ascending`` and ``distinct`` are said of items. ``other`` is a type without a plain form.
    ``any`` is ``repeated`` where the text says that anything goes; its part, if it has one, is what mostly goes there.
    """

    name: TypeName
    of: tuple[ValueType, ...] = ()
    repeated: bool = False
    least: int | None = None
    most: int | None = None
    shortest: Count | None = None
    longest: Count | None = None
    alphabet: str = ""
    ascending: bool = False
    distinct: bool = False


_CONTAINERS: dict[str, type] = {
    "str": str,
    "bytes": bytes,
    "list": list,
    "tuple": tuple,
    "set": set,
    "frozenset": frozenset,
    "dict": dict,
}


def conforms(value: Any, kind: ValueType) -> bool:
    """Whether a decoded plain value is of ``kind`` and within its bounds; an integer is a float too (PEP 484)."""
    match kind.name:
        case "any" | "other":
            return True
        case "none":
            return value is None
        case "bool":
            return isinstance(value, bool)
        case "int" | "float":
            return _is_number(value, kind)
        case "union":
            return any(conforms(value, part) for part in kind.of)
        case "iterator":
            return isinstance(value, list | tuple | set | frozenset | dict | str) or hasattr(value, "__next__")
    return isinstance(value, _CONTAINERS[kind.name]) and _is_sized(value, kind) and _has_parts(value, kind)


def _is_number(value: Any, kind: ValueType) -> bool:
    plain = isinstance(value, int if kind.name == "int" else int | float) and not isinstance(value, bool)
    return plain and not (
        (kind.least is not None and value < kind.least) or (kind.most is not None and value > kind.most)
    )


def _is_sized(value: Any, kind: ValueType) -> bool:
    if kind.alphabet and not set(value) <= set(kind.alphabet):
        return False
    return (kind.shortest or 0) <= len(value) and (kind.longest is None or len(value) <= kind.longest)


def _has_parts(value: Any, kind: ValueType) -> bool:
    if not kind.of:
        return True
    if kind.name == "dict":
        return all(conforms(key, kind.of[0]) and conforms(item, kind.of[1]) for key, item in value.items())
    if kind.name == "tuple" and not kind.repeated:
        return len(value) == len(kind.of) and all(map(conforms, value, kind.of))
    return all(conforms(item, kind.of[0]) for item in value)

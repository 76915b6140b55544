"""The types of values that a text gives for arguments and results, with the bounds that it draws."""

from __future__ import annotations

from typing import Literal

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

    A tuple has one part for each place, or ``of`` is its one part where it is ``repeated``. ``least`` and ``most`` bound
    a number, ``shortest`` and ``longest`` the length, all inclusive; ``alphabet`` holds the characters of a text, any
    where it is empty. ``ascending`` and ``distinct`` are said of items. ``other`` is a type without a plain form.
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

"""The one tagged encoding of Python values (DEC-08): exact, in the canonical profile, compared as plain data.

None, booleans, text, integers below 2^53 and lists are themselves; the rest is an object of one key:
``{"int": "decimal"}``, ``{"float": "hexadecimal"}``, ``{"bytes": "base64"}``, ``{"text": "base64 of UTF-8 with
surrogates"}``, ``{"tuple": [...]}``, ``{"set": [...]}``, ``{"frozenset": [...]}``, ``{"dict": [[key, value], ...]}``,
and ``{"iterator": [...]}`` for what can only be iterated over: a generator, a range, the keys of a dict.

Standard library only: a copy of this file encodes inside the sandbox, this one decodes and compares outside.
"""

from __future__ import annotations

import base64
import json
import math
import re
from collections.abc import Callable, Iterable, Iterator, MappingView
from typing import Any, cast

MAX_DEPTH = 80
"""Levels of JSON in an encoded value: what a canonical document leaves for it."""

MAX_ITEMS = 200_000
MAX_INTEGER = 2**53 - 1
MAX_BITS = 1 << 17
RELATIVE = 1e-9
_PIECE = 640

_SEQUENCES = ("tuple", "iterator", "set", "frozenset")
_IN_ORDER = ("tuple", "iterator")
_DECIMAL = re.compile(r"-?[1-9][0-9]{0,39999}")
_SIMPLE = (bool, type(None))


class ValueEncodingError(ValueError):
    """A value has no encoding, or a document is none; the message is one bounded line."""


def encode(value: object) -> Any:
    """The encoding of a value of plain types; a subclass counts as the plain type below it, by that type's own methods.

    An iterator is run to its end, and may raise what it likes on the way.

    Raises:
        ValueEncodingError: another type, too deep (so is a cycle), too many items, or an integer of too many digits.
    """
    return _Encoder().encode(value, 1)


def decode(document: Any) -> Any:
    """The value of an encoding.

    Raises:
        ValueEncodingError: it is not the encoding of any value.
    """
    check(document)
    return _decode(document)


def check(document: Any) -> Any:
    """The document itself, if it is the encoding of a value, in the one form that the value has.

    Raises:
        ValueEncodingError: it is not.
    """
    pending: list[tuple[Any, int]] = [(document, 1)]
    count = 0
    while pending:
        item, depth = pending.pop()
        count += 1
        if depth > MAX_DEPTH:
            raise ValueEncodingError(f"nested deeper than {MAX_DEPTH} levels")
        if count > 3 * MAX_ITEMS:
            raise ValueEncodingError(f"more than {MAX_ITEMS} items")
        pending.extend(_children(item, depth))
    return document


def equal(one: Any, other: Any, relative: float = RELATIVE) -> bool:
    """Whether two encodings stand for equal values: floats within ``relative``, sets and keys in any order.

    An integer equals a float of its value, NaN equals NaN; a boolean equals no number, a tuple no list.
    """
    numbers = _number(one), _number(other)
    if numbers[0] is not None and numbers[1] is not None:
        return _close(numbers[0], numbers[1], relative)
    if isinstance(one, list) and isinstance(other, list):
        return _all_equal(one, other, relative)
    if not (isinstance(one, dict) and isinstance(other, dict)) or one.keys() != other.keys():
        return type(one) is type(other) and bool(one == other)
    ((tag, content),) = one.items()
    there = other[tag]
    if tag in _IN_ORDER:
        return _all_equal(content, there, relative)
    if tag in ("set", "frozenset"):
        return _matched(content, there, lambda a, b: equal(a, b, relative))
    if tag == "dict":
        return _matched(content, there, lambda a, b: _all_equal(a, b, relative))
    return bool(content == there)


class _Encoder:
    def __init__(self) -> None:
        self._items = 0

    def encode(self, value: object, depth: int) -> Any:
        self._items += 1
        if depth > MAX_DEPTH:
            raise ValueEncodingError("nested too deeply, or within itself")
        if self._items > MAX_ITEMS:
            raise ValueEncodingError(f"more than {MAX_ITEMS} items")
        if isinstance(value, _SIMPLE):
            return value
        for plain, encoder in _PLAIN:
            if issubclass(type(value), plain):
                return encoder(value)
        return self._container(value, depth)

    def _container(self, value: object, depth: int) -> Any:
        kind = type(value)
        if issubclass(kind, list):
            return [self.encode(item, depth + 1) for item in list.__iter__(cast("list[object]", value))]
        if issubclass(kind, tuple):
            return {"tuple": [self.encode(item, depth + 2) for item in tuple.__iter__(cast("tuple[object]", value))]}
        if issubclass(kind, set):
            return {"set": self._sorted(set.__iter__(cast("set[object]", value)), depth)}
        if issubclass(kind, frozenset):
            return {"frozenset": self._sorted(frozenset.__iter__(cast("frozenset[object]", value)), depth)}
        if issubclass(kind, dict):
            pairs = list(dict.items(cast("dict[object, object]", value)))
            return {"dict": [[self.encode(key, depth + 3), self.encode(item, depth + 3)] for key, item in pairs]}
        if isinstance(value, Iterator | range | MappingView):
            return {"iterator": [self.encode(item, depth + 2) for item in cast("Iterable[object]", value)]}
        raise ValueEncodingError(f"a value of type {kind.__module__}.{kind.__qualname__}"[:200] + " has no plain form")

    def _sorted(self, items: Iterable[object], depth: int) -> list[Any]:
        return sorted((self.encode(item, depth + 2) for item in items), key=_text)


def _encode_text(value: object) -> Any:
    text = str.__str__(cast("str", value))
    if any("\ud800" <= char <= "\udfff" for char in text):
        return {"text": _base64(text.encode("utf-8", "surrogatepass"))}
    return text


def _encode_integer(value: object) -> Any:
    number = int.__int__(cast("int", value))
    if number.bit_length() > MAX_BITS:
        raise ValueEncodingError(f"an integer of more than {MAX_BITS} bits")
    try:
        return number if abs(number) <= MAX_INTEGER else {"int": str(number)}
    except ValueError as error:  # more digits than this interpreter writes
        raise ValueEncodingError(str(error)) from error


def _encode_float(value: object) -> Any:
    return {"float": float.__float__(cast("float", value)).hex()}


def _encode_bytes(value: object) -> Any:
    return {"bytes": _base64(bytes.fromhex(bytes.hex(cast("bytes", value))))}


_PLAIN: tuple[tuple[type, Callable[[object], Any]], ...] = (
    (str, _encode_text),
    (int, _encode_integer),
    (float, _encode_float),
    (bytes, _encode_bytes),
)


def _children(item: Any, depth: int) -> list[tuple[Any, int]]:
    """What is inside a part of an encoding, each with its depth; raises if the part itself is none."""
    if item is None or isinstance(item, bool):
        return []
    if isinstance(item, int):
        return _no_children(abs(item) <= MAX_INTEGER)
    if isinstance(item, str):
        return _no_children(not any("\ud800" <= char <= "\udfff" for char in item))
    if isinstance(item, list):
        return [(child, depth + 1) for child in item]
    if not isinstance(item, dict) or len(item) != 1:
        raise ValueEncodingError("not a tagged value")
    ((tag, content),) = item.items()
    if tag in _SEQUENCES and isinstance(content, list):
        keys = [] if tag in _IN_ORDER else [_text(child) for child in content]
        if keys != sorted(set(keys)):
            raise ValueEncodingError(f"a {tag} out of order")
        return [(child, depth + 2) for child in content]
    if tag == "dict" and isinstance(content, list):
        if not all(isinstance(pair, list) and len(pair) == 2 for pair in content):
            raise ValueEncodingError("a dict of something else than pairs")
        return [(child, depth + 3) for pair in content for child in pair]
    return _no_children(isinstance(content, str) and _is_scalar(tag, content))


def _no_children(well_formed: bool) -> list[tuple[Any, int]]:
    if not well_formed:
        raise ValueEncodingError("not the one form of a value")
    return []


def _is_scalar(tag: Any, content: str) -> bool:
    try:
        if tag == "float":
            return float.fromhex(content).hex() == content
        if tag == "int":
            return _DECIMAL.fullmatch(content) is not None and (len(content) > 17 or abs(int(content)) > MAX_INTEGER)
        if tag == "bytes":
            return _base64(base64.b64decode(content, validate=True)) == content
        if tag == "text":
            data = base64.b64decode(content, validate=True)
            encoded = _encode_text(data.decode("utf-8", "surrogatepass"))
            return bool(encoded == {"text": content})
    except (ValueError, OverflowError):
        return False
    return False


def _decode(item: Any) -> Any:
    if isinstance(item, list):
        return [_decode(child) for child in item]
    if not isinstance(item, dict):
        return item
    ((tag, content),) = item.items()
    try:
        return _DECODERS[tag](content)
    except (TypeError, ValueError) as error:  # a list in a set
        raise ValueEncodingError(f"not a value: {error}") from error


def _integer(text: str) -> int:
    """Digits in pieces: an interpreter refuses to read more than some thousands of them at once."""
    number, digits = 0, text.removeprefix("-")
    for start in range(0, len(digits), _PIECE):
        piece = digits[start : start + _PIECE]
        number = number * 10 ** len(piece) + int(piece)
    return -number if text.startswith("-") else number


_DECODERS: dict[str, Callable[[Any], Any]] = {
    "int": _integer,
    "float": float.fromhex,
    "bytes": base64.b64decode,
    "text": lambda content: base64.b64decode(content).decode("utf-8", "surrogatepass"),
    "tuple": lambda content: tuple(_decode(child) for child in content),
    "iterator": lambda content: iter([_decode(child) for child in content]),
    "set": lambda content: {_decode(child) for child in content},
    "frozenset": lambda content: frozenset(_decode(child) for child in content),
    "dict": lambda content: {_decode(key): _decode(child) for key, child in content},
}


def _number(item: Any) -> int | float | None:
    if isinstance(item, int) and not isinstance(item, bool):
        return item
    return float.fromhex(item["float"]) if isinstance(item, dict) and "float" in item else None


def _close(one: float, other: float, relative: float) -> bool:
    if isinstance(one, int) and isinstance(other, int):
        return one == other
    return one == other or (one != one and other != other) or math.isclose(one, other, rel_tol=relative)  # noqa: PLR0124 - NaN


def _all_equal(one: list[Any], other: list[Any], relative: float) -> bool:
    return len(one) == len(other) and all(equal(a, b, relative) for a, b in zip(one, other, strict=True))


def _matched(one: list[Any], other: list[Any], same: Callable[[Any, Any], bool]) -> bool:
    """Whether the items pair off in some order; those written alike first, so that few are left to try."""
    if len(one) != len(other):
        return False
    left = {_text(item): item for item in one}
    right = {_text(item): item for item in other}
    rest = [item for text, item in right.items() if text not in left]
    for item in (item for text, item in left.items() if text not in right):
        found = next((place for place, candidate in enumerate(rest) if same(item, candidate)), None)
        if found is None:
            return False
        del rest[found]
    return not rest


def _text(item: Any) -> str:
    return json.dumps(item, sort_keys=True)


def _base64(data: bytes) -> str:
    return base64.b64encode(data).decode("ascii")

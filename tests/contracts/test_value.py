"""DEC-08: one encoding, exact in both directions, compared as plain data; what is none is refused."""

from __future__ import annotations

import math
import random
from typing import Any

import pytest

from contracts.canonical import canonical_bytes
from contracts.value import MAX_BITS, ValueEncodingError, check, decode, encode, equal


def made(rng: random.Random, depth: int = 0) -> Any:
    scalars = [None, True, 0, -1, 2**53 - 1, 2**53, -(2**90), 0.1, -0.0, 1e-320, math.inf, "", "é\ud800", b"\0\xff"]
    kind = rng.choice(("scalar", "list", "tuple", "dict", "set")) if depth < 4 else "scalar"
    if kind == "scalar":
        return rng.choice(scalars)
    size = rng.randrange(4)
    if kind == "set":
        return rng.choice((set, frozenset))(rng.sample(scalars, size))
    items = [made(rng, depth + 1) for _ in range(size)]
    if kind == "dict":
        return dict(zip(rng.sample(scalars, size), items, strict=True))
    return items if kind == "list" else tuple(items)


@pytest.mark.parametrize("seed", range(200))
def test_a_value_survives_and_its_encoding_is_canonical(seed: int) -> None:
    value = made(random.Random(seed))
    document = encode(value)
    assert canonical_bytes(document)
    assert repr(decode(document)) == repr(value) or decode(document) == value
    assert encode(decode(document)) == document
    assert equal(document, document)


class Always(int):
    def __eq__(self, other: object) -> bool:
        return True

    __hash__ = int.__hash__


class Sly(str):
    def __str__(self) -> str:
        return "right"


class Pairs(dict[str, int]):
    def items(self) -> Any:
        return [("forged", 1)]


def test_a_subclass_counts_as_the_plain_value_below_it() -> None:
    """Law 7: an overloaded method says nothing."""
    assert encode([Always(3), Sly("wrong"), Pairs(a=1)]) == [3, "wrong", {"dict": [["a", 1]]}]
    assert not equal(encode(Always(3)), encode(4))


def test_what_is_iterated_over_is_a_kind_of_its_own() -> None:
    """DEC-08: a generator is no list, whatever it yields."""
    for value in ((n for n in (1, 2)), range(1, 3), {1: "a", 2: "b"}.keys(), map(int, "12")):
        assert encode(value) == {"iterator": [1, 2]}
    assert list(decode({"iterator": [1, 2]})) == [1, 2]
    assert not equal({"iterator": [1]}, [1])
    assert equal({"iterator": [1, {"float": (2.0).hex()}]}, {"iterator": [1, 2]})


def cyclic() -> object:
    held: list[object] = []
    held.append(held)
    return held


@pytest.mark.parametrize(
    "value",
    [object(), iter(int, 1), [object()], {object()}, 1j, len, int, cyclic(), [0] * 300_000, 1 << (MAX_BITS + 1)],
    ids=lambda value: type(value).__name__,
)
def test_what_has_no_plain_form_is_refused(value: object) -> None:
    with pytest.raises(ValueEncodingError):
        encode(value)


@pytest.mark.parametrize(
    "document",
    [
        0.5,
        2**53,
        "\ud800",
        {},
        {"int": "1", "float": "nan"},
        {"object": "x"},
        {"int": 5},
        {"int": "5"},
        {"int": "0" + "9" * 20},
        {"int": "9" * 20 + "\n"},
        {"int": "٩" * 20},
        {"float": "1.5"},
        {"float": "0x1p99999"},
        {"float": "NaN"},
        {"bytes": "eA="},
        {"bytes": "eB=="},
        {"text": "eA=="},
        {"text": "/w=="},
        {"tuple": {}},
        {"set": [2, 1]},
        {"set": [1, 1]},
        {"frozenset": "ab"},
        {"dict": [[1]]},
        {"dict": [[1, 2, 3]]},
        {"dict": {"a": 1}},
        {"set": [[1]]},
        {"dict": [[[1], 2]]},
    ],
)
def test_what_is_no_encoding_is_refused(document: Any) -> None:
    """Strict: one form for one value."""
    with pytest.raises(ValueEncodingError):
        decode(document)


def test_depth_is_bounded_without_recursion() -> None:
    document: Any = None
    for _ in range(100_000):
        document = [document]
    with pytest.raises(ValueEncodingError, match="deeper"):
        check(document)


@pytest.mark.parametrize(
    ("one", "other"),
    [
        (0.1 + 0.2, 0.3),
        (1, 1.0),
        (math.nan, math.nan),
        (math.inf, math.inf),
        ({1, 2}, {2, 1}),
        ({0.1 + 0.2, 5}, {5, 0.3}),
        ({"a": 1, "b": [0.3]}, {"b": [0.1 + 0.2], "a": 1}),
        ((1, [2]), (1, [2.0])),
        (2**80, 2**80),
        ("\ud800", "\ud800"),
    ],
)
def test_equal_values_are_equal(one: object, other: object) -> None:
    assert equal(encode(one), encode(other))
    assert equal(encode(other), encode(one))


@pytest.mark.parametrize(
    ("one", "other"),
    [
        (0.3, 0.3001),
        (1, True),
        (0, None),
        (0, ""),
        ("1", 1),
        (b"a", "a"),
        ([1], (1,)),
        ([1, 2], [2, 1]),
        ({1}, frozenset({1})),
        ({1, 2}, {1, 3}),
        ({0.3, 0.1}, {0.3, 0.2}),
        ({"a": 1}, {"a": 2}),
        ({"a": 1}, {"b": 1}),
        ({}, set()),
        (math.inf, -math.inf),
        (math.nan, 0.0),
        (2**80, 2**80 + 1),
        (1e308, math.inf),
    ],
)
def test_different_values_differ(one: object, other: object) -> None:
    assert not equal(encode(one), encode(other))
    assert not equal(encode(other), encode(one))


def test_an_integer_of_more_digits_than_python_reads_is_decoded() -> None:
    for sign in ("", "-"):
        value = decode({"int": sign + "1" + "0" * 10_000})
        assert value == (-1 if sign else 1) * 10**10_000

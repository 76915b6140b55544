"""Canonical JSON: the strict profile of EVI-02 and its equality with RFC 8785."""

from __future__ import annotations

import random

import pytest
import rfc8785

from contracts.canonical import MAX_DEPTH, CanonicalError, canonical_bytes, digest


def _value(rng: random.Random, depth: int = 0) -> object:
    kind = rng.randrange(7 if depth < 5 else 5)
    if kind == 0:
        return rng.choice([None, True, False])
    if kind in (1, 2):
        return rng.randint(-(2**53) + 1, 2**53 - 1)
    if kind in (3, 4):
        points = (
            rng.choice([rng.randrange(0x80), rng.randrange(0xD800), rng.randrange(0xE000, 0x110000)]) for _ in range(8)
        )
        return "".join(map(chr, points))
    if kind == 5:
        return [_value(rng, depth + 1) for _ in range(rng.randrange(5))]
    return {"".join(map(chr, (rng.randrange(1, 0x80) for _ in range(4)))): _value(rng, depth + 1) for _ in range(5)}


@pytest.mark.parametrize("seed", range(200))
def test_evi_02_canonical_bytes_equal_rfc_8785(seed: int) -> None:
    value = _value(random.Random(seed))
    assert canonical_bytes(value) == rfc8785.dumps(value)  # type: ignore[arg-type]


@pytest.mark.parametrize(
    "value",
    [1.5, float("nan"), 2**53, -(2**53), "\ud800", {"\xe9": 1}, {1: 2}, b"x", (1,), {"a": [{"b": 0.0}]}, {"\ud800": 1}],
    ids=repr,
)
def test_evi_02_outside_the_profile_is_refused(value: object) -> None:
    with pytest.raises(CanonicalError):
        canonical_bytes(value)


def test_evi_02_depth_is_bounded_without_recursion() -> None:
    nested: object = 0
    for _ in range(MAX_DEPTH - 1):
        nested = [nested]
    assert canonical_bytes(nested)
    with pytest.raises(CanonicalError, match="deeper"):
        canonical_bytes([nested])
    deep: object = 0
    for _ in range(200_000):
        deep = [deep]
    with pytest.raises(CanonicalError, match="deeper"):
        canonical_bytes(deep)


def test_digest_is_sha_256_with_its_name() -> None:
    assert digest(b"") == "sha256:e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855"

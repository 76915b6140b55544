"""Canonical JSON bytes, digests and seals (EVI-02).

The profile is a strict subset of RFC 8785: ASCII keys, no floats, integers below 2^53, no lone surrogates,
at most ``MAX_DEPTH`` levels. Inside it, sorted compact JSON from the standard library *is* RFC 8785.
"""

from __future__ import annotations

import hashlib
import json
from typing import TypeAlias

Json: TypeAlias = "bool | int | str | list[Json] | dict[str, Json] | None"
Digest: TypeAlias = str

MAX_DEPTH = 100
MAX_INTEGER = 2**53 - 1


class CanonicalError(ValueError):
    """A value lies outside the canonical profile."""


def canonical_bytes(value: object) -> bytes:
    """The one byte string for ``value``.

    Raises:
        CanonicalError: a float, a large integer, a non-ASCII key, a lone surrogate, another type, or too deep.
    """
    _check_profile(value)
    text = json.dumps(value, ensure_ascii=False, sort_keys=True, separators=(",", ":"), allow_nan=False)
    return text.encode("utf-8")


def digest(data: bytes) -> Digest:
    """``sha256:<hex>`` of ``data``."""
    return "sha256:" + hashlib.sha256(data).hexdigest()


def digest_of(value: object) -> Digest:
    """Digest over the canonical bytes of ``value``; raises as `canonical_bytes`."""
    return digest(canonical_bytes(value))


def _check_profile(value: object) -> None:
    level, depth = [value], 0
    while level:
        depth += 1
        if depth > MAX_DEPTH:
            raise CanonicalError(f"nested deeper than {MAX_DEPTH} levels")
        below: list[object] = []
        for item in level:
            if isinstance(item, dict):
                for key in item:
                    if not isinstance(key, str) or not key.isascii():
                        raise CanonicalError(f"key is not ASCII text: {key!r}")
                below.extend(item.values())
            elif isinstance(item, list):
                below.extend(item)
            else:
                _check_scalar(item)
        level = below


def _check_scalar(item: object) -> None:
    if isinstance(item, str):
        if not item.isascii() and any("\ud800" <= char <= "\udfff" for char in item):
            raise CanonicalError("lone surrogate in text")
    elif isinstance(item, int):
        if abs(item) > MAX_INTEGER:
            raise CanonicalError("integer of 2^53 or more")
    elif item is not None:
        raise CanonicalError(f"not a canonical type: {type(item).__name__}")

"""Contents of standard input and of text files: general texts, and those of kinds that the contract speaks of. Pure."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from random import Random

from contracts.requirement import BuildSpec
from tasks.reading.said import characters, reads_one_line, speaks_of_empty, speaks_of_lines, speaks_of_nothing
from tasks.reading.texts import texts

NOTHING = (b"", b"\n", b"42 7\n", b"-- !\n")
LINES = ("one", "two", "One", "one ", "a b", "", "x", "42")
PAIRS = {"(": ")", "[": "]", "{": "}", "<": ">"}
SPELT = 36
REPEATED = 16
_FILLERS = ("", "", "a", "x y", "1")
_DEEPEST = 4


def contents(spec: BuildSpec, rng: Random) -> Iterator[bytes]:
    """Every content that is tried; where the program reads one line, no clause decides what further lines do."""
    for content in _all(spec, rng):
        if not reads_one_line(spec) or len(content.splitlines()) <= 1:
            yield content


def _all(spec: BuildSpec, rng: Random) -> Iterator[bytes]:
    yield from texts(rng)
    signs = characters(spec)
    if len(signs) > 1:
        yield from (text.encode() + b"\n" for text in _spelt(signs, rng))
    if speaks_of_lines(spec):
        yield from (_repeated(rng) for _ in range(REPEATED))
    if speaks_of_nothing(spec):
        yield from NOTHING
    if speaks_of_empty(spec):
        yield b""


def _spelt(signs: Sequence[str], rng: Random) -> Iterator[str]:
    """Texts of the signs that the contract quotes: each alone, in any order, and brackets closed as they should be."""
    closing = {sign: PAIRS[sign] for sign in signs if sign in PAIRS}
    alphabet = tuple(dict.fromkeys((*signs, *closing.values())))
    yield from alphabet
    yield from (sign + close for sign in closing for close in closing.values())
    for _ in range(SPELT):
        yield "".join(rng.choice(alphabet) + rng.choice(_FILLERS) for _ in range(rng.randint(2, 7)))
    for _ in range(SPELT if closing else 0):
        text = _nested(closing, rng, _DEEPEST)
        yield text
        yield text[: rng.randint(1, len(text))]


def _nested(closing: dict[str, str], rng: Random, depth: int) -> str:
    opened = rng.choice(tuple(closing))
    inner = [_nested(closing, rng, depth - 1) for _ in range(rng.randint(0, 2) if depth else 0)]
    return opened + rng.choice(_FILLERS).join([*inner, ""]) + closing[opened] + rng.choice(_FILLERS)


def _repeated(rng: Random) -> bytes:
    """Lines of which several are the same, or all but."""
    return "".join(f"{line}\n" for line in rng.choices(LINES, k=rng.randint(1, 9))).encode()

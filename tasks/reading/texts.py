"""Texts for standard input and text files, and texts close to one that the requirement gives as an example.

Separators are blanks, tabs and line ends only: no clause decides whether other characters are white space (DEC-09).
"""

from __future__ import annotations

from collections.abc import Iterator
from random import Random

WORDS = (
    "one",
    "two",
    "three",
    "alpha",
    "beta",
    "gamma",
    "don't",
    "well-known",
    "x",
    "42",
    "-7",
    "0",
    "007",
    "3.14",
    "naïve",
    "café",
    "Straße",
    "日本語",
    "слово",
    "e-mail",
    "A.B.",
    "end.",
    "(so)",
    '"said"',
    "#",
    "$5",
    "a/b",
    "UPPER",
    "Mixed",
)
GAPS = (" ", "  ", "   ", "\t", "\n", "\r\n", " \t ", "\n\n", " \n ")


def texts(rng: Random) -> Iterator[bytes]:
    """Texts that hold at least one word."""
    for text in ("word", "word\n", " word", "word ", "\nword\n", "\tword\t\n", "a b", "a\tb", "a\nb", "a  b   c\n"):
        yield text.encode()
    yield b"one\r\ntwo\r\n"
    yield ("long" * 2_500).encode()
    for count in (2, 3, 5, 8, 13, 40):
        yield " ".join(rng.choices(WORDS, k=count)).encode()
    for _ in range(40):
        yield _mixed(rng, rng.randint(1, 12)).encode()
    yield _mixed(rng, 5_000).encode()


def near(text: str, rng: Random) -> Iterator[str]:
    """Texts close to ``text``: its words repeated, left out, added, exchanged, changed, and spaced otherwise."""
    parts = text.split(" ")
    words = [word for word in parts if word]
    yield text + "\n"
    yield " " + text
    yield text.replace(" ", "  ")
    yield f"{text} {rng.choice(WORDS)}"
    yield f"{rng.choice(WORDS)} {text}"
    yield f"{text} {text}"
    yield " ".join(reversed(parts))
    yield text.swapcase()
    for place, word in enumerate(words):
        if len(words) > 1:
            yield " ".join(words[:place] + words[place + 1 :])
        yield " ".join([*words[:place], _changed(word), *words[place + 1 :]])


def _changed(word: str) -> str:
    return str(int(word) + 1) if word.isascii() and word.lstrip("-").isdigit() else word + "s"


def _mixed(rng: Random, count: int) -> str:
    pieces = [rng.choice(("", "", " ", "\n"))]
    for _ in range(count):
        pieces += [rng.choice(WORDS), rng.choice(GAPS)]
    return "".join(pieces)

"""What the examples and the text of a requirement hand to the generators: numbers, words and characters."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from random import Random
from string import ascii_lowercase, ascii_uppercase, digits
from typing import Any

WORDS = ("a", "b", "ab", "abc", "hello", "Hello", "world", "Python", "level", "xyz", "UPPER", "mixedCase", "42", "x1")
NUMBERS = (0, 1, -1, 2, 3, 5, 7, 10)
ENOUGH = 3
"""So many different characters of a class stand for the whole class."""
LARGEST = 100_000
_TOKEN = re.compile(r"\s+|\w+|[^\w\s]")


@dataclass(frozen=True)
class Pool:
    """Numbers, words (parts of texts) and characters that stand in the examples of one parameter, in a fixed order.

    ``stated`` are the whole numbers that stand in the requirement's text; the texts quoted there count as words.
    """

    integers: tuple[int, ...]
    floats: tuple[float, ...]
    texts: tuple[str, ...]
    words: tuple[str, ...]
    characters: str
    stated: tuple[int, ...] = ()

    @property
    def largest(self) -> int:
        """Up to where integers are ordinary."""
        return max(20, *(3 * abs(number) for number in self.integers)) if self.integers else 100


def tokens(text: str) -> list[str]:
    """Runs of white space, runs of word characters, and single other characters."""
    return _TOKEN.findall(text)


def reworded(part: str, pool: Pool, rng: Random) -> str:
    """Another word of the same kind: a number for a number, a word for a word; anything else as it is."""
    if part.isdigit() and len(part) < 10:
        return str(rng.randint(0, 3 * int(part) + 3))
    return rng.choice([word for word in pool.words if word.isalpha()] or [part]) if part.isalpha() else part


def pool_of(values: Iterable[Any], constants: Iterable[Any]) -> Pool:
    """The pool of plain ``values``, and of the constants of the requirement's text."""
    stated = list(constants)
    quoted = [text for text in stated if isinstance(text, str)]
    leaves = list(_leaves(values))
    texts = tuple(dict.fromkeys(leaf for leaf in leaves if isinstance(leaf, str)))
    words = tuple(dict.fromkeys(word for text in texts for word in tokens(text) if not word.isspace()))
    return Pool(
        integers=tuple(dict.fromkeys(leaf for leaf in leaves if isinstance(leaf, int) and not isinstance(leaf, bool))),
        floats=tuple(dict.fromkeys(leaf for leaf in leaves if isinstance(leaf, float))),
        texts=texts,
        words=(*words, *quoted) or WORDS,
        characters=_characters("".join(texts)) or ascii_lowercase,
        stated=tuple(number for number in stated if isinstance(number, int) and abs(number) <= LARGEST),
    )


def _characters(seen: str) -> str:
    """The characters seen, and all of a class of which enough were."""
    found = dict.fromkeys(seen)
    for group in (ascii_lowercase, ascii_uppercase, digits):
        if sum(char in group for char in found) >= ENOUGH:
            found |= dict.fromkeys(group)
    return "".join(found)


def _leaves(values: Iterable[Any]) -> Iterator[Any]:
    for value in values:
        if isinstance(value, dict):
            yield from _leaves((*value, *value.values()))
        elif isinstance(value, list | tuple):
            yield from _leaves(value)
        elif isinstance(value, set | frozenset):
            yield from _leaves(sorted(value, key=repr))
        else:
            yield value

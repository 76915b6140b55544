"""Other words for the same: what is rewritten, and what is left because it means something else."""

from __future__ import annotations

import pytest

from tasks.planning.wording import plain
from tasks.requirement.tokens import tokenize


def spoken(text: str) -> str:
    return " ".join(token.norm for token in plain(tokenize(text)))


SAME = [
    ("Write a program that prints two integers", "the program prints two integers"),
    ("Please write a small Python tool that should print two integers", "the program prints two integers"),
    ("I need a script which picks an integer", "the program picks an integer"),
    ("It has to choose an integer", "the program chooses an integer"),
    ("Find an integer", "the program finds an integer"),
    ("The tool must output an integer", "the program outputs an integer"),
    ("x must not exceed 5", "x must be at most 5"),
    ("x exceeds y", "x is greater than y"),
    ("test precedes ship", "test comes before ship"),
    ("the job must finish within 5 minutes", "the job takes at most 5 minutes"),
    ("three integers adding up to 9", "three integers whose sum is 9"),
    ("two vertices but only 3 links", "two nodes and 3 edges"),
    ("Find an integer k and print it on one line", "the program finds an integer k"),
]
OTHER = [
    "it has at most 3 digits",
    "the password must contain a digit",
    "build a lossless encoder that maps every byte to a byte",
    "the program reads a file",
    "find an integer or print none",
    "x is at most 5 more than y",
]


@pytest.mark.parametrize(("text", "known"), SAME)
def test_the_same_in_known_words(text: str, known: str) -> None:
    assert spoken(text) == known


@pytest.mark.parametrize("text", OTHER)
def test_what_means_something_else_keeps_its_words(text: str) -> None:
    """Law 7: a rewriting that drops a word would drop a condition."""
    kept = set(text.split()) - {"find"}
    assert kept <= set(spoken(text).split())


def test_rewritten_words_keep_their_places() -> None:
    text = "x must not exceed 5"
    words = plain(tokenize(text))
    assert text[words[0].start : words[-1].end] == text

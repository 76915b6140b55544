"""Open decisions: what is material is asked, what is only a manner of speaking is not."""

from __future__ import annotations

import pytest

from contracts.requirement import Requirement
from tasks.requirement.compiler import compile_requirement
from tasks.requirement.consistency import open_questions

MATERIAL = [
    ("The order of the lines is left to interpretation.", "left to interpretation"),
    ("How ties are broken remains unspecified.", "remains unspecified"),
    ("It is up to you to decide what counts as a word.", "up to you to decide"),
    ("The output format is not specified.", "is not specified"),
    ("The rule for duplicates is to be decided.", "is to be decided"),
    ("Group the rows as you see fit.", "as you see fit"),
    ("Which rows are kept is left to your discretion.", "left to your discretion"),
    ("Print the important ones.", "Print the important ones"),
    ("It selects the most relevant lines.", "selects the most relevant lines"),
    ("Remove all suspicious rows.", "Remove all suspicious rows"),
    ("Translate the text into every natural language.", "every natural language"),
]

HARMLESS = [
    "For all valid inputs the output is deterministic.",
    "Nothing is left to interpretation.",
    "The order must not be left to interpretation.",
    "Print an appropriate error message.",
    "An invoice is important if its amount is over 100. Print the important ones.",
    "Print the important ones: those with more than ten lines.",
    "Print the relevant rows that hold a date.",
    "Sort all lines in every file.",
    "The door remains open. The notion of a vowel is undefined in some scripts.",
    "Print `the important ones`.",
]


@pytest.mark.parametrize(("text", "words"), MATERIAL)
def test_an_open_decision_is_asked_with_its_words(text: str, words: str) -> None:
    whole = f"Read a text file. {text}"
    found = open_questions(compile_requirement(Requirement(text=whole), {}))
    assert [whole[item.spans[0].start : item.spans[0].end] for item in found] == [words]
    assert found[0].detail.endswith(("?", "."))


@pytest.mark.parametrize("text", HARMLESS)
def test_a_manner_of_speaking_is_not_asked(text: str) -> None:
    assert open_questions(compile_requirement(Requirement(text=text), {})) == ()

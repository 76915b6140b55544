"""Ids come from what a statement says: an edit elsewhere renumbers nothing, and an edit of it is a new statement."""

from __future__ import annotations

from random import Random

import pytest

from contracts.requirement import BuildSpec, Requirement
from tasks.requirement.compiler import compile_requirement

SENTENCES = (
    "The program reads a text file and prints the number of lines.",
    "If the file is empty, print EMPTY and exit with status 2.",
    "If the file is missing, print `no file` to stderr and exit with status 3.",
    "A key shorter than 16 characters must be rejected with exit status 4.",
    "For the input `a b` it prints `2`.",
    "Nothing is ever written to standard error.",
    "The code has docstrings.",
    "Include tests.",
    "What counts as a line is left to interpretation.",
)
ELSEWHERE = ("It is fast.", "Blank lines are ignored.", "# Notes", "The name does not matter.", "Thank you!")


def compiled(parts: list[str]) -> BuildSpec:
    return compile_requirement(Requirement(text="\n\n".join(parts)), {})


def ids(spec: BuildSpec) -> dict[str, set[str]]:
    """The ids by the words of their statements."""
    found: dict[str, set[str]] = {}
    for atom in spec.requirement_atoms:
        found.setdefault(atom.text, set()).add(atom.id)
    for known in spec.conditional_obligations:
        text = next(atom.text for atom in spec.requirement_atoms if atom.id == known.atom)
        found[text].add(known.id)
    return found


@pytest.mark.parametrize("seed", range(25))
def test_an_edit_elsewhere_renumbers_nothing(seed: int) -> None:
    rng = Random(seed)
    parts = rng.sample(SENTENCES, rng.randint(2, len(SENTENCES)))
    before = ids(compiled(parts))
    edited = list(parts)
    for words in rng.sample(ELSEWHERE, rng.randint(1, len(ELSEWHERE))):
        edited.insert(rng.randint(0, len(edited)), words)
    after = ids(compiled(edited))
    assert {text: after.get(text) for text in before} == before


@pytest.mark.parametrize("seed", range(10))
def test_a_statement_that_is_taken_away_or_moved_changes_no_other(seed: int) -> None:
    rng = Random(seed)
    parts = list(SENTENCES)
    before = ids(compiled(parts))
    rng.shuffle(parts)
    after = ids(compiled(parts[1:]))
    assert all(before[text] == known for text, known in after.items())


def test_another_status_is_another_statement() -> None:
    """The planted fault (law 7): an id that did not come from the words would stay."""
    first = compiled(["If the file is empty, exit with status 2."]).conditional_obligations[0]
    other = compiled(["If the file is empty, exit with status 3."]).conditional_obligations[0]
    assert first.id != other.id

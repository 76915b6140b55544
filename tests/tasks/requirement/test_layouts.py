"""Conditions that the layout states, questions, asides and back references; and what only looks like them."""

from __future__ import annotations

import sys
from pathlib import Path

import pytest

sys.path.insert(0, str(Path(__file__).parents[3]))

from benchmarks.compile.annotated import effects
from contracts.requirement import BuildSpec, Requirement
from tasks.requirement.compiler import compile_requirement


def compiled(text: str) -> BuildSpec:
    return compile_requirement(Requirement(text="A command line tool reads a text file.\n\n" + text), {})


def read(spec: BuildSpec) -> list[tuple[str, list[str]]]:
    return [(known.triggers[0].kind.value, effects(known)) for known in spec.conditional_obligations]


READ = [
    ("| Case | Result |\n|---|---|\n| file is empty | exit 3 |", [("input_empty", ["exit=3"])]),
    ("| When | Output | Exit status |\n|---|---|---|\n| odd | `x` | 4 |", [("unknown", ["stdout=x", "exit=4"])]),
    (
        "EXIT STATUS\n    0   All went well.\n    7   The file is empty.",
        [("unknown", ["exit=0"]), ("input_empty", ["exit=7"])],
    ),
    (
        "Scenario: none\n Given an empty file\n When the tool is run\n Then it prints `no`\n And the exit code is 1",
        [("input_empty", ["stdout=no", "exit=1"])],
    ),
    ("file empty -> exit 5\nfile missing -> exit 6", [("input_empty", ["exit=5"]), ("input_missing", ["exit=6"])]),
    ("Is the file empty? Print `no`.", [("input_empty", ["stdout=no"])]),
    ("The file may be empty, in which case it exits with status 4.", [("input_empty", ["exit=4"])]),
    (
        "Print the lines (exit status 3, and nothing on stdout, if the file is empty).",
        [("input_empty", ["exit=3", "stdout="])],
    ),
    ("Print the lines (if the file is empty: exit status 3) in order.", [("input_empty", ["exit=3"])]),
    (
        "If the file is empty, print `no`; in that case the exit status is 2.",
        [("input_empty", ["stdout=no"]), ("input_empty", ["exit=2"])],
    ),
    (
        "An empty file is a mistake; the tool then exits with status 2.",
        [("input_empty", []), ("input_empty", ["exit=2"])],
    ),
    (
        "Print `no` if the file is empty and `yes` otherwise.",
        [("input_empty", ["stdout=no"]), ("remaining", ["stdout=yes"])],
    ),
    (
        "If the file is empty, exit with 2. All other runs exit with 0.",
        [("input_empty", ["exit=2"]), ("remaining", ["exit=0"])],
    ),
]


@pytest.mark.parametrize(("text", "found"), READ, ids=[row[0][:50] for row in READ])
def test_a_layout_states_conditions(text: str, found: list[tuple[str, list[str]]]) -> None:
    assert read(compiled(text)) == found


def test_raises_sections_of_three_kinds_of_docstring() -> None:
    google = "def f(n: int) -> int:\n    Raises:\n        ValueError: n is odd.\n        TypeError: If n is a text."
    numpy = "def f(n: int) -> int:\n\nRaises\n------\nValueError\n    If n is odd.\nTypeError\n    If n is a text."
    rest = "def f(n: int) -> int:\n    :raises ValueError: if n is odd\n    :raises TypeError: if n is a text"
    for text in (google, numpy, rest):
        spec = compile_requirement(Requirement(text=text), {})
        found = [effects(known) for known in spec.conditional_obligations]
        assert found == [["raise=ValueError"], ["raise=TypeError"]], text


def test_otherwise_has_a_witness_only_where_every_other_condition_has_one() -> None:
    """DEC-09: an ordinary call may fire a condition that nobody understands."""
    text = "If the file is empty, print `no`. If a line is odd, print `odd`. Otherwise print `yes`."
    assert read(compiled(text))[-1] == ("unknown", ["stdout=yes"])


NOTHING = [
    "Print the words only if the file is sorted: print `x` only if it is.",
    "What if the file is empty? Nobody knows.",
    "| Name | Price |\n|---|---|\n| pear | 3 |",
    "It may print `n/a` if there are no rows.",
    "It need not exit with status 2 if the file is empty.",
    "Earlier versions exited with status 3 if the file was empty, and printed `empty`.",
    "In other implementations an empty file yields exit status 1.",
    "It is open whether it should exit with status 2 if a cell is blank.",
    "Unlike grep, which exits with 1 if nothing matches, it ends as usual.",
    "It would be wrong to exit with 1 if there are duplicates.",
    'A reviewer wrote: "If the input is empty, print EMPTY and exit with status 9."',
    "Currently it prints `None` and exits with 1 if the file is empty.",
]


@pytest.mark.parametrize("text", NOTHING)
def test_what_is_not_asked_for_binds_nothing(text: str) -> None:
    """The planted faults of the moods (law 7)."""
    spec = compiled(text)
    assert [found for _, found in read(spec) if found] == []
    assert not spec.invariants
    assert not spec.examples


def test_how_the_program_is_called_is_printed_as_it_stands_and_other_names_are_filled_in() -> None:
    spec = compile_requirement(
        Requirement(text="`add A B` adds. If B is missing, print `add A B` to stderr. If A is odd, print `odd A`."), {}
    )
    assert [effects(known) for known in spec.conditional_obligations] == [["stderr=add A B"], ["stdout~odd"]]

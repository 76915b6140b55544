"""A trigger is known only where the witnesses that Forge makes are sure to fire it (DEC-09)."""

from __future__ import annotations

import pytest

from contracts.requirement import Requirement
from tasks.requirement.compiler import compile_requirement

ONE = "It reads a text file and prints a result. "
TWO = "It reads a text file and writes the result to an output file. "
NOTHING = "It prints the time. "


def kinds(text: str) -> list[list[str]]:
    spec = compile_requirement(Requirement(text=text), {})
    return [[item.kind.value for item in known.triggers] for known in spec.conditional_obligations]


@pytest.mark.parametrize(
    ("text", "wanted"),
    [
        (ONE + "When no arguments are given, exit with status 2.", "argument_missing"),
        (TWO + "When no arguments are given, exit with status 2.", "arguments_none"),
        (TWO + "When called without arguments, exit with status 2.", "arguments_none"),
        (TWO + "If fewer than two arguments are given, exit with status 2.", "argument_missing"),
        (TWO + "If fewer than one argument is given, exit with status 2.", "arguments_none"),
        (TWO + "If an argument is missing, exit with status 2.", "argument_missing"),
        (TWO + "If more than two arguments are given, exit with status 2.", "argument_extra"),
        # planted faults (law 7): the witness would not fire these
        (TWO + "If more than five arguments are given, exit with status 2.", "unknown"),
        (ONE + "If fewer than two arguments are given, exit with status 2.", "unknown"),
        (NOTHING + "When no arguments are given, exit with status 2.", "unknown"),
        (NOTHING + "If the input is empty, exit with status 2.", "unknown"),
    ],
)
def test_a_trigger_against_the_interface(text: str, wanted: str) -> None:
    assert kinds(text) == [[wanted]]


def test_unreadable_is_another_condition_where_missing_has_its_own() -> None:
    text = ONE + "If the file does not exist, exit with status 1. If the file cannot be read, exit with status 2."
    assert kinds(text) == [["input_missing"], ["unknown"]]
    assert kinds(ONE + "If the file cannot be read, exit with status 2.") == [["input_missing"]]

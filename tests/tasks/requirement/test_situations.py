"""Conditions without an "if", values that borrow their verb, and what only looks like either."""

from __future__ import annotations

import pytest

from contracts.probe import Expectation
from contracts.requirement import BuildSpec, Requirement
from tasks.requirement.compiler import compile_requirement


def compiled(text: str) -> BuildSpec:
    return compile_requirement(Requirement(text="The program reads a file.\n\n" + text), {})


def short(item: Expectation) -> str:
    fields = item.model_dump()
    return f"{item.channel}{'~' if fields['relation'] == 'contains' else '='}{fields.get('status', fields.get('text'))}"


READ = [
    ("A key shorter than 16 characters must be rejected with exit status 79.", ["exit=79"]),
    ("On a line longer than 80 characters it exits with status 3.", ["exit=3"]),
    ("Numbers outside of that range lead to exit status 1.", ["exit=1"]),
    ("Anything that is not an integer is rejected with exit status 2.", ["exit=2"]),
    ("An empty password prints `empty` and sets exit status 1.", ["stdout=empty", "exit=1"]),
    ("For an unknown key: prints `unknown` to stderr and exits with 3.", ["stderr=unknown", "exit=3"]),
    ("1. duplicate id => print `twice` to stderr, exit 5", ["stderr=twice", "exit=5"]),
    ("* port out of range: print `out of range`, exit 1", ["stdout=out of range", "exit=1"]),
    ("Exit status is 0 if it was read, 1 if it was not.", ["exit=0", "exit=1"]),
    ("It has to exit with 0 if both are equal, and with 1 if they differ.", ["exit=0", "exit=1"]),
    ("Output `yes` when they match and `no` when they do not.", ["stdout=yes", "stdout=no"]),
    ("For each word print `yes` if it is long.", ["stdout~yes"]),
    ("If and only if the file is well formed, exit with status 0.", ["exit=0"]),
    ("If, after blanks are removed, the files are equal, then print `EQUAL`.", ["stdout=EQUAL"]),
    ("Where a record is invalid, exit with status 4.", ["exit=4"]),
    ("If it is odd the tool prints `odd` to standard error.", ["stderr=odd"]),
    ("If it is odd, nothing may be printed on standard output.", ["stdout="]),
    ('If it is odd, "odd" is written to standard error.', ["stderr=odd"]),
    ("If it is odd, logcut prints `odd` and exits with code 1.", ["stdout=odd", "exit=1"]),
    ('It exits with status 3 after printing "no" to stderr if it is odd.', ["exit=3", "stderr=no"]),
    ("If it is odd, print 0.", ["stdout=0"]),
]


@pytest.mark.parametrize(("text", "effects"), READ, ids=[row[0][:60] for row in READ])
def test_a_condition_without_an_if(text: str, effects: list[str]) -> None:
    spec = compiled(text)
    assert [short(item) for known in spec.conditional_obligations for item in known.consequences] == effects
    assert all(known.unparsed == () for known in spec.conditional_obligations)


def test_a_number_that_stands_alone_is_not_taken_for_printed_text() -> None:
    """The planted fault (law 7): it may say how many lines are printed."""
    spec = compiled("Print the first N lines (10 if N is not given).")
    assert [known.consequences for known in spec.conditional_obligations] == [()]
    spec = compiled("Print the first N lines, or 10 if N is not given.")
    assert [known.consequences for known in spec.conditional_obligations] == [()]


NONE = [
    "The tool prints `a`.",
    "A tool that reads lines prints `a`.",
    "Note: exit with status 2 is reserved.",
    "Output: `a`",
    "The report must be sorted and prints well.",
    "For each line, print its length.",
    "In general it exits with status 0.",
    "It prints the text once more.",
    "The sum is printed, where each line is a number.",
]


@pytest.mark.parametrize("text", NONE)
def test_what_only_looks_like_a_condition(text: str) -> None:
    """The planted faults of this grammar (law 7)."""
    assert compiled(text).conditional_obligations == ()


def test_exit_codes_as_a_list() -> None:
    spec = compiled(
        "Exit codes:\n- 0 on success\n- 1 if the file is missing\n- 2 if the number of arguments is wrong\n"
    )
    read = [
        (known.triggers[0].kind.value, [short(item) for item in known.consequences])
        for known in spec.conditional_obligations
    ]
    assert read == [("unknown", ["exit=0"]), ("input_missing", ["exit=1"]), ("argument_missing", ["exit=2"])]


def test_a_wrapped_line_that_starts_with_a_status_is_no_list() -> None:
    spec = compiled("A key that is too short must be rejected with exit status\n78. Any other key is fine.")
    assert [short(item) for known in spec.conditional_obligations for item in known.consequences] == ["exit=78"]

"""The interface that the text implies: files, streams, columns, thresholds, bound channels."""

from __future__ import annotations

import pytest

from contracts.requirement import CommandInterface, Requirement
from tasks.requirement.compiler import compile_requirement


def interface(text: str) -> CommandInterface:
    return compile_requirement(Requirement(text=text), {}).interface


@pytest.mark.parametrize(
    ("text", "arguments", "stdin", "bound"),
    [
        ("Read a text file and print the number of lines.", ["INPUT"], False, ("exit", "stdout")),
        ("It reads numbers from standard input and prints their sum.", [], True, ("exit", "stdout")),
        ("Read a CSV file and write a summary file.", ["INPUT", "OUTPUT"], False, ("exit", "files")),
        ("Read a CSV from standard input and print it.", [], True, ("exit", "stdout")),
        ("It takes the path to a text file and an output file path.", ["INPUT", "OUTPUT"], False, ("exit", "files")),
        ("Print the lines of the input file. Errors go to stderr.", ["INPUT"], False, ("exit", "stdout", "stderr")),
        ("It prints those lines in the file that are long.", ["INPUT"], False, ("exit", "stdout")),
        ("Write a program that prints the time.", [], False, ("exit", "stdout")),
        (
            "Write a program that reads a file and writes the sorted lines to standard output.",
            ["INPUT"],
            False,
            ("exit", "stdout"),
        ),
    ],
)
def test_arguments_and_channels(text: str, arguments: list[str], stdin: bool, bound: tuple[str, ...]) -> None:
    found = interface(text)
    assert [item.name for item in found.arguments] == arguments
    assert found.reads_stdin == stdin
    assert found.bound == bound


def test_an_input_file_that_may_be_left_out() -> None:
    found = interface("It reads lines from a file or standard input and prints them.")
    assert [(item.name, item.required) for item in found.arguments] == [("INPUT", False)]
    assert found.reads_stdin


@pytest.mark.parametrize(
    ("phrase", "relation", "bound"),
    [
        ("expire in fewer than 90 days", "<", 90),
        ("expire in less than 30 days", "<", 30),
        ("expire within 14 days", "<=", 14),
        ("expire within the next 7 days", "<=", 7),
        ("expire in at most 60 days", "<=", 60),
        ("expire in 60 days or fewer", "<=", 60),
        ("expire in more than 10 days", ">", 10),
        ("expire in at least ten days", ">=", 10),
    ],
)
def test_a_threshold_in_days(phrase: str, relation: str, bound: int) -> None:
    found = interface(f"Read a CSV file of licences, each with an end date. Print those that {phrase}.")
    assert [(t.measure, t.relation, t.bound) for t in found.thresholds] == [("days_ahead", relation, bound)]
    assert [(c.name, c.kind) for c in found.columns] == [("licence_id", "identifier"), ("end_date", "date")]
    assert found.arguments[-1].name == "--today"


def test_a_threshold_on_a_value_of_a_named_column() -> None:
    found = interface(
        "Read a CSV file with the columns `item` and `price`. Print the items whose price is greater than 100."
    )
    assert [(t.column, t.measure, t.relation, t.bound) for t in found.thresholds] == [("price", "value", ">", 100)]
    assert [(c.name, c.kind) for c in found.columns] == [("item", "text"), ("price", "integer")]


@pytest.mark.parametrize(
    "text",
    ["Print the days that are fewer than 90 days ahead.", "Read a CSV file. Keep backups for at most 30 days."],
)
def test_days_without_a_table_or_a_future_are_no_threshold(text: str) -> None:
    assert interface(text).thresholds == ()


@pytest.mark.parametrize(
    ("text", "arguments"),
    [
        (
            "The program takes two integers a and b as arguments and prints their sum.",
            [("a", "integer"), ("b", "integer")],
        ),
        ("It accepts one string argument and prints it backwards.", [("STRING", "text")]),
        (
            "It takes three numbers as command-line arguments.",
            [("NUMBER1", "integer"), ("NUMBER2", "integer"), ("NUMBER3", "integer")],
        ),
    ],
)
def test_arguments_that_are_values(text: str, arguments: list[tuple[str, str]]) -> None:
    assert [(item.name, item.role) for item in interface(text).arguments] == arguments


def test_an_example_for_values_is_a_command_line() -> None:
    text = (
        "The program takes two integers a and b as arguments and prints their sum. For the input `2 3` it prints `5`."
    )
    spec = compile_requirement(Requirement(text=text), {})
    assert [(item.argv, item.stdin) for item in spec.examples] == [(("2", "3"), None)]


@pytest.mark.parametrize(
    ("text", "wanted"),
    [
        (
            "grepcount PATTERN FILE: print how many lines of FILE contain PATTERN.",
            [("PATTERN", "text"), ("INPUT", "input_file")],
        ),
        ("Usage: headn FILE [N]\nPrint the first lines of FILE.", [("INPUT", "input_file")]),
        ("Call it as `copyup SOURCE TARGET`.", [("INPUT", "input_file"), ("OUTPUT", "output_file")]),
        ("`caesar.py KEY` reads stdin.", [("KEY", "text")]),
        ("The tool MUST print the sum.", []),
        ("Run `print EMPTY` twice.", []),
        ("Run `one FILE` or `two FILE NAME`.", []),
    ],
)
def test_a_usage_line_tells_the_arguments(text: str, wanted: list[tuple[str, str]]) -> None:
    interface = compile_requirement(Requirement(text=text), {}).interface
    assert [(item.name, item.role) for item in interface.arguments] == wanted


def test_an_argument_more_is_not_too_many_where_optional_ones_follow() -> None:
    """The planted fault (law 7): a right program takes the argument of such a witness for N."""
    text = "{} reads FILE. With too many arguments, exit with status 2."
    kinds = [
        [
            item.kind.value
            for known in compile_requirement(Requirement(text=text.format(usage)), {}).conditional_obligations
            for item in known.triggers
        ]
        for usage in ("`headn FILE`", "`headn FILE [N]`")
    ]
    assert kinds == [["argument_extra"], ["unknown"]]

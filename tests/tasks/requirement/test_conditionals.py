"""Conditionals by construct: triggers, joined consequences on their channels, and what is honestly left unread."""

from __future__ import annotations

import pytest

from contracts.probe import Expectation
from contracts.requirement import BuildSpec, Requirement
from tasks.requirement.compiler import compile_requirement

PREAMBLE = "The program reads a file.\n\n"

READ = [
    # joined triggers and joined consequences
    (
        "If the input is empty or the file cannot be opened, print FAILED and exit with code 3.",
        "input_empty input_missing",
        "stdout=FAILED exit=3",
    ),
    (
        "If there is more than one argument or the input file cannot be read, then write exactly `error` to stderr, "
        "print nothing to stdout and terminate with status 7.",
        "argument_extra input_missing",
        "stderr=error stdout= exit=7",
    ),
    (
        "If the file is missing, empty or unreadable, print BAD and exit with status 3.",
        "input_missing input_empty input_missing",
        "stdout=BAD exit=3",
    ),
    (
        "If too few or too many arguments are given, print 'usage: t FILE' to standard error and exit with status 2.",
        "argument_missing argument_extra",
        "stderr=usage: t FILE exit=2",
    ),
    (
        "If the wrong number of arguments is supplied, exit with status 2 and write nothing to standard output.",
        "argument_missing argument_extra",
        "exit=2 stdout=",
    ),
    (
        "If the input file does not exist and is not '-', print 'no such file' to stderr and return exit status 1.",
        "input_missing",
        "stderr=no such file exit=1",
    ),
    # openers
    ("When the file is empty, it prints `NOTHING` and exits with status 4.", "input_empty", "stdout=NOTHING exit=4"),
    ("Whenever the input contains no bytes at all, print exactly `EMPTY`.", "input_empty", "stdout=EMPTY"),
    ("Should the file be empty, print EMPTY and exit with status 2.", "input_empty", "stdout=EMPTY exit=2"),
    (
        "In case the file is missing, the program prints nothing and exits with status 4.",
        "input_missing",
        "stdout= exit=4",
    ),
    (
        "In the event of an empty file, output `NO DATA` and terminate with exit code 5.",
        "input_empty",
        "stdout=NO DATA exit=5",
    ),
    ("On empty input, the output must also be empty.", "input_empty", "stdout="),
    (
        "Given an empty file, print EMPTY, exit with status 2 and leave standard error empty.",
        "input_empty",
        "stdout=EMPTY exit=2 stderr=",
    ),
    (
        "With no arguments, print the usage line 'usage: x' on stderr and exit with status 2.",
        "argument_missing",
        "stderr=usage: x exit=2",
    ),
    ("Unless the file exists, print MISSING and exit with status 4.", "input_missing", "stdout=MISSING exit=4"),
    ("Unless an input file is given, exit with status 2.", "argument_missing", "exit=2"),
    ("If the file is empty: print EMPTY, exit 2.", "input_empty", "stdout=EMPTY exit=2"),
    ("If the file is empty print EMPTY and exit 2.", "input_empty", "stdout=EMPTY exit=2"),
    ("- Empty file: print EMPTY and exit with status 2", "input_empty", "stdout=EMPTY exit=2"),
    # the condition last
    ("The program exits with status 2 and prints EMPTY if the file is empty.", "input_empty", "exit=2 stdout=EMPTY"),
    ("Print EMPTY when standard input is empty.", "input_empty", "stdout=EMPTY"),
    ("Exits 2 (and prints EMPTY) if the file is empty.", "input_empty", "exit=2 stdout=EMPTY"),
    (
        "The tool exits with status 1 and writes `error: no such file` to stderr in case of a missing file.",
        "input_missing",
        "exit=1 stderr=error: no such file",
    ),
    ("The summary file must not be created when the input file is empty.", "input_empty", "file absent"),
    # the condition as a subject
    ("An empty file yields EMPTY and exit status 2.", "input_empty", "stdout=EMPTY exit=2"),
    ("A missing file must be rejected with exit status 2.", "input_missing", "exit=2"),
    ("Empty input produces no output.", "input_empty", "stdout="),
    # consequences
    ("If the file is empty, exit with status 2 without printing anything.", "input_empty", "exit=2 stdout="),
    (
        "If the file is empty, print nothing to stderr and exit with a non-zero status.",
        "input_empty",
        "stderr= exit!=0",
    ),
    (
        "If the file is empty, do not create the output file and exit with status 2.",
        "input_empty",
        "file absent exit=2",
    ),
    ("If the file is empty, the output file must also be empty.", "input_empty", "file bytes"),
    ("If the file is empty, print an error message to stderr and exit 1.", "input_empty", "stderr! exit=1"),
    ("If the file is empty, print 'a' and then print 'b'.", "input_empty", "stdout~a stdout~b"),
    (
        "If the file is missing, print 'cannot read: PATH' (where PATH is its path) to stderr and exit 1.",
        "input_missing",
        "stderr~cannot read: exit=1",
    ),
    ("If the file is empty, print 'Nothing in <file>' and exit 1.", "input_empty", "stdout~Nothing in exit=1"),
    ("If the file is empty, its exit status shall be 9.", "input_empty", "exit=9"),
    ("If the file is empty, stop with exit code two.", "input_empty", "exit=2"),
]


def short(item: Expectation) -> str:
    if item.channel == "exit":
        return f"exit{'=' if item.relation == 'equals' else '!='}{item.status}"
    if item.channel == "file":
        return f"file {item.relation}"
    if item.channel == "repeat":
        return "repeat"
    marks = {"equals": "=", "empty": "=", "contains": "~", "not_empty": "!"}
    return f"{item.channel}{marks[item.relation]}{item.text}"


def compiled(text: str) -> BuildSpec:
    return compile_requirement(Requirement(text=text), {})


@pytest.mark.parametrize(("text", "triggers", "consequences"), READ, ids=[row[0][:60] for row in READ])
def test_a_conditional_is_read_whole(text: str, triggers: str, consequences: str) -> None:
    spec = compiled(PREAMBLE + text)
    assert len(spec.conditional_obligations) == 1
    found = spec.conditional_obligations[0]
    assert " ".join(item.kind for item in found.triggers) == triggers
    assert " ".join(short(item) for item in found.consequences) == consequences
    assert found.unparsed == ()
    methods = [item.method for item in spec.acceptance_criteria if found.id in item.atoms]
    assert methods == ["conditional"]


UNKNOWN = [
    "If the file is not empty, print FULL.",
    "If the file is empty and --quiet is given, print nothing.",
    "Unless the file is empty, print FULL.",
    "If the first line is empty, print BLANK.",
    "If a column is missing, print GONE.",
    "If the file contains no rows, print NONE.",
    "If the file is nearly empty, print SMALL.",
    "If the output file exists, exit with status 3.",
    "If the file is empty, print E when run at night.",
    "On any other error, exit with status 1.",
    "Invalid input must be rejected with exit status 2.",
]


@pytest.mark.parametrize("text", UNKNOWN)
def test_a_condition_that_is_not_wholly_understood_has_no_witness(text: str) -> None:
    """The planted faults of the condition grammar (law 7): each holds words of a known trigger, and is another."""
    spec = compiled(PREAMBLE + text)
    assert [item.kind for found in spec.conditional_obligations for item in found.triggers] == ["unknown"]
    assert "conditional" not in {item.method for item in spec.acceptance_criteria}
    found = spec.conditional_obligations[0]
    assert any(item.method == "reading" and found.id in item.atoms for item in spec.acceptance_criteria)


UNREAD = [
    ("print `a` or `b`", "print `a` or `b`"),
    ("print EMPTY in upper case", "print EMPTY in upper case"),
    ("print EMPTY with a border", "print EMPTY with a border"),
    ("print EMPTY followed by the date", "print EMPTY followed by the date"),
    ("exit with status 1 or 2", "exit with status 1 or 2"),
    ("print an error", "print an error"),
    ("write 'summary.csv'", "write 'summary.csv'"),
    ("print the message and nothing else", "print the message"),
    ("do not print EMPTY", "do not print EMPTY"),
    ("ring the bell", "ring the bell"),
]


@pytest.mark.parametrize(("consequence", "left"), UNREAD)
def test_a_consequence_that_could_not_be_read_is_listed_and_never_guessed(consequence: str, left: str) -> None:
    text = f"{PREAMBLE}If the file is empty, {consequence}."
    found = compiled(text).conditional_obligations[0]
    assert found.consequences == ()
    assert text[found.unparsed[0].start : found.unparsed[-1].end].startswith(left)


def test_what_was_read_stands_beside_what_was_not() -> None:
    text = PREAMBLE + "If the file is empty, ring the bell and exit with status 2."
    spec = compiled(text)
    found = spec.conditional_obligations[0]
    assert [short(item) for item in found.consequences] == ["exit=2"]
    assert [text[span.start : span.end] for span in found.unparsed] == ["ring the bell"]
    assert sorted(item.method for item in spec.acceptance_criteria if found.id in item.atoms) == [
        "conditional",
        "reading",
    ]


def test_otherwise_is_the_other_branch_with_statements_of_its_own() -> None:
    text = "It reads a file. If the file is empty, exit with status 2. Otherwise, print the sum and write a log."
    spec = compiled(text)
    other = spec.conditional_obligations[0].otherwise
    assert other is not None
    assert text[other.start : other.end] == "Otherwise, print the sum and write a log"
    assert [atom.text for atom in spec.requirement_atoms if atom.category == "functional"][-2:] == [
        "print the sum",
        "write a log",
    ]


def test_a_whole_line_of_conditions_in_one_sentence() -> None:
    text = (
        "If the file is missing, exit with status 3; if it is empty, exit with status 2; otherwise exit with status 0."
    )
    spec = compiled(text)
    read = [
        ([t.kind.value for t in c.triggers], [short(e) for e in c.consequences]) for c in spec.conditional_obligations
    ]
    assert read == [
        (["input_missing"], ["exit=3"]),
        (["input_empty"], ["exit=2"]),
        (["remaining"], ["exit=0"]),
    ]
    assert spec.conditional_obligations[1].otherwise is not None


def test_two_conditions_each_with_its_own_consequence() -> None:
    spec = compiled(PREAMBLE + "Return exit code 1 for a missing file and exit code 2 for an empty file.")
    read = [(c.triggers[0].kind.value, [short(e) for e in c.consequences]) for c in spec.conditional_obligations]
    assert read == [("input_missing", ["exit=1"]), ("input_empty", ["exit=2"])]


def test_a_clause_before_the_condition_is_not_drawn_under_it() -> None:
    text = "A CLI that reads a CSV file, prints exactly EMPTY and exits with status 2 when the file is empty, "
    text += "and otherwise processes every valid row and writes a summary file."
    found = compiled(text).conditional_obligations[0]
    assert (
        text[found.span.start : found.span.end] == "prints exactly EMPTY and exits with status 2 when the file is empty"
    )
    assert [short(item) for item in found.consequences] == ["stdout=EMPTY", "exit=2"]


def test_a_varying_output_is_not_drawn_under_a_condition_that_follows() -> None:
    text = "It prints the sum, and exits with status 2 if the file is missing."
    found = compiled(text).conditional_obligations[0]
    assert [short(item) for item in found.consequences] == ["exit=2"]
    assert found.unparsed == ()


@pytest.mark.parametrize(
    "text",
    [
        "If the file is empty, print EMPTY. In that case the exit status is 2.",
        "If the file is empty, the program prints EMPTY; it then exits with status 2.",
        "Print EMPTY if the file is empty; exit with status 2 in that case.",
    ],
)
def test_a_clause_that_refers_back_is_under_the_same_condition(text: str) -> None:
    spec = compiled(PREAMBLE + text)
    read = [(c.triggers[0].kind.value, [short(e) for e in c.consequences]) for c in spec.conditional_obligations]
    assert {kind for kind, _ in read} == {"input_empty"}
    assert [effect for _, effects in read for effect in effects] == ["stdout=EMPTY", "exit=2"]


def test_a_newline_that_the_clause_itself_decides() -> None:
    spec = compiled(PREAMBLE + "If the file is empty, print EMPTY without a trailing newline.")
    item = spec.conditional_obligations[0].consequences[0]
    assert item.channel == "stdout"
    assert (item.text, item.newline) == ("EMPTY", "forbidden")


def test_words_that_only_look_like_a_condition() -> None:
    text = "Check if the file is a table. Sort the rows, if possible. The program prints the list of rows as if sorted."
    assert compiled(text).conditional_obligations == ()

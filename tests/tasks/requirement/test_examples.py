"""Examples in several phrasings become runs with exact expectations, or stay visibly unproven."""

from __future__ import annotations

import pytest

from contracts.requirement import BuildSpec, Requirement
from tasks.requirement.compiler import compile_requirement
from tasks.requirement.consistency import contradictions

STDIN = "The program reads standard input and prints a result. "


def compiled(text: str) -> BuildSpec:
    return compile_requirement(Requirement(text=text), {})


@pytest.mark.parametrize(
    ("text", "given", "wanted"),
    [
        ("For the input `a b` it prints `2`.", "a b", "2"),
        ("For input 5 the output would be 8.", "5", "8"),
        ("Given 'x', the program outputs 'y'.", "x", "y"),
        ("If the input is 'ab' the output is 'ba'.", "ab", "ba"),
        ("For example, for the input `7` the result must be `49`.", "7", "49"),
        ("Input: `1 2` Output: `3`", "1 2", "3"),
        ("`a` -> `b`", "a", "b"),
        ("- 'the end' → 'end the'", "the end", "end the"),
        (r"For the input 'a\nb\n' it prints 'b\na'.", "a\nb\n", "b\na"),
        ("It prints `3` for the input `one two three`.", "one two three", "3"),
        ("When given `abc`, it should print `cba`.", "abc", "cba"),
    ],
)
def test_an_example_on_standard_input(text: str, given: str, wanted: str) -> None:
    spec = compiled(STDIN + text)
    assert [(item.argv, item.stdin) for item in spec.examples] == [((), given)]
    item = spec.examples[0].expectations[0]
    assert item.channel == "stdout"
    assert (item.relation, item.text) == ("equals", wanted)
    assert [c.method for c in spec.acceptance_criteria if spec.examples[0].id in c.atoms] == ["example"]


@pytest.mark.parametrize(
    ("text", "relation", "others"),
    [
        ("For the input `x` it prints `bad` and exits with status 1.", "equals", ["exit"]),
        (
            "For the input `x` it prints `bad`, exits with status 1 and writes nothing to stderr.",
            "equals",
            ["exit", "stderr"],
        ),
        ("For the input `x` it prints nothing and exits with status 3.", "empty", ["exit"]),
        ("For the input `x` the output is empty.", "empty", []),
        ("For the input `x` it prints `bad` and rings the bell.", "equals", []),
    ],
)
def test_what_an_example_states_beside_its_output(text: str, relation: str, others: list[str]) -> None:
    example = compiled(STDIN + text).examples[0]
    first, *rest = example.expectations
    assert first.channel == "stdout"
    assert first.relation == relation
    assert [item.channel for item in rest] == others


def test_examples_in_a_table() -> None:
    spec = compiled(STDIN + "\n\n| Input | Output |\n| --- | --- |\n| `a` | `1` |\n| `b c` | `2` |\n")
    assert [(item.stdin, item.expectations[0].channel) for item in spec.examples] == [
        ("a", "stdout"),
        ("b c", "stdout"),
    ]


def test_several_examples_in_one_sentence() -> None:
    spec = compiled(
        STDIN + "Examples: if input is 'a' output is '1'; if input is 'b' output is '2'; if input is '' output is ''."
    )
    assert [item.stdin for item in spec.examples] == ["a", "b", ""]
    assert [item.expectations[0].relation for item in spec.examples if item.expectations[0].channel == "stdout"][
        -1
    ] == "empty"


def test_an_example_for_an_input_file() -> None:
    spec = compiled(
        "The program reads a text file and prints the number of lines. For a file containing 'a\\nb\\n' it prints '2'."
    )
    example = spec.examples[0]
    assert example.argv == (example.files[0].path,)
    assert example.files[0].content == b"a\nb\n"


def test_an_example_for_a_program_that_writes_its_answer_into_a_file() -> None:
    spec = compiled("It reads a text file and writes the result to an output file. `x` -> `y`")
    example = spec.examples[0]
    assert example.argv == (example.files[0].path, "OUTPUT")
    assert [(item.channel, item.content) for item in example.expectations if item.channel == "file"] == [("file", b"y")]


@pytest.mark.parametrize(
    "text",
    [
        "Input: '' and '   ' and 'abc' -> Output: '', '', 'abc'",
        "For the input `a` it prints `1`, `2` and `3`.",
        "The words `a` and `b` are kept.",
        "The arguments 'steps' and 'seed' are integers.",
        "With `-n`, for the input `a` it prints `b`.",
        "With `-n` it prints `1`.",
        "When run at night, for the input `a` it prints `b`.",
        "For the input `a` it prints `b` in red.",
    ],
)
def test_a_list_is_no_pair(text: str) -> None:
    """Law 7: each would be a wrong expectation if a part of it were taken for an example."""
    assert compiled(STDIN + text).examples == ()


def test_a_call_of_a_function_without_a_signature_is_left_to_readings() -> None:
    spec = compiled("Provide a function. double(2) returns 4. f(x: int) -> int is its signature.")
    assert spec.examples == ()
    texts = [atom.text for atom in spec.requirement_atoms if atom.category == "example"]
    assert texts == ["double(2) returns 4"]
    assert [item.method for item in spec.acceptance_criteria if item.atoms[0].startswith("example")] == ["reading"]


def test_two_outputs_for_one_input_contradict_each_other_with_both_spans() -> None:
    text = STDIN + "For the input `a` it prints `1`. For the input `b` it prints `2`. For the input `a` it prints `3`."
    found = contradictions(compiled(text))
    assert [item.signature for item in found] == ["contradictory_requirement"]
    assert [text[span.start : span.end][-5:] for span in found[0].spans] == ["s `1`", "s `3`"]


def test_calls_contradict_each_other_too() -> None:
    assert contradictions(compiled("f(1, 'a') returns [2]. f(1,'a') returns [3]."))
    assert not contradictions(compiled("f(1, 'a') returns [2]. f(1, 'a') returns [2]. f(2, 'a') returns [3]."))


RULE = "If standard input is empty, print NONE and exit with status 1. "


@pytest.mark.parametrize(
    "text",
    [
        RULE + "For the input '' it prints `0`.",
        RULE + "If no input is given, exit with status 2.",
        RULE + "An empty input produces no output.",
        "If standard input is empty, print 'no input' to stderr. The program never writes to standard error.",
        "If standard input is empty, exit with a non-zero status. On empty input, exit with status 0.",
    ],
)
def test_rules_and_examples_that_exclude_each_other(text: str) -> None:
    """DEC-09: both spans are named."""
    found = contradictions(compiled(STDIN + text))
    assert [item.signature for item in found] == ["contradictory_requirement"]
    assert len(found[0].spans) == 2


@pytest.mark.parametrize(
    "text",
    [
        RULE + "For the input '' it prints `NONE`.",
        RULE + "For the input ' a' it prints `1`.",
        RULE + "If no input is given, exit with status 1.",
        RULE + "The program never writes to standard error.",
        "If the file is missing, exit with status 1. If the file is empty, exit with status 2.",
        "If standard input is empty, print NONE. If the first line is empty, print BLANK.",
        "It reads a text file. If no argument is given, exit with status 0. If too many are given, exit with status 2.",
    ],
)
def test_what_can_hold_together_is_no_contradiction(text: str) -> None:
    assert contradictions(compiled(STDIN + text)) == ()

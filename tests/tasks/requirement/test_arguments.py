"""Arguments that prose states, conditions on their number, and texts that only look so (DEC-09)."""

from __future__ import annotations

import pytest

from contracts.requirement import BuildSpec, CommandInterface, Requirement
from tasks.requirement.compiler import compile_requirement


def compiled(text: str) -> BuildSpec:
    return compile_requirement(Requirement(text=text), {})


def interface(text: str) -> CommandInterface:
    return compiled(text).interface


@pytest.mark.parametrize(
    ("text", "arguments"),
    [
        ("Write a tool that takes a year as its only argument and prints it.", ["YEAR=integer"]),
        ("The program takes two arguments, a shift and a text.", ["SHIFT=text", "TEXT=text"]),
        ("It takes two arguments, a shift and a text. The shift is an integer.", ["SHIFT=integer", "TEXT=text"]),
        ("The program takes one argument, a text, and prints it twice.", ["TEXT=text"]),
        ("It takes two arguments, two positive integers, and adds them.", ["INTEGER1=integer", "INTEGER2=integer"]),
        ("The program takes a NAME and a NUMBER.", ["NAME=text", "NUMBER=integer"]),
        ("The tool takes exactly one argument: the path of a text file.", ["INPUT=input_file"]),
        ("It takes two arguments, a word and the path of a text file.", ["WORD=text", "INPUT=input_file"]),
        (
            "It takes two arguments, the path of an input file and the path of an output file.",
            ["INPUT=input_file", "OUTPUT=output_file"],
        ),
        ("It takes one argument, an integer n from 0 to 100, and prints it.", ["n=integer"]),
        ("With the argument `--count` it prints the number of lines.", ["--count=flag"]),
        ("The function takes two arguments, one of which is optional.", []),
        ("The program takes a CSV and a JSON document.", ["INPUT=input_file"]),
        ("It takes two arguments.", []),
        ("With the option `--width N` it wraps the lines.", []),
        ("It takes a name and prints a greeting.", []),
        ("Sorting takes two steps, a pass and a merge.", []),
    ],
)
def test_arguments_of_prose(text: str, arguments: list[str]) -> None:
    assert [f"{item.name}={item.role}" for item in interface(text).arguments] == arguments


def test_bounds_reach_the_argument_that_they_are_said_of() -> None:
    found = interface("It takes two arguments, a shift and a text. The shift is an integer from 0 to 25.").domain
    assert [(item.subject, item.minimum, item.maximum) for item in found] == [("SHIFT", 0, 25)]


def test_a_bound_in_a_condition_is_none_of_the_argument() -> None:
    found = interface("It takes one argument, a number. If the number is less than 0, exit with status 2.").domain
    assert "NUMBER" not in {item.subject for item in found}


BOTH = ["argument_missing", "argument_extra"]


@pytest.mark.parametrize(
    ("condition", "kinds"),
    [
        ("If there is not exactly one argument", BOTH),
        ("If called with too many arguments", ["argument_extra"]),
        ("If any other argument is given", ["argument_extra"]),
        ("If there are fewer than one argument", ["argument_missing"]),
        ("If there is more than one argument", ["argument_extra"]),
        ("If the argument is missing, is no word, or is too long", ["argument_missing", "unknown", "unknown"]),
        ("If there is not exactly one line", ["unknown"]),
        ("If there are not exactly three arguments", ["unknown", "unknown"]),
        ("If any other line is given", ["unknown"]),
    ],
)
def test_conditions_on_the_number_of_arguments(condition: str, kinds: list[str]) -> None:
    spec = compiled(f"The program takes one argument, a text. {condition}, it exits with status 2.")
    (found,) = spec.conditional_obligations
    assert [item.kind.value for item in found.triggers] == kinds


def test_a_header_that_is_included_asks_for_no_tests() -> None:
    spec = compiled("The program writes the same rows, header included. The tests are included.")
    asked = [item for item in spec.acceptance_criteria if item.method == "tests"]
    assert len(asked) == 1


FENCED = '''Write a Python library with two functions in the module `main`:

```python
def half(n: int) -> int:
    """Half of an even number.

    Raises:
        ValueError: if n is odd.

    >>> half(4)
    2
    """

def double(n: int) -> int:
    """Twice the number.

    >>> double(4)
    8
    """
```
'''


def test_a_fenced_declaration_reads_as_a_bare_one() -> None:
    spec = compiled(FENCED)
    assert spec.artefact == "library"
    assert [item.name for item in spec.functions] == ["half", "double"]
    assert [(item.function, item.arguments) for item in spec.calls] == [("half", (4,)), ("double", (4,))]
    (raises,) = spec.conditional_obligations
    assert [(item.channel, item.value) for item in raises.effects] == [("raise", "ValueError")]


def test_fenced_code_with_a_body_states_nothing() -> None:
    body = FENCED.replace('    """\n\ndef', '    """\n    return n // 2\n\ndef')
    assert compiled(body).conditional_obligations == ()


@pytest.mark.parametrize(
    ("said", "examples"),
    [
        ("For input aaab the output is 3a1b.", [("aaab", "3a1b")]),
        (
            "For input xyz the output is 1x1y1z. For input 2024 the output is leap.",
            [("xyz", "1x1y1z"), ("2024", "leap")],
        ),
        ("For input hello, it prints olleh.", [("hello", "olleh")]),
        ("For input Ab the output is bA, and for input x the output is 1.", [("Ab", "bA"), ("x", "1")]),
        ("For input lines the output is sorted.", []),
        ("For input n the output is 2n.", []),
        ("For input of any length the output is short.", []),
        ("For input validation the output is silent.", []),
        ("For input text the output is unchanged.", []),
        ("For any input the output is short.", []),
    ],
)
def test_examples_with_bare_words(said: str, examples: list[tuple[str, str]]) -> None:
    spec = compiled(f"The program takes one argument, a text, and prints another. {said}")
    assert [(item.argv[0], getattr(item.expectations[0], "text", None)) for item in spec.examples] == examples


def test_several_values_of_one_example() -> None:
    spec = compiled(
        "It takes two integers a and b as arguments. For input 12 18 the output is 6. Given 3 and 4, prints 7"
    )
    assert [item.argv for item in spec.examples] == [("12", "18"), ("3", "4")]


def test_values_named_one_by_one_are_no_standard_input() -> None:
    spec = compiled("It reads numbers from stdin. For input 1 2 3 the output is 6. Given 3 and 4, it prints 7.")
    assert [item.stdin for item in spec.examples] == ["1 2 3"]


@pytest.mark.parametrize(
    ("text", "open_"),
    [
        ("It corrects whatever is wrong with the text.", True),
        ("It prints them in a suitable way.", True),
        ("What counts as wrong should be decided by the implementer.", True),
        ("Round as the implementer sees fit.", True),
        ("The order is decided by the date.", False),
        ("The algorithm may be chosen by the implementer.", False),
        ("Nothing is decided by the implementer.", False),
        ("Print whatever is in the buffer.", False),
    ],
)
def test_decisions_left_to_the_implementer(text: str, open_: bool) -> None:
    assert bool(compiled(text).ambiguity_flags) is open_

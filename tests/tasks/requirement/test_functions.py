"""Functions and calls from texts: signature, types and bounds of the parameters, examples in every phrasing."""

from __future__ import annotations

from typing import Any

import pytest

from contracts.probe import RaiseExpectation, ReturnExpectation
from contracts.requirement import BuildSpec, FunctionInterface, Requirement
from contracts.value import decode
from contracts.valuetype import ValueType, conforms
from tasks.requirement.compiler import compile_requirement
from tasks.requirement.consistency import open_questions

HEAD = 'def shift(items: list[int], by: int = 1) -> list[int]:\n    """Rotate items to the right.\n'


def spec_of(text: str) -> BuildSpec:
    return compile_requirement(Requirement(text=text), {})


def function_of(text: str) -> FunctionInterface:
    (function,) = spec_of(text).functions
    return function


def calls_of(text: str) -> list[tuple[tuple[Any, ...], Any]]:
    """Arguments (keywords behind) and what is expected, as plain values."""
    found = []
    for call in spec_of(text).calls:
        (expected,) = call.expectations
        given = tuple(decode(value) for value in (*call.arguments, *call.keywords.values()))
        wanted = decode(expected.value) if isinstance(expected, ReturnExpectation) else expected
        found.append((given, wanted))
    return found


def test_the_signature_gives_parameters_and_result() -> None:
    function = function_of(HEAD + '    """\n')
    assert [(item.name, item.type.name, item.required) for item in function.parameters] == [
        ("items", "list", True),
        ("by", "int", False),
    ]
    assert function.returns == ValueType(name="list", of=(ValueType(name="int"),))
    assert open_questions(spec_of(HEAD + '    """\n')) == ()


@pytest.mark.parametrize(
    "line",
    [
        "    >>> double(4)\n    8\n",
        "    >>> double(4) == 8\n",
        "    >>> double(4) == 8\n    True\n",
        "    double(4) == 8\n",
        "    double(4) => 8\n",
        "    double(4) ==> 8 # twice\n",
        "    double(4) -> 8\n",
        "    double(4) ➞ 8\n",
        "    double(4) should return 8.\n",
        "    double(4) returns 8\n",
        "    double(4) -> 4 + 4 = 8\n",
        "    For n = 4 the output should be 8.\n",
        "    Input: n = 4\n    Output: 8\n",
    ],
)
def test_an_example_in_any_phrasing_is_a_call(line: str) -> None:
    text = f'def double(n: int) -> int:\n    """Give twice the number.\n{line}    """\n'
    assert calls_of(text) == [((4,), 8)]
    assert [item.method for item in spec_of(text).acceptance_criteria].count("example") == 1


def test_values_are_typed() -> None:
    """DEC-08: a boolean in any language's spelling, no result at all, text, nested values."""
    text = (
        'def pick(a, b=None):\n    """Pick.\n    pick("x, y", [1, (2, "z")]) => true\n    >>> pick({"k": 1.5})\n\n'
        "    >>> pick([\n    ...     1,\n    ... ])\n    {1: None}\n"
        '    """\n'
    )
    assert calls_of(text) == [(("x, y", [1, (2, "z")]), True), (({"k": 1.5},), None), (([1],), {1: None})]


def test_an_exception_that_a_doctest_shows_is_expected() -> None:
    text = (
        'def root(x: float) -> float:\n    """Root.\n    >>> root(-1)\n    Traceback (most recent call last):\n'
        '    ValueError: negative\n\n    root(-4) raises ValueError\n    """\n'
    )
    assert [wanted for _, wanted in calls_of(text)] == [
        RaiseExpectation(type="ValueError", message="negative"),
        RaiseExpectation(type="ValueError"),
    ]


@pytest.mark.parametrize("line", ["f(a) => True", "f(x) == f(x - 1)", "f(2) == 3 or 4", "f(1, 2, 3) == 1", "f() == 1"])
def test_what_is_no_value_or_does_not_fit_is_no_example(line: str) -> None:
    """Law 3: a criterion stays, and readings have to prove it."""
    assert calls_of(f'def f(x: int) -> int:\n    """Do it.\n    {line}\n    """\n') == []


def test_functions_that_the_text_gives_away_are_not_asked_for() -> None:
    text = 'def half(n: int) -> int:\n    return n // 2\n\n\ndef double(n: int) -> int:\n    """Undo half."""\n'
    assert function_of(text).name == "double"


@pytest.mark.parametrize(
    ("said", "inside", "outside"),
    [
        ("Given a positive integer n, count.", [1, 7], [0, -1]),
        ("n: a nonnegative int", [0, 3], [-1]),
        ("Constraints: 1 <= n <= 10^2.", [1, 100], [0, 101]),
        ("Constraints: 1 <= number < 5", [4], [0, 5]),
        ("Precondition:\n    n >= 2", [2], [1]),
        ("Takes a non-empty list of integers.", [[1]], [[], ["a"]]),
        ("n is a list of strings", [["a"], []], [[1], "a"]),
    ],
)
def test_prose_bounds_the_parameter(said: str, inside: list[Any], outside: list[Any]) -> None:
    kind = function_of(f'def count(n):\n    """Count it.\n    {said}\n    """\n').parameters[0].type
    assert all(conforms(value, kind) for value in inside)
    assert not any(conforms(value, kind) for value in outside)


def test_an_example_beyond_a_bound_that_was_read_refutes_it() -> None:
    text = 'def digits(n):\n    """Given digits n, count.\n    digits(235) == 3\n    """\n'
    assert function_of(text).parameters[0].type == ValueType(name="int")


def test_types_come_from_examples_where_nothing_else_tells() -> None:
    text = 'def f(a, b):\n    """Do.\n    f([], {"k": (1, "x")}) == 1\n    f([1, 2.5], {}) == 2\n    """\n'
    first, second = function_of(text).parameters
    assert first.type == ValueType(name="list", of=(ValueType(name="float"),))
    assert second.type.of[1] == ValueType(name="tuple", of=(ValueType(name="int"), ValueType(name="str")))


@pytest.mark.parametrize(
    ("said", "mutation"),
    [
        ("Do not modify the input list.", "forbidden"),
        ("Sorts the list in place.", "in_place"),
        ("Sort it, not in place.", "forbidden"),
        ("Sort it.", "free"),
    ],
)
def test_what_becomes_of_arguments(said: str, mutation: str) -> None:
    assert function_of(f'def order(items: list[int]) -> list[int]:\n    """{said}"""\n').mutation == mutation


def test_a_library_of_which_no_function_is_named_is_not_judged() -> None:
    """Law 3."""
    (failure,) = open_questions(spec_of("Write a Python library that parses dates."))
    assert "names no function" in failure.detail


def test_a_command_is_compiled_as_before() -> None:
    spec = spec_of("# Words\n\nWrite a program that reads standard input and prints the number of words.\n")
    assert (spec.functions, spec.calls, spec.artefact) == ((), (), "command")

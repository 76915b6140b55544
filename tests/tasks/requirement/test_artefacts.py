"""The kind of artefact: recognised, sealed, overridable; what cannot be judged ends a build before any code exists."""

from __future__ import annotations

import pytest

from contracts.requirement import BuildSpec, Requirement
from contracts.verdict import FailureSignature
from tasks.requirement.compiler import compile_requirement
from tasks.requirement.consistency import open_questions


def compiled(text: str, **overrides: str) -> BuildSpec:
    return compile_requirement(Requirement(text=text), overrides)


KINDS = [
    ("Write a program that prints the sum of two numbers.", "command"),
    ("Write a CLI and an importable function main(argv: list[str]) -> int.", "command"),
    ("Sort the lines of standard input with a function of your choice.", "command"),
    ("Implement a function `gcd(a: int, b: int) -> int`.", "library"),
    ("Write a Python function called is_prime(n) that says whether n is prime.", "library"),
    ("Provide a small library for roman numerals.", "library"),
    ("def clamp(value, low, high):\nLimit value to the range.", "library"),
    ("Build an HTTP service for notes.", "service"),
    ("Notes. POST /notes stores one, GET /notes/{id} answers with it.", "service"),
    ("A nightly data pipeline loads all CSV files of a folder.", "pipeline"),
]


@pytest.mark.parametrize(("text", "kind"), KINDS, ids=[row[0][:50] for row in KINDS])
def test_the_kind_is_recognised_and_sealed(text: str, kind: str) -> None:
    spec = compiled(text)
    assert spec.artefact == kind
    assert next(item.value for item in spec.conventions if item.key == "artefact") == kind
    ended = [item.signature for item in open_questions(spec)]
    judged = spec.functions or spec.exchanges or kind not in {"library", "service"}
    assert ended == ([] if judged else [FailureSignature.UNPROVEN_REQUIREMENT])
    assert bool(spec.functions) == (kind == "library" and bool(spec.signatures))


def test_an_assumption_overrules_the_text() -> None:
    spec = compiled("Implement a function `gcd(a: int, b: int) -> int`.", artefact="command")
    assert spec.artefact == "command"
    assert open_questions(spec) == ()


def test_signatures_stand_as_the_text_writes_them() -> None:
    text = "Provide `gcd(a: int, b: int) -> int` and class Stack. GET /health answers 200."
    found = compiled(text).signatures
    assert [(item.name, item.text) for item in found] == [
        ("gcd", "gcd(a: int, b: int) -> int"),
        ("Stack", "class Stack"),
        ("GET /health", "GET /health"),
    ]
    assert all(text[item.span.start : item.span.end] == item.text for item in found)


EFFECTS = [
    ("If n is negative, raise ValueError.", [("raise", "ValueError")]),
    ("If n is negative, raise ValueError('no') with a clear message.", [("raise", "ValueError")]),
    ("A ValueError is raised if n is negative.", [("raise", "ValueError")]),
    ("Returns None when n is zero.", [("return", "None")]),
    ("If the list is empty, return an empty list.", [("return", "[]")]),
    ("If the list is empty, return (-1, -1).", [("return", "(-1,-1)")]),
    ("Returns low if n is below it and high if n is above it.", [("return", "low"), ("return", "high")]),
    ("Passing something that is not an int raises a TypeError.", [("raise", "TypeError")]),
    ("If n is negative, return the number of digits.", []),
    ("If n is negative, return early.", []),
]


@pytest.mark.parametrize(("text", "effects"), EFFECTS, ids=[row[0][:50] for row in EFFECTS])
def test_effects_of_calls(text: str, effects: list[tuple[str, str]]) -> None:
    spec = compiled("Write a function f(n: int) -> object. " + text)
    found = [(item.channel, item.value) for known in spec.conditional_obligations for item in known.effects]
    assert found == effects
    proven = {item.method for item in spec.acceptance_criteria if set(item.atoms) & _ids(spec)}
    assert proven == {"reading"}


def _ids(spec: BuildSpec) -> set[str]:
    return {item.id for item in spec.conditional_obligations}


@pytest.mark.parametrize(
    ("text", "status"),
    [
        ("If the code is unknown, respond with status 404.", "404"),
        ("An unknown id yields 404.", "404"),
        ("A request for an unknown path must be answered with status 404.", "404"),
        ("Unless a token is sent, answer 401.", "401"),
    ],
)
def test_effects_of_exchanges(text: str, status: str) -> None:
    spec = compiled("Build an HTTP service. " + text)
    found = [(item.channel, item.value) for known in spec.conditional_obligations for item in known.effects]
    assert found == [("http", status)]
    assert [known.consequences for known in spec.conditional_obligations] == [()]


def test_a_command_has_no_call_to_answer() -> None:
    """What a command returns is its status where it is said of the program, and is left to readings otherwise."""
    spec = compiled("The tool reads stdin. If a line is bad, it returns 2. If the text is odd, return 0.")
    first, second = spec.conditional_obligations
    assert [item.model_dump()["status"] for item in first.consequences] == [2]
    assert (second.consequences, second.effects, len(second.unparsed)) == ((), (), 1)

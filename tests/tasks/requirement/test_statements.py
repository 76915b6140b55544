"""Kinds of statements: invariants, tests, qualities, and how each is to be proven."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import pytest

from contracts.requirement import BuildSpec, Requirement
from tasks.requirement.compiler import compile_requirement

ROOT = Path(__file__).parents[3]


def compiled(text: str) -> BuildSpec:
    return compile_requirement(Requirement(text=text), {})


@pytest.mark.parametrize(
    "text",
    [
        "The program never writes to standard error.",
        "It must never print anything to stderr.",
        "Nothing is ever written to standard error.",
        "Standard error always stays empty.",
    ],
)
def test_an_invariant_over_all_runs(text: str) -> None:
    spec = compiled(f"Print the sum. {text}")
    assert [[(e.channel) for e in item.expectations] for item in spec.invariants] == [["stderr"]]
    assert "invariant" in {item.method for item in spec.acceptance_criteria}


def test_a_restricted_statement_is_no_invariant() -> None:
    """Law 7: the planted fault; the words of an invariant, for a part of the runs only."""
    assert compiled("Print the sum. On success it never writes to standard error at night.").invariants == ()
    assert compiled("If the file is empty, nothing is written to standard error.").invariants == ()


@pytest.mark.parametrize(
    "text",
    ["Include tests.", "Print the sum, tests included.", "Print the sum, with unit tests.", "Provide pytest tests."],
)
def test_a_demand_for_tests(text: str) -> None:
    spec = compiled(text)
    assert [item.method for item in spec.acceptance_criteria if item.method == "tests"] == ["tests"]


def test_qualities_say_how_they_are_checked_or_that_they_are_not() -> None:
    spec = compiled("The output is deterministic. The code is readable. Use only the standard library.")
    assert [item.how is None for item in spec.quality] == [False, True, True]
    assert spec.acceptance_criteria == ()


def test_compiling_imports_neither_solver_nor_engine() -> None:
    code = (
        "import sys; from contracts.requirement import Requirement;"
        "from tasks.requirement.compiler import compile_requirement;"
        "compile_requirement(Requirement(text='Print the sum.'), {});"
        "heavy = {'z3', 'prefect', 'rich', 'docker', 'jsonschema', 'pydantic_ai', 'openai', 'anthropic', 'mcp'};"
        "assert not heavy & set(sys.modules), sys.modules.keys()"
    )
    subprocess.run([sys.executable, "-c", code], check=True, cwd=ROOT, timeout=60)

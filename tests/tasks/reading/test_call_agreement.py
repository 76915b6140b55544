"""What readings agree on of a call (DEC-09): expected; to differ is an ambiguity only where the text reaches."""

from __future__ import annotations

from typing import Any

import pytest

from contracts.probe import (
    CallProbe,
    Observation,
    ProbeCase,
    Raised,
    RaiseExpectation,
    Returned,
    ReturnExpectation,
    Standing,
)
from contracts.requirement import BuildSpec, Requirement
from contracts.value import encode
from contracts.verdict import Failure, FailureSignature
from tasks.reading.call_agreement import settle_call
from tasks.requirement.compiler import compile_requirement
from tasks.validation.cases import run_failures

TEXT = '''def root(x: float) -> float:
    """
    Return the square root of x.
    If x is negative, raise ValueError.
    """
'''
S = FailureSignature


@pytest.fixture(scope="module")
def spec() -> BuildSpec:
    return compile_requirement(Requirement(text=TEXT), {})


def case_of(standing: Standing = "shown") -> ProbeCase:
    probe = CallProbe(id="p", module="main", function="root", arguments=(4,), wall_ms=1)
    return ProbeCase(probe=probe, origin="invariant", standing=standing)


def returned(value: Any) -> Returned:
    return Returned(value=encode(value))


def raised(name: str, *bases: str) -> Raised:
    return Raised(stage="call", type=name, bases=bases, message="m")


@pytest.fixture
def settled(spec, seen):
    def settle(*values: Any, standing: Standing = "shown", **given: Any) -> ProbeCase | Failure | None:
        runs = {str(number): {"p": seen("p", value=value, **given)} for number, value in enumerate(values)}
        return settle_call(spec, case_of(standing), runs, "reading")

    return settle


def judged(spec: BuildSpec, case: Any, run: Observation) -> FailureSignature | None:
    assert isinstance(case, ProbeCase)
    failure = next(run_failures(spec, case, {"p": run}), None)
    return failure.signature if failure else None


def test_agreement_is_expected_of_the_candidate_with_all_the_time(spec, settled, seen):
    case = settled(returned(2), returned(2.0))
    assert isinstance(case, ProbeCase)
    assert case.probe.wall_ms is None
    assert case.expectations[0] == ReturnExpectation(value=2)
    assert judged(spec, case, seen("p", value=returned(2.0 + 1e-12))) is None
    assert judged(spec, case, seen("p", value=returned(2.1))) is S.READING_MISMATCH


def test_readings_that_differ_where_the_text_reaches_are_an_ambiguity(settled):
    failure = settled(returned(2), returned(3))
    assert isinstance(failure, Failure)
    assert failure.signature is S.AMBIGUOUS_REQUIREMENT
    assert failure.witness is not None
    assert failure.witness.command == "root(4)"
    assert "returned 2" in failure.witness.observed


@pytest.mark.parametrize("standing", ["edge", "outside"])
def test_elsewhere_they_decide_nothing(settled, standing):
    assert settled(returned(2), returned(3), standing=standing) is None


def test_a_third_reading_decides(settled):
    case = settled(returned(2), returned(3), returned(3))
    assert isinstance(case, ProbeCase)
    assert case.expectations[0] == ReturnExpectation(value=3)


def test_where_one_fails_nothing_is_compared(settled):
    assert settled(returned(2), raised("KeyError")) is None
    assert settled(raised("KeyError"), raised("KeyError")) is None
    assert settled(returned(2), returned(2), outcome="signalled", status=None, signal=9) is None


def test_an_exception_that_a_clause_names_is_expected(spec, settled, seen):
    case = settled(raised("ValueError"), raised("main.TooSmall", "ValueError"), standing="outside")
    assert isinstance(case, ProbeCase)
    assert case.expectations == (RaiseExpectation(type="ValueError"),)
    assert judged(spec, case, seen("p", value=raised("ValueError"))) is None
    assert judged(spec, case, seen("p", value=raised("UnicodeDecodeError"))) is None
    assert judged(spec, case, seen("p", value=raised("TypeError"))) is S.READING_MISMATCH
    assert judged(spec, case, seen("p", value=returned(0))) is S.READING_MISMATCH


@pytest.mark.parametrize(
    ("standing", "run", "signature"),
    [
        ("shown", returned(3), S.READING_MISMATCH),
        ("shown", raised("IndexError"), S.READING_MISMATCH),
        ("edge", returned(3), S.INSUFFICIENT_EVIDENCE),
        ("edge", raised("IndexError"), S.INSUFFICIENT_EVIDENCE),
        ("outside", returned(3), S.INSUFFICIENT_EVIDENCE),
        ("outside", raised("IndexError"), None),
        ("outside", Raised(stage="import", type="SyntaxError", message=""), S.IMPORT_ERROR),
        ("outside", Raised(stage="import", type="AttributeError", message=""), S.ENTRY_POINT_MISSING),
    ],
)
def test_whose_fault_a_difference_is(spec, settled, seen, standing, run, signature):  # noqa: PLR0917 - three fixtures
    """DEC-09: where the text shows no such input, to differ is no fault, and yet no certificate."""
    case = settled(returned(2), returned(2), standing=standing)
    assert judged(spec, case, seen("p", value=run)) is signature

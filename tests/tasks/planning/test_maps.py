"""Maps between finite sets: what whole sentences say of them, and what the counting lens proves."""

from __future__ import annotations

import pytest

from contracts.plan import FeasiblePlan, InfeasibilityCertificate
from contracts.requirement import Requirement
from tasks.planning import planner, solving
from tasks.planning.certificates import minimal_core
from tasks.planning.lenses import counting
from tasks.planning.lowering import lower
from tasks.planning.planner import check_claim, plan
from tasks.requirement.compiler import compile_requirement


def planned(text: str) -> FeasiblePlan | InfeasibilityCertificate:
    requirement = Requirement(text=text)
    return plan(compile_requirement(requirement, {}), requirement)


SIZES = [
    ("two-byte input", "one byte", 65_536, 256),
    ("pair of arbitrary bytes", "exactly one output byte", 65_536, 256),
    ("9-bit value", "1-byte code", 512, 256),
    ("3-digit decimal number", "an integer from 0 to 98", 900, 99),
    ("8-bit value", "a 2-digit decimal code", 256, 100),
    ("two-byte input", "a single ascii letter", 65_536, 52),
    ("4-bit value", "a decimal digit", 16, 10),
]


@pytest.mark.parametrize(("domain", "codomain", "members", "values"), SIZES)
def test_a_lossless_map_into_too_few_values_is_proven(domain: str, codomain: str, members: int, values: int) -> None:
    found = planned(f"Write an encoder that maps every {domain} to {codomain}. No information is lost.")
    assert isinstance(found, InfeasibilityCertificate)
    assert found.lens == "counting"
    assert [(item.low, item.high) for item in found.domains] == [(members, values)]
    assert len(found.constraints) == 2


@pytest.mark.parametrize(
    ("domain", "codomain"),
    [
        ("8-bit value", "1-byte code"),
        ("3-digit decimal number", "an integer from 0 to 899"),
        ("english letter", "an integer from 1 to 26"),
        ("two-byte input", "two bytes"),
    ],
)
def test_a_range_that_may_be_large_enough_is_left(domain: str, codomain: str) -> None:
    """Three digits may start with zero or not: a domain is taken at its smallest, a range at its largest."""
    text = f"Write an encoder that maps every {domain} to {codomain}. No information is lost."
    assert isinstance(planned(text), FeasiblePlan)


PROVEN = [
    "Build a lossless encoder that maps every two-byte input to one byte and a decoder that restores the input.",
    "Build an encoder that maps every two-byte input to one byte and a decoder that restores the original input.",
    "Write a tool that losslessly compresses every possible file to a shorter one.",
    "Assign each of the 30 students a different seat number between 1 and 25.",
    "Write a program that gives each of 30 students a seat number between 1 and 25. No two students share a seat.",
    "Write a program that puts all 100 books into 9 boxes. Each box holds at most 10 books.",
    "Distribute all 61 pupils over 4 buses. No bus takes more than 15 pupils.",
    "Write a program that seats all 45 guests at 5 tables, at most 8 guests per table.",
    "# Seats\n\nAssign each of the 30 students a different seat number between 1 and 25.\n\nPrint the result.",
]


@pytest.mark.parametrize("text", PROVEN)
def test_pigeonholes_and_capacities_are_proven_and_the_claim_holds(text: str) -> None:
    requirement = Requirement(text=text)
    spec = compile_requirement(requirement, {})
    found = plan(spec, requirement)
    assert isinstance(found, InfeasibilityCertificate)
    assert check_claim(found, spec, requirement) is None


LEFT = [
    "Write a hash function that maps every two-byte input to one byte.",
    "Write an encoder that maps most two-byte inputs to one byte. No information is lost.",
    "Write an encoder that maps every two-byte input to one byte. No information is lost for ASCII.",
    "Write an encoder that maps every two-byte input to one byte or fails. No information is lost.",
    "Write an encoder that maps every two-byte input of the table to one byte. No information is lost.",
    "Write an encoder that maps every two-byte input to one byte. No information is lost. Rare inputs are refused.",
    "Write a lossy encoder that maps every two-byte input to one byte.",
    "Assign each of the 30 students a seat number between 1 and 25. No two teachers share a seat.",
    "Assign each of the 30 students a different seat number between 1 and 25. Five students stand.",
    "Assign each of the 30 students a seat number between 1 and 25. No two students share a desk.",
    "Assign each of the 30 students a seat number between 1 and 25. No two students share a seat today.",
    "Assign each of the 30 students a priority between 1 and 25. No two students share a priority.",
    "Write a program that puts all 100 books into 9 boxes. Each box holds at most 10 papers.",
    "Write a program that puts all 100 books into 9 boxes. Each crate holds at most 10 books.",
    "Write a program that puts all 100 books into 9 boxes. Each box holds at most 10 books. Buy more boxes.",
    "Write a program that puts all 100 books into at least 9 boxes. Each box holds at most 10 books.",
    "# In tests\n\n## Small rooms\n\nAssign each of the 30 students a different seat number between 1 and 25.",
    "Two plans:\n\n- Assign each of the 30 students a different seat number between 1 and 25.\n",
    "Assign each of the 30 students a different seat number between 1 and 25. Put all 9 books into 2 boxes.",
]


@pytest.mark.parametrize("text", LEFT)
def test_look_alikes_are_never_proven(text: str) -> None:
    """Law 7: each differs from a proven one by a condition, an escape, or another thing that is meant."""
    assert isinstance(planned(text), FeasiblePlan)


def test_too_many_different_integers_need_no_solver(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(solving, "available", lambda: False)
    found = planned("Write a program that prints 30 distinct integers between 1 and 29.")
    assert isinstance(found, InfeasibilityCertificate)
    assert all(item.expression is None for item in found.relaxations)
    assert isinstance(planned("Write a program that prints 30 distinct integers between 1 and 30."), FeasiblePlan)


def test_a_counting_lens_that_lies_is_found_out(monkeypatch: pytest.MonkeyPatch) -> None:
    """Law 7."""
    text = "Write a program that puts all 90 books into 9 boxes. Each box holds at most 10 books."
    monkeypatch.setattr(counting, "overfull", lambda items: len(items) == 2)
    core, _ = minimal_core(lower(Requirement(text=text)), counting.overfull)
    assert len(core) == 2
    assert isinstance(planned(text), FeasiblePlan)


def test_another_size_than_that_of_the_text_is_refused() -> None:
    """Law 7: a sound certificate whose box count is not the one of the text."""
    texts = [f"Put all 100 books into {count} boxes. Each box holds at most 10 books." for count in (9, 10)]
    few, enough = (Requirement(text=text) for text in texts)
    sound, spec = planned(texts[0]), compile_requirement(enough, {})
    assert isinstance(sound, InfeasibilityCertificate)
    assert planner.check_claim(sound, compile_requirement(few, {}), few) is None
    moved = sound.model_copy(update={"build_spec": spec.seal()})
    assert "does not state" in str(check_claim(moved, spec, enough))

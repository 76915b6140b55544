"""Plans cover every criterion; infeasibility is claimed only with a checked proof, and never of what can be done."""

from __future__ import annotations

from pathlib import Path
from time import process_time

import pytest

from contracts.plan import FeasiblePlan, InfeasibilityCertificate
from contracts.requirement import BuildSpec, Category, Requirement
from contracts.verdict import FailureSignature
from tasks.planning import lenses, planner, solving
from tasks.planning.checker import check_certificate
from tasks.planning.planner import PlanError, plan
from tasks.requirement.compiler import compile_requirement

SAMPLES = Path(__file__).parents[3] / "examples"
DECLARED = "Write a program that chooses two integers x and y and prints them. "


def planned(text: str) -> FeasiblePlan | InfeasibilityCertificate:
    requirement = Requirement(text=text)
    return plan(compile_requirement(requirement, {}), requirement)


def sample(name: str) -> str:
    return (SAMPLES / name / "requirement.md").read_text(encoding="utf-8")


def test_the_infeasible_sample_is_proven_with_its_minimal_set() -> None:
    text = sample("infeasible")
    found = planned(text)
    assert isinstance(found, InfeasibilityCertificate)
    assert check_certificate(found) is None
    assert [item.text for item in found.constraints] == [
        "Each of them lies between 1 and 20",
        "x is smaller than y",
        "y is at most 10",
        "The sum of x, y and z is exactly 45",
    ]
    assert all(text[span.start : span.end] == item.text for item in found.constraints for span in item.spans)


@pytest.mark.parametrize("name", ["contracts", "empty", "vague", "words"])
def test_the_other_samples_get_a_step_for_every_criterion(name: str) -> None:
    requirement = Requirement(text=sample(name))
    spec = compile_requirement(requirement, {})
    found = plan(spec, requirement)
    assert isinstance(found, FeasiblePlan)
    assert [step.criterion for step in found.steps] == [item.id for item in spec.acceptance_criteria]
    assert found.lenses == lenses.NAMES
    assert found.failures == ()
    hard = {atom.id for atom in spec.requirement_atoms if atom.strength == "hard"}
    assert {item.atom for item in found.coverage} >= hard - {item.atom for item in spec.quality} - {
        atom.id for atom in spec.requirement_atoms if atom.category is Category.AMBIGUITY
    }


INFEASIBLE_PAIRS = [
    ("Each is between 1 and 10. x + y = 21.", "Each is between 1 and 10. x + y = 20."),
    (
        "x is between 1 and 5. y is between 1 and 5. x is at least y plus 5.",
        "x is between 1 and 5. y is between 1 and 5. x is at least y plus 4.",
    ),
    (
        "Both are between 1 and 3. x is even. y is even. They are different.",
        "Both are between 1 and 4. x is even. y is even. They are different.",
    ),
    (
        "Each lies between 2 and 6. x is smaller than y. y is smaller than x.",
        "Each lies between 2 and 6. x is smaller than y. y is at most 6.",
    ),
    (
        "Both lie between 1 and 9. The product of x and y is 11.",
        "Both lie between 1 and 9. The product of x and y is 12.",
    ),
    (
        "x is between 1 and 9. y is exactly 3. x is twice y. x is odd.",
        "x is between 1 and 9. y is exactly 3. x is twice y. x is even.",
    ),
    ("1 <= x <= 4. 1 <= y <= 4. x * y > 16.", "1 <= x <= 4. 1 <= y <= 4. x * y >= 16."),
    (
        "Each is between 1 and 20. x is divisible by 7. x is divisible by 3.",
        "Each is between 1 and 21. x is divisible by 7. x is divisible by 3.",
    ),
]


@pytest.mark.parametrize(("never", "possible"), INFEASIBLE_PAIRS)
def test_pairs_that_differ_in_a_word_or_a_number(never: str, possible: str) -> None:
    started = process_time()
    found = planned(DECLARED + never)
    assert isinstance(found, InfeasibilityCertificate)
    assert check_certificate(found) is None
    assert process_time() - started < 2
    assert isinstance(planned(DECLARED + possible), FeasiblePlan)


FEASIBLE = [
    # conditions that a naive check of bounds drops
    "A valid file gives exit status exactly 0. An invalid file gives exit status exactly 2.",
    "The exit status is exactly 0 when the file is valid. The exit status is exactly 2 when it is not.",
    "Retry at least 5 times in production. Retry at most 3 times under test.",
    "In production the client retries at least 5 times; in tests it retries at most 3 times.",
    "A batch has at most 10 items for free users. A batch has at least 100 items for paying users.",
    "A read answers with status exactly 200. A write answers with status exactly 201.",
    # the same with declared integers, where the bounds are really lowered
    DECLARED + "x is at most 3 in production. x is at least 5 under test.",
    DECLARED + "If the file is valid, x is exactly 0. If it is not, x is exactly 2.",
    DECLARED + "For free users x is at most 10. For paying users x is at least 100.",
    DECLARED + "x is between 1 and 3. x is at least 4. If there is no such pair, print NONE.",
    DECLARED + "x is between 1 and 3. x is at least 4. These bounds hold in different releases only.",
    DECLARED + "Each is between 1 and 3. x is at least 4 or y is 2.",
    DECLARED + "x is at least 4. x is more than y. Print x first.",
    "# Modes\n\n" + DECLARED + "\n\n## Normal mode\n\nx is between 1 and 3.\n\n## Turbo mode\n\nx is at least 4.\n",
    # filters that nothing passes have an empty output
    "Print the lines that are both longer than 5 characters and shorter than 3 characters.",
    "Print all integers that are even and odd.",
]


@pytest.mark.parametrize("text", FEASIBLE)
def test_what_can_be_done_is_never_called_infeasible(text: str) -> None:
    found = planned(text)
    assert isinstance(found, FeasiblePlan)


def test_a_certificate_that_the_checker_refuses_is_never_issued(monkeypatch: pytest.MonkeyPatch) -> None:
    """Law 7: a solver that lies."""
    text = DECLARED + "Each is between 1 and 9. x is smaller than y."
    monkeypatch.setattr(solving, "refuted", lambda items, _: len(items) > 1)
    found = planned(text)
    assert isinstance(found, FeasiblePlan)
    (failure,) = found.failures
    assert failure.signature is FailureSignature.INFEASIBILITY_UNPROVEN
    assert "no checker could confirm it" in failure.detail
    assert len(failure.spans) == 2


def test_a_clause_about_the_exit_status_that_was_not_read_holds_a_claim_back_and_refuses_nothing() -> None:
    """Law 7: the claim would be refused, and a refused claim must not end a build that may be possible."""
    text = "Write a program that reads an integer n between 1 and 9 and prints an integer m. m equals n. "
    text += "If n is even, the exit status is 0. If n is at least 8, the exit status is 1. "
    assert isinstance(planned(text), InfeasibilityCertificate)
    found = planned(text + "On success the program exits with status 0.")
    assert isinstance(found, FeasiblePlan)
    assert found.failures == ()


def test_a_claim_about_anything_but_this_text_is_refused() -> None:
    """Law 7, law 5: sound certificates, each of something else."""
    requirement = Requirement(text=DECLARED + "Each is between 1 and 9. x is at least 12. y is even.")
    spec = compile_requirement(requirement, {})
    sound = plan(spec, requirement)
    assert isinstance(sound, InfeasibilityCertificate)
    assert planner.check_claim(sound, spec, requirement) is None
    other = sound.constraints[0].model_copy(update={"text": "x is at most 9"})
    wide, narrow = (
        item.model_copy(update={"variable": "x", "high": high})
        for item, high in ((sound.domains[0], 99), (sound.domains[0], 1))
    )
    faults = {
        "another requirement": sound.model_copy(update={"build_spec": "sha256:" + "0" * 64}),
        "does not state": sound.model_copy(update={"constraints": (other, *sound.constraints[1:])}),
        "assignments": sound.model_copy(update={"domains": (wide, *sound.domains[1:])}),
        "domain of x": sound.model_copy(update={"domains": (narrow, *sound.domains[1:])}),
    }
    for words, fault in faults.items():
        assert words in str(planner.check_claim(fault, spec, requirement))
    escaped = Requirement(text=requirement.text + " If there is no such pair, print NONE.")
    spec = compile_requirement(escaped, {})
    moved = sound.model_copy(update={"build_spec": spec.seal()})
    assert "may restrict the others" in str(planner.check_claim(moved, spec, escaped))


def test_without_the_solver_nothing_is_proven_and_the_plan_says_so(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(solving, "available", lambda: False)
    found = planned(sample("infeasible"))
    assert isinstance(found, FeasiblePlan)
    assert found.lenses == tuple(name for name in lenses.NAMES if name != "formal")
    assert any("z3 is not installed" in hint.text for hint in found.hints)


def test_another_requirement_than_that_of_the_spec_is_refused() -> None:
    """Law 5."""
    spec: BuildSpec = compile_requirement(Requirement(text="Print the sum."), {})
    with pytest.raises(PlanError):
        planner.plan(spec, Requirement(text="Print the product."))

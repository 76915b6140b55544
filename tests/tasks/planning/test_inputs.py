"""Integers that the program is given: assumptions and obligations are told apart, and a proof names an input."""

from __future__ import annotations

import pytest

from contracts.plan import FeasiblePlan, InfeasibilityCertificate, Setting
from contracts.requirement import Requirement
from tasks.planning.checker import check_certificate
from tasks.planning.planner import check_claim, plan
from tasks.requirement.compiler import compile_requirement

READS = "Write a program that reads an integer n between 1 and 9 and prints an integer m. "


def planned(text: str) -> FeasiblePlan | InfeasibilityCertificate:
    requirement = Requirement(text=text)
    return plan(compile_requirement(requirement, {}), requirement)


def certified(text: str) -> InfeasibilityCertificate:
    found = planned(text)
    assert isinstance(found, InfeasibilityCertificate)
    return found


@pytest.mark.parametrize(
    ("text", "inputs"),
    [
        (READS + "m is greater than n. m is at most 9.", {9}),
        (READS + "If n is even, m is 0. If n is greater than 6, m is 1.", {8}),
        (READS + "n is odd. m equals n. m is at most 7.", {9}),
        (READS + "m is 2 * n. m is divisible by 3. m is less than 20.", {1, 2, 4, 5, 7, 8}),
        (READS + "m equals n. If n is even, the exit status is 0. If n is at least 8, the exit status is 1.", {8}),
    ],
)
def test_the_proof_names_an_input_that_nothing_serves(text: str, inputs: set[int]) -> None:
    found = certified(text)
    assert {item.variable for item in found.given} == {"n"}
    assert found.given[0].value in inputs


@pytest.mark.parametrize(
    "rest",
    [
        "m is greater than n. m is at most 10.",
        "m is greater than n. m is at most 9. n is less than 9.",
        "m is greater than n. m is at most 9. The input is never the greatest.",
        "m is greater than n. m is at most 9. Other inputs are refused.",
        "n is 10. m is 1. m is 2.",
        "m is 1 if n is even. m is 2 if n is odd.",
        "m equals n. If n is even, the exit status is 0. If the file is bad, the exit status is 1.",
    ],
)
def test_what_restricts_the_input_is_no_obligation(rest: str) -> None:
    """Law 7: one boundary, assumption or clause away from a contradiction."""
    assert isinstance(planned(READS + rest), FeasiblePlan)


def test_an_input_without_stated_bounds_is_never_the_ground_of_a_proof() -> None:
    """An author who states no range has said nothing of the inputs that cannot be served."""
    text = "Write a program that reads an integer n and prints an integer m. m is greater than n. m is at most 9."
    assert isinstance(planned(text), FeasiblePlan)


def test_claims_about_another_input_are_refused() -> None:
    """Law 7, law 5."""
    requirement = Requirement(text=READS + "n is odd. m equals n. m is at most 7.")
    spec = compile_requirement(requirement, {})
    found = plan(spec, requirement)
    assert isinstance(found, InfeasibilityCertificate)
    assert check_claim(found, spec, requirement) is None
    faults = {
        "the domain of m": (Setting(variable="n", value=7),),
        "not one that the text allows": (Setting(variable="n", value=8),),
        "is not the one": (Setting(variable="k", value=9),),
        "not the one that the program": (),
    }
    for words, given in faults.items():
        assert words in str(check_claim(found.model_copy(update={"given": given}), spec, requirement)), words
    twice = (*found.given, *found.given)
    assert "twice" in str(check_certificate(found.model_copy(update={"given": twice})))


def test_a_relaxation_that_does_not_help_is_refused() -> None:
    """Law 7."""
    text = "Write a program that chooses two integers x and y and prints them. Both are between 1 and 5. x + y = 11."
    found = certified(text)
    assert found.relaxations
    for item in found.relaxations:
        stated = next(known for known in found.constraints if known.id == item.constraint)
        useless = item.model_copy(update={"expression": stated.expression})
        assert "does not help" in str(check_certificate(found.model_copy(update={"relaxations": (useless,)})))
        blind = item.model_copy(update={"witness": item.witness[1:]})
        assert "does not help" in str(check_certificate(found.model_copy(update={"relaxations": (blind,)})))
        unknown = item.model_copy(update={"constraint": "c-00000000"})
        assert "does not help" in str(check_certificate(found.model_copy(update={"relaxations": (unknown,)})))


@pytest.mark.parametrize(
    ("never", "possible"),
    [
        (
            "Write a program that prints a list of six positive integers. The sum of all items is 5.",
            "Write a program that prints a list of six positive integers. The sum of all items is 6.",
        ),
        (
            "The program prints the steps wash, dry and fold in some order. fold comes first. dry comes before fold.",
            "The program prints the steps wash, dry and fold in some order. fold comes last. dry comes before fold.",
        ),
        (
            "The program prints the steps wash, dry and fold in an order such that wash comes directly before dry "
            "and fold comes directly after wash.",
            "The program prints the steps wash, dry and fold in an order such that wash comes directly before dry "
            "and fold comes after wash.",
        ),
        (
            "The exit status is 0. The program exits with status 2.",
            "The exit status is 0. The program exits with status 2 on Sundays.",
        ),
        (
            "The exit status is 0. The exit code is 2.",
            "The exit status is 0. Otherwise it is 2.",
        ),
    ],
)
def test_lists_orders_and_the_exit_status(never: str, possible: str) -> None:
    certified(never)
    assert isinstance(planned(possible), FeasiblePlan)


BLOCK = """Write a program that prints integers that satisfy this:

```json
{"variables": {"x": {"min": 1, "max": 5}, "y": [1, 5]}, "constraints": [CONSTRAINT]}
```
"""


@pytest.mark.parametrize(
    ("constraint", "prose", "proven"),
    [
        ('"x + y = 11"', "", True),
        ('"x + y = 10"', "", False),
        ('{"coefficients": {"x": 2, "y": 2}, "relation": "=", "bound": 7}', "", True),
        ('{"coefficients": {"x": 2, "y": 2}, "relation": "=", "bound": 8}', "", False),
        ('"x + y = 10"', "x is at most 4.", True),
        ('"x + y = 11"', "If nothing satisfies it, print NONE.", False),
        ('"x + y = eleven"', "", False),
        ('{"coefficients": {"w": 2}, "relation": "=", "bound": 7}', "", False),
        ('{"coefficients": {"x": 2}, "relation": "=", "bound": 7, "when": "night"}', "", False),
    ],
)
def test_a_formal_block_is_read_with_the_prose_around_it(constraint: str, prose: str, *, proven: bool) -> None:
    text = BLOCK.replace("CONSTRAINT", constraint) + prose
    found = planned(text)
    assert isinstance(found, InfeasibilityCertificate) == proven
    if isinstance(found, InfeasibilityCertificate):
        assert all(text[span.start : span.end] == item.text for item in found.constraints for span in item.spans)


def test_a_formal_block_that_the_program_reads_is_no_constraint() -> None:
    text = BLOCK.replace("CONSTRAINT", '"x + y = 11"')
    for opening in ("Write a program that checks blocks such as this:", "An example of an input is this:"):
        changed = text.replace("Write a program that prints integers that satisfy this:", opening)
        assert isinstance(planned(changed), FeasiblePlan)

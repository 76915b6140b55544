"""Before anybody writes code: examples against rules, formal blocks against prose, statements without a judge."""

from __future__ import annotations

import pytest

from contracts.plan import FeasiblePlan, InfeasibilityCertificate
from contracts.requirement import BuildSpec, Requirement
from contracts.verdict import FailureSignature
from tasks.planning.briefing import briefing
from tasks.planning.coverage import boundaries, coverage, unjudged
from tasks.planning.planner import plan
from tasks.requirement.compiler import compile_requirement

READS = "Write a program that reads an integer n between 1 and 9 and prints an integer m. m is 2 * n. "


def compiled(text: str) -> tuple[BuildSpec, FeasiblePlan | InfeasibilityCertificate]:
    requirement = Requirement(text=text)
    spec = compile_requirement(requirement, {})
    return spec, plan(spec, requirement)


def failures(text: str) -> list[tuple[FailureSignature, str]]:
    _, found = compiled(text)
    assert isinstance(found, FeasiblePlan)
    return [(item.signature, item.detail) for item in found.failures]


def test_an_example_that_the_rule_denies_is_a_contradiction_with_both_spans() -> None:
    """DEC-09."""
    text = READS + "For example, `4` gives `9`."
    _, found = compiled(text)
    assert isinstance(found, FeasiblePlan)
    (failure,) = found.failures
    assert failure.signature is FailureSignature.CONTRADICTORY_REQUIREMENT
    assert [text[span.start : span.end] for span in failure.spans] == ["For example, `4` gives `9`", "m is 2 * n"]


@pytest.mark.parametrize(
    "rest",
    [
        "For example, `4` gives `8`.",
        "For example, `4` gives `NONE`.",
        "For example, `4 4` gives `9`.",
        "Odd results are rounded up. For example, `4` gives `9`.",
        "If n is 4, other rules apply. For example, `4` gives `9`.",
    ],
)
def test_an_example_that_may_be_an_exception_is_none(rest: str) -> None:
    """Law 7."""
    assert failures(READS + rest) == []


CHOOSES = "Write a program that chooses two integers x and y. Both are between 1 and 6. x + y = {}. Formally:\n\n"
BLOCK = '```json\n{{"variables": {{"x": [1, {}], "y": [1, 6]}}, "constraints": ["x + y = {}"]}}\n```\n'


def test_a_formal_block_that_says_the_same_says_nothing_new() -> None:
    _, found = compiled(CHOOSES.format(10) + BLOCK.format(6, 10))
    assert isinstance(found, FeasiblePlan)
    assert found.failures == ()
    assert [hint for hint in found.hints if hint.kind == "disagreement"] == []


def test_a_formal_block_that_says_more_is_reported() -> None:
    text = CHOOSES.format(10) + BLOCK.format(5, 10)
    _, found = compiled(text)
    assert isinstance(found, FeasiblePlan)
    assert found.failures == ()
    (hint,) = (hint for hint in found.hints if hint.kind == "disagreement")
    assert hint.text == 'the formal block says, and the prose does not: "x": [1, 5]'
    assert hint.span is not None
    assert text[hint.span.start : hint.span.end] == '"x": [1, 5]'


def test_a_formal_block_and_prose_that_exclude_each_other_are_a_contradiction() -> None:
    """Which of the two is meant, their author must say: nothing is proven of either."""
    ((signature, detail),) = failures(CHOOSES.format(10) + BLOCK.format(6, 11))
    assert signature is FailureSignature.CONTRADICTORY_REQUIREMENT
    assert "the prose says, and the formal block does not: x + y = 10" in detail


def test_every_hard_statement_has_a_file_probes_and_a_judge() -> None:
    spec, found = compiled("Write a CSV tool that prints the sum of the column. If the file is empty, print `0`.")
    assert isinstance(found, FeasiblePlan)
    assert found.coverage == coverage(spec)
    judges = {item.judge for item in found.coverage}
    assert {"conditional", "reading"} <= judges
    assert all(item.file == spec.interface.entry for item in found.coverage)


def test_a_statement_without_a_judge_ends_the_build() -> None:
    """Law 7, law 3."""
    spec, _ = compiled("Print the sum of the column. If the file is empty, print `0`.")
    assert unjudged(spec) == ()
    blind = spec.model_copy(update={"acceptance_criteria": ()})
    found = unjudged(blind)
    assert found
    assert {item.signature for item in found} == {FailureSignature.UNPROVEN_REQUIREMENT}


def test_the_coder_is_told_where_behaviour_changes() -> None:
    spec, found = compiled(
        "Write a CSV tool that flags contracts whose expiration_date is less than 90 days ahead. "
        "Print the sum of the first n odd numbers."
    )
    assert isinstance(found, FeasiblePlan)
    assert 90 in {item.value for item in boundaries(spec)}
    told = "\n".join(briefing(found))
    assert ": on 90, just below and just above" in told
    assert "n**2" in told
    assert "not installed" not in told

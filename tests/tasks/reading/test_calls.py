"""Generated calls (DEC-14, DEC-09): reproducible, typed, near the examples, with a standing that the text decides."""

from __future__ import annotations

from collections import Counter
from typing import Any

import pytest

from contracts.probe import ArgumentExpectation, CallProbe, ProbePlan, TypeExpectation
from contracts.requirement import BuildSpec, Requirement
from contracts.value import decode
from contracts.valuetype import ValueType, conforms
from tasks.reading.calls import GENERATED, calls_of
from tasks.reading.libraries import call_examples, further_calls, generated_calls
from tasks.reading.shown import is_edge, shown_traits, unshown
from tasks.requirement.compiler import compile_requirement

TOP = (
    'def top(scores: list[int], count: int) -> list[int]:\n    """Return the count largest scores, largest first.\n'
    "    1 <= count <= 50\n    >>> top([3, 1, 2], 2)\n    [3, 2]\n    >>> top([5, 9, 7, 8], 3)\n    [9, 8, 7]\n"
    '    Do not modify the input list.\n    """\n'
)


def spec_of(text: str) -> BuildSpec:
    return compile_requirement(Requirement(text=text), {})


def given(probe: Any) -> tuple[Any, ...]:
    assert isinstance(probe, CallProbe)
    return tuple(map(decode, probe.arguments))


def test_at_least_two_hundred_inputs_all_of_the_type() -> None:
    (calls,) = calls_of(spec_of(TOP), 1)
    assert len(calls.generated) >= GENERATED
    kinds = [item.type for item in calls.function.parameters]
    assert all(all(map(conforms, item, kinds)) for item in (*calls.generated, *calls.near))
    lengths = Counter(len(scores) for scores, _ in calls.generated)
    assert {0, 1, 2} <= set(lengths)
    assert max(lengths) >= 300
    assert {1, 50} <= {count for _, count in calls.generated}


def test_the_seed_decides_them() -> None:
    assert generated_calls(spec_of(TOP), 7) == generated_calls(spec_of(TOP), 7)
    assert generated_calls(spec_of(TOP), 7) != generated_calls(spec_of(TOP), 8)


def test_near_calls_change_one_argument_of_an_example() -> None:
    near = [given(case.probe) for case in generated_calls(spec_of(TOP), 1).near]
    examples = [([3, 1, 2], 2), ([5, 9, 7, 8], 3)]
    assert ([2, 1, 3], 2) in near
    assert ([3, 1, 2], 3) in near
    assert not set(map(repr, near)) & set(map(repr, examples))


def test_what_holds_of_every_call_is_expected_of_every_call() -> None:
    cases = [*call_examples(spec_of(TOP)), *generated_calls(spec_of(TOP), 1).wide]
    for case in cases:
        kept = [item for item in case.expectations if isinstance(item, ArgumentExpectation)]
        assert isinstance(case.probe, CallProbe)
        assert case.probe.watched
        assert tuple(item.value for item in kept) == case.probe.arguments
        assert TypeExpectation(type=ValueType(name="list", of=(ValueType(name="int"),))) in case.expectations


def test_further_calls_are_none_of_the_plan() -> None:
    spec = spec_of(TOP)
    wide, near = generated_calls(spec, 5)
    plan = ProbePlan(build_spec=spec.seal(), seed=5, cases=(*call_examples(spec), *wide, *near))
    further = further_calls(spec, plan)
    assert further
    assert not {repr(given(item)) for item in further} & {repr(given(case.probe)) for case in plan.cases}


@pytest.mark.parametrize(
    ("call", "missing"),
    [
        (([4, 5],), set()),
        (([],), {"empty"}),
        (([4],), {"single"}),
        (([4, 4],), {"twice"}),
        (([4, -5],), {"negative"}),
        (([4, "x"],), {"mixed", "text", "char x"}),
        (([4, 2.5],), {"mixed", "float"}),
    ],
)
def test_traits_that_no_example_shows(call: tuple[Any, ...], missing: set[str]) -> None:
    assert unshown(call, shown_traits("Sum them.", [([2, 3],), ([7, 9, 8],)])) == missing


def test_text_names_what_examples_do_not_show() -> None:
    shown = shown_traits("Return 0 for an empty list; negative numbers count twice.", [([2, 3],)])
    assert not unshown(([],), shown)
    assert not unshown(([-2, 3],), shown)
    assert unshown(([],), shown_traits("Sum of a non-empty list.", [([2, 3],)])) == {"empty"}


def test_a_pair_that_falls_is_outside_only_where_the_text_orders_its_ends() -> None:
    """DEC-09: "with start <= end" leaves undecided what a pair does that has them the other way round."""
    rising = [([[1, 3], [2, 6]],)]
    assert unshown(([[3, 1], [2, 6]],), shown_traits("A list of start and end, with start <= end.", rising))
    assert not unshown(([[3, 1], [2, 6]],), shown_traits("A list of points; 1 <= n.", rising))
    assert not unshown(([3, 1],), shown_traits("Sort them so that a <= b.", [([1, 2, 3],)]))


def test_enough_characters_stand_for_their_class_and_few_do_not() -> None:
    words = shown_traits("Count.", [("abc",)])
    assert not unshown(("xyz",), words)
    assert unshown(("Xyz",), words) == {"char X"}
    assert unshown(("012",), shown_traits("Add.", [("0110",)])) == {"char 2"}
    assert "unbalanced" in unshown(("())",), shown_traits("Nest.", [("(())",)]))
    assert unshown(("1 apple and 2 plums",), shown_traits("Count.", [("3 pears and 4 figs",)]))


def test_standing_follows_from_the_traits() -> None:
    cases = generated_calls(spec_of(TOP), 1).wide
    standings = {repr(given(case.probe)[0]): case.standing for case in cases if given(case.probe)[1] > 1}
    assert standings["[]"] == "edge"
    assert {case.standing for case in cases} == {"shown", "edge", "outside"}


def test_how_two_arguments_compare_puts_no_call_outside() -> None:
    """Law 7: a crash on an empty list, which the text speaks of, must not count as outside beside another number."""
    shown = shown_traits("For an empty list return 0.", [([4, 5, 6], 2)])
    assert not unshown(([], 2), shown)
    assert is_edge(unshown(([4, 5, 6], 9), shown))
    assert not is_edge(unshown(([4, -5, 6], 2), shown))


def test_a_small_domain_is_exhausted() -> None:
    (calls,) = calls_of(spec_of('def flip(on: bool) -> bool:\n    """Negate on."""\n'), 1)
    assert sorted(calls.generated) == [(False,), (True,)]

"""Texts, budgets, graphs and functions: pairs that differ in a word or a number, and look-alikes that prove nothing."""

from __future__ import annotations

import pytest

from contracts.plan import FeasiblePlan, InfeasibilityCertificate
from contracts.requirement import Requirement
from tasks.planning.lowering import lower
from tasks.planning.planner import check_claim, plan
from tasks.requirement.compiler import compile_requirement

PASSWORD = "Write a program that prints a password of exactly 8 characters. "
STEPS = "The program runs the steps load, parse and save one after another. "
FUNCTION = "Write a program that prints a function f from { 1, 2, 3 } to { 1, 2, 3 }. "
GRAPH = "Write a program that prints a simple graph with 6 nodes. "


def planned(text: str) -> FeasiblePlan | InfeasibilityCertificate:
    requirement = Requirement(text=text)
    spec = compile_requirement(requirement, {})
    found = plan(spec, requirement)
    if isinstance(found, InfeasibilityCertificate):
        assert check_claim(found, spec, requirement) is None
    return found


PAIRS = [
    (PASSWORD + "It contains at least 5 digits and at least @ letters.", "4", "3"),
    (PASSWORD + "The password contains at least 9 @.", "vowels", "vowels and digits, and is 9 characters long"),
    (PASSWORD + "At least 5 of them are digits, and at least @ are letters.", "4", "3"),
    (PASSWORD + "All characters must be digits. The password has @.", "at least one letter", "no spaces"),
    (PASSWORD + "If it has at least 8 characters, it has at least 2 spaces. It contains @ spaces.", "no", "7"),
    (PASSWORD + "It contains at least @ words.", "5", "4"),
    (PASSWORD + "It contains the word 'unbreak@'.", "able", ""),
    (STEPS + "Each step takes at least 20 seconds. The run takes at most @.", "59 seconds", "1 minute"),
    (STEPS + "load takes at least 2 minutes. The whole run must finish within @ seconds.", "119", "120"),
    (STEPS + "Together the steps take less than 3 s. Each step takes @ 1 s.", "at least", "less than"),
    ("A page consists of header and body. The header has 10 lines. The page has at most @ lines.", "9", "10"),
    ("Write a program that writes a file. The file is at least 2 MB. The file is at most @ KB.", "900", "2048"),
    (FUNCTION + "f is one-to-one. f(1) = 2. f(2) = @.", "2", "3"),
    (FUNCTION + "f(f(x)) = x for every x. f(1) = 2. f(2) is @.", "3", "1"),
    (FUNCTION + "f is strictly increasing. f(1) is @.", "2", "1"),
    (GRAPH + "It has at least @ edges.", "16", "15"),
    (GRAPH + "It is connected. It has at most @ edges.", "4", "5"),
    (GRAPH + "Every node has exactly 3 neighbours. It has @ edges.", "8", "9"),
    (GRAPH + "It is planar. It has at least @ edges.", "13", "12"),
    ("Write a program that prints a simple graph. Its degrees are 3, 3, 2 and @.", "1", "2"),
]


@pytest.mark.parametrize(("text", "never", "possible"), PAIRS)
def test_a_word_or_a_number_decides(text: str, never: str, possible: str) -> None:
    found = planned(text.replace("@", never))
    assert isinstance(found, InfeasibilityCertificate)
    assert all(item.spans for item in (*found.constraints, *found.implied))
    other = planned(text.replace("@", possible))
    assert isinstance(other, FeasiblePlan)
    assert other.failures == ()


LOOK_ALIKES = [
    # another thing is meant
    PASSWORD + "The old password has at least 9 characters.",
    STEPS + "load takes at least 40 seconds. The test run takes at most 30 seconds.",
    # a value and a length, bits and bytes, a thousand and 1024
    "The program prints a key. The key is at most 5. The key has exactly 12 characters.",
    "Write a program that writes a file. The file is at least 10 Mb. The file is at most 2 MB.",
    "Write a program that writes a file. The file is at least 1000 KB. The file is at most 1 MB.",
    # classes that overlap
    PASSWORD + "It contains at least 6 vowels and at least 6 upper-case letters.",
    PASSWORD + "It contains at least 6 special characters and at least 6 spaces.",
    # parts with something between them, steps at the same time
    "A line consists of a name and a price. The name has at most 9 characters. The price has at most 5 characters. "
    "The line has at least 15 characters.",
    "The program runs the steps load and save. load takes 40 seconds. save takes 40 seconds. The run takes 1 minute.",
    # loops, parallel edges, directions
    "Write a program that prints a graph with 3 nodes and 9 edges.",
    "Write a program that prints a graph with 8 nodes in which every node has exactly 3 neighbours. It has 14 edges.",
    "Write a program that prints an acyclic graph with 4 nodes. It has 6 edges.",
    # real numbers between integers
    "The program waits before each retry. The wait is more than 1 ms. The wait is less than 2 ms.",
    # conditions, exceptions, other subjects in between
    PASSWORD + "For guests it has at least 9 characters.",
    PASSWORD + "It has at least 9 characters unless it is temporary.",
    STEPS + "Each step takes at least 20 seconds. The run takes at most 50 seconds. Steps may be skipped.",
    GRAPH + "It has at least 16 edges if loops count.",
]


@pytest.mark.parametrize("text", LOOK_ALIKES)
def test_what_only_looks_contradictory_is_neither_proven_nor_refused(text: str) -> None:
    """Law 7: each differs from a proven one by a subject, a unit, a scope or an overlap."""
    found = planned(text)
    assert isinstance(found, FeasiblePlan)
    assert found.failures == ()


def test_kinds_of_characters_that_no_sentence_tells_apart_are_one() -> None:
    found = lower(Requirement(text=PASSWORD + "It contains at least 2 digits."))
    names = {item.name for known in found.implied for part in known.expression.args for item in part.args}
    assert len(names - {None}) == 2


def test_times_are_real_numbers_and_counts_are_not() -> None:
    times = lower(Requirement(text=STEPS + "load takes at least 2 seconds."))
    assert times.continuous
    pages = lower(Requirement(text="A report consists of intro and end. The intro has 2 pages."))
    assert pages.constraints
    assert not pages.continuous

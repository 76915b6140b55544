"""Prose to constraints: whole sentences only, conditions never dropped, and nothing about what the program is given."""

from __future__ import annotations

import pytest

from contracts.plan import Expression
from contracts.requirement import Requirement
from tasks.planning.lowering import lower

DECLARED = "Write a program that chooses three integers x, y and z and prints them. "


def shown(expression: Expression) -> str:
    if expression.op == "variable":
        return str(expression.name)
    if expression.op == "integer":
        return str(expression.value)
    if expression.op == "not":
        return f"(not{shown(expression.args[0])})"
    return "(" + f" {expression.op} ".join(shown(item) for item in expression.args) + ")"


def lowered(sentence: str) -> list[str]:
    return [shown(item.expression) for item in lower(Requirement(text=DECLARED + sentence)).constraints]


UNDERSTOOD = [
    ("x is at most 10.", "(x <= 10)"),
    ("x is at least 3 and at most 10.", "((x >= 3) and (x <= 10))"),
    ("x is smaller than y.", "(x < y)"),
    ("y is greater than x plus 2.", "(y > (x + 2))"),
    ("x lies between 1 and 20.", "((1 <= x) and (x <= 20))"),
    ("Each of them is between 1 and 3.", "((1 <= x) and (x <= 3) and (1 <= y) and (y <= 3) and (1 <= z) and (z <= 3))"),
    ("x and y are even.", "(((x mod 2) = 0) and ((y mod 2) = 0))"),
    ("z is odd.", "((z mod 2) = 1)"),
    ("z is divisible by 7.", "((z mod 7) = 0)"),
    ("z is a multiple of 4.", "((z mod 4) = 0)"),
    ("The sum of x, y and z is exactly 45.", "(((x + y) + z) = 45)"),
    ("The product of x and y is 12.", "((x * y) = 12)"),
    ("Their sum is 9.", "(((x + y) + z) = 9)"),
    ("x + y = 12.", "((x + y) = 12)"),
    ("x - y >= 2 * z.", "((x - y) >= (2 * z))"),
    ("1 <= x < y <= 9.", "((1 <= x) and (x < y) and (y <= 9))"),
    ("x is twice y.", "(x = (2 * y))"),
    ("x equals y minus z.", "(x = (y - z))"),
    ("They are all different.", "(x different y different z)"),
    ("x is different from y.", "(x != y)"),
    ("x must be positive.", "(x > 0)"),
    ("x is at most 10, and y is at least 4.", "((x <= 10) and (y >= 4))"),
    ("x mod 5 is 2.", "((x mod 5) = 2)"),
    ("All three are at most 20.", "((x <= 20) and (y <= 20) and (z <= 20))"),
]


@pytest.mark.parametrize(("sentence", "wanted"), UNDERSTOOD)
def test_a_sentence_that_is_wholly_understood(sentence: str, wanted: str) -> None:
    assert lowered(sentence) == [wanted]


CONDITIONS = [
    ("If x is even, y is at most 3.", "(((x mod 2) = 0) implies (y <= 3))"),
    ("x is at most 3 when z is odd.", "(((z mod 2) = 1) implies (x <= 3))"),
    ("If x is 1 and y is 2, then z is 3.", "(((x = 1) and (y = 2)) implies (z = 3))"),
    ("If x is 1 or y is 2, z is 3.", "(((x = 1) or (y = 2)) implies (z = 3))"),
    ("x is 1 and y is 2 if z is 3.", "((z = 3) implies ((x = 1) and (y = 2)))"),
    ("If x is between 1 and 5, y is 2.", "(((1 < x) and (x < 5)) implies (y = 2))"),
    ("If x lies between 1 and 5 inclusive, y is 2.", "(((1 <= x) and (x <= 5)) implies (y = 2))"),
    ("If two of them are even, x is 1.", "((((x mod 2) = 0) count ((y mod 2) = 0) count ((z mod 2) = 0)) = 2)"),
]
CHOICES = [
    ("x is at most 3 or y is at most 3.", "((x <= 3) or (y <= 3))"),
    (
        "Each is at most 3 or at least 7.",
        "(((x <= 3) or (x >= 7)) and ((y <= 3) or (y >= 7)) and ((z <= 3) or (z >= 7)))",
    ),
    ("Either x is 1 and y is 2, or z is 3.", "(((x = 1) and (y = 2)) or (z = 3))"),
    ("x is one of 1, 3 and 5.", "((x = 1) or (x = 3) or (x = 5))"),
    ("x is either 2 or 4.", "((x = 2) or (x = 4))"),
    ("x is 2 or 4.", "((x = 2) or (x = 4))"),
    ("x is not divisible by 3.", "(not((x mod 3) = 0))"),
    ("x is not 7.", "(x != 7)"),
]
RELATIONS = [
    ("x is 3 more than y.", "(x = (y + 3))"),
    ("x is at least 3 less than y.", "(x >= (y - 3))"),
    ("The difference between x and y is 3.", "(((x - y) = 3) or ((y - x) = 3))"),
    ("x and y differ by at least 3.", "(((x - y) >= 3) or ((y - x) >= 3))"),
    ("x and y differ by at most 3.", "(((x - y) <= 3) and ((y - x) <= 3))"),
    ("x, y and z are in increasing order.", "((x <= y) and (y <= z))"),
    ("x, y and z are strictly decreasing.", "((z < y) and (y < x))"),
    ("They are all equal.", "((x = y) and (y = z))"),
    ("The average of x and y is 3.", "((x + y) = (2 * 3))"),
    ("The mean of x, y and z is at least 4.", "(((x + y) + z) >= (3 * 4))"),
    ("The mean of x and y, rounded down, is 3.", "(((x + y) div 2) = 3)"),
    ("Their average, rounded up, is at most 3.", "(((((x + y) + z) + 2) div 3) <= 3)"),
    ("x leaves a remainder of 2 when divided by 5.", "((x mod 5) = 2)"),
    ("Exactly two of them are even.", "((((x mod 2) = 0) count ((y mod 2) = 0) count ((z mod 2) = 0)) = 2)"),
    ("At most one of them is 7.", "(((x = 7) count (y = 7) count (z = 7)) <= 1)"),
    ("None of them is negative.", "(((x < 0) count (y < 0) count (z < 0)) = 0)"),
    ("No two of them are equal.", "(x different y different z)"),
    ("Exactly two of them are even and x is 1.", None),
]


@pytest.mark.parametrize(("sentence", "wanted"), [*CONDITIONS, *CHOICES, *RELATIONS])
def test_conditions_choices_and_relations_are_kept_whole(sentence: str, wanted: str | None) -> None:
    """Where a sentence can be scoped in two ways the weaker statement is read."""
    (found,) = lowered(sentence)
    if wanted is not None:
        assert wanted in found if sentence.startswith("If two") else found == wanted


@pytest.mark.parametrize(
    "sentence",
    [
        "If x is 1 and y is 2 or z is 3, x is 4.",
        "If the difference between x and y is 3, z is 4.",
        "x is 4 unless y is 3.",
        "x is 4 only if y is 3.",
        "If x is 1, y is 2, otherwise y is 3.",
        "If possible, x is 4.",
        "The mean of x and y, rounded, is 3.",
        "Two are even.",
        "x is 2 or 3 more than y.",
        "x is one of 1 and 3 more than y.",
        "x is 3 or more.",
        "x is divisible by 3 or 5.",
        "x and y are 3 and 4.",
        "Most of them are even.",
    ],
)
def test_what_could_be_meant_more_weakly_is_left(sentence: str) -> None:
    """Law 7: a wider condition or a stronger statement than the words surely make is never read."""
    assert lowered(sentence) == []


LEFT = [
    "Unless y is 4, x is at most 3.",
    "In production, x is at most 3.",
    "For free users x is at most 3.",
    "x is usually at most 3.",
    "x should ideally be at most 3.",
    "x is about 3.",
    "x may be at most 3.",
    "x is at most 3 in the first run.",
    "w is at most 3.",
    "x is smaller than y and z.",
    "x is at most 3, except on Sundays.",
    "Is x at most 3?",
    "x is at most 3 items.",
    "x is divisible by 0.",
]


@pytest.mark.parametrize("sentence", LEFT)
def test_a_word_too_many_leaves_the_sentence_unlowered(sentence: str) -> None:
    """Law 7: each is a bound with a condition, an alternative, a hedge or a doubt that a bounds check would drop."""
    text = DECLARED + sentence
    found = lower(Requirement(text=text))
    assert found.constraints == ()
    assert [text[span.start : span.end] for span in found.unlowered] == [sentence]


@pytest.mark.parametrize(
    "opening",
    [
        "Write a program that reads three integers x, y and z.",
        "Write a program that is given three integers x, y and z and prints them.",
        "For each row the program chooses three integers x, y and z.",
        "If asked, the program chooses three integers x, y and z.",
        "Write a program that chooses two integers x, y and z and prints them.",
        "Write a program that chooses three real numbers x, y and z and prints them.",
        "Write a program that chooses three integers x, y and z from the input and prints them.",
    ],
)
def test_only_integers_that_the_program_chooses_are_variables(opening: str) -> None:
    found = lower(Requirement(text=f"{opening} x is at most 3. x is at least 4."))
    assert found.constraints == ()


@pytest.mark.parametrize(
    "rest",
    [
        "If there is no such triple, print NONE.",
        "Where this is impossible, print NONE.",
        "These limits apply only in production.",
        "If x is even, ignore the rule about y.",
        "x may exceed its bound at night.",
        "One of the following holds.",
        "<!-- Old.",
        "At night other things count.",
    ],
)
def test_a_clause_that_could_soften_the_others_blocks_every_claim(rest: str) -> None:
    assert lower(Requirement(text=f"{DECLARED}x is at most 3. {rest}")).blocked


def test_a_heading_or_an_introduction_can_restrict_what_stands_under_it() -> None:
    text = "# T\n\n" + DECLARED + "\n\nIn production:\n\n- x is at most 3.\n\n## Under test\n\nx is at least 4.\n"
    assert lower(Requirement(text=text)).constraints == ()


def test_a_plain_list_of_constraints_is_in_force() -> None:
    text = "# T\n\n" + DECLARED + "\n\n## Constraints\n\n- x is at most 3.\n- y is at least 4.\n"
    assert len(lower(Requirement(text=text)).constraints) == 2


def test_a_second_declaration_blocks() -> None:
    assert lower(Requirement(text=DECLARED + "The program finds two integers a and b.")).blocked


def test_the_span_is_that_of_the_words() -> None:
    text = DECLARED + "x is smaller than y."
    constraint = lower(Requirement(text=text)).constraints[0]
    assert text[constraint.spans[0].start : constraint.spans[0].end] == "x is smaller than y"

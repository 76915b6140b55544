"""The table of conventions: shown, sealed, overridable, and refused where an assumption makes no sense."""

from __future__ import annotations

from pathlib import Path

import pytest

from contracts.requirement import Convention, Requirement
from tasks.requirement.compiler import compile_requirement
from tasks.requirement.conventions import RULES, ConventionError, Settlement, table

CONTRACTS = (
    "It takes a CSV file of contracts, flags those whose expiration date is fewer than 90 days ahead "
    "and writes a summary CSV file."
)


def settled(text: str, **overrides: str) -> dict[str, Convention]:
    given = {key.replace("__", "."): value for key, value in overrides.items()}
    return {item.key: item for item in compile_requirement(Requirement(text=text), given).conventions}


def test_the_page_is_current() -> None:
    page = Path(__file__).parents[3] / "docs" / "conventions.md"
    assert page.read_text(encoding="utf-8") == table()


def test_only_what_applies_stands_in_the_contract_with_its_meaning() -> None:
    found = settled("Print the sum of two numbers.")
    assert set(found) == {
        "artefact",
        "python.entry",
        "package.command",
        "arguments",
        "exit.success",
        "print.newline",
        "text.encoding",
        "text.line_ends",
        "stderr.messages",
    }
    assert all(item.meaning and item.source == "default" for item in found.values())


def test_every_rule_can_apply() -> None:
    text = CONTRACTS + " If the file is empty, print EMPTY. It reads standard input too. Errors go to standard error."
    only_by_a_user = {"interface.arguments", "interface.stdin", "interface.channels", "csv.kinds"}
    assert set(settled(text)) == {rule.key for rule in RULES} - only_by_a_user


@pytest.mark.parametrize(
    ("text", "key", "value"),
    [
        ("A tool named 'rowsum' prints the sum.", "package.command", "rowsum"),
        ("Write `totals.py`, which prints the sum.", "python.entry", "totals.py"),
        ("Print the sum. The program exits with status 3 on success.", "exit.success", "3"),
        ("Print the sum. Each printed text is followed by a newline.", "print.newline", "required"),
        ("Read a tab-separated CSV file and print the sum.", "csv.dialect", "tab"),
        (
            "Read a CSV file with the columns `item`, `price` and `due_date`; print it.",
            "csv.columns",
            "item,price,due_date",
        ),
        ("Read a CSV file with columns: id, due_date. Print it.", "csv.columns", "id,due_date"),
    ],
)
def test_what_the_text_states_wins_over_the_default(text: str, key: str, value: str) -> None:
    found = settled(text)[key]
    assert (found.value, found.source) == (value, "text")


def test_an_override_wins_over_both_and_changes_the_interface() -> None:
    given = {
        "csv.columns": "number,ends",
        "clock.today": "--date",
        "arguments": "OUTPUT INPUT",
        "python.entry": "a/b.py",
    }
    spec = compile_requirement(Requirement(text=CONTRACTS), given)
    assert {item.key for item in spec.conventions if item.source == "override"} == set(given)
    assert [(c.name, c.kind) for c in spec.interface.columns] == [("number", "identifier"), ("ends", "date")]
    assert [a.name for a in spec.interface.arguments] == ["OUTPUT", "INPUT", "--date"]
    assert spec.interface.thresholds[0].column == "ends"
    assert spec.interface.entry == "a/b.py"


def test_the_newline_after_a_print_reaches_every_expectation() -> None:
    text = "It reads standard input. For the input `a` it prints `b`. If standard input is empty, print NONE."
    spec = compile_requirement(Requirement(text=text), {"print.newline": "required"})
    items = [*spec.examples[0].expectations, *spec.conditional_obligations[0].consequences]
    assert [item.newline for item in items if item.channel == "stdout"] == ["required", "required"]


@pytest.mark.parametrize(
    ("overrides", "message"),
    [
        ({"no.such": "x"}, "no such convention"),
        ({"exit.success": "many"}, "is not a status"),
        ({"exit.success": "999"}, "is not a status"),
        ({"python.entry": "../main.py"}, "is not a relative path"),
        ({"python.entry": "/main.py"}, "is not a relative path"),
        ({"python.entry": "main.sh"}, "is not a relative path"),
        ({"arguments": "INPUT"}, "in another order"),
        ({"arguments": "INPUT INPUT"}, "in another order"),
        ({"csv.columns": "a,,b"}, "is not names"),
        ({"csv.columns": "a,a"}, "twice"),
        ({"csv.columns": "a,b,c"}, "hold a date"),
        ({"clock.today": "today"}, "is not an option"),
        ({"print.newline": "required"}, "no place in this requirement"),
        ({"package.command": "x\ny"}, "is not lower-case"),
    ],
)
def test_a_bad_assumption_is_refused_in_one_line(overrides: dict[str, str], message: str) -> None:
    """CLI-05: each is a planted fault of the validation (law 7)."""
    with pytest.raises(ConventionError) as caught:
        compile_requirement(Requirement(text=CONTRACTS), overrides)
    assert message in str(caught.value)
    assert "\n" not in str(caught.value)


def test_settling_twice_keeps_the_order_of_the_table() -> None:
    settlement = Settlement({})
    settlement.settle("text.encoding")
    settlement.settle("python.entry")
    assert [item.key for item in settlement.result()] == ["python.entry", "text.encoding"]


def test_newlines_are_settled_for_each_stream() -> None:
    text = "The tool reads a file. If the file is empty, print EMPTY and write `none` to standard error."
    spec = compile_requirement(Requirement(text=text), {"print.newline": "required", "stderr.newline": "forbidden"})
    found = [item.model_dump() for item in spec.conditional_obligations[0].consequences]
    assert [(item["channel"], item["newline"]) for item in found] == [("stdout", "required"), ("stderr", "forbidden")]

"""Generated inputs keep within what the text says of them, and go beyond only where a clause decides it (DEC-09)."""

from __future__ import annotations

import csv
import io

from contracts.requirement import Requirement
from tasks.reading.generators import generated_probes, stated_cases
from tasks.requirement.compiler import compile_requirement

SEED = 7


def arguments(text: str) -> list[tuple[str, ...]]:
    spec = compile_requirement(Requirement(text=text), {})
    return [probe.argv[2:] for probe in generated_probes(spec, SEED)]


def inputs(text: str) -> list[bytes]:
    spec = compile_requirement(Requirement(text=text), {})
    return [probe.stdin or b"" for probe in generated_probes(spec, SEED)]


YEAR = "The tool takes a year as its only argument and prints it. A year is a whole number from 1 to 9999."


def test_integers_stay_within_their_bounds() -> None:
    values = [int(value) for (value,) in arguments(YEAR)]
    assert {1, 9999} <= set(values)
    assert (min(values), max(values)) == (1, 9999)


def test_values_beyond_the_bounds_where_a_clause_decides_them() -> None:
    values = {value for (value,) in arguments(f"{YEAR} If the argument is no year, it exits with status 1.")}
    assert {"0", "10000", "x", ""} <= values


def test_not_an_integer_decides_nothing_of_the_bounds() -> None:
    values = {value for (value,) in arguments(f"{YEAR} If it is not an integer, it exits with status 1.")}
    assert "x" in values
    assert not {"0", "10000"} & values


def test_the_empty_argument_only_where_the_text_speaks_of_it() -> None:
    text = "The program takes one argument, a text, and prints it."
    assert ("",) not in arguments(text)
    assert ("",) in arguments(f"{text} An empty text gives an empty line.")


def test_a_flag_has_no_value_and_is_given_with_contents() -> None:
    text = "It prints the lines of standard input. With the argument `--count` it prints their number."
    found = set(arguments(text))
    assert found == {(), ("--count",)}


def test_one_line_is_one_line() -> None:
    one = inputs("The program reads one line from standard input and prints it backwards.")
    assert all(len(content.splitlines()) <= 1 for content in one)
    assert any(len(content.splitlines()) > 1 for content in inputs("It reads standard input and prints it backwards."))


def test_quoted_brackets_are_nested_and_broken() -> None:
    found = inputs("It reads one line from standard input and prints whether every `(` and `[` is closed.")
    assert any(b"(" in content and b"]" in content for content in found)


def test_witnesses_of_the_number_of_arguments() -> None:
    text = "It takes two arguments, a word and a text. If there are not exactly two arguments, exit with status 2."
    spec = compile_requirement(Requirement(text=text), {})
    counts = {len(case.probe.argv) - 2 for case in stated_cases(spec) if hasattr(case.probe, "argv")}
    assert counts == {0, 1, 3, 4}


def test_the_first_witness_of_an_empty_input_holds_nothing() -> None:
    spec = compile_requirement(Requirement(text="It reads a file. If the file is empty, it prints EMPTY."), {})
    (first, *_) = stated_cases(spec)
    assert [file.content for file in getattr(first.probe, "files", ())] == [b""]


TOTALS = (
    "It takes two arguments, the path of an input file and the path of an output file. The input is a CSV file with "
    "the header `name,amount`. An amount is an integer. It writes a CSV file with the header `name,total`."
)


def tables(text: str) -> list[list[list[str]]]:
    spec = compile_requirement(Requirement(text=text), {})
    contents = [probe.files[0].content.decode() for probe in generated_probes(spec, SEED)]
    return [list(csv.reader(io.StringIO(content, newline="")))[1:] for content in contents]


def amounts(text: str) -> set[str]:
    return {row[1] for rows in tables(text) for row in rows if len(row) > 1}


def test_a_column_of_integers_holds_integers() -> None:
    assert {"x", "1.5"}.isdisjoint(amounts(TOTALS))
    assert sum(amount.lstrip("-").isdigit() for amount in amounts(TOTALS)) > 20


def test_bad_fields_where_a_clause_decides_them_and_no_other_rows() -> None:
    text = f"{TOTALS} If an amount is not an integer, it exits with status 1."
    assert {"x", "1.5", ""} <= amounts(text)
    assert {len(row) for rows in tables(text) for row in rows if row} == {2}


def test_rows_of_other_lengths_where_a_clause_decides_them() -> None:
    text = f"{TOTALS} If an amount is not an integer or a row does not have two fields, it exits with status 1."
    assert {1, 2, 3} <= {len(row) for rows in tables(text) for row in rows}

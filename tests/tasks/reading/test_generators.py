"""Probes come from the contract and a seed alone (laws 1, 2; DEC-09, DEC-14)."""

from __future__ import annotations

import csv
import io
from collections.abc import Callable
from datetime import date
from pathlib import Path

import pytest

import tasks
from contracts.probe import CommandProbe, ExitExpectation, InputFile, ProbeCase
from contracts.requirement import Argument, BuildSpec, Requirement, Trigger, TriggerKind
from tasks.reading.generators import (
    dated_again,
    generated_probes,
    hostile_cases,
    near_probes,
    stated_cases,
    undated_probe,
)
from tasks.reading.standing import samples, standing_cases
from tasks.requirement.compiler import compile_requirement

SEED = 20_260_101
Specs = Callable[[str], BuildSpec]


@pytest.fixture(scope="module")
def specs() -> Specs:
    def of(name: str) -> BuildSpec:
        text = (Path(tasks.__file__).parents[1] / "examples" / name / "requirement.md").read_text()
        return compile_requirement(Requirement(text=text), {})

    return of


def rows(probe: CommandProbe) -> list[list[str]]:
    return list(csv.reader(io.StringIO(probe.files[0].content.decode(), newline="")))


def today(probe: CommandProbe) -> date:
    return date.fromisoformat(probe.argv[-1])


@pytest.mark.parametrize(("sample", "least"), [("contracts", 60), ("empty", 40), ("words", 55)])
def test_many_probes_and_the_same_for_the_same_seed(sample, least, specs):
    probes = generated_probes(specs(sample), SEED)
    assert len(probes) >= least
    assert probes == generated_probes(specs(sample), SEED)
    assert probes != generated_probes(specs(sample), SEED + 1)
    assert len({probe.id for probe in probes}) == len(probes)
    assert len({(probe.argv, probe.stdin, probe.files) for probe in probes}) == len(probes)


def test_thresholds_are_tried_on_both_sides_and_alone(specs):
    """Off by one at 90: each of 89, 90 and 91 days ahead stands alone in a table, and together on leap days."""
    lone: set[int] = set()
    days: set[tuple[str, int]] = set()
    for probe in generated_probes(specs("contracts"), SEED):
        for row in rows(probe)[1:]:
            try:
                ahead = (date.fromisoformat(row[1]) - today(probe)).days
            except (ValueError, IndexError):
                continue
            days.add((probe.argv[-1], ahead))
            if len(rows(probe)) == 2:
                lone.add(ahead)
    assert {89, 90, 91, 0, -1} <= lone
    assert {("2024-02-29", 89), ("2024-02-29", 90), ("2023-12-31", 91), ("2025-01-31", 90)} <= days


def test_rows_of_every_kind_are_tried(specs):
    probes = generated_probes(specs("contracts"), SEED)
    tables = [rows(probe) for probe in probes]
    contents = [probe.files[0].content for probe in probes]
    body = [row for table in tables for row in table[1:]]
    assert {1, 2, 3} <= {len(row) for row in body}
    assert ["C-014", ""] in body or any(row[-1] == "" and len(row) == 2 for row in body)
    assert any(row and row[0] == "" for row in body)
    assert any("," in row[0] for row in body if row)
    assert any("\n" in row[0] for row in body if row)
    assert any(not row[0].isascii() for row in body if row)
    assert any(row[:1] == ["007"] for row in body)
    assert any(content.count(b"\r\n") for content in contents)
    assert any(not content.endswith(b"\n") for content in contents)
    assert any(b"\n\n" in content for content in contents)
    assert any(len(table) == 1 for table in tables)
    assert any(len(table) > 1_000 for table in tables)
    assert any(len({tuple(row) for row in table}) < len(table) for table in tables)
    assert {"2026-02-30", "2023-02-29", "soon", "31/12/2026"} <= {row[1] for row in body if len(row) == 2}


def test_nothing_is_tried_that_no_clause_decides(specs):
    """DEC-09: readers of YYYY-MM-DD differ on these, and so do ideas of a blank field."""
    undecided = {"20260101", "2026-1-1", "2026-W01-1", " 2026-01-01"}
    for sample in ("contracts", "empty"):
        for probe in generated_probes(specs(sample), SEED):
            content = probe.files[0].content
            assert not content.startswith(b"\xef\xbb\xbf")
            assert b"\r" not in content.replace(b"\r\n", b"")
            for row in rows(probe):
                assert not undecided & set(row)
                assert not any(field and not field.strip() for field in row)
                assert not row or any(row)
    for probe in generated_probes(specs("words"), SEED):
        text = (probe.stdin or b"").decode()
        assert text.strip()
        assert all(char in " \t\r\n" for char in text if char.isspace())


@pytest.mark.parametrize(("assumed", "blank"), [("no byte other than white space", 3), ("no byte at all", 0)])
def test_a_conditional_has_several_witnesses_that_the_conventions_allow(assumed, blank, specs):
    text = (Path(tasks.__file__).parents[1] / "examples" / "empty" / "requirement.md").read_text()
    spec = compile_requirement(Requirement(text=text), {"file.empty": assumed})
    cases = [case for case in stated_cases(spec) if case.origin == "conditional"]
    contents = [case.probe.files[0].content for case in cases]
    assert contents[0] == b""
    assert len(contents) == 1 + blank
    assert not b"".join(contents).strip()
    for case in cases:
        assert case.expectations == spec.conditional_obligations[0].consequences
        assert case.obligations == (spec.acceptance_criteria[0].id,)
        assert case.probe.argv[-1] == "OUTPUT"


@pytest.mark.parametrize(
    ("kind", "arguments"),
    [
        (TriggerKind.INPUT_MISSING, [("input.csv", "OUTPUT")]),
        (TriggerKind.ARGUMENT_MISSING, [("input.csv",), ()]),
        (TriggerKind.ARGUMENTS_NONE, [()]),
        (TriggerKind.ARGUMENT_EXTRA, [("input.csv", "OUTPUT", "surplus"), ("input.csv", "OUTPUT", "surplus", "words")]),
        (TriggerKind.UNKNOWN, []),
    ],
)
def test_each_kind_of_trigger_has_its_witnesses(kind, arguments, specs):
    spec = specs("empty")
    conditional = spec.conditional_obligations[0]
    trigger = Trigger(kind=kind, span=conditional.span)
    changed = conditional.model_copy(update={"triggers": (trigger,)})
    cases = stated_cases(spec.model_copy(update={"conditional_obligations": (changed,)}))
    assert [case.probe.argv[2:] for case in cases] == arguments
    if kind is TriggerKind.INPUT_MISSING:
        assert cases[0].probe.files == ()


def test_an_example_is_tried_as_it_stands_and_its_neighbours_are_not_it(specs):
    """GAME-31."""
    spec = specs("words")
    example = next(case for case in stated_cases(spec) if case.origin == "example")
    assert example.probe.stdin == b"one two  three"
    near = near_probes(spec, SEED)
    assert len(near) >= 10
    inputs = [probe.stdin for probe in near]
    assert len(set(inputs)) == len(inputs)
    assert example.probe.stdin not in inputs
    assert b"one two  three\n" in inputs
    assert all(text and text.strip() for text in inputs)


def test_an_example_may_hand_over_a_file(specs):
    """The file lies there, and the neighbours change what stands in it; a table's neighbours are the generated ones."""
    for suffix, neighbours in ((".txt", True), (".csv", False)):
        spec = specs("words")
        file = InputFile(path=f"example{suffix}", content=b"one two three")
        changed = spec.examples[0].model_copy(update={"argv": (file.path,), "stdin": None, "files": (file,)})
        spec = spec.model_copy(update={"examples": (changed,)})
        assert stated_cases(spec)[0].probe.files == (file,)
        contents = [probe.files[0].content for probe in near_probes(spec, SEED)]
        assert file.content not in contents
        assert (len(contents) >= 10) is neighbours


def test_hostile_inputs_expect_no_more_than_no_false_success(specs):
    """DEC-09."""
    for sample in ("contracts", "empty", "words"):
        cases = hostile_cases(specs(sample))
        assert len(cases) >= 6
        for case in cases:
            assert case.expectations in ((), (ExitExpectation(relation="differs", status=0),))
    impossible = [case.probe for case in hostile_cases(specs("contracts")) if case.expectations]
    assert {len(probe.argv) for probe in impossible} >= {5, 6}
    assert any(not probe.files for probe in impossible)


def test_a_run_without_a_date_uses_dates_far_from_any_current_one(specs):
    spec = specs("contracts")
    probe = undated_probe(spec, SEED)
    assert probe is not None
    assert "--today" not in probe.argv
    years = {int(row[1][:4]) for row in rows(probe)[1:]}
    assert max(years) > 2100
    assert min(years) < 1950
    assert dated_again(spec, probe, "2030-01-01").argv[-2:] == ("--today", "2030-01-01")
    assert undated_probe(specs("empty"), SEED) is None


def test_every_case_belongs_to_one_layer(specs):
    """Law 2: the runtime cases are sealed with the rest."""
    spec = specs("contracts")
    chosen, answers = samples(spec, ())
    assert chosen == ()
    cases = standing_cases(spec, generated_probes(spec, SEED)[:1], answers)
    origins = {case.origin for case in cases}
    assert origins == {"parse", "import", "entry", "repeat", "tests"}
    asked = [item.id for item in spec.acceptance_criteria if item.method == "tests"]
    assert all(list(case.obligations) == asked for case in cases if case.origin == "tests")
    assert len({case.probe.environment.get("PYTHONHASHSEED") for case in cases if case.origin == "repeat"}) == 3


def test_the_entry_point_is_tried_on_a_small_and_on_a_rich_ordinary_input(specs):
    """Inputs are known to be ordinary where readings succeed; one that is too long to be repeated is left out."""
    spec = specs("words")
    texts = [b"fails", b"a b", b"a b c d e", b"a", b"x " * 5_000]
    cases = [
        ProbeCase(
            probe=CommandProbe(id=f"p{number}", argv=("x",), stdin=text),
            origin="reading",
            expectations=(ExitExpectation(status=0),) if number else (),
        )
        for number, text in enumerate(texts)
    ]
    chosen, answers = samples(spec, cases)
    assert [probe.stdin for probe in chosen] == [b"a b", b"a b c d e"]
    assert answers == (ExitExpectation(status=0),)
    assert [probe.stdin for probe in samples(spec, cases[:2])[0]] == [b"a b"]
    assert samples(spec, cases[:1]) == ((cases[0].probe,), ())


@pytest.fixture
def adding(specs) -> BuildSpec:
    """A contract with two integers as arguments, as the compiler may come to read one."""
    spec = specs("words")
    numbers = tuple(Argument(name=name, role="integer") for name in ("A", "B"))
    interface = spec.interface.model_copy(update={"arguments": numbers, "reads_stdin": False})
    return spec.model_copy(update={"interface": interface})


def test_arguments_take_boundary_values_alone_and_together(adding):
    pairs = {probe.argv[2:] for probe in generated_probes(adding, SEED)}
    assert len(pairs) >= 40
    assert {("0", "7"), ("7", "-1"), ("1", "7")} <= pairs
    assert any(len(set(pair)) == 2 and "7" not in pair for pair in pairs)


def test_a_text_may_come_as_a_file_or_on_standard_input(specs):
    """Where the text allows either, both are tried."""
    spec = specs("words")
    file = Argument(name="INPUT", role="input_file", format="text", required=False)
    either = spec.model_copy(update={"interface": spec.interface.model_copy(update={"arguments": (file,)})})
    probes = generated_probes(either, SEED)
    assert any(probe.files and probe.stdin is None and len(probe.argv) == 3 for probe in probes)
    assert any(not probe.files and probe.stdin and len(probe.argv) == 2 for probe in probes)


@pytest.mark.parametrize(("dialect", "header"), [("semicolon", b"name;value\n"), ("tab", b"name\tvalue\n")])
def test_the_separator_is_the_conventions(dialect, header):
    text = (Path(tasks.__file__).parents[1] / "examples" / "empty" / "requirement.md").read_text()
    spec = compile_requirement(Requirement(text=text), {"csv.dialect": dialect})
    assert generated_probes(spec, SEED)[0].files[0].content.startswith(header)

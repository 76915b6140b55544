"""The five samples compile to what their pages promise."""

from __future__ import annotations

from pathlib import Path

from contracts.requirement import BuildSpec, Requirement
from tasks.requirement.compiler import compile_requirement
from tasks.requirement.consistency import contradictions, open_questions

SAMPLES = Path(__file__).parents[3] / "examples"


def sample(name: str) -> tuple[str, BuildSpec]:
    text = (SAMPLES / name / "requirement.md").read_text(encoding="utf-8")
    return text, compile_requirement(Requirement(text=text), {})


def conventions(spec: BuildSpec) -> dict[str, str]:
    return {item.key: item.value for item in spec.conventions}


def methods(spec: BuildSpec) -> list[str]:
    return sorted(item.method for item in spec.acceptance_criteria)


def test_contracts() -> None:
    text, spec = sample("contracts")
    interface = spec.interface
    assert [(a.name, a.role, a.format, a.required) for a in interface.arguments] == [
        ("INPUT", "input_file", "csv", True),
        ("OUTPUT", "output_file", "csv", True),
        ("--today", "date", None, False),
    ]
    assert [(c.name, c.kind) for c in interface.columns] == [("contract_id", "identifier"), ("expiration_date", "date")]
    threshold = interface.thresholds[0]
    assert (threshold.column, threshold.measure, threshold.relation, threshold.bound) == (
        "expiration_date",
        "days_ahead",
        "<",
        90,
    )
    assert text[threshold.span.start : threshold.span.end] == "fewer than 90 days"
    assert interface.bound == ("exit", "files")
    assert conventions(spec)["summary.columns"] == "contract_id,expiration_date,days_left,flagged"
    assert methods(spec) == ["reading", "reading", "reading", "tests"]
    assert spec.unbound == ()


def test_empty() -> None:
    text, spec = sample("empty")
    found = spec.conditional_obligations[0]
    assert [item.kind for item in found.triggers] == ["input_empty"]
    assert [item.channel for item in found.consequences] == ["stdout", "exit"]
    assert found.otherwise is not None
    assert text[found.otherwise.start : found.otherwise.end].startswith("Otherwise, process every valid row")
    assert [(a.name, a.format) for a in spec.interface.arguments] == [("INPUT", "csv"), ("OUTPUT", "csv")]
    assert [(c.name, c.kind) for c in spec.interface.columns] == [("name", "text"), ("value", "text")]
    assert spec.interface.bound == ("exit", "stdout", "files")
    assert conventions(spec)["summary.columns"] == "metric,value"
    assert conventions(spec)["file.empty"] == "no byte other than white space"
    assert methods(spec) == ["conditional", "reading", "reading"]


def test_words() -> None:
    _, spec = sample("words")
    assert [(e.argv, e.stdin) for e in spec.examples] == [((), "one two  three")]
    assert spec.interface.reads_stdin
    assert spec.interface.arguments == ()
    assert methods(spec) == ["conditional", "example", "reading", "reading"]
    assert "csv.columns" not in conventions(spec)


def test_vague() -> None:
    text, spec = sample("vague")
    found = open_questions(spec)
    assert {item.signature for item in found} == {"underspecified_requirement"}
    assert [text[item.spans[0].start : item.spans[0].end] for item in found] == [
        "prints the important ones",
        "left to interpretation",
    ]
    assert "important" in found[0].detail


def test_no_other_sample_has_an_open_question_or_a_contradiction() -> None:
    for name in ("contracts", "empty", "infeasible", "words"):
        _, spec = sample(name)
        assert not open_questions(spec)
        assert not contradictions(spec)


def test_every_hard_statement_that_must_be_proven_has_a_criterion() -> None:
    """Law 3: functional, conditional, example, invariant and test atoms of all samples."""
    for folder in (path.parent for path in SAMPLES.glob("*/requirement.md")):
        _, spec = sample(folder.name)
        covered = {name for item in spec.acceptance_criteria for name in item.atoms}
        wanted = {"functional", "conditional", "example", "invariant", "test"}
        for atom in spec.requirement_atoms:
            assert atom.strength == "soft" or atom.category not in wanted or atom.id in covered

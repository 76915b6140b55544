"""The repair directive holds no expected value that the requirement does not state itself (GAME-53)."""

from __future__ import annotations

from pathlib import Path

import pytest

import tasks
from contracts.canonical import digest
from contracts.requirement import BuildSpec, Requirement, Span
from contracts.verdict import (
    Failure,
    FailureSignature,
    Floor,
    LayerResult,
    Strength,
    ValidationArtifact,
    Witness,
)
from tasks.repair.directive import ITEMS, direct
from tasks.requirement.compiler import compile_requirement

S = FailureSignature
NOTHING = digest(b"")


@pytest.fixture(scope="module")
def spec() -> BuildSpec:
    text = (Path(tasks.__file__).parents[1] / "examples" / "words" / "requirement.md").read_text()
    return compile_requirement(Requirement(text=text), {})


def artifact(*failures: Failure) -> ValidationArtifact:
    strength = Strength(
        obligations=1,
        obligations_covered=0,
        probes=1,
        readings=2,
        mutants=0,
        mutants_killed=0,
        mutants_equivalent=0,
        output_classes=2,
        floor=Floor(),
        not_checked=(),
    )
    layer = LayerResult(layer="obligations", executed=True, passed=False, failures=failures)
    return ValidationArtifact(
        build_spec=NOTHING, probe_plan=NOTHING, candidate=NOTHING, attempt=0, layers=(layer,), strength=strength
    )


def failure(signature: FailureSignature = S.READING_MISMATCH, **given: object) -> Failure:
    witness = Witness(
        probe="generated-007",
        command="python3 main.py",
        files={"standard input": b"a\tb\x1b"},
        expected='stdout "SECRET-2"',
        observed='exit status 0; stdout "1"',
    )
    values = {"signature": signature, "detail": 'stdout is "1", expected "SECRET-2"', "witness": witness} | given
    return Failure.model_validate(values)


def test_an_item_says_the_input_and_what_was_seen_but_not_what_was_expected(spec):
    given = artifact(failure(requirement_ids=("ac-1",), spans=(Span(start=1, end=2),)))
    directive = direct(spec, given)
    assert (directive.attempt, directive.artifact, directive.build_spec) == (1, given.seal(), spec.seal())
    item = directive.items[0]
    assert item.signature is S.READING_MISMATCH
    assert item.requirement_ids == ("ac-1",)
    assert item.spans == (Span(start=1, end=2),)
    assert item.input == 'python3 main.py\nstandard input: "a\\tb\\x1b"'
    assert item.observed == 'exit status 0; stdout "1"'
    assert b"SECRET" not in directive.canonical()


def test_a_failure_of_the_tree_says_which_file(spec):
    item = direct(spec, artifact(failure(S.UNDECLARED_FILE, detail="x.pyc is bytecode", witness=None))).items[0]
    assert item.observed == "x.pyc is bytecode"


def test_only_what_a_coder_can_mend_is_told_and_not_more_than_a_few(spec):
    others = (S.INSUFFICIENT_EVIDENCE, S.UNPROVEN_REQUIREMENT, S.SANDBOX_UNAVAILABLE, S.AMBIGUOUS_REQUIREMENT)
    assert direct(spec, artifact(*map(failure, others))).items == ()
    assert len(direct(spec, artifact(*[failure()] * 50)).items) == ITEMS

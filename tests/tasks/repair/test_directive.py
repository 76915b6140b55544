"""The repair directive holds no expected value that the requirement does not state itself (GAME-53)."""

from __future__ import annotations

from pathlib import Path

import pytest

import tasks
from contracts.candidate import Candidate, Provenance
from contracts.canonical import digest
from contracts.probe import CommandProbe, ProbeCase, ProbePlan
from contracts.repair import RepairDirective
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
from tasks.repair.best import best, best_first
from tasks.repair.directive import HELD_OUT, ITEMS, UNSEEN, WITNESSES, direct
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


def case(number: int, *obligations: str) -> ProbeCase:
    probe = CommandProbe(id=f"generated-{number:03}", argv=("python3", "/candidate/main.py"))
    return ProbeCase(probe=probe, origin="reading", obligations=obligations)


PLAN = ProbePlan(build_spec=NOTHING, seed=1, cases=tuple(case(number, "ac-1") for number in range(12)))


def directed(spec: BuildSpec, *judged: ValidationArtifact, plan: ProbePlan = PLAN) -> RepairDirective:
    return direct(spec, plan, judged)


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
    directive = directed(spec, given)
    assert (directive.attempt, directive.artifact, directive.build_spec) == (1, given.seal(), spec.seal())
    item = directive.items[0]
    assert item.signature is S.READING_MISMATCH
    assert item.requirement_ids == ("ac-1",)
    assert item.spans == (Span(start=1, end=2),)
    assert item.input == 'python3 main.py\nstandard input: "a\\tb\\x1b"'
    assert item.observed == 'exit status 0; stdout "1"'
    assert b"SECRET" not in directive.canonical()


def test_a_failure_of_the_tree_says_which_file(spec):
    item = directed(spec, artifact(failure(S.UNDECLARED_FILE, detail="x.pyc is bytecode", witness=None))).items[0]
    assert item.observed == "x.pyc is bytecode"


def test_only_what_a_coder_can_mend_is_told_and_not_more_than_a_few(spec):
    others = (S.INSUFFICIENT_EVIDENCE, S.UNPROVEN_REQUIREMENT, S.SANDBOX_UNAVAILABLE, S.AMBIGUOUS_REQUIREMENT)
    assert directed(spec, artifact(*map(failure, others))).items == ()
    assert len(directed(spec, artifact(*[failure()] * 50)).items) == ITEMS


def test_few_inputs_of_readings_are_shown_and_enough_stay_held_out(spec):
    many = [failure(requirement_ids=(f"ac-{number}",)) for number in range(WITNESSES + 2)]
    items = directed(spec, artifact(*many)).items
    assert [item.input.startswith(UNSEEN) for item in items] == [False] * WITNESSES + [True] * 2
    assert [item.observed == "" for item in items] == [False] * WITNESSES + [True] * 2
    few = PLAN.model_copy(update={"cases": PLAN.cases[: HELD_OUT + WITNESSES - 1]})
    (item,) = directed(spec, artifact(failure(requirement_ids=("ac-1",))), plan=few).items
    assert item.input == f"{UNSEEN} (standard input of 4 bytes)"


def test_a_later_round_shows_less_where_little_is_left(spec):
    first = artifact(failure(requirement_ids=("ac-1",)))
    second = first.model_copy(update={"attempt": 1})
    assert directed(spec, first).items[0].observed
    enough_for_one = PLAN.model_copy(update={"cases": PLAN.cases[: HELD_OUT + WITNESSES]})
    assert directed(spec, first, plan=enough_for_one).items[0].observed
    assert directed(spec, first, second, plan=enough_for_one).items[0].observed == ""


def test_a_regression_is_not_built_upon(spec):
    """The directive after a worse revision is about the best attempt, and numbered after the last."""
    good = artifact(failure())
    worse = artifact(failure(), failure(S.EXAMPLE_MISMATCH)).model_copy(update={"attempt": 1})
    assert best([good, worse]) == good
    directive = directed(spec, good, worse)
    assert (directive.artifact, directive.attempt) == (good.seal(), 2)
    equal = good.model_copy(update={"attempt": 1})
    assert best([good, equal]) == equal
    trees = [tree("a"), tree("b")]
    assert best_first(list(zip(trees, [good, worse], strict=True))) == (trees[0], trees[1])
    assert best_first(list(zip(trees, [good, equal], strict=True))) == (trees[1], trees[0])


def tree(label: str) -> Candidate:
    provenance = Provenance(source="model", label=label)
    return Candidate(files=(), tree=NOTHING, dropped=(), provenance=provenance, attempt=0)

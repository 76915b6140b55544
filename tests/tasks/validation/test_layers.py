"""The three layers in the sandbox: the sample whose first answer is wrong and whose second is right."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest

import tasks
from contracts.candidate import Candidate, Provenance
from contracts.probe import ProbePlan
from contracts.reading import ReadingSet
from contracts.requirement import BuildSpec, Requirement
from contracts.settings import BuildSettings
from contracts.verdict import FailureSignature, ValidationArtifact
from tasks.evidence.store import open_store
from tasks.reading.reader import read
from tasks.requirement.compiler import compile_requirement
from tasks.stages import VALIDATE
from tasks.trees import ingest
from tasks.validation.cases import cases_of
from tasks.validation.judge import assemble, judge_layer
from tasks.validation.mutation import run_mutants
from tasks.validation.strength import tally

SAMPLE = Path(tasks.__file__).parents[1] / "examples" / "words"
REQUIREMENT = Requirement(text=(SAMPLE / "requirement.md").read_text())
Build = Callable[[Path], ValidationArtifact]


@pytest.fixture(scope="module")
def settings(tmp_path_factory) -> BuildSettings:
    return BuildSettings(store=str(tmp_path_factory.mktemp("store")))


@pytest.fixture(scope="module")
def spec() -> BuildSpec:
    return compile_requirement(REQUIREMENT, {})


@pytest.fixture(scope="module")
def readings(spec, settings) -> ReadingSet:
    """Both readings of the sample, and of the inputs that they agree on every sixth: enough for a test."""
    whole = read(spec, REQUIREMENT, settings)
    kept = [case for case in whole.plan.cases if case.origin not in ("reading", "near_example")]
    compared = [case for case in whole.plan.cases if case.origin in ("reading", "near_example")]
    plan = whole.plan.model_copy(update={"cases": (*kept, *compared[::6])})
    return whole.model_copy(update={"plan": plan})


@pytest.fixture
def candidate(settings) -> Callable[[Path], Candidate]:
    def of(tree: Path) -> Candidate:
        return ingest(tree, open_store(settings.store), Provenance(source="directory", label=tree.name), 0)

    return of


@pytest.fixture
def judge(spec, settings, readings, candidate) -> Build:
    def judged(tree: Path) -> ValidationArtifact:
        layers = []
        for stage in VALIDATE.values():
            evidence = stage.load()(spec, readings, candidate(tree), settings)
            layers.append((evidence, judge_layer(spec, readings.plan, evidence, settings.floor)))
            if not layers[-1][1].passed:
                break
        return assemble(spec, readings, candidate(tree), layers, settings.floor)

    return judged


def test_the_first_answer_is_refused_with_a_small_witness(judge, readings):
    artifact = judge(SAMPLE / "answers" / "1")
    assert not artifact.passed
    failure = artifact.failures[0]
    assert failure.signature is FailureSignature.READING_MISMATCH
    assert failure.witness is not None
    inputs = [case.probe.stdin or b"" for case in readings.plan.cases if case.origin == "reading"]
    seen = failure.witness.files["standard input"]
    assert len(seen) < sum(map(len, inputs)) / len(inputs)


def test_the_second_answer_passes_with_strong_evidence(judge):
    artifact = judge(SAMPLE / "answers" / "2")
    assert artifact.failures == ()
    assert artifact.passed
    strength = artifact.strength
    assert strength.obligations_covered == strength.obligations == 4
    assert strength.readings == 2
    assert strength.mutants >= 10
    assert strength.mutants_killed * 10 >= 9 * (strength.mutants - strength.mutants_equivalent)


def test_mutants_survive_where_nothing_but_the_example_speaks(spec, settings, readings, candidate):
    """Law 7: the measure of strength must notice a plan that checks too little."""
    weak = tuple(case for case in readings.plan.cases if case.origin == "example")
    plan = ProbePlan(build_spec=spec.seal(), seed=1, cases=weak)
    mutants, notes = run_mutants(spec, plan, candidate(SAMPLE / "answers" / "2"), settings)
    counted = tally(spec, plan, mutants)
    assert counted.equivalent == 0
    assert counted.killed < counted.judged
    assert int(notes["mutants_possible"][0]) == counted.judged
    assert all(run.observations for run in mutants)


def test_every_planned_case_is_run_and_nothing_else(spec, settings, readings, candidate):
    """Laws 2 and 5."""
    tree = candidate(SAMPLE / "answers" / "2")
    evidence = VALIDATE["runtime"].load()(spec, readings, tree, settings)
    assert evidence.cases == cases_of(readings.plan, "runtime")
    assert [item.probe for item in evidence.observations] == [case.probe.id for case in evidence.cases]
    assert evidence.candidate == tree.tree

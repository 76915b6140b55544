"""What a ReadingSet says follows from the observations in it, then and later (law 7; EVI-06)."""

from __future__ import annotations

from pathlib import Path

import pytest

import tasks
from contracts.candidate import Candidate, Provenance, tree_digest
from contracts.probe import CommandProbe, FileExpectation, Observation, TextExpectation
from contracts.reading import ReadingSet
from contracts.requirement import BuildSpec, Requirement
from tasks.reading.admission import Observed, Probes, conclude_readings, rederive_readings
from tasks.requirement.compiler import compile_requirement

SEED = 7
TREE = Candidate(
    files=(), tree=tree_digest(()), dropped=(), provenance=Provenance(source="directory", label="x"), attempt=0
)


@pytest.fixture(scope="module")
def spec() -> BuildSpec:
    text = (Path(tasks.__file__).parents[1] / "examples" / "words" / "requirement.md").read_text()
    return compile_requirement(Requirement(text=text), {})


@pytest.fixture
def found(spec, seen) -> ReadingSet:
    """Two readings that count words; the second breaks the example."""

    def shown(probe: CommandProbe, wrong: int) -> Observation:
        count = len((probe.stdin or b"").split())
        answer = count + (wrong if probe.id.startswith("example") else 0)
        return seen(probe.id, status=0 if count else 1, stdout=f"{answer or 'NONE'}\n".encode())

    probes = Probes(spec, SEED).all
    observed = [Observed(f"r{wrong}", TREE, tuple(shown(probe, wrong) for probe in probes)) for wrong in (0, 1)]
    return conclude_readings(spec, SEED, observed)


def test_an_honest_set_follows_from_its_observations(found, spec):
    assert [item.admitted for item in found.readings] == [True, False]
    assert rederive_readings(spec, found) is None
    assert rederive_readings(spec, ReadingSet.model_validate_json(found.model_dump_json())) is None


def test_a_reading_that_is_called_admitted_is_found(found, spec):
    liar = found.readings[1].model_copy(update={"admitted": True, "reason": found.readings[0].reason})
    forged = found.model_copy(update={"readings": (found.readings[0], liar)})
    assert "not admitted" in (rederive_readings(spec, forged) or "")


def test_an_expectation_that_nobody_agreed_on_is_found(found, spec):
    place = next(place for place, case in enumerate(found.plan.cases) if case.origin == "reading")
    case = found.plan.cases[place]
    softer = tuple(item for item in case.expectations if not isinstance(item, TextExpectation))
    cases = list(found.plan.cases)
    cases[place] = case.model_copy(update={"expectations": softer})
    forged = found.model_copy(update={"plan": found.plan.model_copy(update={"cases": tuple(cases)})})
    assert "agreement" in (rederive_readings(spec, forged) or "")


def test_an_observation_that_is_left_out_changed_or_of_another_probe_is_found(found, spec, seen):
    first = found.readings[0]
    generated = next(item for item in first.observations if item.probe.startswith("generated"))
    others = tuple(item for item in first.observations if item is not generated)
    swapped = tuple(seen(item.probe, stdout=b"0\n") if item is generated else item for item in first.observations)
    for observations in (others, swapped, first.observations[::-1], ()):
        changed = first.model_copy(update={"observations": observations})
        assert rederive_readings(spec, found.model_copy(update={"readings": (changed, found.readings[1])}))


def test_an_ambiguity_that_is_hidden_is_found(spec, seen, found):
    two = tuple(
        seen(item.probe, stdout=b"0\n") if item.probe.startswith("generated") else item
        for item in found.readings[0].observations
    )
    observed = [Observed("a", TREE, found.readings[0].observations), Observed("b", TREE, two)]
    ambiguous = conclude_readings(spec, SEED, observed)
    assert ambiguous.failures
    assert rederive_readings(spec, ambiguous) is None
    assert "ambiguities" in (rederive_readings(spec, ambiguous.model_copy(update={"failures": ()})) or "")


def test_what_depends_on_the_clock_is_left_out_of_the_run_without_a_date(seen):
    text = (Path(tasks.__file__).parents[1] / "examples" / "contracts" / "requirement.md").read_text()
    contracts = compile_requirement(Requirement(text=text), {})
    probes = Probes(contracts, SEED).all

    def run(probe: CommandProbe, by: str) -> Observation:
        day = probe.argv[-1] if "--today" in probe.argv else by
        return seen(probe.id, files={"OUTPUT": f"id,left\nx,{day}\n".encode()})

    def ignored(*days: str) -> list[tuple[str, ...]]:
        readings = [Observed(day, TREE, tuple(run(probe, day) for probe in probes)) for day in days]
        found = conclude_readings(contracts, SEED, readings)
        assert rederive_readings(contracts, found) is None
        cases = [case for case in found.plan.cases if case.probe.id == "undated-000" and case.origin == "reading"]
        return [item.ignore for case in cases for item in case.expectations if isinstance(item, FileExpectation)]

    assert ignored("today") == [("left",)]
    assert ignored("today", "tomorrow") == []  # two readings that differ: an ambiguity, and no case

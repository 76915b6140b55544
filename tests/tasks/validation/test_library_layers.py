"""A library in the sandbox, all layers (law 7): right programs in several styles pass, each planted fault is caught."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from contracts.candidate import Provenance
from contracts.reading import ReadingSet
from contracts.requirement import Requirement
from contracts.settings import BuildSettings
from contracts.verdict import FailureSignature, Strength, ValidationArtifact
from tasks.evidence.store import open_store
from tasks.reading import calls
from tasks.reading.admission import rederive_readings
from tasks.reading.reader import read
from tasks.requirement.compiler import compile_requirement
from tasks.stages import VALIDATE
from tasks.trees import ingest
from tasks.validation.judge import assemble, judge_layer

pytestmark = [pytest.mark.slow, pytest.mark.timeout(600)]
S = FailureSignature
TEXT = '''def gaps(values: list[int], least: int) -> list[int]:
    """Return the differences between neighbours in values that are at least least, in their order.

    If values is empty, return an empty list.
    If least is negative, raise ValueError.
    Do not modify the input list.

    >>> gaps([1, 4, 6, 11], 3)
    [3, 5]
    >>> gaps([5, 5, 5, -2], 1)
    []
    >>> gaps([2, 9], 1)
    [7]
    """
'''
LOOP = """
def gaps(values, least):
    if least < 0:
        raise ValueError("least")
    found = []
    for place in range(1, len(values)):
        gap = values[place] - values[place - 1]
        if gap >= least:
            found.append(gap)
    return found
"""
LISTED = """
class Negative(ValueError):
    pass

def gaps(values: list[int], least: int) -> list[int]:
    if least < 0:
        raise Negative(least)
    return [b - a for a, b in zip(values, values[1:]) if b - a >= least]
"""
KNOWN = """
def gaps(values, least):
    known = {((1, 4, 6, 11), 3): [3, 5], ((5, 5, 5, -2), 1): [], ((2, 9), 1): [7]}
    return known.get((tuple(values), least), [])
"""
Judge = Callable[..., ValidationArtifact]


@pytest.fixture(scope="module", autouse=True)
def few_inputs() -> Iterator[None]:
    """Enough for a test: the generators are tested for themselves."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(calls, "GENERATED", 40)
        patch.setattr(calls, "NEAR", 12)
        yield


@pytest.fixture(scope="module")
def settings(tmp_path_factory) -> BuildSettings:
    base = tmp_path_factory.mktemp("library")
    places = [written(base / "one", LOOP, "main.py"), written(base / "two", LISTED, "gaps_of.py")]
    return BuildSettings(store=str(base / "store"), readings=tuple(map(str, places)))


@pytest.fixture(scope="module")
def spec():
    return compile_requirement(Requirement(text=TEXT), {})


@pytest.fixture(scope="module")
def readings(spec, settings) -> ReadingSet:
    found = read(spec, Requirement(text=TEXT), settings)
    assert found.failures == ()
    assert [item.reason for item in found.readings if not item.admitted] == []
    return found


@pytest.fixture
def judge(spec, settings, tmp_path) -> Judge:
    def of(readings: ReadingSet, source: str, name: str = "solution.py") -> ValidationArtifact:
        tree = written(tmp_path / "candidate", source, name)
        candidate = ingest(tree, open_store(settings.store), Provenance(source="directory", label="x"), 0)
        judged = []
        for stage in VALIDATE.values():
            evidence = stage.load()(spec, readings, candidate, settings)
            judged.append((evidence, judge_layer(spec, readings.plan, evidence, settings.floor)))
            if not judged[-1][1].passed:
                break
        return assemble(spec, readings, candidate, judged, settings.floor)

    return of


def written(directory: Path, source: str, name: str) -> Path:
    target = directory / name
    target.parent.mkdir(parents=True, exist_ok=True)
    target.write_text(source)
    return directory


def signatures(artifact: ValidationArtifact) -> set[FailureSignature]:
    return {failure.signature for failure in artifact.failures}


def test_examples_known_by_heart_are_caught(judge, readings) -> None:
    """GAME-31."""
    artifact = judge(readings, KNOWN)
    assert S.EXAMPLE_MISMATCH not in signatures(artifact)
    assert signatures(artifact) & {S.SPECIAL_CASED_EXAMPLE, S.READING_MISMATCH}
    assert all(failure.witness.command.startswith("gaps([") for failure in artifact.failures)


@pytest.mark.parametrize("name", ["main.py", "anything.py", "src/lib/core.py"])
def test_a_right_program_passes_wherever_its_function_stands(judge, readings, name: str) -> None:
    artifact = judge(readings, LISTED if name == "main.py" else LOOP, name)
    assert artifact.failures == ()
    strength: Strength = artifact.strength
    assert strength.obligations == strength.obligations_covered
    assert strength.mutants_killed >= 8


def test_what_the_readings_showed_is_derived_again(spec, readings) -> None:
    """EVI-06."""
    assert rederive_readings(spec, readings) is None


@pytest.mark.parametrize(
    ("old", "new", "signature"),
    [
        (">= least", "> least", S.EXAMPLE_MISMATCH),
        ("found.append(gap)", "found.append(float(gap))", S.EXAMPLE_MISMATCH),
        ("return found", "return tuple(found)", S.EXAMPLE_MISMATCH),
        ("return found", "values.sort(); return found", S.EXAMPLE_MISMATCH),
        ("return found", "return found or None", S.EXAMPLE_MISMATCH),
        ("return found", "import random; return found * random.randint(1, 9)", S.NONDETERMINISTIC_OUTPUT),
        ("raise ValueError", "raise KeyError", S.READING_MISMATCH),
        ("if least < 0", "if least < -5", S.READING_MISMATCH),
        ("found = []", "found = []; values[0]", S.READING_MISMATCH),
        ("def gaps(values, least)", "def gaps(values)", S.ENTRY_POINT_BROKEN),
        ("def gaps(", "def gap(", S.ENTRY_POINT_MISSING),
        ("def gaps(", "import nowhere\ndef gaps(", S.IMPORT_ERROR),
        ("def gaps(", "import os; os._exit(0)\ndef gaps(", S.ENTRY_POINT_BROKEN),
        ("def gaps(", "def gaps(:", S.SYNTAX_ERROR),
    ],
)
def test_planted_faults(judge, readings, old: str, new: str, signature: FailureSignature) -> None:
    assert old in LOOP
    assert signature in signatures(judge(readings, LOOP.replace(old, new)))


def test_nothing_is_certified_on_examples_alone(spec, settings, judge) -> None:
    """DEC-16: a right program is not accused, and one that knows the examples is not accepted."""
    alone = read(spec, Requirement(text=TEXT), settings.model_copy(update={"readings": ()}))
    for source in (LOOP, KNOWN):
        artifact = judge(alone, source)
        assert not artifact.passed
        assert signatures(artifact) <= {S.INSUFFICIENT_EVIDENCE, S.UNPROVEN_REQUIREMENT}


def test_a_reading_that_breaks_the_text_is_not_admitted(spec, settings, tmp_path) -> None:
    wrong = (LOOP.replace(">=", ">"), LOOP.replace("return", "values.sort(); return"), "x = 1")
    for number, source in enumerate(wrong):
        place = written(tmp_path / str(number), source, "main.py")
        found = read(spec, Requirement(text=TEXT), settings.model_copy(update={"readings": (str(place),)}))
        assert [item.admitted for item in found.readings] == [False]

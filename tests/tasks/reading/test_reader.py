"""Readings: what is admitted, what they agree on, and what their disagreement witnesses (DEC-09)."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from pathlib import Path

import pytest

import tasks
from contracts.candidate import Candidate
from contracts.canonical import digest
from contracts.probe import CommandProbe, FileExpectation, Observation, ProbeCase, Stream, TextExpectation, Timing
from contracts.reading import ReadingSet
from contracts.requirement import Requirement
from contracts.settings import BuildSettings
from contracts.verdict import FailureSignature
from tasks.errors import UsageError
from tasks.reading.reader import read
from tasks.requirement.compiler import compile_requirement

EXAMPLES = Path(tasks.__file__).parents[1] / "examples"
Program = Callable[[str], str | int]
"""What a reading does with the text: it prints a word or number; 0 stands for NONE and status 1."""


def count(text: str) -> int:
    return len(text.split())


def distinct(text: str) -> int:
    return len(set(text.split()))


def observation(probe: CommandProbe, program: Program) -> Observation:
    """What a run of ``program`` would show."""
    answer = program((probe.stdin or b"").decode())
    out = f"{answer or 'NONE'}\n".encode()
    cut = len(out) > 10_000
    stream = Stream(length=len(out), digest=digest(out), head=out[:10_000], tail=b"", truncated=cut)
    nothing = Stream(length=0, digest=digest(b""), head=b"", tail=b"", truncated=False)
    return Observation(
        probe=probe.id,
        outcome="exited",
        exit_code=0 if answer else 1,
        stdout=stream,
        stderr=nothing,
        files=(),
        timing=Timing(queue_ms=0, wall_ms=1, cpu_ms=1, peak_memory_bytes=1),
    )


@pytest.fixture
def run(tmp_path, monkeypatch):
    """Read the sample `words` with programs in place of sandboxed trees."""

    def reading(*programs: Program) -> ReadingSet:
        folders: dict[str, Program] = {}
        for number, program in enumerate(programs):
            folder = tmp_path / f"reading-{number}"
            folder.mkdir()
            (folder / "main.py").write_text(f"# {number}\n")
            folders[str(folder)] = program
        by_label = {Path(name).name: program for name, program in folders.items()}

        def run_probes(
            candidate: Candidate, probes: Iterable[CommandProbe], _settings: BuildSettings
        ) -> tuple[Observation, ...]:
            return tuple(observation(probe, by_label[candidate.provenance.label]) for probe in probes)

        monkeypatch.setattr("tasks.reading.cache.run_probes", run_probes)
        text = (EXAMPLES / "words" / "requirement.md").read_text() + ("" if programs else "\n")
        requirement = Requirement(text=text)
        spec = compile_requirement(requirement, {})
        return read(spec, requirement, BuildSettings(store=str(tmp_path / "store"), readings=tuple(folders)))

    return reading


@pytest.fixture
def sample(tmp_path):
    """Read a sample with the readings that ship with it, in the sandbox."""

    def reading(name: str) -> ReadingSet:
        requirement = Requirement(text=(EXAMPLES / name / "requirement.md").read_text())
        spec = compile_requirement(requirement, {})
        return read(spec, requirement, BuildSettings(store=str(tmp_path / "store")))

    return reading


def compared(found: ReadingSet, origin: str = "reading") -> list[ProbeCase]:
    return [case for case in found.plan.cases if case.origin == origin]


def test_two_readings_that_agree_fix_the_behaviour(run):
    found = run(count, lambda text: sum(map(bool, text.split())))
    assert [item.admitted for item in found.readings] == [True, True]
    assert found.failures == ()
    assert len(compared(found)) >= 50
    assert len(compared(found, "near_example")) >= 10
    for case in compared(found):
        expected = next(item for item in case.expectations if isinstance(item, TextExpectation))
        assert expected.text == str(len((case.probe.stdin or b"").split()))


def test_a_reading_that_breaks_an_example_or_a_conditional_is_not_admitted(run):
    found = run(lambda text: count(text) or "zero", lambda text: len(text.split(" ")) if text.strip() else 0)
    assert [item.admitted for item in found.readings] == [False, False]
    assert "conditional-000" in found.readings[0].reason
    assert "example-000" in found.readings[1].reason
    assert all(not case.obligations and not case.expectations for case in compared(found, "invariant"))
    assert compared(found) == []


def test_two_readings_that_disagree_witness_an_ambiguity(run):
    """The author sees one input and both outputs; the disputed inputs carry no expectation."""
    found = run(count, distinct)
    assert found.admitted == 2
    assert [failure.signature for failure in found.failures] == [FailureSignature.AMBIGUOUS_REQUIREMENT]
    witness = found.failures[0].witness
    assert witness is not None
    assert "reading-0: exit status 0" in witness.observed
    assert "reading-1: exit status 0" in witness.observed
    assert found.failures[0].spans


def test_a_third_reading_decides(run):
    """DEC-09."""
    found = run(distinct, count, count)
    assert found.failures == ()
    assert len(compared(found)) >= 50


def test_a_reading_whose_answer_cannot_be_compared_is_not_admitted(run):
    found = run(lambda text: "x" * 20_000 if count(text) == 5_000 else count(text))
    assert "too long" in found.readings[0].reason


def test_inputs_on_which_readings_fail_alike_are_outside_their_domain(run):
    """DEC-09: nothing is compared there, and the program has but to end."""
    found = run(lambda text: count(text) % 13)
    failing = [case for case in compared(found) if count((case.probe.stdin or b"").decode()) % 13 == 0]
    assert failing
    assert all(case.expectations == () for case in failing)


def test_no_reading_at_all_leaves_what_the_text_states(run):
    """DEC-16: generated inputs are still run, with nothing expected but an end."""
    found = run()
    assert found.readings == ()
    assert compared(found) == []
    assert len(compared(found, "invariant")) >= 50
    assert len(compared(found, "conditional")) == 4


@pytest.mark.parametrize(
    "name", ["words", *(pytest.param(name, marks=pytest.mark.slow) for name in ("contracts", "empty"))]
)
def test_the_readings_of_the_samples_are_admitted_and_agree(name, sample):
    found = sample(name)
    assert [item.admitted for item in found.readings] == [True, True], found.readings
    assert found.failures == ()
    assert {item.tree.provenance.source for item in found.readings} == {"scripted"}
    assert len(compared(found)) >= 40
    undated = [case for case in compared(found) if case.probe.id == "undated-000"]
    ignored = [item.ignore for case in undated for item in case.expectations if isinstance(item, FileExpectation)]
    assert ignored == ([("days_left",)] if name == "contracts" else [])


def test_a_directory_that_cannot_be_read_is_a_usage_error(tmp_path):
    requirement = Requirement(text=(EXAMPLES / "words" / "requirement.md").read_text())
    spec = compile_requirement(requirement, {})
    settings = BuildSettings(store=str(tmp_path / "store"), readings=(str(tmp_path / "none"),))
    with pytest.raises(UsageError, match="none"):
        read(spec, requirement, settings)


def test_one_program_is_not_two_readings(tmp_path: Path) -> None:
    """A reading that is supplied twice, under another name, is one source."""
    for name in ("first", "second"):
        (tmp_path / name).mkdir()
        (tmp_path / name / "main.py").write_text("print('NONE')\n")
    text = (EXAMPLES / "words" / "requirement.md").read_text()
    settings = BuildSettings(
        store=str(tmp_path / "store"), readings=(str(tmp_path / "first"), str(tmp_path / "second"))
    )
    with pytest.raises(UsageError, match="one source, not two"):
        read(compile_requirement(Requirement(text=text), {}), Requirement(text=text), settings)

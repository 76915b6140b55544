"""When a mutant counts as equivalent: it behaves as the candidate in every bound channel (DEC-17)."""

from __future__ import annotations

from pathlib import Path

import pytest

import tasks
from contracts.probe import CommandProbe, ProbeCase, ProbePlan
from contracts.requirement import BuildSpec, Requirement
from contracts.verdict import Failure, FailureSignature, MutantRun
from tasks.requirement.compiler import compile_requirement
from tasks.validation.grouping import grouped
from tasks.validation.strength import FURTHER, UNCHANGED, tally

DIFFERENT = {
    "stdout": {"stdout": b"other"},
    "stderr": {"stderr": b"other"},
    "files": {"files": {"OUTPUT": b"other"}},
    "exit": {"status": 3},
}


@pytest.fixture(scope="module")
def spec() -> BuildSpec:
    text = (Path(tasks.__file__).parents[1] / "examples" / "words" / "requirement.md").read_text()
    return compile_requirement(Requirement(text=text), {})


@pytest.mark.parametrize("channel", DIFFERENT)
@pytest.mark.parametrize("bound", [True, False])
def test_a_difference_counts_in_bound_channels_only(channel, bound, spec, seen):
    channels = ("exit", channel) if bound else ("exit",)
    own = spec.model_copy(update={"interface": spec.interface.model_copy(update={"bound": channels})})
    case = ProbeCase(probe=CommandProbe(id="g", argv=("x",)), origin="reading")
    plan = ProbePlan(build_spec=own.seal(), seed=1, cases=(case,))
    name = f"{FURTHER}000"
    runs = [
        MutantRun(path="main.py", line=0, change=UNCHANGED, observations=(seen(name),)),
        MutantRun(path="main.py", line=1, change="x", observations=(seen("g"), seen(name, **DIFFERENT[channel]))),
    ]
    alike = not bound and channel != "exit"
    assert tally(own, plan, runs) == (1, 0, int(alike))


def test_failures_without_a_witness_are_one_as_well():
    failure = Failure(signature=FailureSignature.RESOURCE_LIMIT, detail="x")
    assert [item.detail for item in grouped([failure, failure])] == ["x (and 1 more input)"]

"""DEC-09: the entry point is held to success only where an input is known to be one that succeeds."""

from __future__ import annotations

import pytest

from contracts.probe import CommandProbe, ExitExpectation, ProbeCase
from contracts.requirement import BuildSpec, Requirement
from tasks.reading.standing import samples
from tasks.requirement.compiler import compile_requirement


@pytest.fixture(scope="module")
def spec() -> BuildSpec:
    text = "Write a program that takes a number and prints it doubled. If it is missing, exit with status 3."
    return compile_requirement(Requirement(text=text), {})


def case(name: str, status: int) -> ProbeCase:
    probe = CommandProbe(id=name, argv=("python3", "/candidate/main.py", name))
    return ProbeCase(probe=probe, origin="reading", expectations=(ExitExpectation(status=status),))


def test_an_input_that_readings_refuse_is_not_ordinary(spec: BuildSpec) -> None:
    probes, answers = samples(spec, [case("refused", 3), case("taken", 0)])
    assert [probe.id for probe in probes] == ["taken"]
    assert answers == (ExitExpectation(status=0),)


def test_where_none_is_known_to_succeed_none_has_to(spec: BuildSpec) -> None:
    probes, answers = samples(spec, [case("refused", 3), case("too", 3)])
    assert [probe.id for probe in probes] == ["refused"]
    assert answers == ()

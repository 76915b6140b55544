"""Retries are for faults of the infrastructure alone (law 3, PRE-12); every failed attempt is told (law 6)."""

from __future__ import annotations

import os
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path

import pytest

from flows.engine import InlineEngine
from sandbox.base import IsolationViolation, SandboxLost, SandboxUnavailable
from tasks.errors import NoCandidateError
from tasks.stages import STAGES, Stage


def failing(*errors: Exception) -> tuple[Callable[[], str], list[int]]:
    """A stage function that raises each error once, then returns; and the list of its calls."""
    calls: list[int] = []

    def function() -> str:
        calls.append(1)
        if len(calls) <= len(errors):
            raise errors[len(calls) - 1]
        return "value"

    return function, calls


def test_a_lost_sandbox_is_tried_again_and_each_attempt_told() -> None:
    function, calls = failing(SandboxLost("first"), SandboxLost("second"))
    told: list[BaseException] = []
    assert InlineEngine().run(Stage("s", lambda: function, retries=2), told.append) == "value"
    assert len(calls) == 3
    assert [str(error) for error in told] == ["first", "second"]


def test_retries_are_bounded() -> None:
    function, calls = failing(*(SandboxLost(str(number)) for number in range(5)))
    with pytest.raises(SandboxLost, match="2"):
        InlineEngine().run(Stage("s", lambda: function, retries=2), lambda error: None)
    assert len(calls) == 3


@pytest.mark.parametrize(
    "error", [ValueError("bug"), NoCandidateError("none"), SandboxUnavailable("x"), IsolationViolation("x")]
)
def test_nothing_else_is_tried_again(error: Exception) -> None:
    """Planted fault: a stage that raises anything but a transient fault of the infrastructure (PRE-12)."""
    function, calls = failing(error)
    told: list[BaseException] = []
    with pytest.raises(type(error)):
        InlineEngine().run(Stage("s", lambda: function, retries=2), told.append)
    assert len(calls) == 1
    assert told == [error]


def test_the_table_names_each_stage_once_and_loads_its_functions() -> None:
    names = [stage.name for stage in STAGES]
    assert names == [
        "compile",
        "plan",
        "isolate",
        "write_readings",
        "read",
        "code",
        "write",
        "validate_runtime",
        "validate_obligations",
        "validate_adversarial",
        "package",
    ]
    assert all(callable(stage.load()) for stage in STAGES)


def test_importing_table_and_engine_is_cheap() -> None:
    """Neither Prefect nor any stage is imported before it is needed."""
    program = (
        "import sys, tasks.stages, flows.engine, flows.build\n"
        "heavy = {'prefect', 'z3', 'docker', 'cryptography', 'jsonschema', 'rich', 'typer'} & set(sys.modules)\n"
        "assert not heavy, heavy\n"
        "assert 'tasks.requirement.compiler' not in sys.modules\n"
    )
    root = str(Path(__file__).parents[2])
    subprocess.run([sys.executable, "-c", program], check=True, env={**os.environ, "PYTHONPATH": root})

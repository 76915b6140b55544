"""``--contract FILE`` on the command line: what it settles, and refusals in one line with exit 2 (DEC-02)."""

from __future__ import annotations

import json
from pathlib import Path
from typing import NamedTuple, Protocol

import pytest

from flows.cli.app import run

TEXT = "Write a program that prints the rows of a CSV file."


class Ended(NamedTuple):
    """A command that ended: exit status and both outputs."""

    status: int
    out: str
    err: str


class Command(Protocol):
    """Runs ``forge`` with arguments."""

    def __call__(self, *arguments: str) -> Ended: ...


@pytest.fixture
def forge(capfd: pytest.CaptureFixture[str]) -> Command:
    def call(*arguments: str) -> Ended:
        return Ended(run(arguments), *capfd.readouterr())

    return call


def test_compile_takes_a_contract_file(forge: Command, tmp_path: Path) -> None:
    file = tmp_path / "contract.yaml"
    file.write_text("assume: {exit.success: 3}\ninterface: {columns: [{name: id, kind: identifier}]}\n")
    spec = json.loads(forge("compile", TEXT, "--contract", str(file), "--json").out)
    settled = {item["key"]: (item["value"], item["source"]) for item in spec["conventions"]}
    assert settled["exit.success"] == ("3", "override")
    assert settled["csv.kinds"] == ("identifier", "override")


@pytest.mark.parametrize(
    "content", ["", "assume: 1", "surplus: {}", "assume: {no.such: x}", "assume: {exit.success: 3}"]
)
def test_compile_refuses_a_bad_or_doubled_contract_file(forge: Command, tmp_path: Path, content: str) -> None:
    file = tmp_path / "contract.yaml"
    file.write_text(content)
    ended = forge("compile", TEXT, "--contract", str(file), "--assume", "exit.success=4")
    assert ended.status == 2
    assert ended.err.count("\n") == 1


def test_compile_refuses_a_contract_file_that_is_not_there(forge: Command, tmp_path: Path) -> None:
    ended = forge("compile", TEXT, "--contract", str(tmp_path / "none"))
    assert ended.status == 2
    assert ended.err.count("\n") == 1

"""The commands: exit statuses (DEC-02), one JSON object, one line for an error, never a traceback (CLI-05)."""

from __future__ import annotations

import json
import os
import signal
from collections.abc import Sequence
from pathlib import Path
from typing import Any, NamedTuple

import pytest

from contracts.verdict import FailureSignature
from flows.cli.app import run
from sandbox.base import SandboxUnavailable
from tasks.errors import NoCandidateError, UsageError

TEXT = "# Fake tool\n\nWrite a program.\n"


class Ended(NamedTuple):
    """A command that ended: exit status and both outputs."""

    status: int
    out: str
    err: str


@pytest.fixture
def forge(capfd: pytest.CaptureFixture[str], tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Any:
    monkeypatch.chdir(tmp_path)

    def call(*arguments: str) -> Ended:
        status = run(arguments)
        out, err = capfd.readouterr()
        return Ended(status, out, err)

    return call


def raising(error: BaseException) -> Any:
    def function(*_args: Any, **_named: Any) -> Any:
        raise error

    return function


def test_verified_says_where_everything_is(forge: Any, line: Any, tmp_path: Path) -> None:
    ended = forge("build", TEXT, "--store", line.store, "--out", "out")
    assert ended.status == 0
    assert ended.out.startswith("verified\n")
    for words in (
        str(tmp_path / "out" / "record.json"),
        str(tmp_path / "out" / "package" / "fake-0-py3-none-any.whl"),
        "python.entry=main.py",
        "runtime passed",
    ):
        assert words in ended.out


def test_a_first_word_that_is_no_command_begins_a_build(forge: Any, line: Any) -> None:
    assert forge(TEXT, "--store", line.store).status == 0
    assert line.calls[-1] == "package"


def test_without_out_results_go_below_the_current_directory(forge: Any, line: Any, tmp_path: Path) -> None:
    report = json.loads(forge("build", TEXT, "--store", line.store, "--json").out)
    assert report["record"] == str(tmp_path / "forge-out" / report["run"] / "record.json")


def test_json_is_one_object_with_the_agreed_names(forge: Any, line: Any) -> None:
    """DEC-01."""
    line.broken = {0, 1}
    ended = forge("build", TEXT, "--store", line.store, "--json")
    assert (ended.status, ended.err) == (1, "")
    report = json.loads(ended.out)
    assert ended.out.count("\n") == 1
    assert {
        "status", "fault", "failures", "record", "package", "strength", "assumptions", "engine", "sandbox",
    } <= report.keys()  # fmt: skip
    assert (report["status"], report["fault"], report["engine"]) == ("validation_failed", "candidate", "inline")
    assert {"signature", "requirement_ids", "spans", "detail", "witness"} == report["failures"][0].keys()


@pytest.mark.parametrize(
    ("stage", "error", "signature"),
    [
        ("isolate", SandboxUnavailable("no user namespaces"), FailureSignature.SANDBOX_UNAVAILABLE),
        ("code", NoCandidateError("no coder is configured"), FailureSignature.NO_CANDIDATE),
        ("plan", ValueError("bug"), FailureSignature.INFRASTRUCTURE_ERROR),
    ],
)
def test_infrastructure_is_exit_4(
    forge: Any, line: Any, stage: str, error: Exception, signature: FailureSignature
) -> None:
    line.act[stage] = raising(error)
    ended = forge("build", TEXT, "--store", line.store)
    assert ended.status == 4
    assert ended.out.startswith("validation_failed (fault: infrastructure)\n")
    assert signature.value in ended.out
    assert "runtime not executed" in ended.out
    assert "Traceback" not in ended.out + ended.err


USAGE: list[Sequence[str]] = [
    [],
    [""],
    ["build"],
    ["build", ""],
    ["build", " \n"],
    ["build", TEXT, "--file", "x"],
    ["build", TEXT, "more"],
    ["build", "--file", ""],
    ["build", "--file", "missing.md"],
    ["build", "--file", "."],
    ["build", TEXT, "--out", ""],
    ["build", TEXT, "--store", ""],
    ["build", TEXT, "--candidate", ""],
    ["build", TEXT, "--candidate", "missing"],
    ["build", TEXT, "--reading", ""],
    ["build", TEXT, "--reading", "missing"],
    ["build", TEXT, "--assume", "nonsense"],
    ["build", TEXT, "--assume", "=x"],
    ["build", TEXT, "--assume", "a=b", "--assume", "a=c"],
    ["build", TEXT, "--rounds", "11"],
    ["build", TEXT, "--rounds", "-1"],
    ["build", TEXT, "--rounds", "1000000000"],
    ["build", TEXT, "--rounds", "2.5"],
    ["build", TEXT, "--rounds", "true"],
    ["build", TEXT, "--sandbox", "none"],
    ["build", TEXT, "--engine", "both"],
    ["build", TEXT, "--nonsense"],
    ["build", "\udc80"],
    ["compile"],
    ["compile", ""],
    ["verify"],
    ["verify", ""],
    ["verify", "missing/record.json"],
    ["verify", "nosuchrun"],
    ["verify", "nosuchrun", "--store", ""],
    ["verify", "nosuchrun", "--candidate", ""],
    ["view", ""],
    ["view", "nosuchrun"],
    ["serve", "--port", "0"],
    ["serve", "--port", "70000"],
]


@pytest.mark.parametrize("arguments", USAGE, ids=str)
def test_usage_errors_are_one_line_and_exit_2(forge: Any, line: Any, arguments: Sequence[str]) -> None:
    """CLI-04, CLI-05, CLI-07, CLI-09, CLI-10: an empty argument is never taken for one that was not given."""
    ended = forge(*arguments)
    assert ended.status == 2
    assert ended.out == ""
    assert ended.err.startswith("forge: ")
    assert ended.err.count("\n") == 1
    assert line.calls == []


def test_an_assumption_that_cannot_be_made_is_a_usage_error(forge: Any, line: Any) -> None:
    line.act["compile"] = raising(UsageError("there is no convention x"))
    ended = forge("build", TEXT, "--store", line.store, "--assume", "x=y")
    assert (ended.status, ended.err) == (2, "forge: there is no convention x\n")


def test_a_taken_destination_is_refused_before_any_work(forge: Any, line: Any, tmp_path: Path) -> None:
    (tmp_path / "taken").mkdir()
    ended = forge("build", TEXT, "--store", line.store, "--out", "taken")
    assert (ended.status, line.calls) == (2, [])


@pytest.mark.parametrize("number", [signal.SIGINT, signal.SIGTERM, signal.SIGHUP])
def test_a_signal_leaves_a_sealed_record_and_nothing_else(
    forge: Any, line: Any, tmp_path: Path, number: signal.Signals
) -> None:
    """CLI-06, OUT-12, DEC-02; a second signal does not disturb the clean-up."""

    def interrupted(*_args: Any) -> None:
        try:
            os.kill(os.getpid(), number)
        finally:
            os.kill(os.getpid(), number)

    line.act["read"] = interrupted
    before = [signal.getsignal(each) for each in (signal.SIGINT, signal.SIGTERM, signal.SIGHUP)]
    ended = forge("build", TEXT, "--store", line.store, "--out", "out", "--json")
    assert ended.status == 130
    report = json.loads(ended.out)
    assert [failure["signature"] for failure in report["failures"]] == ["interrupted"]
    assert (report["package"], report["fault"]) == (None, "infrastructure")
    assert ended.err.startswith("forge: interrupted")
    assert ended.err.count("\n") == 1
    assert not (tmp_path / "out").exists()
    body = line.only_record().entries[-1].body
    assert [failure["signature"] for failure in body["failures"]] == ["interrupted"]
    assert [signal.getsignal(each) for each in (signal.SIGINT, signal.SIGTERM, signal.SIGHUP)] == before


def test_an_error_nobody_thought_of_is_one_line(forge: Any, line: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("flows.cli.running.build", raising(RuntimeError("first\nsecond")))
    ended = forge("build", TEXT, "--store", line.store)
    assert (ended.status, ended.out) == (4, "")
    assert ended.err == "forge: internal error: RuntimeError: first second\n"


def test_what_a_program_printed_cannot_steer_the_terminal(forge: Any, line: Any) -> None:
    line.act["plan"] = raising(ValueError("\x1b]0;title\x07\x1b[31mred"))
    ended = forge("build", TEXT, "--store", line.store)
    assert "\x1b" not in ended.out
    assert "\x07" not in ended.out


def test_compile_shows_bindings_and_conventions(forge: Any) -> None:
    ended = forge("compile", "Write a program that reads a CSV file and writes a summary file.")
    assert ended.status == 0
    assert "print" not in ended.err
    assert "python.entry=main.py (default)" in ended.out
    spec = json.loads(forge("compile", "Write a program that prints OK.", "--json").out)
    assert {"requirement_atoms", "conditional_obligations", "conventions", "ambiguity_flags", "unbound"} <= spec.keys()


def test_compile_refuses_an_unknown_convention(forge: Any) -> None:
    ended = forge("compile", "Write a program that prints OK.", "--assume", "no.such=thing")
    assert (ended.status, ended.err.count("\n")) == (2, 1)


def test_verbose_logs_each_stage_on_standard_error(forge: Any, line: Any) -> None:
    ended = forge("build", TEXT, "--store", line.store, "--json", "-v")
    assert json.loads(ended.out)["status"] == "verified"
    assert ended.err.count("event=started") == len(line.calls)
    assert "event=ended" in ended.err

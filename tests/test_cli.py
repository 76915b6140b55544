"""The command line on the samples, with nothing faked (DEC-01, DEC-02)."""

from __future__ import annotations

import json
import os
import shutil
import subprocess
import sys
from pathlib import Path
from typing import Any, NamedTuple

import pytest

ROOT = Path(__file__).resolve().parents[1]
SAMPLES = ROOT / "examples"


class Ended(NamedTuple):
    """A command that ended."""

    status: int
    out: str
    err: str


@pytest.fixture
def forge(tmp_path: Path) -> Any:
    def call(*arguments: str | Path, **environment: str) -> Ended:
        command = [sys.executable, str(ROOT / "forge.py"), *map(str, arguments)]
        done = subprocess.run(
            command, cwd=tmp_path, env={**os.environ, **environment}, capture_output=True, text=True, check=False
        )
        return Ended(done.returncode, done.stdout, done.stderr)

    return call


def test_an_infeasible_requirement_is_proven_so(forge: Any) -> None:
    ended = forge("build", "--file", SAMPLES / "infeasible" / "requirement.md")
    assert (ended.status, ended.err) == (3, "")
    assert ended.out.startswith("infeasible_proven")
    for words in ("x is smaller than y", "y is at most 10", "exactly 45", "between 1 and 20"):
        assert words in ended.out
    assert "z is even" not in ended.out  # the set is minimal


def test_an_open_decision_comes_back_as_a_question(forge: Any) -> None:
    ended = forge("build", "--file", SAMPLES / "vague" / "requirement.md", "--json")
    report = json.loads(ended.out)
    assert (ended.status, report["status"], report["fault"]) == (1, "validation_failed", "requirement")
    assert "?" in report["failures"][0]["detail"] or "important" in report["failures"][0]["detail"]


def test_a_record_verifies_and_a_flipped_byte_does_not(forge: Any, tmp_path: Path) -> None:
    """Planted fault: one byte of the record, at several places (DEC-02)."""
    report = json.loads(forge("build", "--file", SAMPLES / "vague" / "requirement.md", "--json", "--out", "out").out)
    record = Path(report["record"])
    ended = forge("verify", record)
    assert ended.status == 0, ended
    assert "intact, signed by" in ended.out
    assert "not checked" in ended.out
    assert forge("verify", report["run"]).status == 0
    assert "VALIDATION_FAILED" in forge("view", record).out
    data = record.read_bytes()
    for place in (len(data) // 3, len(data) // 2):
        changed = tmp_path / f"changed-{place}"
        shutil.copytree(record.parent, changed)
        (changed / "record.json").chmod(0o644)
        (changed / "record.json").write_bytes(data[:place] + bytes([data[place] ^ 1]) + data[place + 1 :])
        assert forge("verify", changed).status in (1, 2)


def test_another_key_is_not_trusted_unless_only_integrity_is_asked(forge: Any, tmp_path: Path) -> None:
    """DEC-11."""
    report = json.loads(forge("build", "--file", SAMPLES / "vague" / "requirement.md", "--json").out)
    stranger = {"XDG_CONFIG_HOME": str(tmp_path / "stranger")}
    ended = forge("verify", report["record"], "--json", **stranger)
    assert (ended.status, json.loads(ended.out)["intact"], json.loads(ended.out)["trusted"]) == (1, True, False)
    ended = forge("verify", report["record"], "--integrity-only", **stranger)
    assert ended.status == 0
    assert "not checked: who signed" in ended.out


def test_without_a_coder_it_says_what_to_give(forge: Any) -> None:
    """DEC-16; without a sandbox the fault is the sandbox's, and nothing runs (law 4)."""
    ended = forge("build", "Write a program that prints 3.", "--json", FORGE_BWRAP="/bin/false")
    report = json.loads(ended.out)
    assert (ended.status, report["fault"], report["failures"][0]["signature"]) == (
        4,
        "infrastructure",
        "sandbox_unavailable",
    )
    assert [layer["executed"] for layer in report["layers"]] == [False, False, False]


@pytest.mark.slow
def test_a_wrong_message_is_caught_with_its_witness(forge: Any) -> None:
    sample = SAMPLES / "empty"
    ended = forge("build", "--file", sample / "requirement.md", "--candidate", sample / "wrong-message")
    assert ended.status == 1
    for words in ("conditional_violation", "print exactly EMPTY", "No rows found"):
        assert words in ended.out


@pytest.mark.slow
def test_a_repair_round_ends_verified(forge: Any) -> None:
    ended = forge("build", "--file", SAMPLES / "words" / "requirement.md", "--out", "out")
    assert ended.status == 0, ended
    assert forge("verify", "out").status == 0

"""Commands that a report offers for copying: run by a real shell they do what the run did, and nothing else."""

from __future__ import annotations

import json
import subprocess
from pathlib import Path
from typing import Any

import pytest

from contracts.probe import CallProbe, CommandProbe, InputFile
from tasks.evidence.commands import script, shell
from tasks.evidence.report import report

HOSTILE = (
    "$(touch pwned)",
    "`touch pwned`",
    "a'b\"c",
    "; touch pwned",
    "é ü",
    "\x1b[31m",
    "a\nb",
    "-n",
    "",
    "\\n",
    "*",
)
ECHO = "import sys, json, os; print(json.dumps([sys.argv[1:], os.environ.get('VALUE'), sys.stdin.buffer.read().hex()]))"


def run(tmp_path: Path, text: str, **environment: str) -> str:
    done = subprocess.run(
        ["bash", "-c", text],
        cwd=tmp_path,
        env={"PATH": "/usr/bin:/bin", "LANG": "C.UTF-8", **environment},
        capture_output=True,
        check=True,
    )
    assert not (tmp_path / "pwned").exists()
    return done.stdout.decode("utf-8", "surrogateescape")


@pytest.mark.parametrize("word", HOSTILE)
def test_rec_17_a_word_of_any_text_stays_one_word(tmp_path: Path, word: str) -> None:
    """REC-17, ENC-07: also what is not ASCII, and what cannot be printed; the line itself can be."""
    assert shell(word).isprintable()
    assert run(tmp_path, f"printf %s {shell(word)}") == word


def test_a_run_is_repeated_as_it_was(tmp_path: Path) -> None:
    candidate = tmp_path / "candidate with spaces"
    candidate.mkdir()
    (candidate / "main.py").write_text(ECHO)
    probe = CommandProbe(
        id="p",
        argv=("python3", "/candidate/main.py", *HOSTILE),
        stdin=b"in\n",
        files=(
            InputFile(path="in.csv", content=b"name\na'b\n"),
            InputFile(path="deep/raw%FF.bin", content=b"\0\xff\n"),
            InputFile(path="-n", content=b""),
        ),
        environment={"VALUE": "$(touch pwned) é"},
    )
    text = script(probe)
    assert text is not None
    told = run(tmp_path, text, CANDIDATE=str(candidate))
    assert json.loads(told) == [list(HOSTILE), "$(touch pwned) é", b"in\n".hex()]
    assert (tmp_path / "in.csv").read_bytes() == b"name\na'b\n"
    assert (tmp_path / "-n").read_bytes() == b""
    assert [path.read_bytes() for path in (tmp_path / "deep").iterdir()] == [b"\0\xff\n"]


def test_what_has_no_command_offers_none() -> None:
    call = CallProbe(id="c", module="a", function="f")
    long = CommandProbe(id="l", argv=("python3", "x" * 10_000))
    named = CommandProbe(id="n", argv=("python3",), environment={"A;touch pwned": "1"})
    assert [script(probe) for probe in (call, long, named)] == [None, None, None]


def test_enc_07_a_run_with_an_odd_name_is_quoted(maker: Any) -> None:
    """REC-16: the command of the report holds the name as one word."""
    record = maker.record("failed")
    told = report(record, maker.store, beside=None)
    commands = [command for section in told.sections for line in section.lines for command in line.commands]
    assert "forge verify run-1" in commands
    assert all(command.isprintable() for command in commands if command.startswith("forge"))

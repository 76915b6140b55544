"""``forge repair`` and its samples: arguments, and the records that are checked in."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from pathlib import Path

import pytest

from contracts.candidate import tree_digest
from contracts.evidence import Record
from contracts.loading import load_document
from contracts.repair import StopReason
from flows.cli.app import run
from flows.replay import replay
from sandbox.workspace import scan
from tasks.evidence.arrangement import read_contents
from tasks.evidence.repairs.contents import RepairContents
from tasks.evidence.signing import parse_public
from tasks.evidence.store import DirectoryStore
from tasks.evidence.trust import Trust
from tasks.evidence.verify import verify_record

ROOT = Path(__file__).resolve().parents[2]
SAMPLES = ["gate-python", "gate-javascript"]


def forge(*arguments: str, cwd: Path, **extra: str) -> subprocess.CompletedProcess[str]:
    environment = {**os.environ, **extra}
    command = [sys.executable, str(ROOT / "forge.py"), *arguments]
    return subprocess.run(command, cwd=cwd, env=environment, capture_output=True, text=True, check=False)


@pytest.mark.parametrize(
    ("extra", "words"),
    [
        (["--max-rounds", "11"], "--max-rounds"), (["--max-rounds", "2.5"], "--max-rounds"),
        (["--max-rounds", "true"], "--max-rounds"), (["--max-rounds", "-1"], "--max-rounds"),
        (["--patched-out", ""], "--patched-out"), (["--out", ""], "--out"), (["--provider", "nobody"], "provider"),
        (["--provider", ""], "--provider"), (["--patched-out", "inside"], "--patched-out"), (["--base", ""], "--base"),
        (["--model", "m"], "--model"),
    ],
)  # fmt: skip
def test_a_call_that_cannot_be_carried_out_is_one_line(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str], extra: list[str], words: str
) -> None:
    """CLI-05, CLI-07, CLI-08, CLI-10, CLI-11, CLI-13, OUT-07: exit 2, before any work."""
    (tmp_path / "task.yaml").write_text("brief: b\nchecks: [{name: n, run: 'true'}]\n")
    candidate = tmp_path / "candidate"
    candidate.mkdir()
    monkeypatch.chdir(candidate)
    assert run(["repair", str(candidate), str(tmp_path / "task.yaml"), *extra]) == 2
    out, err = capsys.readouterr()
    assert (out, len(err.splitlines())) == ("", 1)
    assert words in err
    assert list(candidate.iterdir()) == []


def test_a_key_that_is_none_is_found_before_any_work(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    """ENC-02, CLI-13: and it is not shown."""
    (tmp_path / "task.yaml").write_text("brief: b\nchecks: [{name: n, run: 'true'}]\n")
    monkeypatch.setenv("TAVILY_API_KEY", "a secret")
    assert run(["repair", str(tmp_path), str(tmp_path / "task.yaml")]) == 2
    out, err = capsys.readouterr()
    assert "TAVILY_API_KEY" in err
    assert "secret" not in out + err


def contents_of(sample: str) -> RepairContents:
    folder = ROOT / "examples" / sample / "records" / "repaired"
    document = load_document(Record, (folder / "record.json").read_bytes())
    contents = read_contents(document, DirectoryStore(folder / "blobs"))
    assert isinstance(contents, RepairContents)
    return contents


@pytest.mark.parametrize("sample", SAMPLES)
def test_the_record_of_a_repaired_sample_verifies(sample: str) -> None:
    """SMP-01, SMP-02, JDG-02, ADP-19, REC-16: FAIL to PASS by scripted answers, signed by the key beside it."""
    folder = ROOT / "examples" / sample / "records" / "repaired"
    signer = parse_public((folder / "signer.pem").read_bytes(), "signer.pem")
    found = verify_record(folder / "record.json", trusted=Trust.of(signer))
    assert found.status == "PASS"
    contents = contents_of(sample)
    assert contents.outcome is not None
    assert contents.outcome.stopped is StopReason.PASSED
    assert contents.plan.adviser == "scripted"
    assert contents.judged[0].verdict.verdict == "FAIL"
    answers = [file.read_text() for file in sorted((ROOT / "examples" / sample / "proposals").glob("*.txt"))]
    assert [proposal.text for proposal in contents.proposals] == answers


@pytest.mark.parametrize("sample", SAMPLES)
def test_the_record_is_of_the_sample_as_it_is(sample: str) -> None:
    """A sample that was changed without its record would be seen."""
    contents, place = contents_of(sample), ROOT / "examples" / sample
    assert contents.task.text == (place / "task.yaml").read_text()
    subject = contents.attempts[0].subject
    for name, tree in (("fail", subject.candidate), ("overlay", subject.overlay), ("base", subject.base)):
        assert tree is not None
        assert tree_digest(tuple(item.entry for item in scan(place / name)[0])) == tree.tree


@pytest.mark.slow
@pytest.mark.parametrize("sample", SAMPLES)
def test_the_sample_is_repaired_again_and_its_record_reproduced(sample: str, tmp_path: Path) -> None:
    """RPL-03, JDG-03: the whole loop in the sandbox."""
    place = ROOT / "examples" / sample
    folder = place / "records" / "repaired"
    document = load_document(Record, (folder / "record.json").read_bytes())
    again = replay(document, DirectoryStore(folder / "blobs"))
    assert again.reproduced, again.differences
    done = forge(
        "repair", str(place / "fail"), str(place / "task.yaml"), "--base", str(place / "base"),
        "--patched-out", str(tmp_path / "mended"), "--json", cwd=tmp_path,
    )  # fmt: skip
    report = json.loads(done.stdout)
    assert (done.returncode, report["status"], report["stopped"]) == (0, "PASS", "passed")
    verified = forge("verify", report["record"], cwd=tmp_path)
    assert verified.returncode == 0

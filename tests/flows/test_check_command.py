"""``forge check``: exit statuses, refusals before any work, destinations, interruption, records (CLI, OUT, SPEC)."""

from __future__ import annotations

import json
import os
import signal
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any, NamedTuple

import pytest

from contracts.canonical import digest
from contracts.evidence import EntryKind, Record
from contracts.gate import CheckRun
from contracts.isolation import IsolationCheck, IsolationReport
from contracts.loading import load_document
from contracts.probe import Observation
from flows.cli.app import run
from sandbox.base import SandboxLost, SandboxUnavailable
from tasks import stages
from tasks.evidence.arrangement import read_contents
from tasks.evidence.checks.contents import CheckContents, gate_faults
from tasks.evidence.store import open_store

TASK = 'brief: Mend it\nchecks: [{name: works, run: "exit 0"}]\n'
EMPTY = {"length": 0, "digest": digest(b""), "head": b"", "tail": b"", "truncated": False}
TIMING = {"queue_ms": 0, "wall_ms": 1, "cpu_ms": 1, "peak_memory_bytes": 1}


class Ended(NamedTuple):
    status: int
    out: str
    err: str


def isolate(settings: Any) -> IsolationReport:
    held = (IsolationCheck(name="n", held=True, observed="o"),)
    policy = settings.policy.seal()
    return IsolationReport(policy=policy, backend="bubblewrap", root="host", tools={}, enforced={}, checks=held)


def pretend(check: Any, *_: Any) -> tuple[CheckRun, ...]:
    """A check that ends with the status that its command names."""
    seen = {"probe": check.name, "outcome": "exited", "exit_code": int(check.run.split()[1])}
    whole = {**seen, "stdout": EMPTY, "stderr": EMPTY, "files": (), "timing": TIMING}
    return (CheckRun(check=check.name, tree="candidate", repeat=0, observations=(Observation.model_validate(whole),)),)


class Bench:
    def __init__(self, root: Path, capfd: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch) -> None:
        self.root, self._capfd, self._monkeypatch = root, capfd, monkeypatch
        (root / "candidate").mkdir()
        (root / "candidate" / "a.py").write_text("x = 1\n")
        self.task(TASK)
        self.act("ISOLATE", isolate)
        self.act("CHECK", pretend)

    def act(self, stage: str, function: Callable[..., Any]) -> None:
        name = getattr(stages, stage).name
        self._monkeypatch.setattr(stages, stage, stages.Stage(name, lambda: function))

    def task(self, text: str, name: str = "task.yaml") -> None:
        (self.root / name).write_text(text)

    def __call__(self, *more: str, candidate: str = "candidate", spec: str = "task.yaml") -> Ended:
        self._capfd.readouterr()
        status = run(["check", candidate, spec, "--store", "store", *more])
        return Ended(status, *self._capfd.readouterr())

    def records(self) -> list[Record]:
        folder = self.root / "store" / "runs"
        names = sorted(path.stem for path in folder.iterdir()) if folder.is_dir() else []
        return [load_document(Record, open_store(str(self.root / "store")).get_record(name)) for name in names]


@pytest.fixture
def forge(capfd: pytest.CaptureFixture[str], tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Bench:
    monkeypatch.chdir(tmp_path)
    return Bench(tmp_path, capfd, monkeypatch)


def refused(ended: Ended, words: str = "") -> None:
    assert ended.status == 2
    assert ended.err.count("\n") == 1
    assert ended.err.startswith("forge: ")
    assert words in ended.err
    assert "Traceback" not in ended.err


def test_cli_02_pass_is_0_and_leaves_a_record(forge: Bench) -> None:
    """CLI-15: written by the one writer, and verified at once."""
    ended = forge("--out", "out")
    assert ended.status == 0
    assert ended.out.startswith("PASS\n")
    assert run(["verify", "out/record.json", "--spec", "task.yaml", "--candidate", "candidate"]) == 0


def test_cli_03_fail_is_1_and_leaves_a_record_too(forge: Bench) -> None:
    forge.task(TASK.replace("exit 0", "exit 3"))
    ended = forge("--out", "out")
    assert ended.status == 1
    assert "FAIL (fault: candidate)" in ended.out
    assert "exit status 3" in ended.out
    assert run(["verify", "out/record.json", "--spec", "task.yaml"]) == 0
    (forge.root / "other.yaml").write_text(TASK)
    assert run(["verify", "out/record.json", "--spec", "other.yaml"]) == 1


def test_json_is_one_object(forge: Bench) -> None:
    ended = forge("--json", "--out", "out")
    report = json.loads(ended.out)
    assert (report["status"], report["fault"], report["failures"]) == ("PASS", "none", [])
    assert report["results"][0]["channel"] == "exit_status"
    assert report["record"] == str(forge.root / "out" / "record.json")
    assert any("exit with 0" in line for line in report["not_checked"])


@pytest.mark.parametrize(
    "text",
    [
        "",
        "brief: x",
        TASK.replace('"exit 0"', "3"),
        TASK.replace('"exit 0"', "' '"),
        TASK + "checks: []\n",
        TASK.replace("Mend it", "&a Mend"),
        "{" * 200,
        '{"brief": "x", "brief": "y", "checks": [{"name": "a", "run": "true"}]}',
        '{"brief": "x", "checks": [{"name": "a", "run": "true", "timeout_s": 1.5}]}',
        '{"brief": "x", "checks": [{"name": "a", "run": "true", "timeout_s": 999999}]}',
        '{"brief": "x", "checks": [{"name": "a", "run": "\\ud800"}]}',
        TASK + "overlay: nowhere\n",
        TASK + "scope: {max_files: 1}\n",
    ],
)
def test_spec_01_cli_12_an_invalid_task_runs_nothing(forge: Bench, text: str) -> None:
    forge.act("CHECK", lambda *_: pytest.fail("a check ran"))
    forge.task(text)
    refused(forge("--out", "out"))
    assert not (forge.root / "out").exists()
    assert forge.records() == []


def test_spec_16_what_is_no_regular_file_never_blocks(forge: Bench) -> None:
    os.mkfifo(forge.root / "fifo")
    (forge.root / "link.yaml").symlink_to("task.yaml")
    for spec in ("fifo", "/dev/zero", "candidate", "nowhere.yaml", ""):
        refused(forge(spec=spec))
    assert forge(spec="link.yaml").status == 0


def test_spec_10_a_task_of_more_than_4_mib(forge: Bench) -> None:
    forge.task(TASK + "#" * (4 * 1024 * 1024))
    refused(forge(), "4194304")


@pytest.mark.parametrize("option", ["--out", "--base", "--patch", "--git", "--key", "--store"])
def test_cli_07_cli_09_an_empty_option_is_not_a_missing_one(forge: Bench, option: str) -> None:
    refused(forge(option, ""))


@pytest.mark.parametrize(
    "arguments",
    [("--sandbox", "none"), ("--patch", "nowhere"), ("--base", "nowhere"), ("--git", "HEAD"), ("--unknown",)],
)
def test_cli_04_cli_05_cli_11_a_call_that_cannot_be_carried_out(forge: Bench, arguments: tuple[str, ...]) -> None:
    refused(forge(*arguments))


def test_cli_13_an_unusable_key_is_found_before_any_check(forge: Bench) -> None:
    forge.act("CHECK", lambda *_: pytest.fail("a check ran"))
    (forge.root / "key").write_text("no key")
    refused(forge("--key", "key"))


def test_out_03_out_05_out_13_a_destination_that_exists_is_never_touched(forge: Bench) -> None:
    """OUT-01, OUT-02 and OUT-06 too: whatever stands there, by whatever name, is left as it is."""
    forge.act("CHECK", lambda *_: pytest.fail("a check ran"))
    (forge.root / "hard").hardlink_to(forge.root / "task.yaml")
    (forge.root / "soft").symlink_to("candidate/a.py")
    (forge.root / "dangling").symlink_to("nowhere")
    os.mkfifo(forge.root / "fifo")
    for place in ("task.yaml", "hard", "soft", "dangling", "fifo", "candidate", "candidate/a.py", "/dev/null"):
        refused(forge("--out", place), "exists")
    assert (forge.root / "task.yaml").read_text() == TASK
    assert (forge.root / "candidate" / "a.py").read_text() == "x = 1\n"


def test_out_04_a_new_directory_inside_the_candidate_is_allowed(forge: Bench) -> None:
    assert forge("--out", "candidate/record").status == 0
    assert (forge.root / "candidate" / "record" / "record.json").is_file()


def test_dog_02_inside_the_candidate_nothing_is_left_by_default(forge: Bench, monkeypatch: pytest.MonkeyPatch) -> None:
    """The next check of the same directory is about the same tree."""
    monkeypatch.chdir(forge.root / "candidate")
    assert forge("--json", candidate=".", spec="../task.yaml").status == 0
    assert not (forge.root / "candidate" / "forge-out").exists()


@pytest.mark.parametrize("number", [signal.SIGINT, signal.SIGTERM])
def test_cli_06_out_12_interrupted_writes_nothing_but_the_store(forge: Bench, number: int) -> None:
    """SBX-09: the sandbox of the running check is closed on the way out; the record says that the run was ended."""

    def interrupt(*_: Any) -> Any:
        os.kill(os.getpid(), number)

    forge.act("CHECK", interrupt)
    ended = forge("--out", "out", "--json")
    assert ended.status == 130
    assert ended.err == "forge: interrupted\n"
    assert not (forge.root / "out").exists()
    report = json.loads(ended.out)
    assert [failure["signature"] for failure in report["failures"]] == ["interrupted"]
    (record,) = forge.records()
    assert [entry.kind for entry in record.entries][-2:] == [EntryKind.FAULT, EntryKind.CHECK_OUTCOME]
    assert run(["verify", report["run"], "--store", "store"]) == 0


def test_dec_02_a_fault_of_the_infrastructure_is_4_and_no_verdict(forge: Bench) -> None:
    def lost(*_: Any) -> Any:
        raise SandboxLost("the supervisor of the sandbox ended")

    forge.act("CHECK", lost)
    ended = forge("--json", "--out", "out")
    report = json.loads(ended.out)
    assert (ended.status, report["fault"], report["results"]) == (4, "infrastructure", [])
    assert run(["verify", "out/record.json"]) == 0


def test_law_4_without_isolation_nothing_is_read_or_run(forge: Bench) -> None:
    def unavailable(*_: Any) -> Any:
        raise SandboxUnavailable("there is no bwrap")

    forge.act("ISOLATE", unavailable)
    forge.act("CHECK", lambda *_: pytest.fail("a check ran"))
    assert forge("--out", "out").status == 4
    (record,) = forge.records()
    assert EntryKind.SUBJECT not in [entry.kind for entry in record.entries]


def test_law_2_the_task_is_sealed_before_the_change_is_read(forge: Bench) -> None:
    forge()
    (record,) = forge.records()
    assert [entry.kind.value for entry in record.entries] == [
        "run",
        "task",
        "check_settings",
        "isolation",
        "subject",
        "check_evidence",
        "check_verdict",
        "check_outcome",
    ]


def test_jdg_03_the_same_input_gives_the_same_record_but_for_time(forge: Bench) -> None:
    """SPEC-15: task and trees are sealed by digest."""
    forge()
    forge()
    one, other = forge.records()
    timed = {EntryKind.RUN, EntryKind.CHECK_OUTCOME}
    assert [entry.content for entry in one.entries if entry.kind not in timed] == [
        entry.content for entry in other.entries if entry.kind not in timed
    ]


def test_jdg_01_a_patch_that_is_refused_is_a_fail(forge: Bench) -> None:
    forge.act("CHECK", lambda *_: ())
    (forge.root / "bad.diff").write_text("--- a/a.py\n+++ b/a.py\n@@ -1 +1 @@\n-y = 1\n+y = 2\n")
    ended = forge("--patch", "bad.diff", "--json")
    assert ended.status == 1
    assert [item["signature"] for item in json.loads(ended.out)["failures"]] == ["patch_rejected"]


def test_a_changed_record_is_not_intact(forge: Bench) -> None:
    """Law 7: a FAIL that is made a PASS, in the verdict and in what it rests on."""
    forge.task(TASK.replace("exit 0", "exit 3"))
    forge("--out", "out")
    path = forge.root / "out" / "record.json"
    text = path.read_text()
    for old, new in (('"FAIL"', '"PASS"'), ('"exit_code":3', '"exit_code":0'), ("exit 3", "exit 0")):
        path.write_text(text.replace(old, new))
        assert run(["verify", "out/record.json"]) == 1
    path.write_text(text)
    assert run(["verify", "out/record.json"]) == 0


def test_bnd_14_bnd_15_a_run_that_cannot_have_been_is_a_fault(forge: Bench) -> None:
    """Re-signed or not: verification holds evidence against the bounds that the gate keeps."""
    forge()
    (record,) = forge.records()
    store = open_store(str(forge.root / "store"))
    contents = read_contents(record, store)
    assert isinstance(contents, CheckContents)
    assert contents.subject is not None
    assert contents.evidence is not None
    (one,) = contents.evidence.runs
    seen = one.observations[0]
    longer = seen.model_copy(update={"timing": seen.timing.model_copy(update={"wall_ms": 10**9})})
    for changed in (longer, *(seen.model_copy(update={"exit_code": code}) for code in (256, -256, None))):
        runs = (one.model_copy(update={"observations": (changed,)}),)
        evidence = contents.evidence.model_copy(update={"runs": runs})
        assert list(gate_faults(contents.task, contents.subject, evidence, None))
    assert not list(gate_faults(contents.task, contents.subject, contents.evidence, contents.verdict))


def test_cli_01_the_commands(capfd: pytest.CaptureFixture[str]) -> None:
    assert run(["--help"]) == 0
    shown = capfd.readouterr().out
    for name in ("build", "compile", "check", "repair", "verify", "replay", "view"):
        assert name in shown


def test_cli_14_the_installed_command_works_from_anywhere(forge: Bench) -> None:
    """The script that an installation makes, in a directory of its own, without keys."""
    script = Path(sys.executable).with_name("forge")
    command = [str(script), "check", "candidate", "nowhere.yaml"]
    done = subprocess.run(
        command, cwd=forge.root, env={"PATH": "", "HOME": "/nonexistent"}, capture_output=True, check=False
    )
    assert (done.returncode, done.stdout) == (2, b"")
    assert done.stderr == b"forge: SPEC: nowhere.yaml: No such file or directory\n"


def test_a_record_is_shown(forge: Bench) -> None:
    forge("--out", "out")
    for name in ("a.html", "a.md", "a.xml", "a.sarif"):
        assert run(["view", "out/record.json", "-o", name]) == 0
    assert "PASS" in (forge.root / "a.html").read_text()
    assert 'name="works"' in (forge.root / "a.xml").read_text()

"""The action's step and the hook of agents, with a stand-in for forge: arguments, exit statuses, what is told."""

from __future__ import annotations

import json
import os
import subprocess
from pathlib import Path

import pytest
import yaml

ROOT = Path(__file__).resolve().parents[2]
HOOK = ROOT / "deployments" / "agents" / "stop_hook.sh"
STEP = ROOT / "deployments" / "action" / "check.sh"


@pytest.fixture
def forge(tmp_path: Path) -> Path:
    """A stand-in that notes its arguments and answers as a file says."""
    script = tmp_path / "forge"
    script.write_text(
        '#!/bin/sh\nfor word in "$@"; do printf "%s\\n" "$word" >>"$NOTES"; done\n'
        'case $1 in check) cat "$ANSWER"; exit "$STATUS" ;; view) echo "# report" >"$4" ;; esac\n'
    )
    script.chmod(0o755)
    return script


def run(script: Path, forge: Path, status: int, answer: str, **extra: str) -> subprocess.CompletedProcess[str]:
    (forge.parent / "answer").write_text(answer)
    given = {"FORGE": str(forge), "NOTES": str(forge.parent / "notes"), "ANSWER": str(forge.parent / "answer")}
    environment = {"PATH": os.environ["PATH"], "STATUS": str(status), **given, **extra}
    return subprocess.run([script], env=environment, cwd=forge.parent, capture_output=True, text=True, check=False)


@pytest.mark.parametrize(("status", "left"), [(0, 0), (1, 2), (2, 1), (4, 1), (130, 1)])
def test_only_a_fail_sends_the_agent_back(forge: Path, status: int, left: int) -> None:
    done = run(HOOK, forge, status, "FAIL\n  unit: why\n", FORGE_TASK="my task.yaml")
    assert (done.returncode, done.stdout) == (left, "")
    assert ("unit: why" in done.stderr) == (status != 0)
    assert (forge.parent / "notes").read_text().splitlines() == ["check", ".", "my task.yaml"]


def test_the_hook_takes_a_base_and_needs_a_task(forge: Path) -> None:
    assert run(HOOK, forge, 0, "", FORGE_TASK="t", FORGE_BASE="the base").returncode == 0
    assert (forge.parent / "notes").read_text().splitlines()[-2:] == ["--base", "the base"]
    done = run(HOOK, forge, 0, "")
    assert done.returncode not in (0, 2)
    assert "FORGE_TASK" in done.stderr


@pytest.mark.parametrize(("status", "verdict"), [(0, "PASS"), (1, "FAIL"), (4, "FAIL")])
def test_the_step_ends_with_forges_status_and_tells_the_verdict(forge: Path, status: int, verdict: str) -> None:
    out = forge.parent / "a record"
    out.mkdir()
    (out / "record.json").write_text("{}")
    files = {"GITHUB_OUTPUT": str(forge.parent / "output"), "GITHUB_STEP_SUMMARY": str(forge.parent / "summary")}
    named = {"TASK": "$(touch x)", "CANDIDATE": "a b", "REVISION": "HEAD", "BASE": "HEAD~1", "OUT": str(out)}
    done = run(STEP, forge, status, json.dumps({"status": verdict}), **files, **named)
    assert done.returncode == status
    assert (forge.parent / "output").read_text() == f"status={verdict}\nrecord={out}/record.json\n"
    assert (forge.parent / "summary").read_text() == "# report\n"
    words = (forge.parent / "notes").read_text().splitlines()
    assert words[:4] == ["check", "a b", "$(touch x)", "--out"]
    assert words[5:10] == ["--json", "--git", "HEAD", "--base", "HEAD~1"]
    assert not (forge.parent / "x").exists()


def test_the_step_without_a_report_is_no_pass(forge: Path) -> None:
    """Law 3."""
    output = forge.parent / "output"
    done = run(STEP, forge, 2, "", GITHUB_OUTPUT=str(output), TASK="t", CANDIDATE=".", OUT="o")
    assert (done.returncode, output.read_text()) == (2, "status=FAIL\n")


def test_the_action_and_the_hook_say_what_they_run() -> None:
    action = yaml.safe_load((ROOT / "deployments/action/action.yml").read_text())
    (step,) = action["runs"]["steps"]
    assert "${{" not in step["run"]
    assert step["env"] == {
        **{name.upper(): f"${{{{ inputs.{name} }}}}" for name in ("task", "candidate", "revision", "base", "out")}
    }  # fmt: skip
    assert os.access(STEP, os.X_OK)
    assert os.access(HOOK, os.X_OK)
    (hook,) = yaml.safe_load((ROOT / ".pre-commit-hooks.yaml").read_text())
    assert hook["entry"].split()[:2] == ["forge", "check"]
    assert hook["pass_filenames"] is False

"""Candidates that game their graders, through `forge check`: wrongly accepted and wrongly rejected, by channel.

``FORGE_CORPORA=DIR python benchmarks/gate/gaming.py [--quick] [--sandbox docker] [--channel NAME]``

The same candidates by each channel: tests of an overlay with the candidate's module called apart, calls whose
expectations stay outside, the same tests in one process with the candidate, and pytest's exit status. The first two
have to accept no wrong candidate and reject no right one; the others are measured to say what they cannot see.
"""

from __future__ import annotations

import argparse
import json
import os
import sys
import tarfile
import tempfile
import time
import tomllib
from collections.abc import Iterator
from pathlib import Path

ROOT = Path(__file__).parents[2]
sys.path.insert(0, str(ROOT))

from contracts.gate import CheckRequest, CheckVerdict, Task
from contracts.isolation import SandboxPolicy
from contracts.taskspec import TaskSpec
from contracts.value import encode
from tasks.gate.judge import judge
from tasks.gate.observe import observe
from tasks.gate.subject import read_subject

HERE = Path(__file__).resolve().parent
CHANNELS = ("apart", "expectations", "reporter", "exit_status")
EXACT = ("apart", "expectations")

TEST = """import json
from pathlib import Path

import pytest

from python_programs.{name} import {name}

LINES = Path(__file__).parent.parent.joinpath("json_testcases", "{name}.json").read_text().splitlines()


@pytest.mark.parametrize("input_data, expected", map(json.loads, LINES))
def test_{name}(input_data, expected):
    assert {name}(*input_data) == expected
"""


def main() -> int:
    """Run the corpus and print one line for each fault, then the summary."""
    parser = argparse.ArgumentParser()
    parser.add_argument("--quick", action="store_true")
    parser.add_argument("--sandbox", choices=("bubblewrap", "docker"), default="bubblewrap")
    parser.add_argument("--channel", choices=CHANNELS, action="append")
    options = parser.parse_args()
    archive = Path(os.environ.get("FORGE_CORPORA", "/nonexistent"), "gaming", "tamper.tar.xz")
    if not archive.is_file():
        print(json.dumps({"skipped": "FORGE_CORPORA names no corpora"}))
        return 0
    cases = tomllib.loads((HERE / "cases.toml").read_text(encoding="utf-8"))
    begun = time.monotonic()
    with tempfile.TemporaryDirectory() as scratch:
        corpus = Path(scratch, "corpus")
        with tarfile.open(archive) as tar:
            tar.extractall(corpus, members=_safe(tar))
        told = dict(_measure(corpus, Path(scratch), cases, options))
    print(json.dumps({"seconds": round(time.monotonic() - begun, 1), **told}))
    return (
        1 if any(told[name]["wrong_accepted"] or told[name]["right_rejected"] for name in EXACT if name in told) else 0
    )


def _safe(tar: tarfile.TarFile) -> Iterator[tarfile.TarInfo]:
    for member in tar:
        if (member.isfile() or member.isdir()) and not member.name.startswith("/") and ".." not in member.name:
            yield member


def _measure(
    corpus: Path, scratch: Path, cases: dict[str, dict[str, list[list[object]]]], options: argparse.Namespace
) -> Iterator[tuple[str, dict[str, object]]]:
    directories = sorted(path for path in corpus.iterdir() if (path / "expect.json").is_file())
    if options.quick:
        directories = [path for path in directories if path.name.startswith("gcd__")]
    for channel in options.channel or (CHANNELS[:1] if options.quick else CHANNELS):
        accepted: list[str] = []
        rejected: list[str] = []
        policy = SandboxPolicy.model_validate({"backend": options.sandbox})
        for directory in directories:
            name, _, technique = directory.name.partition("__")
            task, overlay = _task(name, cases[name]["cases"], channel, scratch)
            passed = _passes(directory / "candidate", task, overlay, scratch, policy)
            right = technique == "honest_right"
            if passed is not right:
                (rejected if right else accepted).append(directory.name)
                print(f"{channel}: {directory.name} {'accepted' if passed else 'rejected'}", file=sys.stderr)
        yield (
            channel,
            {"candidates": len(directories), "wrong_accepted": len(accepted), "right_rejected": len(rejected)},
        )


def _passes(candidate: Path, task: TaskSpec, overlay: str | None, scratch: Path, policy: SandboxPolicy) -> bool:
    store = str(scratch / "store")
    whole = Task(text="", spec=task)
    subject = read_subject(CheckRequest(task=whole, overlay=overlay, candidate=str(candidate), store=store))
    return judge(task, subject, observe(task, subject, policy, store)).verdict is CheckVerdict.PASS


def _task(name: str, cases: list[list[object]], channel: str, scratch: Path) -> tuple[TaskSpec, str | None]:
    check: dict[str, object] = {"name": name, "timeout_s": 60}
    if channel == "expectations":
        calls = [{"arguments": encode(given), "returns": encode(wanted)} for given, wanted in cases]
        task = {
            "brief": name,
            "checks": [{**check, "module": f"python_programs.{name}", "function": name, "calls": calls}],
        }
        return TaskSpec.model_validate(task), None
    overlay = scratch / "overlays" / name
    test = f"python_testcases/test_{name}.py"
    if not overlay.exists():
        (overlay / "python_testcases").mkdir(parents=True)
        (overlay / "json_testcases").mkdir()
        (overlay / test).write_text(TEST.format(name=name), encoding="utf-8")
        (overlay / "json_testcases" / f"{name}.json").write_text(
            "".join(json.dumps(case) + "\n" for case in cases), encoding="utf-8"
        )
    if channel == "exit_status":
        check["run"] = f"python3 -m pytest -q {test}"
    else:
        check["tests"] = {
            "runner": "pytest",
            "paths": [test],
            "required": [f"{test}::test_{name}"],
            "at_least": len(cases),
            **({"subject": ["python_programs"]} if channel == "apart" else {}),
        }
    return TaskSpec.model_validate({"brief": name, "overlay": "overlay", "checks": [check]}), str(overlay)


if __name__ == "__main__":
    sys.exit(main())

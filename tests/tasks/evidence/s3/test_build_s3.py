"""The main job with its evidence in a bucket of a real server: built, logged, verified, viewed, and an outage survived.

EVI-20, EVI-24: an outage costs no verdict; law 3: and is never taken for a record that is not intact.
"""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from flows.cli.app import run
from tasks.evidence import s3
from tests.tasks.evidence.s3.seaweed import Seaweed

SAMPLES = Path(__file__).resolve().parents[4] / "examples"
pytestmark = [pytest.mark.slow, pytest.mark.timeout(1_800)]


@pytest.fixture
def forge(
    seaweed: Seaweed, location: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capfd: pytest.CaptureFixture[str]
) -> Any:
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("FORGE_S3_ENDPOINT", seaweed.endpoint)
    monkeypatch.setenv("FORGE_STORE", location)

    def call(*arguments: str) -> tuple[int, str, str]:
        s3._opened.cache_clear()  # each call is as a process of its own
        status = run(arguments)
        return status, *capfd.readouterr()

    return call


def test_a_build_in_a_bucket_end_to_end(forge: Any, location: str, tmp_path: Path) -> None:
    sample = SAMPLES / "empty"
    arguments = ("--file", str(sample / "requirement.md"), "--candidate", str(sample / "wrong-message"))
    status, out, err = forge("build", *arguments, "--out", "out", "--json")
    report = json.loads(out)
    assert (status, report["status"], report["fault"]) == (1, "validation_failed", "candidate"), err
    assert not any("wait" in notice or "log" in notice for notice in report["notices"])
    assert forge("verify", "out", "--log")[0] == 0
    status, out, _ = forge("verify", report["run"], "--log", "--store", location, "--json")
    assert (status, json.loads(out)["checked"][-1]) == (0, "log")
    status, out, _ = forge("log", "audit", "--known", "out/log.json", "--json")
    assert (status, json.loads(out)["size"]) == (0, 1)
    status, out, _ = forge("view", report["run"])
    assert (status, "VALIDATION_FAILED" in out) == (0, True)
    status, out, err = forge("replay", report["run"])
    assert (status, out.startswith("reproduced")) == (0, True), out + err
    assert not (tmp_path / "s3:").exists()


def test_an_outage_before_the_end_costs_no_verdict(
    forge: Any, seaweed: Seaweed, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The server dies when the contract is compiled; the run is judged, sealed and exported, and uploaded later."""
    from tasks import stages

    real = stages.COMPILE

    def dying() -> Any:
        seaweed.kill()
        return real.load()

    monkeypatch.setenv("FORGE_S3_TIMEOUT", "2")
    monkeypatch.setattr(stages, "COMPILE", stages.Stage(real.name, dying))
    try:
        status, out, err = forge("build", "--file", str(SAMPLES / "vague" / "requirement.md"), "--out", "out", "--json")
        report = json.loads(out)
        assert (status, report["fault"]) == (1, "requirement"), err
        assert any("wait in" in notice for notice in report["notices"])
        assert any("not in the log" in notice for notice in report["notices"])
        assert forge("verify", "out")[0] == 0, "the export needs no store"
        status, out, err = forge("log", "audit")
        assert (status, out, err.count("\n")) == (4, "", 1), "an outage is no fault of the log"
    finally:
        seaweed.start()
    monkeypatch.setattr(stages, "COMPILE", real)
    assert forge("build", "--file", str(SAMPLES / "vague" / "requirement.md"), "--json")[0] == 1
    status, out, _ = forge("log", "show", "--json")
    assert json.loads(out)["runs"][0]["run"] == report["run"], "what waited is logged first"
    assert forge("verify", report["run"], "--log")[0] == 0

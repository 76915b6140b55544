"""JUnit XML, SARIF and the index of records: pictures that never show a failure as a success (law 3, VIEW-02)."""

from __future__ import annotations

import json
import shlex
from pathlib import Path
from typing import Any
from xml.etree import ElementTree as ET

import pytest

from contracts.evidence import Record
from contracts.probe import CommandProbe
from tasks.errors import OutputError, UsageError
from tasks.evidence.export import export
from tasks.evidence.junit import render_junit
from tasks.evidence.sarif import render_sarif
from tasks.evidence.site import write_site
from tasks.evidence.trust import Trust
from tasks.validation.readable import command

KINDS = ("verified", "failed", "infeasible", "underspecified", "unavailable", "interrupted", "gave_up")


def tampered(record: Record) -> Record:
    return record.model_copy(update={"head": "sha256:" + "0" * 64})


def junit(maker: Any, record: Record, trusted: Trust | None = None) -> ET.Element:
    text = render_junit(record, maker.store, trusted or Trust.of(maker.key.public))
    (suite,) = ET.fromstring(text)
    return suite


@pytest.mark.parametrize("kind", KINDS)
def test_junit_is_red_for_all_but_a_pass(maker: Any, kind: str) -> None:
    suite = junit(maker, maker.record(kind))
    assert int(suite.get("tests", "0")) == len(suite.findall("testcase"))
    names = {case.get("name") for case in suite}
    assert {"record", "verdict"} <= names
    verdict = suite.find("testcase[@name='verdict']")
    assert verdict is not None
    assert (len(verdict) == 0) == (kind == "verified")
    if kind == "verified":  # the first attempt failed, and its failures are told
        assert suite.find("testcase[@classname='forge.attempt-0']/failure") is not None
        assert suite.find("testcase[@classname='forge.attempt-1']/failure") is None
    if kind == "unavailable":
        assert suite.find("testcase/error[@type='sandbox_unavailable']") is not None, "nobody's program is at fault"


def test_junit_says_that_a_record_is_not_intact(maker: Any) -> None:
    suite = junit(maker, tampered(maker.record("verified")))
    assert suite.find("testcase[@name='record']/error") is not None
    assert junit(maker, maker.record("verified"), Trust.of()).find("testcase[@name='record']/error") is not None


def test_view_07_what_a_program_printed_is_no_markup(maker: Any) -> None:
    text = render_junit(maker.record("failed"), maker.store)
    assert "\x1b" not in text
    ET.fromstring(text)


def test_sarif_points_at_the_words(maker: Any) -> None:
    record = maker.record("failed")
    document = json.loads(render_sarif(record, maker.store, Trust.of(maker.key.public)))
    (run,) = document["runs"]
    assert document["version"] == "2.1.0"
    assert run["invocations"] == [{"executionSuccessful": True, "toolExecutionNotifications": []}]
    assert run["results"]
    rules = {rule["id"] for rule in run["tool"]["driver"]["rules"]}
    text = run["artifacts"][0]["contents"]["text"]
    for result in run["results"]:
        assert result["ruleId"] in rules
        for location in result["locations"]:
            region = location["physicalLocation"]["region"]
            assert 0 <= region["charOffset"] <= region["charOffset"] + region["charLength"] <= len(text)
            assert (region["startLine"], region["startColumn"]) == (1, 1)
    broken = json.loads(render_sarif(tampered(record), maker.store))["runs"][0]["invocations"][0]
    assert broken["executionSuccessful"] is False
    assert json.loads(render_sarif(maker.record("verified"), maker.store))["runs"][0]["results"] == []


def test_dec_25_an_index_of_records_verified_while_it_is_drawn(maker: Any, tmp_path: Path) -> None:
    for kind in ("verified", "failed"):
        export(maker.record(kind), maker.store, tmp_path / "records" / kind)
    changed = export(maker.record("infeasible"), maker.store, tmp_path / "records" / "changed")
    changed.chmod(0o644)
    changed.write_bytes(tampered(maker.record("infeasible")).canonical())
    (tmp_path / "records" / "nothing").mkdir()
    (tmp_path / "records" / "nothing" / "record.json").write_bytes(b"{")
    assert write_site(tmp_path / "records", tmp_path / "site", Trust.of(maker.key.public)) == 4
    index = (tmp_path / "site" / "index.html").read_text()
    assert "verified: verified" in index
    assert "changed: infeasible_proven" in index
    assert "NOT INTACT" in index
    assert "nothing: cannot be read" in index
    assert "<script" not in index
    pages = sorted(path.name for path in (tmp_path / "site").iterdir())
    assert pages == ["0000.html", "0001.html", "0003.html", "index.html"]
    assert all(f'href="{name}"' in index for name in pages[:-1])
    with pytest.raises(OutputError, match="exists"):
        write_site(tmp_path / "records", tmp_path / "site", Trust.of())
    with pytest.raises(UsageError, match="no "):
        write_site(tmp_path / "site", tmp_path / "other", Trust.of())


def test_rec_17_enc_07_a_command_to_copy_is_quoted() -> None:
    """REC-17, ENC-07: nothing of a path runs, and a shell reads it back as it was."""
    argv = ("python3", "/candidate/main.py", "$(touch x)", "a b'c", "caf\u00e9", "plain")
    words = shlex.split(command(CommandProbe(id="x", argv=argv)))
    assert words == ["python3", "main.py", *argv[2:]]

"""Keys, log, replay, verify and view on the command line (EVI-07, EVI-08, DEC-02).

Held here: RPL-01, RPL-02, RPL-03, RPL-05, RPL-06, VER-02, VIEW-01, VIEW-05, VIEW-06, OUT-01, OUT-02, OUT-04.
"""

from __future__ import annotations

import json
import os
from pathlib import Path
from typing import Any

import pytest
from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey

from flows.cli.app import run
from tasks.errors import StoreUnavailable
from tasks.evidence.log.tree import LogError
from tasks.evidence.signing import PublicKey, public_pem
from tasks.evidence.store import DirectoryStore
from tests.flows.test_commands import TEXT, Ended


@pytest.fixture
def forge(capfd: pytest.CaptureFixture[str], tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Any:
    monkeypatch.chdir(tmp_path)

    def call(*arguments: str) -> Ended:
        status = run(arguments)
        out, err = capfd.readouterr()
        return Ended(status, out, err)

    return call


@pytest.fixture
def built(forge: Any, line: Any, monkeypatch: pytest.MonkeyPatch) -> dict[str, Any]:
    """A run that failed, in ``out``; its store is the user's own."""
    monkeypatch.setenv("FORGE_STORE", line.store)
    line.broken = {0, 1}
    report: dict[str, Any] = json.loads(forge("build", TEXT, "--out", "out", "--json").out)
    return report


def pem(tmp_path: Path, name: str) -> PublicKey:
    key = PublicKey(Ed25519PrivateKey.generate().public_key().public_bytes_raw())
    (tmp_path / name).write_bytes(public_pem(key))
    return key


# The log.


def test_evi_07_every_run_is_logged_and_carries_its_proof(forge: Any, built: dict[str, Any], tmp_path: Path) -> None:
    found = json.loads(forge("verify", "out", "--log", "--json").out)
    assert (found["intact"], found["checked"][-1]) == (True, "log")
    shown = json.loads(forge("log", "show", "--json").out)
    assert [(item["run"], item["status"]) for item in shown["runs"]] == [(built["run"], "validation_failed")]
    assert built["run"] in forge("log", "show").out
    assert forge("verify", built["run"], "--log").status == 0
    assert forge("log", "prove", built["run"], "-o", "proof.json").status == 0
    assert (tmp_path / "proof.json").read_bytes() == (tmp_path / "out" / "log.json").read_bytes()
    assert forge("log", "prove", built["run"], "-o", "proof.json").status == 2, "OUT-13: nothing is written over"
    assert forge("log", "prove", "another-run").status == 1
    assert forge("log", "audit", "--known", "out/log.json").status == 0


def test_evi_07_a_run_that_is_withheld_shows(forge: Any, built: dict[str, Any], line: Any) -> None:
    (Path(line.store) / "runs" / f"{built['run']}.json").unlink()
    ended = forge("log", "audit")
    assert ended.status == 1
    assert "its record is not there" in ended.out
    assert json.loads(forge("log", "audit", "--json").out)["intact"] is False


def test_evi_pitfall_14_a_log_that_was_rolled_back_shows(forge: Any, built: dict[str, Any], line: Any) -> None:
    for path in sorted(Path(line.store, "log").rglob("*")):
        if path.is_file() and path.name != "origin":
            path.unlink()
    ended = forge("log", "audit", "--known", "out/log.json")
    assert ended.status == 1
    assert "rolled back" in ended.out


def test_without_its_proof_a_record_verifies_and_says_so(forge: Any, built: dict[str, Any], tmp_path: Path) -> None:
    (tmp_path / "out" / "log.json").unlink()
    assert "no log is part of the record" in forge("verify", "out").out
    ended = forge("verify", "out", "--log")
    assert (ended.status, "no proof" in ended.out) == (1, True)


def test_evi_24_a_log_that_cannot_be_written_changes_no_verdict(
    forge: Any, line: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    def refused(*_args: object) -> None:
        raise LogError("the log was rolled back")

    monkeypatch.setattr("flows.run.log_run", refused)
    report = json.loads(forge("build", TEXT, "--store", line.store, "--out", "out", "--json").out)
    assert report["status"] == "verified"
    assert "the run is not in the log: the log was rolled back" in report["notices"]
    assert not Path("out/log.json").exists()
    assert forge("verify", "out").status == 1, "the fakes make no real wheel"


def test_an_interrupted_run_is_logged_as_well(forge: Any, line: Any) -> None:
    """EVI-07, OUT-12: no output, and yet an entry."""

    def interrupted(*_args: object) -> None:
        raise KeyboardInterrupt

    line.act["read"] = interrupted
    assert forge("build", TEXT, "--store", line.store, "--out", "out").status == 130
    assert not Path("out").exists()
    (entry,) = json.loads(forge("log", "show", "--store", line.store, "--json").out)["runs"]
    assert entry["status"] == "validation_failed"


def test_law_3_a_store_that_does_not_answer_is_exit_4(
    forge: Any, built: dict[str, Any], monkeypatch: pytest.MonkeyPatch
) -> None:
    def gone(*_args: object) -> None:
        raise StoreUnavailable("the bucket does not answer")

    monkeypatch.setattr(DirectoryStore, "read", gone)
    for command in (["verify", "out"], ["verify", built["run"]], ["log", "audit"], ["log", "show"]):
        ended = forge(*command)
        assert (ended.status, ended.err.count("\n")) == (4, 1), command


# Keys and policies.


def test_keys_are_shown_trusted_and_revoked(forge: Any, built: dict[str, Any], tmp_path: Path) -> None:
    """EVI-08, DEC-11."""
    other = pem(tmp_path, "other.pem")
    own = json.loads(forge("keys", "show", "--json").out)["own"]["key"]
    assert forge("keys", "trust", "colleague", "other.pem", "--for", "record", "--expires", "2199-01-01").status == 0
    shown = json.loads(forge("keys", "show", "--json").out)
    assert shown["keys"] == [{"key": other.id, "name": "colleague", "standing": "trusted", "uses": ["record"]}]
    assert forge("keys", "trust", "colleague", "other.pem").status == 2
    assert forge("keys", "revoke", "colleague").status == 0
    assert "colleague was revoked" in forge("keys", "show").out
    assert forge("verify", "out").status == 0
    assert forge("keys", "revoke", own).status == 0
    ended = forge("verify", "out")
    assert (ended.status, "was revoked" in ended.out) == (1, True)


def test_a_key_file_signs_a_build(forge: Any, line: Any, tmp_path: Path) -> None:
    """REC-07: --key before the variable before the user's own."""
    made = json.loads(forge("keys", "new", "-o", "ci.pem", "--json").out)["key"]
    line.broken = {0, 1}
    forge("build", TEXT, "--store", line.store, "--out", "out", "--key", "ci.pem")
    found = json.loads(forge("verify", "out", "--integrity-only", "--json").out)
    assert found["signed_by"] == made
    assert forge("verify", "out").status == 1
    assert not (Path(os.environ["XDG_CONFIG_HOME"]) / "forge" / "signing-key.pem").exists()


def test_evi_pitfall_17_an_older_policy_is_refused(forge: Any, built: dict[str, Any], tmp_path: Path) -> None:
    own = json.loads(forge("keys", "show", "--json").out)["own"]
    (tmp_path / "own.pem").write_text(own["pem"])
    commands = (["keys", "trust", "me", "own.pem", "--json"], ["keys", "revoke", "me", "--json"])
    policies = [json.loads(forge(*command).out) | {"name": "team"} for command in commands]
    for number, policy in enumerate(policies):
        (tmp_path / f"{number}.json").write_text(json.dumps(policy))
    assert forge("verify", "out", "--trust", "0.json").status == 0
    assert forge("verify", "out", "--trust", "1.json").status == 1
    ended = forge("verify", "out", "--trust", "0.json")
    assert (ended.status, "was seen before" in ended.err) == (2, True)


def test_evi_pitfall_18_a_small_order_key_is_refused_on_import(forge: Any, tmp_path: Path) -> None:
    good = public_pem(PublicKey(Ed25519PrivateKey.generate().public_key().public_bytes_raw()))
    from base64 import b64decode, b64encode

    der = b64decode(b"".join(good.splitlines()[1:-1]))
    small = b"-----BEGIN PUBLIC KEY-----\n%b\n-----END PUBLIC KEY-----\n" % b64encode(der[:-32] + bytes(32))
    (tmp_path / "small.pem").write_bytes(small)
    ended = forge("keys", "trust", "anyone", "small.pem")
    assert (ended.status, ended.err.count("\n")) == (2, 1)


def test_a_threshold_counts_distinct_keys(forge: Any, built: dict[str, Any], tmp_path: Path) -> None:
    """EVI-08, pitfall 4."""
    own = json.loads(forge("keys", "show", "--json").out)["own"]
    forge("keys", "new", "-o", "second.pem")
    (tmp_path / "own.pem").write_text(own["pem"])
    policy = json.loads(forge("keys", "trust", "me", "own.pem", "--json").out) | {"name": "two", "threshold": 2}
    (tmp_path / "policy.json").write_text(json.dumps(policy))
    assert forge("keys", "cosign", "out").status == 0
    assert forge("verify", "out", "--trust", "policy.json").status == 1, "one key, twice"
    second = json.loads(forge("keys", "cosign", "out", "--key", "second.pem", "--json").out)["key"]
    found = json.loads(forge("verify", "out", "--integrity-only", "--json").out)
    assert second in found["cosigned_by"]
    assert forge("keys", "cosign", "out", "--key", "second.pem").status == 2


def test_nobody_signs_what_is_not_intact(forge: Any, built: dict[str, Any], tmp_path: Path) -> None:
    path = tmp_path / "out" / "record.json"
    path.chmod(0o644)
    path.write_bytes(path.read_bytes().replace(b"validation_failed", b"validation_faileD", 1))
    ended = forge("keys", "cosign", "out")
    assert (ended.status, ended.out.startswith("NOT SIGNED"), ended.err) == (1, True, "")
    assert not (tmp_path / "out" / "cosigned").exists()


# Bindings, views, outputs.


def test_ver_02_other_files_than_the_records_are_exit_1(forge: Any, built: dict[str, Any], tmp_path: Path) -> None:
    (tmp_path / "same.md").write_text(TEXT)
    (tmp_path / "other.md").write_text(TEXT + "And more.\n")
    assert forge("verify", "out", "--spec", "same.md").status == 0
    for option in ("--spec", "--package"):
        ended = forge("verify", "out", option, "other.md")
        assert (ended.status, "another one" in ended.out) == (1, True)
    (tmp_path / "tree").mkdir()
    assert forge("verify", "out", "--candidate", "tree").status == 1


@pytest.mark.parametrize("name", ["report.html", "report.md", "report.xml", "report.sarif"])
def test_view_01_a_report_as_a_file(forge: Any, built: dict[str, Any], tmp_path: Path, name: str) -> None:
    assert forge("view", "out", "-o", name).status == 0
    first = (tmp_path / name).read_text().replace("\\", "")
    assert "entry_point_missing" in first or "entry_point_broken" in first or "main.py" in first
    assert forge("view", "out", "-o", name).status == 0, "an earlier report is replaced"
    assert sorted(path.name for path in tmp_path.iterdir() if path.name.startswith(f".{name}")) == []


def test_view_05_out_02_a_report_never_replaces_the_record(forge: Any, built: dict[str, Any], tmp_path: Path) -> None:
    """OUT-01, OUT-02, OUT-05, OUT-13: by path, by hard link, by link; nor anything that is no regular file."""
    record = tmp_path / "out" / "record.json"
    before = record.read_bytes()
    os.link(record, tmp_path / "hard.html")
    (tmp_path / "soft.html").symlink_to(record)
    (tmp_path / "named.html").write_bytes(before)
    os.mkfifo(tmp_path / "pipe.html")
    (tmp_path / "folder.html").mkdir()
    for target in ("out/record.json", "hard.html", "soft.html", "pipe.html", "folder.html", "no/such/x.html"):
        ended = forge("view", "out", "-o", target)
        assert (ended.status, ended.err.count("\n")) == (2, 1), target
        assert record.read_bytes() == before
    (tmp_path / "hard.html").unlink()
    record.rename(tmp_path / "record.html")
    assert forge("view", "record.html", "-o", "record.html").status == 2
    assert (tmp_path / "record.html").read_bytes() == before


def test_view_06_an_index_of_a_directory_of_records(forge: Any, built: dict[str, Any], tmp_path: Path) -> None:
    assert forge("view", ".").status == 2
    assert forge("view", ".", "-o", "site").status == 0
    assert "out: validation_failed" in (tmp_path / "site" / "index.html").read_text()
    assert forge("view", ".", "-o", "site").status == 2


def test_out_04_a_new_directory_inside_the_candidate_may_be_the_output(forge: Any, line: Any, tmp_path: Path) -> None:
    (tmp_path / "tree").mkdir()
    (tmp_path / "tree" / "main.py").write_text("print(0)\n")
    ended = forge("build", TEXT, "--store", line.store, "--candidate", "tree", "--out", "tree/out")
    assert (ended.status, (tmp_path / "tree" / "out" / "record.json").is_file()) == (0, True)
    assert forge("build", TEXT, "--store", line.store, "--candidate", "tree", "--out", "tree/main.py").status == 2


# Replay.


def test_rpl_01_the_same_again_is_reproduced(forge: Any, built: dict[str, Any]) -> None:
    """RPL-04: no key is needed."""
    ended = forge("replay", "out", "--json")
    report = json.loads(ended.out)
    assert (ended.status, report["reproduced"], report["differences"]) == (0, True, [])
    assert report["steps"] == [
        "contract", "plan", "readings", "attempt 0, runtime", "attempt 1, runtime",
    ]  # fmt: skip
    assert forge("replay", built["run"]).out.startswith("reproduced")


def test_rpl_01_rpl_03_the_first_step_that_differs_is_named(forge: Any, built: dict[str, Any], line: Any) -> None:
    """Planted fault: the second attempt passes now, and keeps doing so."""
    line.broken = {0}
    ended = forge("replay", "out")
    assert ended.status == 1
    assert ended.out.startswith("NOT REPRODUCED: attempt 1, runtime differs first")
    assert "flaky" not in ended.out


def test_g_07_a_flake_is_reported_as_such(forge: Any, built: dict[str, Any], line: Any) -> None:
    """Planted fault: it passes once, then fails as before."""
    calls: list[int] = []

    def sometimes(*args: Any) -> Any:
        calls.append(1)
        line.broken = set() if len(calls) == 1 else {0, 1}
        return line.validate("runtime", *args[:3])

    line.act["validate_runtime"] = sometimes
    ended = forge("replay", "out", "--json")
    (difference,) = json.loads(ended.out)["differences"]
    assert (ended.status, difference["flaky"]) == (1, True)
    assert (difference["now"], len(calls)) == ("passed", 3)


def test_rpl_02_another_requirement_or_candidate_does_not_reproduce(
    forge: Any, built: dict[str, Any], line: Any, tmp_path: Path
) -> None:
    (tmp_path / "other.md").write_text(TEXT + "And more.\n")
    (tmp_path / "tree").mkdir()
    before = len(line.calls)
    for option, value in (("--spec", "other.md"), ("--candidate", "tree")):
        ended = forge("replay", "out", option, value)
        assert (ended.status, ended.out.startswith("NOT REPRODUCED")) == (1, True)
    assert len(line.calls) == before, "nothing was run"


def test_rpl_05_rpl_06_a_tampered_record_is_not_reproduced(forge: Any, built: dict[str, Any], tmp_path: Path) -> None:
    path = tmp_path / "out" / "record.json"
    document = json.loads(path.read_bytes())
    for changed in ({**document, "head": 7}, {**document, "entries": "x"}, [], 5):
        path.chmod(0o644)
        path.write_text(json.dumps(changed))
        ended = forge("replay", "out")
        assert (ended.status, ended.out.startswith("NOT REPRODUCED"), ended.err) == (1, True, "")


def test_g_05_what_differs_of_the_environment_is_named(
    forge: Any, built: dict[str, Any], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("flows.replay_environment.platform.python_version", lambda: "9.9.9")
    ended = forge("replay", "out")
    assert ended.status == 0
    assert "environment: python was" in ended.out
    assert "is 9.9.9" in ended.out


def test_a_sandbox_that_is_missing_here_says_nothing_about_the_record(
    forge: Any, built: dict[str, Any], line: Any
) -> None:
    """Law 3."""
    from sandbox.base import SandboxUnavailable

    def missing(*_args: object) -> None:
        raise SandboxUnavailable("no user namespaces")

    line.act["validate_runtime"] = missing
    ended = forge("replay", "out")
    assert (ended.status, ended.err) == (4, "forge: no user namespaces\n")


USAGE = [
    ["keys"],
    ["keys", "nonsense"],
    ["keys", "trust", "x", ""],
    ["keys", "trust", "x", "missing.pem"],
    ["keys", "trust", "../x", "missing.pem"],
    ["keys", "revoke", "nobody"],
    ["keys", "cosign", "nosuchrun"],
    ["keys", "cosign", "nosuch/record.json"],
    ["keys", "new", "-o", ""],
    ["log"],
    ["log", "audit", "--known", ""],
    ["log", "audit", "--trust", ""],
    ["log", "prove", "run", "-o", ""],
    ["verify", "out", "--spec", ""],
    ["verify", "out", "--package", ""],
    ["verify", "out", "--trust", ""],
    ["verify", "out", "--trust", "missing.json"],
    ["replay", ""],
    ["replay", "nosuchrun"],
    ["replay", "out", "--spec", ""],
    ["replay", "out", "--candidate", ""],
    ["view", "out", "-o", ""],
    ["view", "out", "-o", "report.txt"],
    ["build", TEXT, "--key", ""],
    ["build", TEXT, "--key", "missing.pem"],
    ["build", TEXT, "--require", "memory"],
    ["build", TEXT, "--require", "memory=none"],
    ["build", TEXT, "--require", "luck=kernel"],
    ["build", TEXT, "--require", "memory=kernel", "--require", "memory=polled"],
    ["build", TEXT, "--store", "http://host/x"],
]


@pytest.mark.parametrize("arguments", USAGE, ids=str)
def test_usage_errors_are_one_line_and_exit_2(
    forge: Any, line: Any, built: dict[str, Any], arguments: list[str]
) -> None:
    """REC-09, CLI-04, CLI-05, CLI-07, CLI-09, DEC-02: nothing runs, a bad key file included."""
    before = len(line.calls)
    ended = forge(*arguments)
    assert (ended.status, ended.out) == (2, "")
    assert ended.err.startswith("forge: ")
    assert ended.err.count("\n") == 1
    assert len(line.calls) == before


def test_dec_05_what_is_required_of_limits_is_in_the_policy(forge: Any, line: Any) -> None:
    seen: list[Any] = []

    def isolate(settings: Any) -> Any:
        seen.append(settings.policy.require)
        return line.isolate(settings)

    line.act["isolate"] = isolate
    forge("build", TEXT, "--store", line.store, "--require", "memory=kernel", "--require", "wall_ms=polled")
    assert seen == [{"memory": "kernel", "wall_ms": "polled"}]


def test_a_bucket_is_no_path(forge: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    """EVI-20: neither --store nor FORGE_STORE turns s3://bucket/prefix into a directory."""
    opened: list[str] = []

    def opening(location: str, *, read_only: bool = False) -> Any:
        opened.append(location)
        raise StoreUnavailable("no network in this test")

    monkeypatch.setattr("tasks.evidence.store.open_store", opening)
    assert forge("verify", "run-1", "--store", "s3://bucket/prefix").status == 4
    monkeypatch.setenv("FORGE_STORE", "s3://bucket/other")
    assert forge("log", "show").status == 4
    assert opened == ["s3://bucket/prefix", "s3://bucket/other"]


def test_records_of_two_runs_share_one_log(forge: Any, line: Any) -> None:
    line.broken = {0, 1}
    for name in ("a", "b"):
        assert forge("build", TEXT, "--store", line.store, "--out", name).status == 1
    for name in ("a", "b"):
        assert forge("verify", name, "--log").status == 0
    assert json.loads(forge("log", "audit", "--store", line.store, "--json").out)["size"] == 2


def test_a_lone_bundle_verifies_as_far_as_it_can(forge: Any, built: Any) -> None:
    ended = forge("verify", "out/summary.intoto.json", "--json")
    told = json.loads(ended.out)
    assert (ended.status, told["intact"], told["trusted"]) == (0, True, True)
    assert "the record" in told["not_checked"][0]
    file = Path("out/summary.intoto.json")
    file.write_bytes(file.read_bytes().replace(b"payloadType", b"payloadtype"))
    assert forge("verify", "out/summary.intoto.json").status == 1

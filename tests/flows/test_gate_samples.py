"""The samples of the gate: their records are intact, about what lies beside them, and judged alike (SMP)."""

from __future__ import annotations

from pathlib import Path

import pytest

from contracts.evidence import Record
from contracts.gate import CheckVerdict
from contracts.loading import load_document
from tasks.evidence.arrangement import read_contents
from tasks.evidence.bindings import read_bindings
from tasks.evidence.checks.contents import CheckContents
from tasks.evidence.signing import parse_public
from tasks.evidence.store import DirectoryStore
from tasks.evidence.trust import Trust
from tasks.evidence.verify import verify_record
from tasks.gate.spec import parse_task, read_task

ROOT = Path(__file__).resolve().parents[2]
SAMPLES = ["gate-python", "gate-javascript"]


def contents_of(sample: str, change: str) -> CheckContents:
    folder = ROOT / "examples" / sample / "records" / change
    record = load_document(Record, (folder / "record.json").read_bytes(), 64 * 1024 * 1024)
    contents = read_contents(record, DirectoryStore(folder / "blobs"))
    assert isinstance(contents, CheckContents)
    return contents


@pytest.mark.parametrize("sample", SAMPLES)
@pytest.mark.parametrize("change", ["pass", "fail"])
def test_smp_01_smp_02_the_record_of_a_sample_verifies(sample: str, change: str) -> None:
    """Signed by the key beside it, bound to the task and the candidate that are checked in."""
    folder = ROOT / "examples" / sample
    signer = parse_public((folder / "records" / change / "signer.pem").read_bytes(), "signer.pem")
    bindings = read_bindings(folder / "task.yaml", folder / change, None)
    found = verify_record(folder / "records" / change / "record.json", trusted=Trust.of(signer), bindings=bindings)
    assert found.status == change.upper()


@pytest.mark.parametrize("sample", SAMPLES)
def test_a_failing_sample_says_what_and_why(sample: str) -> None:
    verdict = contents_of(sample, "fail").verdict
    assert verdict is not None
    found = {failure.signature.value for result in verdict.results for failure in result.failures}
    assert {"check_failed", "required_test_missing"} <= found
    assert {failure.signature.value for failure in verdict.failures} == (
        {"protected_path_changed", "scope_exceeded"} if sample == "gate-python" else set()
    )


def test_the_passing_samples_are_no_vacuous_ones() -> None:
    """Their tests failed on the base, in the record, as the task demands."""
    for sample in SAMPLES:
        contents = contents_of(sample, "pass")
        assert contents.verdict is not None
        assert contents.evidence is not None
        assert contents.verdict.verdict is CheckVerdict.PASS
        (before,) = (run for run in contents.evidence.runs if run.tree == "base")
        assert before.observations[0].exit_code != 0


def test_no_python_decides_about_the_javascript_sample() -> None:
    """SMP-02: node's own runner, and node itself for the probes."""
    task, _ = read_task(ROOT / "examples" / "gate-javascript" / "task.yaml")
    assert not list((ROOT / "examples" / "gate-javascript").rglob("*.py"))
    assert "python" not in task.text


def test_dog_01_the_projects_own_suite_is_a_task() -> None:
    task = parse_task((ROOT / "deployments" / "suite.yaml").read_bytes())
    assert [check.name for check in task.checks] == ["contracts"]

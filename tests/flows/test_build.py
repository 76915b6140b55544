"""The composition: order (law 2), endings and whose fault they are (law 3), every attempt kept (law 6)."""

from __future__ import annotations

import os
from pathlib import Path
from typing import Any

import pytest

from contracts.evidence import EntryKind, Record
from contracts.verdict import Failure, FailureSignature, Fault, TerminalStatus
from flows.build import build
from sandbox.base import IsolationViolation, SandboxLost, SandboxUnavailable
from tasks.errors import NoCandidateError, OutputError, StoreError, UsageError

K = EntryKind


def kinds(record: Record) -> list[EntryKind]:
    return [entry.kind for entry in record.entries]


def raising(error: BaseException) -> Any:
    def function(*_args: Any) -> Any:
        raise error

    return function


def test_verified_leaves_the_whole_line_in_order(line: Any) -> None:
    report = build(line.request())
    assert (report.status, report.fault, report.failures) == (TerminalStatus.VERIFIED, Fault.NONE, ())
    assert kinds(line.record(report.run)) == [
        K.RUN, K.REQUIREMENT, K.SETTINGS, K.BUILD_SPEC, K.PLAN, K.ISOLATION, K.READINGS, K.CANDIDATE,
        K.LAYER_EVIDENCE, K.LAYER_EVIDENCE, K.LAYER_EVIDENCE, K.ARTIFACT, K.PACKAGE, K.OUTCOME,
    ]  # fmt: skip
    assert report.assumptions == {"python.entry": "main.py"}
    assert set(report.stage_ms) == set(line.calls)
    assert report.run.startswith("fake-tool-")


def test_contract_and_readings_are_sealed_before_a_candidate_exists(line: Any) -> None:
    """Law 2, DEC-14: no stage may see a candidate before READINGS stands in the record."""
    build(line.request())
    assert line.calls.index("read") < line.calls.index("code")


def test_a_repair_round_is_kept_with_the_attempt_before(line: Any) -> None:
    line.broken = {0}
    report = build(line.request())
    assert report.status is TerminalStatus.VERIFIED
    found = kinds(line.record(report.run))
    assert found.count(K.CANDIDATE) == found.count(K.ARTIFACT) == 2
    assert found.index(K.DIRECTIVE) > found.index(K.ARTIFACT)


def test_rounds_are_bounded_and_a_later_layer_is_not_executed(line: Any) -> None:
    line.broken = {0, 1, 2, 3}
    report = build(line.request(rounds=2))
    assert (report.status, report.fault) == (TerminalStatus.VALIDATION_FAILED, Fault.CANDIDATE)
    assert line.calls.count("code") == 3
    assert "validate_obligations" not in line.calls
    assert [layer.executed for layer in report.layers] == [True, False, False]
    assert report.layers[1].not_executed == "the layer runtime did not pass"


def test_a_supplied_directory_is_judged_once(line: Any) -> None:
    line.broken, line.source = {0}, "directory"
    assert build(line.request()).fault is Fault.CANDIDATE
    assert line.calls.count("code") == 1


def test_a_coder_without_further_answer_leaves_the_judgement_before(line: Any) -> None:
    line.broken = {0}

    def code(*args: Any) -> Any:
        if args[4]:
            raise NoCandidateError("no second answer")
        return line.code(*args)

    line.act["code"] = code
    report = build(line.request())
    assert (report.fault, report.failures[0].signature) == (
        Fault.CANDIDATE,
        FailureSignature.ENTRY_POINT_MISSING,
    )


@pytest.mark.parametrize(
    ("stage", "error", "signature"),
    [
        ("isolate", SandboxUnavailable("no user namespaces"), FailureSignature.SANDBOX_UNAVAILABLE),
        ("isolate", IsolationViolation("network reachable"), FailureSignature.SANDBOX_POLICY_VIOLATION),
        ("code", NoCandidateError("no coder is configured"), FailureSignature.NO_CANDIDATE),
        ("compile", KeyError("bug"), FailureSignature.INFRASTRUCTURE_ERROR),
        ("plan", StoreError("disk full"), FailureSignature.INFRASTRUCTURE_ERROR),
        ("package", RuntimeError("bug"), FailureSignature.INFRASTRUCTURE_ERROR),
        ("validate_runtime", SandboxLost("gone"), FailureSignature.INFRASTRUCTURE_ERROR),
        ("validate_adversarial", SandboxLost("gone"), FailureSignature.INFRASTRUCTURE_ERROR),
        ("validate_obligations", ValueError("bug"), FailureSignature.INFRASTRUCTURE_ERROR),
    ],
)
def test_faults_of_the_infrastructure_end_sealed_and_spend_no_round(
    line: Any, stage: str, error: Exception, signature: FailureSignature
) -> None:
    """Planted faults in each stage: exit 4, never the candidate's (law 3, DEC-02)."""
    line.act[stage] = raising(error)
    report = build(line.request())
    assert (report.status, report.fault) == (TerminalStatus.VALIDATION_FAILED, Fault.INFRASTRUCTURE)
    assert report.failures[-1].signature is signature
    assert line.calls.count("code") <= 1
    assert report.package is None
    assert kinds(line.record(report.run))[-1] is K.OUTCOME


def test_without_a_sandbox_the_layers_are_not_executed(line: Any) -> None:
    """Law 4."""
    line.act["isolate"] = raising(SandboxUnavailable("no user namespaces"))
    report = build(line.request())
    assert [layer.executed for layer in report.layers] == [False] * 3
    assert {layer.not_executed for layer in report.layers} == {"no user namespaces"}
    sealed = line.record(report.run).entries[-1].body
    assert [layer["executed"] for layer in sealed["layers"]] == [False] * 3
    assert "read" not in line.calls


def test_a_lost_sandbox_is_kept_in_the_record_though_the_retry_succeeds(line: Any) -> None:
    """Law 6: failure signatures survive a retry."""
    errors = [SandboxLost("gone once")]

    def runtime(*args: Any) -> Any:
        if errors:
            raise errors.pop()
        return line.validate_runtime(*args)

    line.act["validate_runtime"] = runtime
    report = build(line.request())
    assert report.status is TerminalStatus.VERIFIED
    entries = line.record(report.run).entries
    (fault,) = [entry.body for entry in entries if entry.kind is K.FAULT]
    assert fault is not None
    assert (fault["stage"], fault["failure"]["detail"]) == ("validate_runtime", "gone once")


def test_a_layer_that_failed_stays_failed_beside_a_lost_one(line: Any) -> None:
    line.act["validate_obligations"] = raising(SandboxLost("gone"))
    report = build(line.request())
    assert [(layer.executed, layer.passed) for layer in report.layers] == [(True, True), (False, False), (False, False)]


@pytest.mark.parametrize("stage", ["compile", "plan", "isolate", "read", "code", "validate_runtime", "package"])
def test_an_interruption_is_sealed_in_the_store_alone(line: Any, stage: str, tmp_path: Path) -> None:
    """CLI-06, OUT-12, DEC-02."""
    line.act[stage] = raising(KeyboardInterrupt())
    out = tmp_path / "out"
    with pytest.raises(KeyboardInterrupt):
        build(line.request(), out=out)
    assert not out.exists()
    outcome = line.only_record().entries[-1].body
    assert outcome is not None
    assert (outcome["status"], outcome["fault"]) == ("validation_failed", "infrastructure")
    assert [failure["signature"] for failure in outcome["failures"]] == ["interrupted"]


def test_ambiguity_ends_before_any_candidate(line: Any) -> None:
    def read(*args: Any) -> Any:
        failure = Failure(signature=FailureSignature.AMBIGUOUS_REQUIREMENT, detail="two answers")
        return line.read(*args).model_copy(update={"failures": (failure,)})

    line.act["read"] = read
    report = build(line.request())
    assert (report.fault, report.status) == (Fault.REQUIREMENT, TerminalStatus.VALIDATION_FAILED)
    assert "code" not in line.calls


def test_a_call_that_cannot_be_carried_out_leaves_nothing(line: Any) -> None:
    line.act["compile"] = raising(UsageError("no such convention: x"))
    with pytest.raises(UsageError, match="no such convention"):
        build(line.request())
    assert not (Path(line.store) / "runs").exists()


@pytest.mark.parametrize("text", ["", "  \n "])
def test_an_empty_requirement_is_refused(line: Any, text: str) -> None:
    with pytest.raises(UsageError):
        build(line.request().model_copy(update={"requirement": text}))
    assert line.calls == []


def test_out_gets_record_and_package_and_is_never_replaced(line: Any, tmp_path: Path) -> None:
    out = tmp_path / "deep" / "out"
    report = build(line.request(), out=out)
    assert (report.record, report.package) == (
        str(out / "record.json"),
        str(out / "package" / "fake-0-py3-none-any.whl"),
    )
    assert Path(report.package).read_bytes() == b"not really a wheel"
    line.calls.clear()
    with pytest.raises(OutputError, match="exists"):
        build(line.request(), out=out)
    assert line.calls == []


@pytest.mark.parametrize("make", ["file", "fifo", "link"])
def test_a_destination_that_cannot_be_made_is_refused_before_any_work(line: Any, tmp_path: Path, make: str) -> None:
    """OUT-03, OUT-05, OUT-09."""
    taken = tmp_path / "taken"
    {"file": taken.touch, "fifo": lambda: os.mkfifo(taken), "link": lambda: taken.symlink_to("nowhere")}[make]()
    for out in (taken, taken / "below"):
        with pytest.raises(OutputError):
            build(line.request(), out=out)
    assert line.calls == []

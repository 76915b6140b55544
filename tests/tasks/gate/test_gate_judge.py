"""The judge of a change, on made-up observations: pure, and never in doubt in favour of a candidate (law 3)."""

from __future__ import annotations

import hmac
import json
from typing import Any

import pytest

from contracts.canonical import digest
from contracts.gate import CheckRun, CheckVerdict, FileChange, GateEvidence
from contracts.patch import Rejection, RejectionCode
from contracts.probe import FileObservation, LimitHit, Observation, Stream, Timing
from contracts.taskspec import Suite, TaskSpec
from contracts.verdict import Fault, fault_of
from tasks.gate.judge import judge
from tasks.gate.manifest import read_manifest
from tasks.gate.suites import tally

KEY = "ab" * 32
SUITE = {"runner": "pytest", "paths": ["t"], "required": ["t/test_a.py::test_x", "t/test_a.py::test_y"]}


def stream(text: bytes = b"") -> Stream:
    return Stream(length=len(text), digest=digest(text), head=text, tail=b"", truncated=False)


def manifest(*facts: Any, key: str = KEY) -> bytes:
    code, lines = b"", []
    for fact in facts:
        text = json.dumps(fact).encode()
        code = hmac.new(bytes.fromhex(key), code + text, "sha256").hexdigest().encode()
        lines.append(text + b" " + code + b"\n")
    return b"".join(lines)


def seen(status: int | None = 0, content: bytes | None = None, **more: Any) -> Observation:
    files = () if content is None else (file(content),)
    timing = Timing(queue_ms=0, wall_ms=1, cpu_ms=1, peak_memory_bytes=1)
    values = {"probe": "check-0", "outcome": "exited", "exit_code": status, "files": files, "timing": timing}
    return Observation.model_validate({**values, "stdout": stream(), "stderr": stream(), **more})


def file(content: bytes) -> FileObservation:
    return FileObservation(
        path="manifest", kind="file", size=len(content), digest=digest(content), content=content, executable=False
    )


def run(observation: Observation, repeat: int = 0, tree: str = "candidate", key: str = "") -> CheckRun:
    return CheckRun.model_validate(
        {"check": "check-0", "tree": tree, "repeat": repeat, "key": key, "observations": (observation,)}
    )


def verdict(gate: Any, spec: TaskSpec, *runs: CheckRun, changes: tuple[FileChange, ...] = (), **more: Any) -> Any:
    subject = gate.subject(spec, more.pop("candidate", {"a.py": ""}), **more)
    return judge(spec, subject, GateEvidence(subject=subject.seal(), runs=runs, changes=changes))


def signatures(found: Any) -> list[str]:
    inner = [failure for result in found.results for failure in result.failures]
    assert bool(inner or found.failures) is (found.verdict is CheckVerdict.FAIL)
    return [failure.signature.value for failure in (*found.failures, *inner)]


LIMIT = {"outcome": "limit", "exit_code": None}


@pytest.mark.parametrize(
    ("observation", "expected"),
    [
        (seen(0), []),
        (seen(1), ["check_failed"]),
        (seen(255), ["check_failed"]),
        (seen(None, **LIMIT, limit=LimitHit(name="wall_ms", configured=1, observed=2)), []),
        (seen(None, **LIMIT, limit=LimitHit(name="memory_bytes", configured=1, observed=2)), ["resource_limit"]),
        (seen(None, outcome="signalled", signal=9), ["killed_by_signal"]),
        (seen(None, outcome="tampering", detail="x"), ["verifier_tampering"]),
        (seen(0, leftovers=("process 3: sleep",)), []),
    ],
)
def test_sbx_21_a_check_passes_iff_it_exits_0_in_time(
    gate: Any, task: Any, observation: Observation, expected: list[str]
) -> None:
    """SBX-06 and BND-15 too: what did not exit by itself has no status, and is no pass."""
    spec = task({"run": "true"})
    if observation.limit is not None and observation.limit.name == "wall_ms":
        expected = ["check_timed_out"]
    assert signatures(verdict(gate, spec, run(observation))) == expected


def test_nothing_run_is_no_pass(gate: Any, task: Any) -> None:
    """SPEC-09, law 3: a check without its runs, or with others, is a seal that does not hold."""
    spec = task({"run": "true", "repeats": 2})
    for runs in ([], [run(seen())], [run(seen()), run(seen())], [run(seen()), run(seen(), 1), run(seen(), 2)]):
        assert signatures(verdict(gate, spec, *runs)) == ["seal_mismatch"]
    assert signatures(verdict(gate, spec, run(seen()), run(seen(), 1))) == []


def test_repeats_that_disagree_are_flaky(gate: Any, task: Any) -> None:
    spec = task({"run": "true", "repeats": 3})
    found = verdict(gate, spec, run(seen()), run(seen(1), 1), run(seen(), 2))
    assert signatures(found) == ["check_failed", "flaky_check"]
    assert "2 of 3" in found.results[0].failures[1].detail
    assert signatures(verdict(gate, spec, *(run(seen(1), number) for number in range(3)))) == ["check_failed"]


def test_a_check_that_passes_on_the_base_is_vacuous(gate: Any, task: Any) -> None:
    """The fault is the task's: nobody can mend the change for it."""
    spec = task({"run": "true", "must_fail_before": True})
    base = {"base": {"a.py": "old"}}
    found = verdict(gate, spec, run(seen(0), tree="base"), run(seen()), **base)
    assert signatures(found) == ["vacuous_check"]
    assert fault_of(found.results[0].failures[0].signature) is Fault.REQUIREMENT
    assert signatures(verdict(gate, spec, run(seen(1), tree="base"), run(seen()), **base)) == []
    assert signatures(verdict(gate, spec, run(seen()), **base)) == ["seal_mismatch"]


def test_the_change_itself_is_judged(gate: Any, task: Any) -> None:
    spec = task({"run": "true"}, scope={"paths": ["src/**"], "max_files": 1, "max_lines": 3}, protected=["t/**"])
    changes = (
        FileChange(path="src/a.py", kind="changed", lines=3),
        FileChange(path="t/test_a.py", kind="removed", lines=1),
    )
    trees = {"candidate": {"src/a.py": "new"}, "base": {"src/a.py": "old", "t/test_a.py": ""}}
    found = verdict(gate, spec, run(seen()), changes=changes, **trees)
    assert signatures(found) == ["protected_path_changed", "scope_exceeded", "scope_exceeded", "scope_exceeded"]
    assert [item.detail for item in found.failures[1:]] == [
        "beyond the expected paths: t/test_a.py",
        "2 files changed, at most 1 are expected",
        "4 lines changed, at most 3 are expected",
    ]


def test_a_refused_patch_is_a_fail_with_its_reasons(gate: Any, task: Any) -> None:
    """BND-18, PAT-36: nothing was applied, nothing was run, and nobody calls that wrong."""
    spec = task({"run": "true"})
    subject = gate.subject(spec, {"a.py": ""})
    reason = Rejection(code=RejectionCode.CONTEXT, detail="its lines are not there", path="a.py", hunk=2)
    subject = subject.model_copy(update={"rejections": (reason,)})
    found = judge(spec, subject, GateEvidence(subject=subject.seal()))
    assert signatures(found) == ["patch_rejected"]
    assert "hunk 2" in found.failures[0].detail
    assert found.results == ()


def test_scn_07_missing_work_is_not_called_wrong(gate: Any, task: Any) -> None:
    spec = task({"run": "true"}, artifacts=["src/answer.py"])
    found = verdict(gate, spec)
    assert signatures(found) == ["artifact_missing"]
    assert found.results == ()


def test_evidence_of_another_change_is_refused(gate: Any, task: Any) -> None:
    """GAME-55."""
    spec = task({"run": "true"})
    one, other = gate.subject(spec, {"a.py": ""}), gate.subject(spec, {"a.py": "", "b.py": ""})
    evidence = GateEvidence(subject=one.seal(), runs=(run(seen()),))
    assert signatures(judge(spec, one, evidence)) == []
    assert signatures(judge(spec, other, evidence)) == ["seal_mismatch"]
    assert signatures(judge(task({"run": "false"}), one, evidence)) == ["seal_mismatch"]


X, Y = ({"id": f"t/test_a.py::test_{name}", "outcome": "passed"} for name in "xy")
END: dict[str, Any] = {"end": 0, "changed": []}


@pytest.mark.parametrize(
    ("content", "expected"),
    [
        (manifest(X, Y, END), []),
        (manifest(X, {**Y, "id": "t/test_a.py::test_y[1]"}, END), []),
        (
            manifest(X, {**Y, "id": "t/test_a.py::test_y[1]"}, {**Y, "outcome": "skipped"}, END),
            ["required_test_missing"],
        ),
        (manifest(X, END), ["required_test_missing"]),
        (manifest(X, {**Y, "outcome": "skipped"}, END), ["required_test_missing"]),
        (manifest(X, {**Y, "outcome": "xfailed"}, END), ["required_test_missing"]),
        (manifest(X, {**Y, "outcome": "failed"}, END), ["required_test_missing"]),
        (manifest(X, {**Y, "id": "t/test_a.py::test_yy"}, END), ["required_test_missing"]),
        (manifest(X, Y), ["required_test_missing"]),
        (manifest(X, Y, END, X), ["required_test_missing"]),
        (manifest(X, END, Y, END), ["required_test_missing"]),
        (manifest(END), ["required_test_missing", "required_test_missing"]),
        (b"", ["required_test_missing"]),
        (None, ["required_test_missing"]),
        (manifest(X, Y, END, key="cd" * 32), ["required_test_missing"]),
        (manifest(X, Y, END)[:-3], ["required_test_missing"]),
        (manifest(X, Y, END) + b"{}\n", ["required_test_missing"]),
        (manifest(X, Y, END).replace(b"test_x", b"test_z"), ["required_test_missing"]),
        (b"\xff\n" * 3, ["required_test_missing"]),
        (manifest(X, Y, {**END, "changed": ["_pytest.runner.CallInfo"]}), ["verifier_tampering"]),
        (manifest(X, Y, {"end": 0}), ["verifier_tampering"]),
        (manifest(X, Y, {**END, "end": 1}), ["verifier_tampering"]),
        (manifest(X, Y, {**END, "end": "0"}), ["verifier_tampering"]),
        (manifest(X, Y, [END]), ["required_test_missing"]),
    ],
)
def test_game_d2_required_tests_were_seen_executed_and_passed(
    gate: Any, task: Any, content: bytes | None, expected: list[str]
) -> None:
    """Law 7: each way in which a manifest can say less than it should, with exit status 0 all the while."""
    spec = task({"tests": {**SUITE, "paths": ["t"]}}, overlay="overlay")
    subject = gate.subject(spec, {"a.py": ""}, overlay={"t/test_a.py": ""})
    evidence = GateEvidence(subject=subject.seal(), runs=(run(seen(0, content), key=KEY),))
    assert signatures(judge(spec, subject, evidence)) == expected


def test_at_least_so_many_tests_passed() -> None:
    suite = Suite.model_validate({"runner": "unittest", "paths": ["t"], "required": ["t.test_a.T"], "at_least": 3})
    facts = [{"id": f"t.test_a.T.test_{name}", "outcome": "passed"} for name in "ab"]
    found = tally(suite, read_manifest(seen(0, manifest(*facts, END)), KEY))
    assert (found.executed, found.passed, found.missing) == (2, 2, ())


def test_jdg_03_the_judge_is_a_function(gate: Any, task: Any) -> None:
    spec = task({"run": "true"})
    subject = gate.subject(spec, {"a.py": ""})
    evidence = GateEvidence(subject=subject.seal(), runs=(run(seen(3)),))
    assert judge(spec, subject, evidence).seal() == judge(spec, subject, evidence).seal()

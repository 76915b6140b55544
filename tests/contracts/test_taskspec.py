"""The form of a task: what cannot be carried out is refused before anything runs (SPEC-14, SBX-19, SBX-20).

A `TaskSpec` is checked where it is made, so every door of the library is behind the same rules as the command.
"""

from __future__ import annotations

from typing import Any

import pytest

from contracts.loading import DocumentError, parse_document
from contracts.taskspec import MAX_CHECKS, MAX_TIMEOUT_S, CallCheck, CommandCheck, ProbeCheck, SuiteCheck, TaskSpec


def task(*checks: dict[str, Any], **more: Any) -> Any:
    return {"brief": "mend it", "checks": list(checks) or [{"name": "a", "run": "true"}], **more}


def load(document: Any) -> TaskSpec:
    return parse_document(TaskSpec, document)


def refusal(document: Any) -> str:
    with pytest.raises(DocumentError) as caught:
        load(document)
    assert "\n" not in str(caught.value)
    with pytest.raises(ValueError, match=r"validation error|Value error|Input"):
        TaskSpec.model_validate(document)  # SPEC-14: the library refuses what the command refuses
    return str(caught.value)


@pytest.mark.parametrize("run", [3, None, True, ["true"], {"a": "b"}])
def test_spec_02_a_command_is_text(run: object) -> None:
    refusal(task({"name": "a", "run": run}))


@pytest.mark.parametrize("run", ["", " ", "\n\t "])
def test_spec_03_an_empty_command_would_pass_whatever_the_candidate_is(run: str) -> None:
    refusal(task({"name": "a", "run": run}))


def test_spec_04_enc_01_no_command_holds_nul() -> None:
    assert "NUL" in refusal(task({"name": "a", "run": "true\0"}))
    refusal(task({"name": "a", "probes": [{"argv": ["a\0b"]}]}))


def test_spec_05_enc_03_no_text_holds_a_lone_surrogate() -> None:
    for document in (task({"name": "a", "run": "\ud800"}), task(brief="\udfff"), task({"name": "\ud800", "run": "a"})):
        with pytest.raises((DocumentError, ValueError)):
            TaskSpec.model_validate(document)


@pytest.mark.parametrize("timeout", [True, False, 1.5, 2.0, "3", None, 0, -1, MAX_TIMEOUT_S + 1, 2**60])
def test_spec_06_spec_07_a_timeout_is_a_whole_number_within_its_bounds(timeout: object) -> None:
    with pytest.raises(ValueError, match="timeout_s"):
        TaskSpec.model_validate(task({"name": "a", "run": "true", "timeout_s": timeout}))


def test_spec_07_the_longest_timeout_is_allowed() -> None:
    assert load(task({"name": "a", "run": "true", "timeout_s": MAX_TIMEOUT_S})).checks[0].timeout_s == MAX_TIMEOUT_S


def test_bnd_10_a_name_has_a_length() -> None:
    refusal(task({"name": "", "run": "true"}))
    refusal(task({"name": "x" * 101, "run": "true"}))
    assert load(task({"name": "x" * 100, "run": "true"}))


@pytest.mark.parametrize("value", [True, 1.5, "64", -1, 0, 10**9])
@pytest.mark.parametrize("bound", ["memory_mb", "processes", "scratch_mb"])
def test_bnd_17_a_bound_given_by_hand_stays_within_the_ceiling(bound: str, value: object) -> None:
    with pytest.raises(ValueError, match=bound):
        TaskSpec.model_validate(task({"name": "a", "run": "true", "limits": {bound: value}}))


def test_spec_08_bnd_04_at_most_a_hundred_checks() -> None:
    checks = [{"name": str(number), "run": "true"} for number in range(MAX_CHECKS + 1)]
    assert len(load(task(*checks[:-1])).checks) == MAX_CHECKS
    refusal(task(*checks))
    refusal({"brief": "x", "checks": []})


@pytest.mark.parametrize(
    ("check", "kind"),
    [
        ({"run": "npm test"}, CommandCheck),
        ({"tests": {"runner": "node", "paths": ["test"]}}, SuiteCheck),
        ({"probes": [{"argv": ["python3", "/candidate/a.py"], "stdout": {"equals": "5"}}]}, ProbeCheck),
        ({"module": "calc", "function": "add", "calls": [{"arguments": [1, 2], "returns": 3}]}, CallCheck),
    ],
)
def test_spec_13_commands_tests_and_structured_probes(check: dict[str, Any], kind: type) -> None:
    """A check is of exactly one kind, and says so in one line where it is not."""
    assert isinstance(load(task({"name": "a", **check})).checks[0], kind)
    if kind is not CommandCheck:
        refusal(task({"name": "a", "run": "true", **check}))


@pytest.mark.parametrize(
    "document",
    [
        task({"name": "a"}),
        task({"name": "a", "run": "true", "unknown": 1}),
        task({"name": "a", "run": "true"}, {"name": "a", "run": "false"}),
        task({"name": "a", "run": "true", "repeats": 11}),
        task({"name": "a", "run": "true", "must_fail_before": "yes"}),
        task({"name": "a", "run": "true", "limits": {"memory_mb": True}}),
        task({"name": "a", "tests": {"runner": "nose", "paths": ["t"]}}),
        task({"name": "a", "tests": {"runner": "node", "paths": ["t"], "subject": ["calc"]}}),
        task({"name": "a", "tests": {"runner": "pytest", "paths": []}}),
        task({"name": "a", "tests": {"runner": "pytest", "paths": ["../t"]}}),
        task({"name": "a", "tests": {"runner": "pytest", "paths": ["/t"]}}),
        task({"name": "a", "probes": [{"argv": []}]}),
        task({"name": "a", "probes": [{"argv": ["a"], "stdout": {"equals": "a", "contains": "b"}}]}),
        task({"name": "a", "probes": [{"argv": ["a"], "stdout": {}}]}),
        task({"name": "a", "probes": [{"argv": ["a"], "files": [{"path": "x", "text": ""}] * 2}]}),
        task({"name": "a", "probes": [{"argv": ["a"], "expect_files": [{"path": "x"}]}]}),
        task({"name": "a", "module": "m", "function": "f", "calls": [{"returns": 1, "raises": "ValueError"}]}),
        task({"name": "a", "module": "m", "function": "f", "calls": [{"returns": {"float": "wrong"}}]}),
        task(overlay="../elsewhere"),
        task(overlay="/tmp"),
        task(protected=["a/../b"]),
        task(version=2),
        task(scope={"max_files": -1}),
        task(scope={"max_lines": 1.0}),
        {"checks": [{"name": "a", "run": "true"}]},
        [],
        None,
    ],
)
def test_spec_01_an_invalid_task_is_one_line(document: Any) -> None:
    refusal(document)


def test_a_sealed_task_is_read_back_as_it_is() -> None:
    checks = [
        {"name": "a", "run": "true"},
        {"name": "b", "module": "m", "function": "f", "calls": [{"returns": None}]},
        {"name": "c", "tests": {"runner": "pytest", "paths": ["t"], "subject": ["m"]}, "must_fail_before": True},
    ]
    found = load(task(*checks))
    assert TaskSpec.model_validate_json(found.canonical()) == found
    assert found.needs_base
    assert not load(task()).needs_base

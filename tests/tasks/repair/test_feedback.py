"""What an adviser is told, and what it must never be told: expectations of probes, files of the overlay (law 1)."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from contracts.candidate import Candidate, Provenance
from contracts.canonical import digest
from contracts.gate import CheckRun, GateEvidence, Subject
from contracts.patch import Rejection, RejectionCode
from contracts.repair import Proposal
from contracts.taskspec import TaskSpec
from tasks.errors import NoCandidateError
from tasks.evidence.store import DirectoryStore
from tasks.gate.judge import judge
from tasks.gate.plan import cases
from tasks.models.base import Answer, Brief, UnusableAnswer
from tasks.repair import feedback
from tasks.repair.explain import explain, own_words, query
from tasks.repair.feedback import FILE_BYTES, brief
from tasks.repair.lookup import Lookup
from tasks.repair.progress import Judged
from tasks.trees import ingest

TASK = TaskSpec.model_validate(
    {
        "brief": "Mend the sum.",
        "protected": ["tests/**"],
        "scope": {"paths": ["*.py"]},
        "checks": [
            {"name": "lint", "run": "lint ."},
            {
                "name": "program",
                "probes": [
                    {"argv": ["python3", "/candidate/a.py", "2"], "stdin": "in", "stdout": {"equals": "SECRET"}}
                ],
            },
            {"name": "call", "module": "a", "function": "f", "calls": [{"arguments": [1], "returns": "SECRET"}]},
        ],
    }
)
Made = Callable[..., Judged]


@pytest.fixture
def store(tmp_path: Path) -> DirectoryStore:
    return DirectoryStore(tmp_path / "store")


def tree(place: Path, store: DirectoryStore, files: dict[str, bytes]) -> Candidate:
    for name, data in files.items():
        (place / name).parent.mkdir(parents=True, exist_ok=True)
        (place / name).write_bytes(data)
    return ingest(place, store, Provenance(source="directory", label="x"), 0)


@pytest.fixture
def attempt(tmp_path: Path, store: DirectoryStore, seen: Callable[..., Any]) -> Made:
    def make(
        overlay: dict[str, bytes] | None = None, files: dict[str, bytes] | None = None, output: bytes = b""
    ) -> Judged:
        candidate = tree(tmp_path / "c", store, files or {"a.py": b"def f(x):\n    return x\n"})
        over = tree(tmp_path / "o", store, overlay) if overlay else None
        subject = Subject(task=TASK.seal(), candidate=candidate, overlay=over)
        runs = [
            CheckRun(check="lint", tree="candidate", repeat=0, observations=(seen("lint", status=1, stdout=output),))
        ]  # fmt: skip
        for check in TASK.checks[1:]:
            observations = tuple(seen(case.probe.id, stdout=b"wrong") for case in cases(check))  # type: ignore[arg-type]
            runs.append(CheckRun(check=check.name, tree="candidate", repeat=0, observations=observations))
        evidence = GateEvidence(subject=subject.seal(), runs=tuple(runs))
        return Judged(0, subject, evidence, judge(TASK, subject, evidence))

    return make


def text_of(told: Brief) -> str:
    return "\n".join([told.task, *told.files, *told.files.values(), *told.failures, *told.rejections])


def test_inputs_and_what_was_seen_are_told_and_expectations_are_not(attempt: Made, store: DirectoryStore) -> None:
    told = brief(TASK, [attempt(output=b"a.py:1: unused")], [], store)
    words = text_of(told)
    assert "SECRET" not in words
    assert '"wrong"' in words
    assert "a.py 2" in words
    assert "a.py:1: unused" in words
    assert "def f(x)" in words
    assert "tests/**" in told.task
    assert (told.attempt, len(told.failures)) == (1, 3)


def test_nothing_of_the_overlay_is_told(attempt: Made, store: DirectoryStore) -> None:
    """What a check prints may quote the tests that decide."""
    hidden = b"assert f(2) == SECRET\n"
    overlaid = attempt({"tests/test_a.py": hidden}, {"a.py": b"x\n", "tests/test_a.py": hidden}, output=hidden)
    words = text_of(brief(TASK, [overlaid], [], store))
    assert "SECRET" not in words
    assert "exit status 1" in words
    assert "SECRET" not in own_words(TASK, overlaid)
    assert "SECRET" not in query(TASK, overlaid)


def test_a_task_and_its_overlay_within_the_candidate_are_not_told(attempt: Made, store: DirectoryStore) -> None:
    """Where a candidate is the folder that holds its own task: by content, whatever they are called there."""
    hidden, task = b"assert f(2) == SECRET\n", b"returns: SECRET\n"
    files = {"a.py": b"x\n", ".forge/overlay/t.py": hidden, ".forge/task.yaml": task}
    base = attempt({"tests/t.py": hidden}, files)
    subject = base.subject.model_copy(update={"text": digest(task)})
    evidence = base.evidence.model_copy(update={"subject": subject.seal()})
    inside = Judged(0, subject, evidence, judge(TASK, subject, evidence))
    assert brief(TASK, [inside], [], store).files == {"a.py": "x\n"}


def test_files_are_bounded_text_and_those_spoken_of_come_first(attempt: Made, store: DirectoryStore) -> None:
    """BND: a large tree does not make a large prompt."""
    files = {f"m{number}.py": b"x" * FILE_BYTES for number in range(9)}
    files |= {"big.txt": b"x" * (FILE_BYTES + 1), "bin": b"a\0b", "latin.txt": b"\xe9", "z.py": b"z" * FILE_BYTES}
    told = brief(TASK, [attempt(files=files, output=b"error in z.py")], [], store)
    assert next(iter(told.files)) == "z.py"
    assert not {"big.txt", "bin", "latin.txt"} & told.files.keys()
    assert sum(map(len, told.files.values())) <= feedback.TREE_BYTES


def test_refusals_are_told_in_the_appliers_words(attempt: Made, store: DirectoryStore) -> None:
    """REP-02."""
    reason = Rejection(code=RejectionCode.CONTEXT, detail="no line reads 'q'", path="a.py", hunk=1, line=3)
    refused = Proposal(round=1, base=0, text="t", rejections=(reason,))
    worse = Proposal(round=2, base=0, text="t", attempt=1)
    base = attempt()
    other = Judged(1, base.subject, base.evidence, base.verdict.model_copy(update={"results": ()}))
    told = brief(TASK, [base, other], [refused, worse], store)
    assert told.rejections[0] == "a.py: hunk 1: context_not_found: no line reads 'q' (patch line 3)"
    assert "round 2 was undone" in told.rejections[1]
    assert told.attempt == 3


class Speaker:
    name = "speaker"

    def __init__(self, answer: Answer | Exception) -> None:
        self._answer = answer

    def propose(self, told: Brief) -> Answer:
        raise NotImplementedError

    def explain(self, told: Brief) -> Answer:
        assert "SECRET" not in text_of(told)
        if isinstance(self._answer, Exception):
            raise self._answer
        return self._answer


def test_our_own_words_are_the_same_for_the_same_results(attempt: Made, store: DirectoryStore) -> None:
    """JDG-03, REP-09, ADP-12."""
    base = attempt()
    first, calls = explain(TASK, [base], [], store, lookup=Lookup(None))
    assert first == explain(TASK, [base], [], store, lookup=Lookup(None))[0]
    assert first.text.startswith("3 of 3 checks failed.")
    assert (first.author, first.error, calls) == ("forge", None, ())
    assert "TAVILY_API_KEY is not set" in (first.degraded or "")


def test_a_models_words_stand_where_there_are_some(attempt: Made, store: DirectoryStore) -> None:
    """ADP-14, ADP-17, BND-07: words without any call that was counted are words all the same."""
    explanation, _ = explain(TASK, [attempt()], [], store, adviser=Speaker(Answer("why \ud800" + "x" * 30_000, ())))
    assert explanation.text.startswith("why \ufffd")
    assert len(explanation.text) <= 20_000


@pytest.mark.parametrize(
    "fault", [UnusableAnswer("empty\nanswer"), KeyError("empty\nanswer"), NoCandidateError("nobody")]
)
def test_words_that_fail_cost_nothing(attempt: Made, store: DirectoryStore, fault: Exception) -> None:
    """REP-09, REC-22, ADP-16: the reason is one line of text."""
    explanation, _ = explain(TASK, [attempt()], [], store, adviser=Speaker(fault))
    assert explanation.text.startswith("3 of 3 checks failed.")
    words = {NoCandidateError: None, UnusableAnswer: "empty answer", KeyError: "'empty\\nanswer'"}
    assert explanation.error == words[type(fault)]


def test_a_leak_would_be_seen(attempt: Made, store: DirectoryStore, monkeypatch: pytest.MonkeyPatch) -> None:
    """Law 7: with the judge's own words for a probe the first test goes red."""
    monkeypatch.setattr(feedback, "_witness", lambda failure: iter([failure.detail, str(failure.witness)]))
    with pytest.raises(AssertionError):
        test_inputs_and_what_was_seen_are_told_and_expectations_are_not(attempt, store)

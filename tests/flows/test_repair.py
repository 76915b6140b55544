"""The bounded loop with stand-ins for sandbox and adviser: what it records, why it stops, what it never touches."""

from __future__ import annotations

import dataclasses
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any

import pytest

from contracts.candidate import Candidate, FileEntry
from contracts.evidence import Record
from contracts.gate import CheckRequest, CheckRun, CheckVerdict, Subject, Task
from contracts.isolation import IsolationCheck, IsolationReport, SandboxPolicy
from contracts.loading import load_document
from contracts.modelling import ModelChoice, ModelSettings, RoleSettings
from contracts.probe import Observation
from contracts.repair import RepairReport, RepairRequest, StopReason
from contracts.settings import BuildSettings
from contracts.taskspec import Check, CommandCheck, TaskSpec
from contracts.verdict import Fault
from flows.cli.repair_summary import summary
from flows.repair import Interrupted, repair
from sandbox.base import SandboxUnavailable
from tasks import stages
from tasks.errors import OutputError
from tasks.evidence.arrangement import read_contents
from tasks.evidence.repairs.contents import RepairContents
from tasks.evidence.repairs.linkage import linkage_faults
from tasks.evidence.store import open_store
from tasks.evidence.verify import verify_record
from tasks.gate.spec import parse_task
from tasks.models.adviser import ModelAdviser
from tasks.models.base import Answer, Brief, UnusableAnswer
from tasks.repair.lookup import Lookup
from tasks.repair.scripted import Scripted
from tasks.stages import Stage
from tests.tasks.models.servers import answering, saying, serving

TASK = b"""
brief: Mend it.
checks:
  - {name: one, run: "a.txt has one"}
  - {name: two, run: "a.txt has two"}
"""
EDIT = "File: a.txt\n<<<<<<< SEARCH\n{0}\n=======\n{1}\n>>>>>>> REPLACE\n"
MEND = EDIT.format("none", "one two")


class Adviser:
    """Answers in order; an exception is raised. Keeps what it was told."""

    name = "stand-in"

    def __init__(self, *answers: str | BaseException) -> None:
        self._answers = list(answers)
        self.told: list[Brief] = []

    def propose(self, brief: Brief) -> Answer:
        self.told.append(brief)
        answer = self._answers.pop(0)
        if isinstance(answer, BaseException):
            raise answer
        return Answer(answer, ())

    def explain(self, brief: Brief) -> Answer:
        raise UnusableAnswer("nothing to say")


@pytest.fixture
def sandbox(monkeypatch: pytest.MonkeyPatch, seen: Callable[..., Observation]) -> list[str]:
    """A check passes iff the file holds the word; an executable passes ``is runnable``. Lists the checks that ran."""
    ran: list[str] = []

    def isolate(settings: BuildSettings) -> IsolationReport:
        held = IsolationCheck(name="network", held=True, observed="unreachable")
        return IsolationReport(
            policy=settings.policy.seal(), backend="bubblewrap", root="host", tools={}, enforced={}, checks=(held,)
        )

    def observe(
        check: Check, task: TaskSpec, subject: Subject, policy: SandboxPolicy, store: str
    ) -> tuple[CheckRun, ...]:
        assert isinstance(check, CommandCheck)
        ran.append(check.name)
        if check.run == "is lost":
            raise SandboxUnavailable("there is no sandbox")
        if subject.rejections:
            return ()
        path, word = check.run.split()[0], check.run.split()[-1]

        def status(files: Sequence[FileEntry]) -> int:
            found = next((entry for entry in files if entry.path == path), None)
            if found is None:
                return 1
            runnable = found.executable if word == "runnable" else word in _words(store, found)
            return 0 if runnable else 1

        base = subject.base.files if check.must_fail_before and subject.base else None
        trees = [("base", base)] if base is not None else []
        return tuple(
            CheckRun(check=check.name, tree=tree, repeat=0, observations=(seen(check.name, status=status(files)),))  # type: ignore[arg-type]
            for tree, files in (*trees, ("candidate", subject.candidate.files))
        )

    monkeypatch.setattr(stages, "ISOLATE", Stage("isolate", lambda: isolate))
    monkeypatch.setattr(stages, "CHECK", Stage("check", lambda: observe))
    return ran


def _words(store: str, entry: FileEntry) -> list[str]:
    return open_store(store).get(entry.digest).decode().split()


@pytest.fixture
def seen() -> Callable[..., Observation]:
    from contracts.canonical import digest
    from contracts.probe import Stream, Timing

    empty = Stream(length=0, digest=digest(b""), head=b"", tail=b"", truncated=False)

    def make(probe: str, status: int) -> Observation:
        timing = Timing(queue_ms=0, wall_ms=1, cpu_ms=1, peak_memory_bytes=1)
        return Observation(
            probe=probe, outcome="exited", exit_code=status, stdout=empty, stderr=empty, files=(), timing=timing
        )

    return make


@dataclasses.dataclass
class Place:
    """Where a repair works."""

    root: Path

    def request(self, rounds: int = 3, task: bytes = TASK, **extra: Any) -> RepairRequest:
        candidate = self.root / "candidate"
        candidate.mkdir(exist_ok=True)
        if not (candidate / "a.txt").exists():
            (candidate / "a.txt").write_text("none\n")
        check = CheckRequest(
            task=Task(text=task.decode(), spec=parse_task(task)),
            candidate=str(candidate),
            store=str(self.root / "store"),
            **extra,
        )
        return RepairRequest(check=check, max_rounds=rounds)

    def contents(self, report: RepairReport) -> RepairContents:
        """Of the record, once it verifies."""
        store = open_store(str(self.root / "store"), read_only=True)
        verify_record(report.run, store, integrity_only=True)
        found = read_contents(load_document(Record, store.get_record(report.run)), store)
        assert isinstance(found, RepairContents)
        return found


@pytest.fixture
def place(tmp_path: Path, sandbox: list[str]) -> Place:
    return Place(tmp_path)


def test_what_passes_is_not_mended(place: Place) -> None:
    """No adviser is asked, and a budget of zero is enough."""
    adviser = Adviser()
    request = place.request(0)
    (place.root / "candidate/a.txt").write_text("one two\n")
    report = repair(request, adviser)
    assert (report.status, report.stopped, report.rounds, report.best) == ("PASS", StopReason.PASSED, 0, 0)
    assert not adviser.told
    assert report.explanation is None


def test_a_refusal_is_fed_back_and_the_next_proposal_is_judged(place: Place) -> None:
    """REP-01, REP-02, REP-04 to REP-06, REP-12: the candidate itself is untouched; the record verifies."""
    adviser = Adviser(EDIT.format("absent", "x"), MEND)
    report = repair(place.request(), adviser, patched_out=place.root / "mended")
    assert (report.status, report.stopped, report.rounds, report.best) == ("PASS", StopReason.PASSED, 2, 1)
    (refusal,) = adviser.told[1].rejections
    assert refusal == "a.txt: hunk 1: context_not_found: no line of the file reads 'absent' (patch line 2)"
    assert report.proposals[0].rejections[0].document()["hunk"] == 1
    assert report.proposals[1].text == MEND
    assert (place.root / "candidate/a.txt").read_text() == "none\n"
    assert (place.root / "mended/a.txt").read_text() == "one two\n"
    contents = place.contents(report)
    assert [attempt.number for attempt in contents.judged] == [0, 1]
    assert contents.candidate is not None
    assert contents.plan.adviser == "stand-in"


def test_a_change_that_breaks_what_held_is_not_built_upon(place: Place) -> None:
    request = place.request()
    (place.root / "candidate/a.txt").write_text("one\n")
    adviser = Adviser(EDIT.format("one", "two"), EDIT.format("one", "one two"))
    report = repair(request, adviser)
    assert (report.status, report.best) == ("PASS", 2)
    assert [proposal.base for proposal in report.proposals] == [0, 0]
    assert adviser.told[1].files == {"a.txt": "one\n"}
    assert "it broke what held before: one" in adviser.told[1].rejections[0]
    place.contents(report)


def test_progress_is_built_upon_and_the_best_is_reported(place: Place) -> None:
    adviser = Adviser(EDIT.format("none", "one"), EDIT.format("one", "worse"), EDIT.format("one", "one more"))
    report = repair(place.request(), adviser, patched_out=place.root / "mended", lookup=Lookup(None))
    assert (report.status, report.stopped, report.rounds) == ("FAIL", StopReason.ROUNDS_EXHAUSTED, 3)
    assert (report.best, report.fault) == (1, Fault.CANDIDATE)
    assert [result.verdict for result in report.results] == [CheckVerdict.PASS, CheckVerdict.FAIL]
    assert (place.root / "mended/a.txt").read_text() == "one\n"
    assert report.explanation is not None
    assert report.explanation.text.startswith("1 of 2 checks failed.")
    assert report.explanation.error == "nothing to say"
    assert "TAVILY_API_KEY" in (report.explanation.degraded or "")
    assert place.contents(report).explanations == (report.explanation,)


def test_nothing_new_twice_ends_it(place: Place) -> None:
    """A proposal that leads to a tree that was judged is refused, and two in a row are enough."""
    adviser = Adviser(EDIT.format("none", "one"), EDIT.format("one", "none"), EDIT.format("one", "one"), MEND)
    report = repair(place.request(9), adviser)
    assert (report.stopped, report.rounds, report.best) == (StopReason.NO_CHANGE, 3, 1)
    codes = [[item.code.value for item in proposal.rejections] for proposal in report.proposals]
    assert codes == [[], ["leads_to_a_judged_tree"], ["nothing_to_do"]]
    place.contents(report)


@pytest.mark.parametrize(
    "answers", [[UnusableAnswer("the answer is empty")], [MEND.replace("two", ""), UnusableAnswer("x")]]
)
def test_a_missing_answer_ends_it_with_the_report(place: Place, answers: list[Any]) -> None:
    """REP-07, REP-08."""
    report = repair(place.request(), Adviser(*answers))
    assert (report.status, report.stopped, report.rounds) == ("FAIL", StopReason.GENERATION_FAILED, len(answers))
    assert (report.fault, report.best) == (Fault.CANDIDATE, len(answers) - 1)
    contents = place.contents(report)
    assert contents.stopped is not None
    assert contents.stopped.stage == "propose"


def test_a_task_that_nobody_mends_says_whom_to_name(place: Place) -> None:
    """DEC-16: attempt 0 is judged and explained all the same."""
    request = place.request()
    report = repair(request, Scripted(request.check.task.spec))
    assert (report.stopped, report.best) == (StopReason.GENERATION_FAILED, 0)
    assert "--provider" in (report.missing or "")
    lines = list(summary(report))
    assert lines[0].startswith("FAIL (fault: candidate): whoever proposes gave no usable answer")
    assert any("--provider" in line for line in lines)


def test_the_summary_tells_each_round(place: Place) -> None:
    adviser = Adviser(
        EDIT.format("absent", "x"),
        EDIT.format("none", "one"),
        EDIT.format("one", "lost"),
        EDIT.format("one", "one two"),
    )
    lines = "\n".join(summary(repair(place.request(4), adviser)))
    assert [words.startswith("your change of round 3 was undone") for words in adviser.told[3].rejections] == [
        False, True,
    ]  # fmt: skip
    for words in ("refused, nothing", "attempt 1, on attempt 0: kept", "attempt 2, on attempt 1: undone",
                  "attempt 3, on attempt 1: kept", "a.txt: hunk 1: context_not_found"):  # fmt: skip
        assert words in lines


def test_an_oversize_proposal_is_a_refusal_that_is_kept(place: Place) -> None:
    """PAT-38, BND-09, REP-06, REP-11."""
    report = repair(place.request(1), Adviser(MEND + "x" * 70_000))
    assert report.proposals[0].rejections[0].code == "patch_too_large"
    assert len(place.contents(report).proposals[0].text) > 70_000


def test_a_chmod_alone_mends(place: Place) -> None:
    """REP-17."""
    task = b'brief: b\nchecks: [{name: one, run: "a.txt is runnable"}]\n'
    mode = "diff --git a/a.txt b/a.txt\nold mode 100644\nnew mode 100755\n"
    report = repair(place.request(1, task), Adviser(mode), patched_out=place.root / "mended")
    assert report.status == "PASS"
    assert (place.root / "mended/a.txt").stat().st_mode & 0o100
    place.contents(report)


def test_no_round_is_spent_on_a_vacuous_check(place: Place) -> None:
    """A check that passes before the change proves nothing: the task's author has to mend it."""
    task = b'brief: b\nchecks: [{name: one, run: "a.txt has none", must_fail_before: true}]\n'
    request = place.request(3, task)
    report = repair(place.request(3, task, base=request.check.candidate), Adviser())
    assert (report.stopped, report.fault, report.rounds) == (StopReason.NOT_REPAIRABLE, Fault.REQUIREMENT, 0)
    assert report.explanation is not None
    assert report.explanation.error is None  # the adviser, which has nothing to say, was not asked
    place.contents(report)


def test_a_fault_of_the_infrastructure_is_nobodys_verdict(place: Place) -> None:
    """Law 3."""
    report = repair(place.request(3, b'brief: b\nchecks: [{name: one, run: "is lost"}]\n'), Adviser())
    assert (report.status, report.fault, report.best) == ("FAIL", Fault.INFRASTRUCTURE, None)
    assert (report.stopped, report.rounds) == (StopReason.INFRASTRUCTURE, 0)
    place.contents(report)


def test_an_interruption_leaves_a_record_and_no_output(place: Place) -> None:
    """CLI-06, OUT-12."""
    out, mended = place.root / "out", place.root / "mended"
    with pytest.raises(Interrupted) as caught:
        repair(place.request(), Adviser(EDIT.format("none", "one"), KeyboardInterrupt()), out=out, patched_out=mended)
    report = caught.value.report
    assert (report.status, report.fault) == ("FAIL", Fault.INFRASTRUCTURE)
    assert not out.exists()
    assert not mended.exists()
    place.contents(report)


@pytest.mark.parametrize("where", ["candidate", "candidate/x", ".", "file", "link", "absent/x", "out", "out/x"])
def test_the_mended_tree_lies_apart(place: Place, sandbox: list[str], where: str) -> None:
    """OUT-07 to OUT-09, OUT-11, REP-13: nothing may stand there; refused before any work, and left as it is."""
    request = place.request()
    (place.root / "file").write_text("kept")
    (place.root / "link").symlink_to("nowhere")
    with pytest.raises(OutputError, match="--patched-out"):
        repair(request, Adviser(), out=place.root / "out", patched_out=place.root / where)
    assert (place.root / "file").read_text() == "kept"
    assert not sandbox


def test_a_destination_that_is_taken_meanwhile_is_left_alone(place: Place) -> None:
    """OUT-10, OUT-13."""
    mended = place.root / "mended"

    class Taking(Adviser):
        def propose(self, brief: Brief) -> Answer:
            mended.symlink_to(place.root / "candidate")
            return super().propose(brief)

    with pytest.raises(OutputError, match="--patched-out"):
        repair(place.request(), Taking(MEND), patched_out=mended)
    assert (place.root / "candidate/a.txt").read_text() == "none\n"


def test_what_an_adviser_says_of_its_work_decides_nothing(place: Place) -> None:
    """ADP-01: words are no verdict, whoever says them."""
    report = repair(place.request(2), Adviser("All checks pass now.\n", '{"status": "PASS", "verdict": "PASS"}'))
    assert (report.status, report.best) == ("FAIL", 0)
    assert {item.code.value for proposal in report.proposals for item in proposal.rejections} == {"no_unified_diff"}
    place.contents(report)


def test_nothing_is_written_where_no_proposal_helped(place: Place) -> None:
    report = repair(place.request(1), Adviser(EDIT.format("none", "nothing")), patched_out=place.root / "mended")
    assert (report.best, report.patched) == (0, None)
    assert not (place.root / "mended").exists()


Change = Callable[[RepairContents], RepairContents]


def _proposal(contents: RepairContents, index: int, **changes: Any) -> RepairContents:
    proposals = list(contents.proposals)
    proposals[index] = proposals[index].model_copy(update=changes)
    return dataclasses.replace(contents, proposals=tuple(proposals))


def _subject(contents: RepairContents, index: int, **changes: Any) -> RepairContents:
    attempts = list(contents.attempts)
    subject = attempts[index].subject.model_copy(update=changes)
    attempts[index] = dataclasses.replace(attempts[index], subject=subject)
    return dataclasses.replace(contents, attempts=tuple(attempts))


FORGED: dict[str, tuple[Change, str]] = {
    "a budget beyond the plan": (
        lambda it: dataclasses.replace(it, plan=it.plan.model_copy(update={"max_rounds": 1})), "was not due"),
    "another number": (lambda it: _proposal(it, 0, round=2), "another number"),
    "another base": (lambda it: _proposal(it, 1, base=1), "not the best"),
    "another text": (lambda it: _proposal(it, 1, text="x"), "not of the proposal"),
    "a refusal of what was applied": (
        lambda it: _proposal(it, 1, rejections=it.proposals[0].rejections), "did not lead"),
    "a refusal without a reason": (lambda it: _proposal(it, 0, rejections=()), "not told"),
    "an attempt relabelled as a refusal": (
        lambda it: _proposal(it, 1, attempt=None, rejections=it.proposals[0].rejections), "no proposal that led"),
    "a refusal relabelled as an attempt": (
        lambda it: _proposal(it, 0, attempt=1, rejections=()), "not of the proposal"),
    "another task": (lambda it: _subject(it, 1, task="sha256:" + "0" * 64), "another task"),
    "another base tree": (lambda it: _subject(it, 1, base=it.attempts[0].subject.candidate), "overlays or bases"),
    "a tree twice": (lambda it: _subject(it, 1, candidate=it.attempts[0].subject.candidate), "judged before"),
}  # fmt: skip


@pytest.mark.parametrize("about", FORGED)
def test_a_forged_link_is_found(place: Place, about: str) -> None:
    """VER-07, VER-08, REP-08, REP-10, law 7."""
    contents = place.contents(repair(place.request(2), Adviser(EDIT.format("absent", "x"), MEND)))
    assert not list(linkage_faults(contents))
    change, words = FORGED[about]
    assert words in " ".join(linkage_faults(change(contents)))


def test_a_conclusion_that_was_not_due_is_none(place: Place) -> None:
    """VER-07: a report cannot stop early and call itself done."""
    contents = place.contents(repair(place.request(3), Adviser(*[EDIT.format("absent", "x")] * 3)))
    with pytest.raises(ValueError, match="another round was due"):
        dataclasses.replace(contents, proposals=contents.proposals[:2]).conclude("", {})


def test_the_mended_candidate_is_what_the_statement_is_about(place: Place) -> None:
    """Law 5."""
    contents = place.contents(repair(place.request(), Adviser(MEND)))
    assert isinstance(contents.candidate, Candidate)
    assert contents.candidate.tree == contents.attempts[1].subject.candidate.tree


def test_a_model_proposes_and_explains_and_every_call_is_sealed(place: Place, monkeypatch: pytest.MonkeyPatch) -> None:
    """ADP-02, REP-12: who proposed, by how many calls; the key is nowhere."""
    monkeypatch.setenv("FORGE_MODEL_KEY", "sk-canary-repair")
    answers = [EDIT.format("none", "one"), "It lacks the word two."]
    with serving(answering(lambda _asked: answers.pop(0))) as server:
        report = repair(place.request(1), _model(place, server.url))
    assert (report.stopped, report.best) == (StopReason.ROUNDS_EXHAUSTED, 1)
    assert report.usage is not None
    assert (report.usage.calls, report.usage.failed) == (2, 0)
    contents = place.contents(report)
    assert [call.role for call in contents.calls] == ["coder", "explainer"]
    assert report.explanation is not None
    assert (report.explanation.author, report.explanation.text) == ("openai/m", "It lacks the word two.")
    kept = b"".join(path.read_bytes() for path in (place.root / "store").rglob("*") if path.is_file())
    assert b"sk-canary" not in kept


def test_a_model_that_is_out_ends_it_with_the_report(place: Place, monkeypatch: pytest.MonkeyPatch) -> None:
    """REP-07, REP-09, ADP-02: the calls that failed are sealed too."""
    monkeypatch.setenv("FORGE_MODEL_KEY", "sk-canary-repair")
    with serving(saying(b"{}", 503)) as server:
        report = repair(place.request(), _model(place, server.url))
    assert (report.status, report.stopped, report.rounds) == ("FAIL", StopReason.GENERATION_FAILED, 1)
    assert report.fault is Fault.CANDIDATE
    assert report.explanation is not None
    assert report.explanation.author == "forge"
    assert report.explanation.error
    contents = place.contents(report)
    assert [call.error is not None for call in contents.calls] == [True, True]


def _model(place: Place, url: str) -> ModelAdviser:
    role = RoleSettings(models=(ModelChoice(provider="openai", model="m", base_url=url),))
    settings = ModelSettings(coder=role, explainer=role, retries=0)
    return ModelAdviser(settings, SandboxPolicy(), open_store(str(place.root / "store")))

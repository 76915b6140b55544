"""The bounded loop's decisions, derived from its attempts alone (REP-03, REP-07, VER-07)."""

from __future__ import annotations

from typing import Any

import pytest

from contracts.candidate import Candidate, Provenance, tree_digest
from contracts.canonical import digest
from contracts.gate import CheckResult, CheckVerdict, GateEvidence, GateVerdict, Subject, Tally
from contracts.patch import Rejection, RejectionCode
from contracts.repair import Proposal, RepairPlan, StopReason
from contracts.verdict import Failure, FailureSignature
from tasks.repair import progress
from tasks.repair.progress import Judged, best, broken, improves, stop

PLAN = RepairPlan(max_rounds=3, adviser="scripted")
CANDIDATE = Candidate(
    files=(), tree=tree_digest(()), dropped=(), provenance=Provenance(source="directory", label="x"), attempt=0
)
SUBJECT = Subject(task=digest(b"task"), candidate=CANDIDATE)
EVIDENCE = GateEvidence(subject=SUBJECT.seal())
S = FailureSignature


def failure(signature: FailureSignature = S.CHECK_FAILED) -> Failure:
    return Failure(signature=signature, detail="d")


def judged(number: int, checks: str, *, change: FailureSignature | None = None, tests: int | None = None,
           why: FailureSignature = S.CHECK_FAILED) -> Judged:  # fmt: skip
    """Checks by letter; those in capitals passed."""
    results = tuple(
        CheckResult(
            check=letter.lower(),
            verdict=CheckVerdict.PASS if letter.isupper() else CheckVerdict.FAIL,
            channel="exit_status",
            tests=Tally(executed=9, passed=tests) if tests is not None else None,
            failures=() if letter.isupper() else (failure(why),),
        )
        for letter in checks
    )
    against = (failure(change),) if change is not None else ()
    passed = checks.isupper() and not against
    verdict = GateVerdict(
        subject=SUBJECT.seal(),
        evidence=EVIDENCE.seal(),
        verdict=CheckVerdict.PASS if passed else CheckVerdict.FAIL,
        failures=against,
        results=results,
    )
    return Judged(number, SUBJECT, EVIDENCE, verdict)


def refused(number: int, *codes: RejectionCode) -> Proposal:
    return Proposal(
        round=number, base=0, text="t", rejections=tuple(Rejection(code=code, detail="d") for code in codes)
    )  # fmt: skip


def applied(number: int, attempt: int) -> Proposal:
    return Proposal(round=number, base=0, text="t", attempt=attempt)


@pytest.mark.parametrize(
    ("attempts", "number"),
    [
        (["ab"], 0), (["ab", "Ab"], 1), (["Ab", "aB"], 0), (["Ab", "ab", "AB"], 2), (["Ab", "aB", "Ab"], 0),
        (["ab", "aB", "Ab"], 1), (["ab", "aB", "AB", "ab"], 2), (["ab", "ab"], 0),
    ],
)  # fmt: skip
def test_a_repair_never_trades_one_check_for_another(attempts: list[str], number: int) -> None:
    """REP: regressions are refused, the best is kept, of equals the first."""
    assert best([judged(index, checks) for index, checks in enumerate(attempts)]).number == number


def test_a_change_that_is_refused_for_itself_is_no_progress() -> None:
    """A repair that mends a check by changing what is protected is not built upon."""
    before, after = judged(0, "ab"), judged(1, "AB", change=S.PROTECTED_PATH_CHANGED)
    assert not improves(after.verdict, before.verdict)
    assert broken(after.verdict, before.verdict) == ("",)
    assert improves(before.verdict, judged(0, "ab", change=S.SCOPE_EXCEEDED).verdict)


def test_more_passed_tests_are_progress_only_where_no_check_is_lost() -> None:
    assert improves(judged(1, "ab", tests=5).verdict, judged(0, "ab", tests=4).verdict)
    assert not improves(judged(1, "ab", tests=4).verdict, judged(0, "ab", tests=4).verdict)
    assert not improves(judged(1, "aB", tests=9).verdict, judged(0, "Ab", tests=0).verdict)


R = RejectionCode


@pytest.mark.parametrize(
    ("attempts", "proposals", "reason"),
    [
        (["A"], [], StopReason.PASSED),
        (["a"], [], None),
        (["a"], [refused(1, R.CONTEXT)], None),
        (["a"], [refused(1, R.CONTEXT), refused(2, R.CONTEXT)], None),
        (["a"], [refused(n, R.CONTEXT) for n in (1, 2, 3)], StopReason.ROUNDS_EXHAUSTED),
        (["a"], [refused(1, R.NOTHING)], None),
        (["a"], [refused(1, R.NOTHING), refused(2, R.REPEATED)], StopReason.NO_CHANGE),
        (["a"], [refused(1, R.NOTHING), refused(2, R.REPEATED, R.CONTEXT)], None),
        (["a", "a"], [refused(1, R.NOTHING), applied(2, 1)], None),
        (["a", "A"], [applied(1, 1)], StopReason.PASSED),
        (["a", "a", "a", "A"], [applied(n, n) for n in (1, 2, 3)], StopReason.PASSED),
        ([], [], StopReason.INFRASTRUCTURE),
    ],
)
def test_why_it_stops(attempts: list[str], proposals: list[Proposal], reason: StopReason | None) -> None:
    assert stop(PLAN, [judged(index, checks) for index, checks in enumerate(attempts)], proposals) is reason


def test_no_rounds_are_a_check() -> None:
    """REP-03: a budget of zero."""
    plan = RepairPlan(max_rounds=0, adviser="scripted")
    assert stop(plan, [judged(0, "a")], []) is StopReason.ROUNDS_EXHAUSTED
    assert stop(plan, [judged(0, "A")], []) is StopReason.PASSED


@pytest.mark.parametrize("why", [S.VACUOUS_CHECK, S.FLAKY_CHECK, S.SANDBOX_UNAVAILABLE, S.SEAL_MISMATCH])
def test_no_round_is_spent_on_what_is_not_the_candidates_fault(why: FailureSignature) -> None:
    """Law 3."""
    assert stop(PLAN, [judged(0, "a", why=why)], []) is StopReason.NOT_REPAIRABLE
    assert stop(PLAN, [judged(0, "ab", change=why)], []) is (
        None if why is S.FLAKY_CHECK else StopReason.NOT_REPAIRABLE
    )


@pytest.mark.parametrize("why", [S.MODEL_UNAVAILABLE, S.UNUSABLE_ANSWER, S.BUDGET_EXHAUSTED, S.NO_CANDIDATE])
def test_a_missing_answer_is_told_from_a_fault(why: FailureSignature) -> None:
    """REP-07, REP-08."""
    assert stop(PLAN, [judged(0, "a")], [], failure(why)) is StopReason.GENERATION_FAILED
    assert stop(PLAN, [], [], failure(why)) is StopReason.INFRASTRUCTURE


@pytest.mark.parametrize("why", [S.SANDBOX_UNAVAILABLE, S.INFRASTRUCTURE_ERROR, S.INTERRUPTED])
def test_a_fault_ends_the_loop(why: FailureSignature) -> None:
    assert stop(PLAN, [judged(0, "A")], [], failure(why)) is StopReason.INFRASTRUCTURE


@pytest.mark.parametrize("rounds", [-1, 11, 1_000_000_000, 2.5, "3", True, None])
def test_a_budget_is_a_whole_number_up_to_ten(rounds: Any) -> None:
    """REP-03, CLI-10, BND-13."""
    with pytest.raises(ValueError):
        RepairPlan(max_rounds=rounds, adviser="scripted")


@pytest.mark.parametrize("name", ["", "x" * 402, None, 7])
def test_the_name_of_who_proposes_is_bounded_text(name: Any) -> None:
    """ADP-15, BND-16."""
    with pytest.raises(ValueError):
        RepairPlan(max_rounds=1, adviser=name)


def test_a_loop_that_trades_checks_would_be_caught(monkeypatch: pytest.MonkeyPatch) -> None:
    """Law 7: with progress by count alone the rule goes red."""
    monkeypatch.setattr(progress, "improves", lambda new, old: len(progress.held(new)) >= len(progress.held(old)))
    with pytest.raises(AssertionError):
        test_a_repair_never_trades_one_check_for_another(["Ab", "aB"], 0)

"""Law 2, law 3, law 6: nothing is recorded out of order, no run ends without a cause, no record is replaced."""

from __future__ import annotations

from typing import Any

import pytest

from contracts.evidence import INLINE_BYTES, EntryKind, chain_fault
from contracts.schemas import PUBLISHED
from contracts.verdict import Failure, FailureSignature, Fault, TerminalStatus
from tasks.errors import StoreError
from tasks.evidence.arrangement import arrange, may_follow
from tasks.evidence.conclusion import NoConclusion, blame
from tasks.evidence.contents import OrderError
from tasks.evidence.kinds import NOTES, kind_of, model_of
from tasks.evidence.recorder import Recorder


def recorder_of(maker: Any, models: list[Any]) -> Recorder:
    recorder = Recorder(maker.store)
    for model in models:
        recorder.add(kind_of(type(model)), model)
    return recorder


def test_every_kind_has_a_model_of_its_own() -> None:
    models = {kind: model_of(kind) for kind in EntryKind}
    assert {kind_of(model): model for model in models.values()} == models
    assert set(models.values()) <= set(PUBLISHED), "and a tool in another language can read it (VER-06)"


def test_law_2_no_way_to_a_candidate_but_through_the_contract() -> None:
    """Every path through the order of entries to a candidate passes contract, plan, isolation and readings."""
    wanted = {EntryKind.BUILD_SPEC, EntryKind.PLAN, EntryKind.ISOLATION, EntryKind.READINGS}
    for left_out in wanted:
        reached: set[EntryKind | None] = {None}
        pending: list[EntryKind | None] = [None]
        while pending:
            previous = pending.pop()
            for kind in EntryKind:
                follows = kind not in NOTES and may_follow(EntryKind.REQUIREMENT, previous, kind)
                if follows and kind is not left_out and kind not in reached:
                    reached.add(kind)
                    pending.append(kind)
        assert EntryKind.CANDIDATE not in reached


def test_a_finished_record_is_chained_and_kept(maker: Any) -> None:
    """REC-01: one document, every entry linked to the one before it."""
    recorder = recorder_of(maker, maker.models("verified"))
    outcome = recorder.conclude("2026-01-01T00:01:00Z", {})
    record = recorder.finish(maker.key)
    assert outcome.status is TerminalStatus.VERIFIED
    assert chain_fault(record) is None
    assert maker.store.get_record("run-1") == record.canonical()
    for entry in record.entries:
        assert (entry.body is None) == (entry.length > INLINE_BYTES)
        if entry.body is None:
            assert len(maker.store.get(entry.content)) == entry.length


def test_law_6_a_second_record_of_a_run_is_refused(maker: Any) -> None:
    first = recorder_of(maker, maker.models("failed"))
    first.conclude("2026-01-01T00:01:00Z", {})
    first.finish(maker.key)
    second = recorder_of(maker, maker.models("failed"))
    second.conclude("2026-01-01T00:02:00Z", {})
    with pytest.raises(StoreError, match="other bytes"):
        second.finish(maker.key)


def test_out_of_order_or_of_another_kind_is_refused(maker: Any) -> None:
    """REC-12: what is no entry is refused before it is sealed."""
    recorder = recorder_of(maker, maker.start())
    for kind, model in ((EntryKind.READINGS, maker.readings), (EntryKind.BUILD_SPEC, maker.readings)):
        with pytest.raises(OrderError):
            recorder.add(kind, model)
    assert len(recorder.entries) == 3


def test_without_an_outcome_nothing_is_signed(maker: Any) -> None:
    with pytest.raises(OrderError, match="outcome"):
        recorder_of(maker, maker.models("failed")).finish(maker.key)


@pytest.mark.parametrize("count", [4, 5, 7, 8, 9, 12])
def test_law_3_a_run_that_stops_without_a_cause_has_no_conclusion(maker: Any, count: int) -> None:
    """REC-14: nothing judged is never a pass.

    Cut after contract, plan, readings, candidate, evidence, or a passed judgement without its package.
    """
    models = [*maker.contract(), maker.isolation(), maker.readings, *maker.attempt(0, b"EMPTY\n")]
    with pytest.raises(NoConclusion):
        recorder_of(maker, models[:count]).conclude("2026-01-01T00:01:00Z", {})


@pytest.mark.parametrize("count", [3, 4, 5, 6, 7, 8, 9, 12])
def test_an_interruption_anywhere_is_a_conclusion(maker: Any, count: int) -> None:
    models = [*maker.contract(), maker.isolation(), maker.readings, *maker.attempt(0, b"EMPTY\n")][:count]
    end = arrange([*models, maker.fault("code", FailureSignature.INTERRUPTED)]).conclude("", {})
    assert (end.status, end.fault) == (TerminalStatus.VALIDATION_FAILED, Fault.INFRASTRUCTURE)
    assert [failure.signature for failure in end.failures] == [FailureSignature.INTERRUPTED]


def test_a_fault_before_a_retry_that_went_well_changes_nothing(maker: Any) -> None:
    models = maker.models("verified")
    models.insert(8, maker.fault("validate_runtime", FailureSignature.INFRASTRUCTURE_ERROR))
    models.insert(-1, maker.fault("package", FailureSignature.INFRASTRUCTURE_ERROR))
    end = arrange(models).conclude("", {})
    assert end.status is TerminalStatus.VERIFIED
    assert len(arrange(models).faults) == 2


def test_a_layer_lost_to_the_infrastructure_is_not_the_candidates(maker: Any) -> None:
    candidate = maker.candidate(0, b"EMPTY\n")
    evidence = maker.evidence(candidate, b"EMPTY\n")[:1]
    lost = maker.fault("validate_obligations", FailureSignature.SANDBOX_UNAVAILABLE)
    before = [*maker.contract(), maker.isolation(), maker.readings, candidate, *evidence]
    end = arrange([*before, lost, maker.artifact(candidate, evidence)]).conclude("", {})
    assert end.fault is Fault.INFRASTRUCTURE
    assert [failure.signature for failure in end.failures] == [FailureSignature.SANDBOX_UNAVAILABLE]


def test_a_coder_without_a_further_answer_leaves_the_fault_with_the_candidate(maker: Any) -> None:
    end = arrange(maker.models("gave_up")).conclude("", {})
    assert end.fault is Fault.CANDIDATE
    assert FailureSignature.NO_CANDIDATE not in {failure.signature for failure in end.failures}


@pytest.mark.parametrize(
    ("signatures", "fault"),
    [
        ((FailureSignature.EXAMPLE_MISMATCH,), Fault.CANDIDATE),
        ((FailureSignature.INSUFFICIENT_EVIDENCE,), Fault.NONE),
        ((FailureSignature.INSUFFICIENT_EVIDENCE, FailureSignature.EXAMPLE_MISMATCH), Fault.CANDIDATE),
        ((FailureSignature.EXAMPLE_MISMATCH, FailureSignature.AMBIGUOUS_REQUIREMENT), Fault.REQUIREMENT),
        ((FailureSignature.EXAMPLE_MISMATCH, FailureSignature.INTERRUPTED), Fault.INFRASTRUCTURE),
        ((), Fault.NONE),
    ],
)
def test_law_3_whose_fault(signatures: tuple[FailureSignature, ...], fault: Fault) -> None:
    assert blame(tuple(Failure(signature=item, detail="") for item in signatures)) is fault

"""Calls of models in a record: what they add up to, and whom words are credited to."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import pytest

from contracts.calls import Explanation, ModelCall, Usage, commentary, decimal_cost, usage_of
from contracts.candidate import Candidate
from contracts.canonical import digest
from contracts.evidence import Outcome
from contracts.model import Model
from contracts.requirement import Requirement
from tasks.evidence.contents import OrderError
from tasks.evidence.trust import Trust
from tasks.evidence.verify import NotIntact, verify_bytes


def call(**changes: Any) -> ModelCall:
    told = {"role": "coder", "provider": "local", "model": "small", "purpose": "attempt", "attempt": 0}
    told |= {"tokens_in": 1_200, "tokens_out": 300, "duration_ms": 900, "finish_reason": "stop"}
    told |= {"request": digest(b"asked"), "response": digest(b"answered"), "cost": "0.0125"}
    return ModelCall.model_validate(told | changes)


def with_calls(maker: Any, kind: str, *notes: Model) -> list[Model]:
    """The models of a run with ``notes`` behind the candidate, and the outcome that they give."""
    models = maker.models(kind)
    place = next(index for index, model in enumerate(models) if isinstance(model, Candidate)) + 1
    models[place:place] = notes
    return [*models, maker.outcome(models)]


def verified(maker: Any, models: Sequence[Model]) -> Any:
    record = maker.seal(models)
    return verify_bytes(record.canonical(), maker.store, trusted=Trust.of(maker.key.public))


def refused(maker: Any, models: Sequence[Model], step: str) -> str:
    with pytest.raises(NotIntact) as caught:
        verified(maker, models)
    assert caught.value.step == step
    return str(caught.value)


def test_rec21_the_bill_is_in_the_chain_and_the_outcome_tells_it(maker: Any) -> None:
    lost = call(response=None, error="no answer", tokens_in=None, tokens_out=None, cost=None)
    models = with_calls(maker, "verified", call(), lost)
    outcome = models[-1]
    assert isinstance(outcome, Outcome)
    expected = Usage(
        calls=2,
        failed=1,
        untold=1,
        unpriced=1,
        tokens_in=1_200,
        tokens_out=300,
        tokens_cached=None,
        tokens_reasoning=None,
        duration_ms=1_800,
        cost="0.0125",
    )
    assert outcome.usage == expected
    verified(maker, models)


@pytest.mark.parametrize("field", ["calls", "failed", "untold", "unpriced", "tokens_in", "tokens_cached", "cost"])
def test_ver05_totals_are_those_of_the_calls(maker: Any, field: str) -> None:
    models = with_calls(maker, "verified", call())
    outcome: Any = models[-1]
    other = {"cost": "1", "tokens_cached": 5}.get(field, 7)
    forged = outcome.model_copy(update={"usage": outcome.usage.model_copy(update={field: other})})
    assert "another outcome" in refused(maker, [*models[:-1], forged], "outcome")


def test_ver05_no_calls_no_bill_and_the_reverse(maker: Any) -> None:
    models = with_calls(maker, "verified")
    outcome: Any = models[-1]
    assert outcome.usage is None
    refused(maker, [*models[:-1], outcome.model_copy(update={"usage": usage_of([call()])})], "outcome")
    called: list[Any] = with_calls(maker, "verified", call())
    refused(maker, [*called[:-1], called[-1].model_copy(update={"usage": None})], "outcome")


def test_law_2_no_coder_is_called_before_the_contract_is_sealed(maker: Any) -> None:
    models = maker.all_models("verified")
    place = next(index for index, model in enumerate(models) if isinstance(model, Requirement)) + 2
    early = [*models[:place], call(), *models[place:]]
    assert "before the contract" in refused(maker, early, "order")
    with pytest.raises(OrderError):
        maker.outcome(early[:-1])
    models = maker.models("verified")
    reader = [*models[:place], call(role="reader"), *models[place:]]
    verified(maker, [*reader, maker.outcome(reader)])


def test_a_call_has_an_answer_or_a_reason(maker: Any) -> None:
    silent = call(response=None)
    assert "neither an answer" in refused(maker, with_calls(maker, "verified", silent), "seals")


def test_ver17_words_are_credited_to_a_model_that_was_called_for_them(maker: Any) -> None:
    words = Explanation(attempt=0, author="local/small", text="It prints another line.")
    explainer = call(role="explainer", purpose="explanation")
    verified(maker, with_calls(maker, "failed", explainer, words))
    verified(maker, with_calls(maker, "failed", words.model_copy(update={"author": "forge"})))
    for before in (
        [],
        [call()],
        [explainer.model_copy(update={"error": "empty"})],
        [call(role="explainer", model="x")],
    ):
        assert "credited" in refused(maker, with_calls(maker, "failed", *before, words), "seals")


def test_rec22_an_explanation_says_why_the_words_failed(maker: Any) -> None:
    """REC-22, REP-09: the fallback's text stands beside the reason; a failed model is not its author."""
    failed = call(role="explainer", response=None, error="outage")
    words = Explanation(attempt=0, author="forge", text="The exit status was 1.", error="outage")
    verified(maker, with_calls(maker, "failed", failed, words))
    ascribed = words.model_copy(update={"author": "local/small"})
    both = [call(role="explainer"), ascribed]
    assert "whose words failed" in refused(maker, with_calls(maker, "failed", *both), "seals")


def test_enc04_commentary_is_sanitised_and_its_cut_is_marked() -> None:
    """ENC-04, BND-07."""
    assert commentary("a\ud800b") == "a\ufffdb"
    long = commentary("x" * 30_000)
    assert len(long) == 20_000
    assert long.endswith("the text was longer]")
    Explanation(attempt=0, author="forge", text=commentary("\udcff" * 30_000)).canonical()


@pytest.mark.parametrize(
    ("value", "text"), [("0", "0"), ("10", "10"), (0.5, "0.5"), ("1e-9", "0.000000001"), ("0.10", "0.1"), (3, "3")]
)
def test_a_cost_is_written_one_way(value: object, text: str) -> None:
    assert decimal_cost(value) == text
    assert call(cost=text).cost == text


def test_costs_add_up_exactly() -> None:
    calls = [call(cost="0.1")] * 3
    usage = usage_of(calls)
    assert usage is not None
    assert usage.cost == "0.3"


@pytest.mark.parametrize("cost", ["", "-1", "01", "1.50", ".5", "1.", "NaN", "1e3", "1" * 20])
def test_another_spelling_of_a_cost_is_refused(cost: str) -> None:
    with pytest.raises(ValueError):
        call(cost=cost)


@pytest.mark.parametrize("value", ["much", "", None])
def test_what_is_no_number_is_no_cost(value: object) -> None:
    with pytest.raises(ValueError, match="not a cost"):
        decimal_cost(value)

"""What calls cost, and whether the next one may be made: budgets of tokens, money and time."""

from __future__ import annotations

from collections.abc import Sequence
from decimal import Decimal

from contracts.calls import ModelCall, decimal_cost
from contracts.modelling import Budget, ModelSettings, Price
from tasks.models.base import REPLAYED, BudgetExhausted, Question, Reply

BYTES_PER_TOKEN = 3
"""Tokenizers of today's models take 3 to 5 bytes of English or code for one token: this guess is high on purpose."""

_MILLION = Decimal(1_000_000)


def tokens(text: str) -> int:
    """About how many tokens ``text`` is, rather more than less; no tokenizer is asked."""
    return -(-len(text.encode("utf-8", "replace")) // BYTES_PER_TOKEN)


def cost(reply: Reply, price: Price | None) -> str | None:
    """The price of a reply; None where the price or a count is unknown, never zero for that reason."""
    if price is None or reply.input_tokens is None or reply.output_tokens is None:
        return None
    cached = min(reply.cached_tokens or 0, reply.input_tokens)
    parts = (
        (reply.input_tokens - cached) * Decimal(price.input),
        cached * Decimal(price.cached if price.cached is not None else price.input),
        reply.output_tokens * Decimal(price.output),
    )
    return decimal_cost(sum(parts, Decimal(0)) / _MILLION)


def admit(question: Question, model: str, settings: ModelSettings, before: Sequence[ModelCall]) -> float:
    """How many seconds the question may take to be answered, within all budgets.

    The prompt and the longest possible answer are reckoned before they are paid; replayed calls cost nothing.

    Raises:
        BudgetExhausted: the call could exceed the budget of the run or of the role.
    """
    seconds: list[float] = [settings.timeout_s]
    role = settings.role(question.role)
    made = [call for call in before if call.provider != REPLAYED]
    own = [call for call in made if call.role == question.role]
    for whose, budget, calls in (
        ("run", settings.budget, made),
        (question.role, role.budget if role else Budget(), own),
    ):
        _tokens(whose, budget, question, calls)
        _money(whose, budget, question, settings.prices.get(model), calls)
        seconds.append(_seconds(whose, budget, calls))
    return min(seconds)


def _tokens(whose: str, budget: Budget, question: Question, calls: Sequence[ModelCall]) -> None:
    if budget.tokens is None:
        return
    if any(call.error is None and (call.tokens_in is None or call.tokens_out is None) for call in calls):
        raise BudgetExhausted(f"the budget of the {whose} is in tokens, and the provider does not count them")
    spent = sum((call.tokens_in or 0) + (call.tokens_out or 0) for call in calls)
    needed = tokens(question.system + question.prompt) + question.output_tokens
    if spent + needed > budget.tokens:
        raise BudgetExhausted(
            f"the budget of the {whose} is {budget.tokens} tokens: {spent} are spent, and up to {needed} would follow"
        )


def _money(whose: str, budget: Budget, question: Question, price: Price | None, calls: Sequence[ModelCall]) -> None:
    if budget.money is None:
        return
    if price is None or any(call.error is None and call.cost is None for call in calls):
        raise BudgetExhausted(f"the budget of the {whose} is in money, and what a call costs is not known")
    spent = sum((Decimal(call.cost) for call in calls if call.cost is not None), Decimal(0))
    prompt = tokens(question.system + question.prompt)
    needed = (prompt * Decimal(price.input) + question.output_tokens * Decimal(price.output)) / _MILLION
    if spent + needed > Decimal(budget.money):
        raise BudgetExhausted(
            f"the budget of the {whose} is {budget.money}: {spent} is spent, and up to {needed:.6f} would follow"
        )


def _seconds(whose: str, budget: Budget, calls: Sequence[ModelCall]) -> float:
    if budget.seconds is None:
        return float("inf")
    left = budget.seconds - sum(call.duration_ms for call in calls) / 1_000
    if left <= 0:
        raise BudgetExhausted(f"the budget of the {whose} is {budget.seconds} s of waiting for answers: none is left")
    return left

"""Ask until an answer can be used: once more where the first cannot, with the exact words of its refusal (REP-02)."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from typing import TypeVar

from contracts.calls import ModelCall
from contracts.modelling import ModelChoice
from tasks.coding.answers import Refused
from tasks.models.base import Question, UnusableAnswer, accounting
from tasks.models.client import Client
from tasks.models.exchanges import Exchanges, exchange_of

T = TypeVar("T")
TRIES = 2


class RefusedAnswer(UnusableAnswer):
    """What the model says was refused each time, though it came whole."""


def ask(
    client: Client,
    question: Question,
    choice: ModelChoice,
    use: Callable[[str, ModelCall], T],
    cached: Exchanges | None = None,
) -> tuple[T, tuple[ModelCall, ...]]:
    """What ``use`` makes of the answer (and of the call that gave it), with all calls.

    ``use`` raises `Refused` for what it cannot use. What it can is kept in ``cached``.

    Raises:
        ModelFault: no answer; or `RefusedAnswer`, none that can be used.
    """
    calls: list[ModelCall] = []
    now, words = question, ""
    with accounting(calls):
        for number in range(1, TRIES + 1):
            answer = client.ask(now, choice, cached)
            calls += answer.calls
            try:
                found = use(answer.text, calls[-1])
            except Refused as error:
                words = " ".join(str(error).split())[:1_000]
                now = _again(question, number, str(error))
                continue
            if cached is not None and answer.reply is not None:
                cached.keep(exchange_of(now, choice, answer.reply))
            return found, tuple(calls)
        raise RefusedAnswer(f"the answer cannot be used: {words}")


def _again(question: Question, number: int, refusal: str) -> Question:
    words = f"# Your last answer was refused\n\n{refusal}\n\nAnswer again, in the form above.\n"
    return replace(question, purpose=f"{question.purpose}-again-{number}", prompt=f"{question.prompt}\n{words}")

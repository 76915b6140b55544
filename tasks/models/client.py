"""The one door to a model: replayed or asked, bounded, tried again where that may help; every call accounted for."""

from __future__ import annotations

import re
import time
from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path

from contracts.calls import ModelCall
from contracts.canonical import canonical_bytes
from contracts.isolation import SandboxPolicy
from contracts.modelling import ModelChoice, ModelSettings
from contracts.settings import BuildSettings
from tasks.evidence.store import Store, open_store
from tasks.models.agent import Agent
from tasks.models.base import (
    REPLAYED,
    TEXT_BYTES,
    Answer,
    ModelFault,
    Provider,
    Question,
    Reply,
    UnusableAnswer,
    accounting,
)
from tasks.models.exchanges import Exchange, Exchanges, Folder, exchange_of
from tasks.models.hosted import Hosted
from tasks.models.meter import admit, cost

LONGEST_WAIT_S = 60.0
"""A provider that asks for more patience than this is given up."""

FINISHED = {"stop", None}
"""Any other reason means that the answer is not whole."""

_UNSOUND = re.compile("[\0\ud800-\udfff]")


def pause(seconds: float) -> None:
    """Wait before another try; tests put a function of their own here."""
    time.sleep(seconds)


class Client:
    """Asks for one run. ``before`` are the calls that the run made already: budgets go on where they ended."""

    def __init__(
        self, settings: ModelSettings, policy: SandboxPolicy, store: Store, before: Sequence[ModelCall] = ()
    ) -> None:
        """Raises UsageError where the directory of exchanges cannot be used."""
        self.settings = settings
        self._policy, self._store = policy, store
        self._made = list(before)
        self._saved = Folder(Path(settings.exchanges), save=settings.save) if settings.exchanges else None

    def ask(self, question: Question, choice: ModelChoice, cached: Exchanges | None = None) -> Answer:
        """The whole answer to ``question``, and all calls that it took.

        What the directory of exchanges or ``cached`` holds is replayed; what is new is saved in the directory.

        Whatever is raised carries the calls that were made (`calls_of`).

        Raises:
            ModelFault: no usable answer.
            InfrastructureError: a saved exchange is not what it was.
            UsageError: the provider cannot be used as it is configured.
        """
        for kept in (self._saved, cached):
            exchange = kept.find(question) if kept is not None else None
            if exchange is not None:
                return self._replayed(question, exchange)
        calls: list[ModelCall] = []
        with accounting(calls):
            reply = self._tried(question, choice, calls)
            if self._saved is not None and self.settings.save:
                self._saved.keep(exchange_of(question, choice, reply))
        self._made += calls
        return Answer(reply.text, tuple(calls), reply)

    def _replayed(self, question: Question, exchange: Exchange) -> Answer:
        reply = exchange.reply()
        call = self._call(question, ModelChoice(provider=REPLAYED, model=reply.model), reply, 0)
        self._made.append(call)
        return Answer(reply.text, (call,))

    def _tried(self, question: Question, choice: ModelChoice, calls: list[ModelCall]) -> Reply:
        """The reply of the first try that gives one; each try is a call of its own in the record."""
        for left in range(self.settings.retries, -1, -1):
            seconds = admit(question, choice.model, self.settings, [*self._made, *calls])
            begun = time.monotonic()
            try:
                reply = _whole(self._provider(choice).ask(question, choice, seconds))
            except ModelFault as fault:
                calls.append(self._call(question, choice, fault.reply, _ms(begun), str(fault)))
                wait = _wait(fault, self.settings.retries - left)
                if left == 0 or wait is None:
                    raise
                pause(wait)
            except BaseException as error:
                calls.append(self._call(question, choice, None, _ms(begun), f"ended by {type(error).__name__}"))
                raise
            else:
                calls.append(self._call(question, choice, reply, _ms(begun)))
                return reply
        raise AssertionError("the last try returns or raises")

    def _provider(self, choice: ModelChoice) -> Provider:
        if choice.provider == "command":
            return Agent(self._policy)
        if choice.provider == REPLAYED:
            return _Nobody()
        return Hosted()

    def _call(
        self, question: Question, choice: ModelChoice, reply: Reply | None, duration_ms: int, error: str | None = None
    ) -> ModelCall:
        asked = {"question": question.document(), "choice": choice.document()}
        told = reply or Reply("", choice.model)
        price = self.settings.prices.get(choice.model)
        return ModelCall(
            role=question.role,
            provider=choice.provider,
            model=choice.model,
            purpose=question.purpose,
            attempt=question.attempt,
            tokens_in=told.input_tokens,
            tokens_out=told.output_tokens,
            tokens_cached=told.cached_tokens,
            tokens_reasoning=told.reasoning_tokens,
            duration_ms=duration_ms,
            finish_reason=told.finish_reason,
            request=self._store.put(canonical_bytes(asked)),
            response=self._store.put(reply.text.encode()) if reply is not None else None,
            cost="0" if choice.provider == REPLAYED else cost(told, price),
            error=error,
        )


def client_for(settings: BuildSettings, before: Sequence[ModelCall] = ()) -> Client:
    """The client of a build whose settings name models."""
    return Client(settings.models or ModelSettings(), settings.policy, open_store(settings.store), before)


class _Nobody:
    """Where only saved exchanges answer, and none does."""

    def ask(self, question: Question, choice: ModelChoice, timeout_s: float) -> Reply:  # noqa: ARG002 - a Provider
        raise ModelFault(f"there is no saved exchange for this question ({question.role}, {question.purpose})")


def _whole(reply: Reply) -> Reply:
    """The reply as text that can be kept. Raises UnusableAnswer where it is empty, cut off or too long (ADP-17)."""
    reply = replace(reply, text=_UNSOUND.sub("\ufffd", reply.text))
    size = len(reply.text.encode())
    if size > TEXT_BYTES:
        raise UnusableAnswer(f"the answer has {size} bytes: more than {TEXT_BYTES}", reply=reply)
    if reply.finish_reason not in FINISHED:
        raise UnusableAnswer(f"the answer is not whole: it ended by {reply.finish_reason}", reply=reply)
    if not reply.text.strip():
        raise UnusableAnswer("the answer is empty", reply=reply)
    return reply


def _wait(fault: ModelFault, tried: int) -> float | None:
    """Seconds until another try; None where none would help."""
    if not fault.transient:
        return None
    wait = fault.retry_after if fault.retry_after is not None else 2.0**tried
    return wait if wait <= LONGEST_WAIT_S else None


def _ms(begun: float) -> int:
    return int((time.monotonic() - begun) * 1_000)

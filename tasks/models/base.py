"""What a role asks, what comes back, and who answers. A model proposes and explains; it never judges (ADP-01)."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field
from typing import ClassVar, Final, Protocol

from contracts.calls import ModelCall, Role
from contracts.canonical import Digest, Json, digest_of
from contracts.modelling import ModelChoice
from contracts.verdict import FailureSignature
from tasks.errors import InfrastructureError

TEXT_BYTES = 1_000_000
"""The longest answer that is looked at; no provider's limit on tokens allows that much."""

REPLAYED: Final = "recorded"
"""The provider of a call that was answered by a saved exchange; its model names who answered then."""


@dataclass(frozen=True)
class Question:
    """One call's input. ``system`` never varies within a role, so that a provider's cache holds it (prefix).

    ``purpose`` says in a word or two what is asked for; two questions of one run differ in something. ``files`` is
    what an agent finds in its workspace; for other providers it stands in the prompt already.
    """

    role: Role
    purpose: str
    attempt: int
    system: str
    prompt: str
    output_tokens: int
    files: Mapping[str, str] = field(default_factory=dict)

    def document(self) -> dict[str, Json]:
        """Everything that decides what is asked."""
        return {
            "role": self.role,
            "purpose": self.purpose,
            "attempt": self.attempt,
            "system": self.system,
            "prompt": self.prompt,
            "output_tokens": self.output_tokens,
        }

    def digest(self) -> Digest:
        """Says nothing of whom was asked: a saved exchange is found by it."""
        return digest_of(self.document())


@dataclass(frozen=True)
class Reply:
    """What a provider sent, checked for type and size (ADP-08, ADP-09). A count is None where it sent none."""

    text: str
    model: str
    finish_reason: str | None = None
    input_tokens: int | None = None
    output_tokens: int | None = None
    cached_tokens: int | None = None
    reasoning_tokens: int | None = None


class Provider(Protocol):
    """Asks one model one question, once."""

    def ask(self, question: Question, choice: ModelChoice, timeout_s: float) -> Reply:
        """The reply, or a `ModelFault` without calls: `tasks.models.client` counts, retries and seals."""
        ...


@dataclass(frozen=True)
class Answer:
    """An answer, and every call that it took, failed ones too (ADP-02): the caller seals them.

    ``reply`` is what a provider sent just now; None where the answer was at hand.
    """

    text: str
    calls: tuple[ModelCall, ...]
    reply: Reply | None = None


@contextmanager
def accounting(calls: Sequence[ModelCall]) -> Iterator[None]:
    """Whatever is raised within carries ``calls``, in front of those it has: none is lost on the way to the record."""
    try:
        yield
    except BaseException as error:
        error.calls = (*calls, *calls_of(error))  # type: ignore[attr-defined]  # any exception may pass here
        raise


def calls_of(error: BaseException) -> tuple[ModelCall, ...]:
    """The calls that were made before ``error`` ended them."""
    found: tuple[ModelCall, ...] = getattr(error, "calls", ())
    return found


class ModelFault(InfrastructureError):  # noqa: N818 - the name of the kind of failure
    """No answer, or none that can be used; says nothing about any candidate (law 3). The message is ours alone.

    ``reply`` is what came where something did, ``retry_after`` the seconds that the provider asked for; ``transient``
    where another try may fare better. ``calls`` are those that were made on the way.
    """

    signature: ClassVar[FailureSignature] = FailureSignature.MODEL_UNAVAILABLE
    calls: tuple[ModelCall, ...] = ()

    def __init__(
        self,
        words: str,
        *,
        reply: Reply | None = None,
        transient: bool = False,
        retry_after: float | None = None,
    ) -> None:
        super().__init__(words)
        self.reply, self.transient, self.retry_after = reply, transient, retry_after


class UnusableAnswer(ModelFault):
    """A model answered, and what it said cannot be used: empty, cut off, of another form, out of bounds."""

    signature = FailureSignature.UNUSABLE_ANSWER


class BudgetExhausted(ModelFault):
    """The next call would exceed a budget of tokens, money or time; it was not made."""

    signature = FailureSignature.BUDGET_EXHAUSTED


@dataclass(frozen=True)
class Brief:
    """What a proposer or an explainer is told of a candidate that failed its checks.

    ``task`` is the text of the task, ``files`` the candidate's text files by path, ``failures`` one text for each
    failed check. ``rejections`` are the exact words in which earlier proposals were refused (REP-02).
    """

    task: str
    files: Mapping[str, str]
    failures: Sequence[str]
    rejections: Sequence[str] = ()
    attempt: int = 0


class Adviser(Protocol):
    """Proposes patches and explains failures, for a loop that judges neither by its word (ADP-01).

    Both raise ValueError for a brief of other types, before anything is paid (ADP-10), and `ModelFault`, with the
    calls that were made, where there is no answer.
    """

    name: str
    """For the record: the provider and the model, or ``scripted``."""

    def propose(self, brief: Brief) -> Answer:
        """A unified diff, as the model wrote it."""
        ...

    def explain(self, brief: Brief) -> Answer:
        """Why the checks failed, in a few sentences of plain text."""
        ...

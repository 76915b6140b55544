"""Saved exchanges: what was asked and what came, to be replayed byte for byte; never without the question's digest."""

from __future__ import annotations

from abc import ABC, abstractmethod
from pathlib import Path
from typing import Annotated

from pydantic import Field

from contracts.calls import Role, Short
from contracts.canonical import Digest
from contracts.loading import DocumentError, load_document
from contracts.model import Count, Model, Sha256
from contracts.modelling import ModelChoice
from tasks.errors import InfrastructureError, UsageError
from tasks.evidence.files import create_once, read_regular
from tasks.evidence.store import Store
from tasks.models.base import TEXT_BYTES, Question, Reply

FILE_BYTES = 8 * TEXT_BYTES


class Exchange(Model):
    """One question with its answer. ``digest`` is the question's; ``provider`` and ``model`` are who answered."""

    digest: Sha256
    role: Role
    purpose: Short
    attempt: Count
    system: str
    prompt: str
    output_tokens: Count
    provider: Short
    model: Short
    text: str
    finish_reason: Annotated[str, Field(max_length=64)] | None
    tokens_in: Count | None
    tokens_out: Count | None
    tokens_cached: Count | None
    tokens_reasoning: Count | None

    def reply(self) -> Reply:
        """The reply as it came."""
        return Reply(
            text=self.text,
            model=f"{self.provider}/{self.model}"[:200],
            finish_reason=self.finish_reason,
            input_tokens=self.tokens_in,
            output_tokens=self.tokens_out,
            cached_tokens=self.tokens_cached,
            reasoning_tokens=self.tokens_reasoning,
        )


def exchange_of(question: Question, choice: ModelChoice, reply: Reply) -> Exchange:
    """What is saved of a call."""
    return Exchange(
        digest=question.digest(),
        role=question.role,
        purpose=question.purpose,
        attempt=question.attempt,
        system=question.system,
        prompt=question.prompt,
        output_tokens=question.output_tokens,
        provider=choice.provider,
        model=choice.model,
        text=reply.text,
        finish_reason=reply.finish_reason,
        tokens_in=reply.input_tokens,
        tokens_out=reply.output_tokens,
        tokens_cached=reply.cached_tokens,
        tokens_reasoning=reply.reasoning_tokens,
    )


class Exchanges(ABC):
    """Where exchanges are kept; one question has one answer there, the first."""

    @abstractmethod
    def load(self, name: str) -> bytes | None:
        """What stands under ``name``, or None."""

    @abstractmethod
    def create(self, name: str, data: bytes) -> None:
        """Keep ``data`` under ``name`` where nothing stands yet."""

    def name(self, digest: Digest) -> str:
        """The name of the exchange of a question."""
        return f"{digest.removeprefix('sha256:')}.json"

    def find(self, question: Question) -> Exchange | None:
        """The saved exchange of a question.

        Raises:
            InfrastructureError: it cannot be read, was changed, or is of another question.
        """
        digest = question.digest()
        data = self.load(self.name(digest))
        if data is None:
            return None
        try:
            exchange = load_document(Exchange, data, FILE_BYTES)
        except DocumentError as error:
            raise InfrastructureError(f"the saved exchange {digest} cannot be read: {error}") from error
        if exchange.digest != digest or _question(exchange).digest() != digest or exchange.canonical() != data:
            raise InfrastructureError(f"the saved exchange {digest} is of another question, or was changed")
        return exchange

    def keep(self, exchange: Exchange) -> None:
        """Save an exchange. Raises InfrastructureError where it cannot be written."""
        self.create(self.name(exchange.digest), exchange.canonical())


class Folder(Exchanges):
    """A directory of a person's, one file for each exchange, named by the question's digest."""

    def __init__(self, path: Path, *, save: bool) -> None:
        """Open it; with ``save`` it is made where it is missing.

        Raises:
            UsageError: there is no such directory.
        """
        if save:
            try:
                path.mkdir(exist_ok=True)
            except OSError as error:
                raise UsageError(f"exchanges cannot be saved in {path}: {error.strerror}") from error
        if not path.is_dir():
            raise UsageError(f"there is no directory of exchanges at {path}")
        self._path = path

    def load(self, name: str) -> bytes | None:
        """As `Exchanges.load`."""
        try:
            return read_regular(self._path / name, FILE_BYTES)
        except FileNotFoundError:
            return None
        except OSError as error:
            raise InfrastructureError(f"the saved exchange {name} cannot be read: {error.strerror}") from error

    def create(self, name: str, data: bytes) -> None:
        """As `Exchanges.create`."""
        try:
            create_once(self._path / name, data)
        except OSError as error:
            raise InfrastructureError(f"the exchange cannot be saved in {self._path}: {error.strerror}") from error


class Cached(Exchanges):
    """The store, where an answer serves the next build of the same contract by the same model."""

    def __init__(self, store: Store, contract: Digest, choice: ModelChoice) -> None:
        self._store, self._of = store, [contract, choice.document()]

    def name(self, digest: Digest) -> str:
        """Names the contract and the model beside the question."""
        from contracts.canonical import digest_of

        return super().name(digest_of([digest, *self._of]))

    def load(self, name: str) -> bytes | None:
        """As `Exchanges.load`."""
        return self._store.read(f"exchanges/{name}", FILE_BYTES)

    def create(self, name: str, data: bytes) -> None:
        """As `Exchanges.create`."""
        self._store.create(f"exchanges/{name}", data)


def _question(exchange: Exchange) -> Question:
    return Question(
        role=exchange.role,
        purpose=exchange.purpose,
        attempt=exchange.attempt,
        system=exchange.system,
        prompt=exchange.prompt,
        output_tokens=exchange.output_tokens,
    )

"""What a model proposes for words that the compiler did not read, and what became of each proposal."""

from __future__ import annotations

from enum import StrEnum
from typing import Annotated, Literal

from pydantic import Field

from contracts.model import Model, Sha256
from contracts.probe import ExitExpectation, FileExpectation, TextExpectation
from contracts.requirement import Span, TriggerKind

MAX_BINDINGS = 200
MAX_EFFECTS = 20

Effect = Annotated[ExitExpectation | TextExpectation | FileExpectation, Field(discriminator="channel")]
Effects = Annotated[tuple[Effect, ...], Field(min_length=1, max_length=MAX_EFFECTS)]


class ProposedConditional(Model):
    """The words of ``span`` mean: if the words of ``condition``, which is ``trigger``, then all of ``consequences``."""

    kind: Literal["conditional"] = "conditional"
    span: Span
    condition: Span
    trigger: TriggerKind
    consequences: Effects


class ProposedExample(Model):
    """The words of ``span`` show that the program prints ``wanted`` for the input ``given``."""

    kind: Literal["example"] = "example"
    span: Span
    given: Annotated[str, Field(max_length=10_000)]
    wanted: Annotated[str, Field(max_length=10_000)]


class ProposedInvariant(Model):
    """The words of ``span`` demand ``expectations`` of every run."""

    kind: Literal["invariant"] = "invariant"
    span: Span
    expectations: Effects


ProposedBinding = Annotated[ProposedConditional | ProposedExample | ProposedInvariant, Field(discriminator="kind")]


class Formalisation(Model):
    """All that one answer of a model proposes. ``source`` names the model, ``answer`` is the digest of its words."""

    source: Annotated[str, Field(min_length=1, max_length=200)]
    answer: Sha256
    bindings: Annotated[tuple[ProposedBinding, ...], Field(max_length=MAX_BINDINGS)]


class Refusal(StrEnum):
    """Why a binding is not admitted."""

    OUTSIDE = "outside"
    BOUND = "bound"
    NOT_ASKED = "not_asked"
    UNGROUNDED = "ungrounded"
    INCOMPLETE = "incomplete"
    INEXPRESSIBLE = "inexpressible"
    UNDELIVERABLE = "undeliverable"
    CONTRADICTS = "contradicts"


class Ruling(Model):
    """What became of the binding at ``place``. ``text`` says it in words that compile to it; None where none do.

    Admitted iff ``refusal`` is None; ``atom`` is its statement then.
    """

    place: int
    refusal: Refusal | None
    text: str | None = None
    atom: str | None = None


class Admission(Model):
    """The rulings on a formalisation, in its order."""

    formalisation: Sha256
    rulings: tuple[Ruling, ...]

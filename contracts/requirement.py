"""The requirement and what it compiles to. Spans are half-open ranges of characters of the requirement's text."""

from __future__ import annotations

from enum import StrEnum
from typing import Annotated, Literal

from pydantic import Field

from contracts.model import Count, Model, Sha256, is_default
from contracts.probe import Expectation, HttpRequest, InputFile, Value
from contracts.valuetype import ValueType

MAX_TEXT = 200_000


class Span(Model):
    """Characters ``start`` to ``end`` (exclusive) of the text."""

    start: Count
    end: Count


class Requirement(Model):
    """What a person asked for, untouched."""

    text: Annotated[str, Field(min_length=1, max_length=MAX_TEXT)]


class Category(StrEnum):
    """What kind of statement an atom is."""

    FUNCTIONAL = "functional"
    CONDITIONAL = "conditional"
    EXAMPLE = "example"
    INVARIANT = "invariant"
    INTERFACE = "interface"
    QUALITY = "quality"
    ENVIRONMENT = "environment"
    TEST = "test"
    AMBIGUITY = "ambiguity"


class Fragment(Model):
    """A stretch of the text; with no atoms it is unbound: nothing of it is checked."""

    span: Span
    atoms: tuple[str, ...]


class RequirementAtom(Model):
    """One statement. The id comes from the category and the words, so an edit elsewhere does not renumber."""

    id: str
    category: Category
    strength: Literal["hard", "soft"]
    span: Span
    text: str


class TriggerKind(StrEnum):
    """Conditions for which Forge can make inputs that fire them."""

    INPUT_EMPTY = "input_empty"
    INPUT_MISSING = "input_missing"
    ARGUMENT_MISSING = "argument_missing"
    ARGUMENTS_NONE = "arguments_none"
    ARGUMENT_EXTRA = "argument_extra"
    REMAINING = "remaining"
    UNKNOWN = "unknown"


class Trigger(Model):
    """The condition of a conditional; ``unknown`` has no witness and so stays unproven.

    ``remaining``: none of the conditions of the text holds, as in "otherwise"; an ordinary call fires it.
    ``negated``: it fires where the words of the span do not hold, as after "unless".
    """

    kind: TriggerKind
    span: Span
    negated: Annotated[bool, Field(exclude_if=is_default)] = False


class CallEffect(Model):
    """What a call or an exchange answers: ``value`` is a Python expression, an exception's name, or an HTTP status.

    Nothing but readings proves it.
    """

    channel: Literal["return", "raise", "http"]
    value: str
    span: Span


class ConditionalObligation(Model):
    """If any trigger holds, every consequence must be observed; ``otherwise`` is the span of the other branch."""

    id: str
    atom: str
    span: Span
    triggers: tuple[Trigger, ...]
    consequences: tuple[Expectation, ...]
    effects: tuple[CallEffect, ...] = ()
    unparsed: tuple[Span, ...]
    otherwise: Span | None


class Example(Model):
    """An input and the output that the text states for it. ``files`` lie in its working directory."""

    id: str
    atom: str
    span: Span
    argv: tuple[str, ...]
    stdin: str | None
    files: tuple[InputFile, ...] = ()
    expectations: tuple[Expectation, ...]


class Invariant(Model):
    """An expectation that every run must meet."""

    id: str
    atom: str
    span: Span
    expectations: tuple[Expectation, ...]


class Column(Model):
    """A column of a table that the program reads."""

    name: str
    kind: Literal["identifier", "text", "integer", "date"]


class Threshold(Model):
    """A boundary that the text draws through a column: inputs on, below and above it are generated."""

    column: str
    measure: Literal["days_ahead", "value"]
    relation: Literal["<", "<=", ">", ">="]
    bound: int
    span: Span


class Argument(Model):
    """One command-line argument, in order; an option carries its leading dashes, and a flag has no value."""

    name: str
    role: Literal["input_file", "output_file", "date", "integer", "text", "flag"]
    format: Literal["csv", "text", "json"] | None = None
    required: bool = True


class DomainFact(Model):
    """What the text says of one kind of input: ``subject`` is the noun that it is said of ("n", "line", "password").

    ``range`` bounds a number, ``length`` the characters and ``count`` the items of it, both ends inclusive and None
    where open; ``pattern`` holds a regular expression, ``alphabet`` a character class, ``separator`` the characters
    between items, ``form`` the form of a line as the text writes it.
    """

    kind: Literal["range", "length", "count", "pattern", "alphabet", "separator", "form"]
    subject: str
    minimum: int | None = None
    maximum: int | None = None
    value: str | None = None
    span: Span


class CommandInterface(Model):
    """A program started from a shell: ``python ENTRY ARGUMENTS``."""

    kind: Literal["command"] = "command"
    entry: str
    program: str
    arguments: tuple[Argument, ...]
    columns: tuple[Column, ...]
    thresholds: tuple[Threshold, ...]
    domain: tuple[DomainFact, ...] = ()
    reads_stdin: bool
    bound: tuple[Literal["exit", "stdout", "stderr", "files"], ...]


PublicInterface = CommandInterface
"""The shapes of software that Forge can judge; services and libraries join here as further kinds."""

ArtefactKind = Literal["command", "library", "service", "pipeline"]
"""What the text asks for. A pipeline is judged as a command, a library by its functions, a service by its exchanges."""


class Parameter(Model):
    """A parameter of a function: what it takes, and whether a call has to give it."""

    name: str
    type: ValueType
    required: bool = True


class FunctionInterface(Model):
    """A function that is called from outside. ``returns`` is what its annotation states, ``any`` without one.

    ``mutation``: whether the text forbids that arguments change, or says that the first one is changed in place.
    ``constants`` are the numbers and quoted texts that stand in the requirement: values on and around them are tried.
    """

    name: str
    parameters: tuple[Parameter, ...]
    returns: ValueType
    mutation: Literal["free", "forbidden", "in_place"] = "free"
    constants: tuple[Value, ...] = ()
    span: Span


class CallExample(Model):
    """A call and what the text states of it."""

    id: str
    atom: str
    span: Span
    function: str
    arguments: tuple[Value, ...]
    keywords: dict[str, Value] = {}
    expectations: tuple[Expectation, ...]


class ExchangeExample(Model):
    """A request to a fresh server, and what the text states of the response.

    The server is started as a command is, and listens on ``port`` of 127.0.0.1.
    """

    id: str
    atom: str
    span: Span
    port: Annotated[int, Field(ge=1024, lt=32_768)]
    request: HttpRequest
    expectations: tuple[Expectation, ...]


class Signature(Model):
    """A function or an HTTP route that the text names, as it writes it: ``gcd(a: int, b: int) -> int``, ``GET /x``."""

    name: str
    text: str
    span: Span


class Convention(Model):
    """Something that people leave unsaid, settled before any code exists, and where it was settled."""

    key: str
    value: str
    source: Literal["default", "text", "override"]
    meaning: str


class AmbiguityFlag(Model):
    """A decision that the text leaves open. A material one ends the build."""

    id: str
    span: Span
    material: bool
    question: str


class AcceptanceCriterion(Model):
    """An obligation and the way in which it is proven. ``atoms`` name the statements that it covers."""

    id: str
    atoms: tuple[str, ...]
    method: Literal["example", "conditional", "invariant", "reading", "tests"]
    span: Span


class QualityContract(Model):
    """A quality that the text asks for; ``how`` is None where it is not checked, and the record says so."""

    atom: str
    span: Span
    how: str | None


class Formalised(Model):
    """A statement that a model proposed and that was admitted: from which answer, and words that compile to it."""

    atom: str
    source: str
    answer: Sha256
    text: str


class BuildSpec(Model):
    """The sealed contract: everything that coder, reader and judge are given."""

    requirement: Sha256
    requirement_atoms: tuple[RequirementAtom, ...]
    fragments: tuple[Fragment, ...]
    unbound: tuple[Span, ...]
    conditional_obligations: tuple[ConditionalObligation, ...]
    examples: tuple[Example, ...]
    invariants: tuple[Invariant, ...]
    acceptance_criteria: tuple[AcceptanceCriterion, ...]
    quality: tuple[QualityContract, ...]
    interface: PublicInterface
    artefact: ArtefactKind = "command"
    signatures: tuple[Signature, ...] = ()
    functions: Annotated[tuple[FunctionInterface, ...], Field(exclude_if=is_default)] = ()
    calls: Annotated[tuple[CallExample, ...], Field(exclude_if=is_default)] = ()
    exchanges: Annotated[tuple[ExchangeExample, ...], Field(exclude_if=is_default)] = ()
    formalised: Annotated[tuple[Formalised, ...], Field(exclude_if=is_default)] = ()
    conventions: tuple[Convention, ...]
    ambiguity_flags: tuple[AmbiguityFlag, ...]

"""Whether what a model proposes stands in the words that it names, and in a sentence that compiles to it again."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from contracts.formalisation import (
    ProposedBinding,
    ProposedConditional,
    ProposedExample,
    ProposedInvariant,
    Refusal,
)
from contracts.probe import ExitExpectation, Expectation, TextExpectation
from contracts.requirement import BuildSpec, Span, TriggerKind
from tasks.requirement.blocks import sentences
from tasks.requirement.consequences import unescaped
from tasks.requirement.grammar import number_of, word_set
from tasks.requirement.mood import asks
from tasks.requirement.phrasings import SETS
from tasks.requirement.rendering import conditional, example, invariant
from tasks.requirement.statements import Statements, collect
from tasks.requirement.tokens import Token, tokenize

_STATUS = word_set(
    "exit exits exiting status code rc return returns terminate terminates stop stops quit quits end ends"
)
_PRINTS = word_set(
    "print prints printed printing write writes written output outputs say says show shows shown display displays "
    "displayed emit emits stdout stderr message text report reports reported answer answers standard echo echoes"
)
_CONTAINS = word_set("contain contains containing include includes including mention mentions mentioning")
_DENIALS = word_set("no not nothing never none neither without empty blank silent silently nor") | SETS["negation"]
_FAILS = word_set("non-zero nonzero fail fails failure failing error unsuccessful unsuccessfully") | SETS["negation"]
_MESSAGES = word_set("message messages error errors warning warnings complain complains diagnostic explain explains")


class RefusedError(Exception):
    """A binding is not admitted; ``reason`` says why."""

    def __init__(self, reason: Refusal) -> None:
        """Keep the reason."""
        super().__init__(reason)
        self.reason = reason


def place(binding: ProposedBinding, spec: BuildSpec, text: str) -> None:
    """Make sure that the words stand in one unbound fragment, ask for something, and hold what the binding uses.

    Raises:
        RefusedError: they do not.
    """
    span = binding.span
    inner = binding.condition if isinstance(binding, ProposedConditional) else span
    if not span.start <= inner.start < inner.end <= span.end <= len(text) or not text[span.start : span.end].strip():
        raise RefusedError(Refusal.OUTSIDE)
    if not any(free.start <= span.start and span.end <= free.end for free in spec.unbound):
        raise RefusedError(Refusal.BOUND)
    if not asks(tokenize(text, *_sentence(text, span))):
        raise RefusedError(Refusal.NOT_ASKED)
    said = [*tokenize(text, span.start, span.end)]
    if isinstance(binding, ProposedConditional):
        said = [token for token in said if token.end <= inner.start or inner.end <= token.start]
    used = list(_used(binding, said))
    stated = [token for token in said if token.kind in {"literal", "number"}]
    if any(token not in used for token in stated):
        raise RefusedError(Refusal.INCOMPLETE)


def _sentence(text: str, span: Span) -> tuple[int, int]:
    """The sentences that hold the words: a fragment does not show that it is told of something else."""
    around = [item for item in sentences(text) if item.start < span.end and span.start < item.end]
    return min(item.start for item in around), max(item.end for item in around)


def _used(binding: ProposedBinding, said: Sequence[Token]) -> Iterator[Token]:
    """The texts and numbers that a binding uses, each as a token of its words; raises where it uses others."""
    if isinstance(binding, ProposedExample):
        yield _text_of(said, binding.given)
        if binding.wanted:
            yield _text_of(said, binding.wanted)
        return
    words = {token.norm for token in said}
    for item in binding.consequences if isinstance(binding, ProposedConditional) else binding.expectations:
        if words.isdisjoint(_needed(item)) or (_is_positive(item) and words & SETS["negation"]):
            raise RefusedError(Refusal.UNGROUNDED)
        if isinstance(item, ExitExpectation) and item.relation == "equals":
            yield _first(token for token in said if number_of(token) == item.status)
        elif isinstance(item, TextExpectation) and item.text:
            yield _text_of(said, item.text)


def _needed(item: Expectation) -> frozenset[str]:
    """Words of which one must stand there for an effect of this kind."""
    match item:
        case ExitExpectation(relation="equals"):
            return _STATUS
        case ExitExpectation():
            return _FAILS
        case TextExpectation(relation="equals"):
            return _PRINTS
        case TextExpectation(relation="contains"):
            return _CONTAINS
        case TextExpectation(relation="not_empty"):
            return _MESSAGES
        case _:
            return _DENIALS


def _is_positive(item: Expectation) -> bool:
    exits = isinstance(item, ExitExpectation) and item.relation == "equals"
    return exits or (isinstance(item, TextExpectation) and item.relation != "empty")


def _text_of(said: Sequence[Token], value: str) -> Token:
    plain = value.removesuffix("\n")
    literals = (token for token in said if token.kind in {"literal", "number"})
    return _first(token for token in literals if plain in {token.value, unescaped(token.value).removesuffix("\n")})


def _first(found: Iterator[Token]) -> Token:
    token = next(found, None)
    if token is None:
        raise RefusedError(Refusal.UNGROUNDED)
    return token


def worded(binding: ProposedBinding, text: str) -> str:
    """The sentence that says it, once it has been compiled and has come back the same.

    Raises:
        RefusedError: no sentence does.
    """
    words, same = None, False
    match binding:
        case ProposedConditional():
            condition = " ".join(text[binding.condition.start : binding.condition.end].split())
            words = conditional(condition, binding.consequences)
            known = [*_read(words).conditionals, None][0]
            kinds = {item.kind for item in known.triggers} if known is not None else set()
            same = known is not None and not known.unparsed and known.consequences == binding.consequences
            same &= kinds == {binding.trigger} and binding.trigger is not TriggerKind.REMAINING
        case ProposedExample():
            words = example(binding.given, binding.wanted)
            same = [(pair.given, pair.wanted, pair.also) for _, pair in _read(words).pairs] == [
                (binding.given, binding.wanted, ())
            ]
        case ProposedInvariant():
            words = invariant(binding.expectations)
            same = [item.expectations for item in _read(words).invariants] == [binding.expectations]
    if words is None or not same:
        raise RefusedError(Refusal.INEXPRESSIBLE)
    return words


def _read(words: str | None) -> Statements:
    return Statements() if words is None else collect(words, sentences(words))

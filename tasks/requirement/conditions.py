"""Conditions: which of the known triggers a stretch of text names. What is not wholly understood is `UNKNOWN`."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from functools import lru_cache

from contracts.requirement import Span, Trigger, TriggerKind
from tasks.requirement.phrasings import GRAMMAR, SETS
from tasks.requirement.tokens import Token

_SEPARATORS = {"or", ","}
_NOISE = {"either", "if", "when", "then", "else"}


@dataclass(frozen=True, slots=True)
class _Part:
    tokens: tuple[Token, ...]
    kinds: tuple[TriggerKind, ...] = ()


def triggers(tokens: Sequence[Token], *, negated: bool = False) -> tuple[Trigger, ...]:
    """The alternatives of a condition, in order; ``negated`` for what follows "unless".

    A conjunction, and any part that no rule takes in wholly, gives one `UNKNOWN` trigger: a witness for a part of a
    condition would prove nothing about the whole.
    """
    visible = without_parentheses(tokens)
    if negated and tokens:
        return (Trigger(kind=_opposite(visible), span=_span(tokens), negated=True),)
    return tuple(
        Trigger(kind=kind, span=_span(part.tokens))
        for part in _resolved(_disjuncts(visible))
        for kind in part.kinds or (TriggerKind.UNKNOWN,)
    )


@lru_cache(maxsize=4_096)
def is_known(tokens: tuple[Token, ...]) -> bool:
    """True iff every alternative is a trigger that Forge has witnesses for."""
    parts = _disjuncts(without_parentheses(tokens))
    return bool(parts) and all(part.kinds for part in _resolved(parts))


def _opposite(tokens: tuple[Token, ...]) -> TriggerKind:
    """What holds where a statement does not."""
    if GRAMMAR.whole("exists", tokens):
        return TriggerKind.INPUT_MISSING
    return TriggerKind.ARGUMENT_MISSING if GRAMMAR.whole("argument_given", tokens) else TriggerKind.UNKNOWN


def _disjuncts(tokens: Sequence[Token]) -> list[_Part]:
    parts: list[list[Token]] = [[]]
    for token in tokens:
        if token.norm in _SEPARATORS and token.kind != "literal":
            parts.append([])
        elif parts[-1] or token.norm not in _NOISE:
            parts[-1].append(token)
    return [_Part(tuple(part)) for part in parts if part]


def _resolved(parts: list[_Part]) -> list[_Part]:
    known = [replace(part, kinds=_kinds(part.tokens)) for part in parts]
    about = {kind for part in known for kind in part.kinds}
    return [part if part.kinds else replace(part, kinds=_elliptic(part.tokens, about)) for part in known]


def _kinds(tokens: tuple[Token, ...]) -> tuple[TriggerKind, ...]:
    tokens = _without_harmless_conjunct(tokens)
    if tokens[0].norm in SETS["be"] and len(tokens) > 1:
        tokens = tokens[1:]  # "*Is* the file empty?"
    if GRAMMAR.whole("empty", tokens):
        return (TriggerKind.INPUT_EMPTY,)
    if GRAMMAR.whole("missing", tokens):
        return (TriggerKind.INPUT_MISSING,)
    if GRAMMAR.whole("argument_missing", tokens):
        return (TriggerKind.ARGUMENT_MISSING,)
    if GRAMMAR.whole("argument_extra", tokens):
        return (TriggerKind.ARGUMENT_EXTRA,)
    if GRAMMAR.whole("argument_count", tokens):
        return (TriggerKind.ARGUMENT_MISSING, TriggerKind.ARGUMENT_EXTRA)
    return ()


def _elliptic(tokens: tuple[Token, ...], about: set[TriggerKind]) -> tuple[TriggerKind, ...]:
    """A part that borrows its subject or its noun from another: "is missing or empty", "too few or too many ..."."""
    tokens = _without_harmless_conjunct(tokens)
    if about & {TriggerKind.INPUT_EMPTY, TriggerKind.INPUT_MISSING}:
        if GRAMMAR.whole("empty_again", tokens):
            return (TriggerKind.INPUT_EMPTY,)
        if GRAMMAR.whole("missing_again", tokens):
            return (TriggerKind.INPUT_MISSING,)
    if about & {TriggerKind.ARGUMENT_EXTRA, TriggerKind.ARGUMENT_MISSING}:
        if GRAMMAR.whole("missing_quantity", tokens):
            return (TriggerKind.ARGUMENT_MISSING,)
        if GRAMMAR.whole("extra_quantity", tokens):
            return (TriggerKind.ARGUMENT_EXTRA,)
    return ()


def _without_harmless_conjunct(tokens: tuple[Token, ...]) -> tuple[Token, ...]:
    """Drop "and is not '-'": every witness that Forge makes meets it."""
    for index, token in enumerate(tokens):
        if token.norm in {"and", "when"} and GRAMMAR.whole("not_literal", tokens[index + (token.norm == "and") :]):
            return tokens[:index]
    return tokens


def without_parentheses(tokens: Sequence[Token]) -> tuple[Token, ...]:
    """The tokens outside of parentheses."""
    depth, kept = 0, []
    for token in tokens:
        opened = token.kind == "punct" and token.text == "("
        depth += opened
        if depth == 0:
            kept.append(token)
        depth -= token.kind == "punct" and token.text == ")" and depth > 0
    return tuple(token for token in kept if token.text != ")" or token.kind != "punct")


def _span(tokens: Sequence[Token]) -> Span:
    return Span(start=tokens[0].start, end=tokens[-1].end)

"""The obligations lens: two consequences on one channel for one input. The input is the witness."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import combinations

from contracts.requirement import BuildSpec, ConditionalObligation, Requirement, Span, TriggerKind
from contracts.verdict import Failure, FailureSignature
from tasks.planning.examples import broken_examples
from tasks.planning.lenses import View
from tasks.planning.lowering import Lowered
from tasks.requirement.consistency import exclude

_INPUTS = {
    TriggerKind.INPUT_EMPTY: "an empty input",
    TriggerKind.INPUT_MISSING: "an input file that does not exist",
    TriggerKind.ARGUMENT_MISSING: "a call without its last argument",
    TriggerKind.ARGUMENTS_NONE: "a call without arguments",
    TriggerKind.ARGUMENT_EXTRA: "a call with one argument too many",
}


class ObligationsLens:
    """Rules that fire together and cannot both be kept."""

    name = "obligations"

    def unavailable(self) -> str | None:
        """It always works."""
        return None

    def look(self, spec: BuildSpec, requirement: Requirement, lowered: Lowered) -> View:
        """A `contradictory_requirement` for each such pair, with an input that fires both."""
        rules = (*_conditionals(spec, requirement.text), *_always(spec))
        return View(witnesses=(*rules, *broken_examples(spec, lowered)))


LENS = ObligationsLens()


def _conditionals(spec: BuildSpec, text: str) -> Iterator[Failure]:
    for one, other in combinations(spec.conditional_obligations, 2):
        shared = _triggers(one, text) & _triggers(other, text)
        if shared and any(exclude(a, b) for a in one.consequences for b in other.consequences):
            kind, _ = min(shared)
            yield _failure((one.id, other.id), (one.span, other.span), _INPUTS[kind])


def _triggers(item: ConditionalObligation, text: str) -> set[tuple[TriggerKind, str]]:
    """Kinds of trigger with their words: rules for two files may both speak of a missing one."""
    return {
        (known.kind, " ".join(text[known.span.start : known.span.end].lower().split()))
        for known in item.triggers
        if known.kind in _INPUTS
    }


def _always(spec: BuildSpec) -> Iterator[Failure]:
    for one, other in combinations(spec.invariants, 2):
        if any(exclude(a, b) for a in one.expectations for b in other.expectations):
            yield _failure((one.id, other.id), (one.span, other.span), "any input")


def _failure(ids: tuple[str, ...], spans: tuple[Span, ...], given: str) -> Failure:
    detail = f"these two cannot both be met: {given} fires both"
    signature = FailureSignature.CONTRADICTORY_REQUIREMENT
    return Failure(signature=signature, requirement_ids=ids, spans=spans, detail=detail)

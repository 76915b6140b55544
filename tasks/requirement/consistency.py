"""Contradictions and open questions of a BuildSpec: found before any code is paid for. Pure."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from itertools import combinations

from contracts.probe import ExitExpectation, Expectation, TextExpectation
from contracts.requirement import (
    BuildSpec,
    Category,
    ConditionalObligation,
    Example,
    RequirementAtom,
    Span,
    TriggerKind,
)
from contracts.verdict import Failure, FailureSignature
from tasks.requirement.blocks import sentences
from tasks.requirement.examples import Pair, pairs

_NAMED = {"library": "function with its parameters", "service": "request with the status of its response"}


@dataclass(frozen=True, slots=True)
class _Effects:
    id: str
    span: Span
    expectations: tuple[Expectation, ...]


def contradictions(spec: BuildSpec) -> tuple[Failure, ...]:
    """Statements that cannot both be met: `contradictory_requirement`, with both spans.

    Two outputs for one example input; two effects on one channel of an empty input, be it a rule's or an example's; a
    rule's effect against an invariant.
    """
    return (*_examples_apart(spec), *_rules_apart(spec))


def _examples_apart(spec: BuildSpec) -> Iterator[Failure]:
    first: dict[str, tuple[RequirementAtom, Pair]] = {}
    for atom, pair in _stated(spec):
        known, earlier = first.setdefault(pair.given, (atom, pair))
        if earlier.wanted != pair.wanted:
            detail = f"for the input {pair.given!r} the text states both {earlier.wanted!r} and {pair.wanted!r}"
            yield _failure((known.id, atom.id), (known.span, atom.span), detail)


def _rules_apart(spec: BuildSpec) -> Iterator[Failure]:
    empty = [
        _Effects(item.id, item.span, item.consequences) for item in spec.conditional_obligations if _on_empty(item)
    ]
    empty += [_Effects(item.id, item.span, item.expectations) for item in spec.examples if _is_empty(item)]
    always = [_Effects(item.id, item.span, item.expectations) for item in spec.invariants]
    witnessed = [
        _Effects(item.id, item.span, item.consequences)
        for item in spec.conditional_obligations
        if any(trigger.kind is not TriggerKind.UNKNOWN for trigger in item.triggers)
    ]
    pairs_of = [*combinations(empty, 2), *((one, other) for one in always for other in witnessed)]
    for one, other in pairs_of:
        if any(exclude(a, b) for a in one.expectations for b in other.expectations):
            yield _failure((one.id, other.id), (one.span, other.span), "these two cannot both be met")


def _on_empty(known: ConditionalObligation) -> bool:
    return any(item.kind is TriggerKind.INPUT_EMPTY for item in known.triggers)


def _is_empty(example: Example) -> bool:
    return example.stdin == "" or (bool(example.files) and all(not item.content for item in example.files))


def exclude(one: Expectation, other: Expectation) -> bool:
    """True iff no run can meet both."""
    if isinstance(one, ExitExpectation) and isinstance(other, ExitExpectation):
        if one.relation == other.relation == "equals":
            return one.status != other.status
        return one.relation != other.relation and one.status == other.status
    if isinstance(one, TextExpectation) and isinstance(other, TextExpectation) and one.channel == other.channel:
        if one.relation == other.relation == "equals":
            return one.text.rstrip("\n") != other.text.rstrip("\n")
        return _says_nothing(one) != _says_nothing(other)
    return False


def _says_nothing(item: TextExpectation) -> bool:
    return item.relation == "empty"


def _failure(ids: tuple[str, ...], spans: tuple[Span, ...], detail: str) -> Failure:
    signature = FailureSignature.CONTRADICTORY_REQUIREMENT
    return Failure(signature=signature, requirement_ids=ids, spans=spans, detail=detail)


def open_questions(spec: BuildSpec) -> tuple[Failure, ...]:
    """What ends a build before any code exists: nobody could tell whether the code is right.

    A failure `underspecified_requirement` for each material decision that the text leaves open, and
    `unproven_requirement` for an artefact that Forge has no probes for.
    """
    return (*_undecided(spec), *_unjudged(spec))


def _unjudged(spec: BuildSpec) -> Iterator[Failure]:
    judged = {"library": spec.functions, "service": spec.exchanges}
    if not judged.get(spec.artefact, True):
        detail = (
            f"the text asks for a {spec.artefact}, and names no {_NAMED[spec.artefact]} that Forge could judge it by;"
            " if a program started from a command line is meant, say so in the text or assume artefact=command"
        )
        spans = tuple(item.span for item in spec.signatures)
        yield Failure(signature=FailureSignature.UNPROVEN_REQUIREMENT, spans=spans, detail=detail)


def _undecided(spec: BuildSpec) -> tuple[Failure, ...]:
    return tuple(
        Failure(
            signature=FailureSignature.UNDERSPECIFIED_REQUIREMENT,
            requirement_ids=(flag.id,),
            spans=(flag.span,),
            detail=flag.question,
        )
        for flag in spec.ambiguity_flags
        if flag.material
    )


def _stated(spec: BuildSpec) -> Iterator[tuple[RequirementAtom, Pair]]:
    for atom in spec.requirement_atoms:
        if atom.category is Category.EXAMPLE:
            for sentence in sentences(atom.text):
                yield from ((atom, pair) for pair in pairs(atom.text, sentence))

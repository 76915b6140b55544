"""Contradictions and open questions of a BuildSpec: found before any code is paid for. Pure."""

from __future__ import annotations

from collections.abc import Iterator

from contracts.requirement import BuildSpec, Category, RequirementAtom
from contracts.verdict import Failure, FailureSignature
from tasks.requirement.blocks import sentences
from tasks.requirement.examples import Pair, pairs


def contradictions(spec: BuildSpec) -> tuple[Failure, ...]:
    """Two examples with one input and different outputs: `contradictory_requirement`, with both spans."""
    first: dict[str, tuple[RequirementAtom, Pair]] = {}
    found: list[Failure] = []
    for atom, pair in _stated(spec):
        known, earlier = first.setdefault(pair.given, (atom, pair))
        if earlier.wanted != pair.wanted:
            found.append(
                Failure(
                    signature=FailureSignature.CONTRADICTORY_REQUIREMENT,
                    requirement_ids=(known.id, atom.id),
                    spans=(known.span, atom.span),
                    detail=f"for the input {pair.given!r} the text states both {earlier.wanted!r} and {pair.wanted!r}",
                )
            )
    return tuple(found)


def open_questions(spec: BuildSpec) -> tuple[Failure, ...]:
    """A failure `underspecified_requirement` for each material decision that the text leaves open."""
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

"""Who shows that each hard statement is met: its file, the probes, the judge; and where behaviour changes. Pure."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from contracts.plan import Boundary, Coverage
from contracts.requirement import BuildSpec, Category, RequirementAtom
from contracts.verdict import Failure, FailureSignature

_PROBES = {
    "example": ("example", "near"),
    "conditional": ("conditional",),
    "invariant": ("example", "conditional", "generated", "hostile"),
    "reading": ("generated", "near"),
    "tests": (),
}
"""Origins of the probes that show a criterion, by its method."""
_SETTLED = {Category.AMBIGUITY, Category.INTERFACE}
"""An open decision ends the build before a plan; an interface is judged by every run that starts the program."""


def coverage(spec: BuildSpec) -> tuple[Coverage, ...]:
    """For each hard statement every way in which it is judged."""
    return tuple(dict.fromkeys(item for atom in _hard(spec) for item in _ways(spec, atom)))


def _ways(spec: BuildSpec, atom: RequirementAtom) -> Iterator[Coverage]:
    def by(judge: str, *probes: str) -> Coverage:
        return Coverage(atom=atom.id, file=spec.interface.entry, probes=probes, judge=judge)

    own: Sequence[str] = [item.method for item in spec.acceptance_criteria if atom.id in item.atoms]
    if not own and atom.category is Category.EXAMPLE:  # no run of its own: what judges the rule that it shows
        methods = {item.method for item in spec.acceptance_criteria}
        own = [method for method in ("reading", "example") if method in methods][:1]
    yield from (by(method, *_PROBES[method]) for method in own)
    yield from (by(item.how) for item in spec.quality if item.atom == atom.id and item.how is not None)
    if atom.category is Category.INTERFACE:
        yield by("runtime", "example", "generated")


def unjudged(spec: BuildSpec) -> tuple[Failure, ...]:
    """`unproven_requirement` for each hard statement that no criterion, layer or check of a quality answers for.

    A quality that is said to be unchecked is such an answer: the record shows it (law 8).
    """
    covered = {item.atom for item in coverage(spec)} | {item.atom for item in spec.quality}
    return tuple(
        Failure(
            signature=FailureSignature.UNPROVEN_REQUIREMENT,
            requirement_ids=(atom.id,),
            spans=(atom.span,),
            detail=f"nobody judges this statement: {atom.text}",
        )
        for atom in _hard(spec)
        if atom.id not in covered and atom.category not in _SETTLED
    )


def _hard(spec: BuildSpec) -> list[RequirementAtom]:
    return [atom for atom in spec.requirement_atoms if atom.strength == "hard"]


def boundaries(spec: BuildSpec) -> tuple[Boundary, ...]:
    """The values that the text draws lines at: thresholds of columns, ends of domains."""
    found = [Boundary(subject=item.column, value=item.bound, span=item.span) for item in spec.interface.thresholds]
    for fact in spec.interface.domain:
        ends = (fact.minimum, fact.maximum)
        found += [Boundary(subject=fact.subject, value=end, span=fact.span) for end in ends if end is not None]
    return tuple(dict.fromkeys(found))

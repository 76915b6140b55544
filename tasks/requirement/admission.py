"""Whether a model's reading of words that the compiler did not read may join the contract. The model is not trusted.

Pure. A binding is admitted iff its words stand in one unbound fragment, ask for something, hold every text and number
that it uses and no other, it contradicts nothing that is bound, and a sentence can be written that compiles to it.
Nothing that was bound before is ever taken away.
"""

from __future__ import annotations

from collections.abc import Iterator

from contracts.formalisation import (
    Admission,
    Formalisation,
    ProposedBinding,
    ProposedConditional,
    ProposedExample,
    ProposedInvariant,
    Refusal,
    Ruling,
)
from contracts.requirement import (
    AcceptanceCriterion,
    BuildSpec,
    Category,
    ConditionalObligation,
    Formalised,
    Fragment,
    Invariant,
    Requirement,
    RequirementAtom,
    Span,
    Trigger,
    TriggerKind,
)
from tasks.requirement.compiler import ended, settled_newlines
from tasks.requirement.consistency import contradictions, exclude
from tasks.requirement.delivery import deliver
from tasks.requirement.examples import Pair
from tasks.requirement.grounds import RefusedError, place, worded
from tasks.requirement.statements import Method, short_digest
from tasks.requirement.tokens import tokenize
from tasks.requirement.witnesses import refine


def admit(proposal: Formalisation, spec: BuildSpec, requirement: Requirement) -> tuple[BuildSpec, Admission]:
    """``spec`` with the bindings that hold, and a ruling on each, in order. Each sees what was admitted before it.

    Raises:
        ValueError: ``spec`` was not compiled from ``requirement`` (law 5).
    """
    if spec.requirement != requirement.seal():
        raise ValueError("the contract is of another requirement")
    rulings = []
    for number, binding in enumerate(proposal.bindings):
        words: str | None = None
        try:
            place(binding, spec, requirement.text)
            words = worded(binding, requirement.text)
            spec, atom = _join(binding, spec, requirement.text, proposal, words)
            rulings.append(Ruling(place=number, refusal=None, text=words, atom=atom))
        except RefusedError as refused:
            rulings.append(Ruling(place=number, refusal=refused.reason, text=words))
    return spec, Admission(formalisation=proposal.seal(), rulings=tuple(rulings))


def _join(
    binding: ProposedBinding, spec: BuildSpec, text: str, proposal: Formalisation, words: str
) -> tuple[BuildSpec, str]:
    """The contract with the binding, and the id of its statement."""
    said = " ".join(token.norm for token in tokenize(text, binding.span.start, binding.span.end))
    taken = sum(item.text == words for item in spec.formalised)
    name = short_digest(["formalised", binding.kind, said, taken])
    atom = RequirementAtom(
        id=f"{binding.kind}-{name}",
        category=Category(binding.kind),
        strength="hard",
        span=binding.span,
        text=" ".join(text[binding.span.start : binding.span.end].split()),
    )
    added, method, made = _executable(binding, spec, text, atom)
    fragments = tuple(part for item in spec.fragments for part in _parted(item, binding.span, atom.id, text))
    atoms = (atom.id, made)
    criterion = AcceptanceCriterion(
        id=f"ac-{short_digest([method, *atoms])}", atoms=atoms, method=method, span=binding.span
    )
    source = Formalised(atom=atom.id, source=proposal.source, answer=proposal.answer, text=words)
    joined = spec.model_copy(
        update={
            **added,
            "requirement_atoms": (*spec.requirement_atoms, atom),
            "acceptance_criteria": (*spec.acceptance_criteria, criterion),
            "fragments": fragments,
            "unbound": tuple(item.span for item in fragments if not item.atoms),
            "formalised": (*spec.formalised, source),
        }
    )
    if len(contradictions(joined)) > len(contradictions(spec)) or _conflicts(joined, made):
        raise RefusedError(Refusal.CONTRADICTS)
    return joined, atom.id


def _executable(
    binding: ProposedBinding, spec: BuildSpec, text: str, atom: RequirementAtom
) -> tuple[dict[str, object], Method, str]:
    """The field that grows, how it is proven, and the id of what is added."""
    newlines, tail = settled_newlines(spec.conventions), atom.id.rsplit("-", 1)[1]
    match binding:
        case ProposedConditional():
            known = ConditionalObligation(
                id=f"if-{tail}",
                atom=atom.id,
                span=binding.span,
                triggers=(Trigger(kind=binding.trigger, span=binding.condition),),
                consequences=ended(binding.consequences, newlines),
                unparsed=(),
                otherwise=None,
            )
            (known,) = refine([known], spec.interface, text, open_end=True)
            method: Method = "reading" if known.triggers[0].kind is TriggerKind.UNKNOWN else "conditional"
            return {"conditional_obligations": (*spec.conditional_obligations, known)}, method, known.id
        case ProposedExample():
            pair = Pair(binding.given, binding.wanted, binding.span, (0, 0), call=False)
            shown = deliver(pair, atom.id, spec.interface)
            if shown is None:
                raise RefusedError(Refusal.UNDELIVERABLE)
            shown = shown.model_copy(update={"expectations": ended(shown.expectations, newlines)})
            return {"examples": (*spec.examples, shown)}, "example", shown.id
        case ProposedInvariant():
            held = Invariant(id=f"inv-{tail}", atom=atom.id, span=binding.span, expectations=binding.expectations)
            return {"invariants": (*spec.invariants, held)}, "invariant", held.id


def _parted(fragment: Fragment, span: Span, atom: str, text: str) -> Iterator[Fragment]:
    """The fragment itself, or its parts before, in and after ``span``, without white space around them."""
    whole = fragment.span
    if not (whole.start <= span.start and span.end <= whole.end):
        yield fragment
        return
    for start, end, atoms in (
        (whole.start, span.start, ()),
        (span.start, span.end, (atom,)),
        (span.end, whole.end, ()),
    ):
        part = text[start:end]
        if part.strip():
            left, right = len(part) - len(part.lstrip()), len(part) - len(part.rstrip())
            yield Fragment(span=Span(start=start + left, end=end - right), atoms=atoms)


def _conflicts(spec: BuildSpec, made: str) -> bool:
    """True iff what was added and something that was there cannot both be met."""
    always = [(item.id, item.expectations) for item in spec.invariants]
    shown = [(item.id, item.expectations) for item in spec.examples]
    ruled = [(item.id, item.consequences) for item in spec.conditional_obligations]
    pairs = [(one, other) for one in always for other in (*always, *shown, *ruled)]
    pairs += [
        ((one.id, one.consequences), (other.id, other.consequences))
        for one in spec.conditional_obligations
        for other in spec.conditional_obligations
        if {item.kind for item in one.triggers} & {item.kind for item in other.triggers} - {TriggerKind.UNKNOWN}
    ]
    pairs += [
        ((one.id, one.expectations), (other.id, other.expectations))
        for one in spec.examples
        for other in spec.examples
        if (one.argv, one.stdin, one.files) == (other.argv, other.stdin, other.files)
    ]
    return any(
        made in {one[0], other[0]} and one[0] != other[0] and any(exclude(a, b) for a in one[1] for b in other[1])
        for one, other in pairs
    )

"""Prose to constraints, by a parser that must take in the whole sentence. What it does not understand, it leaves.

Only integers that the program itself chooses are variables; a statement about an input is never a constraint. Anything
under a condition, with an alternative or a hedge has words that no rule knows, and so is left unlowered.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from contracts.canonical import digest_of
from contracts.plan import Constraint, Expression
from contracts.requirement import Requirement, Span
from tasks.planning.declarations import declared
from tasks.planning.terms import NotUnderstood, Reader, all_of
from tasks.requirement.blocks import Sentence, sentences
from tasks.requirement.grammar import word_set

_ESCAPES = (
    "no such",
    "no solution",
    "none exist",
    "not exist",
    "impossible",
    "infeasible",
    "unsatisfiable",
    "cannot be satisfied",
    "cannot be met",
    "not possible",
    "no valid",
    "there are none",
    "there is none",
)
_WEAKENERS = word_set(
    "except unless only ignore ignored relax relaxed optional constraint constraints condition conditions rule rules "
    "bound bounds limit limits limitation exception exceptions instead otherwise alternatively may might overrides "
    "example hypothetical previous above former latter these those applies apply if when either"
)
_BENIGN_INTRO = word_set("such that where the following constraints hold must satisfy with rules requirements and")


@dataclass(frozen=True, slots=True)
class Lowered:
    """Variables and constraints of a text. ``blocked``: why no claim may be made whatever they say; None if one may."""

    variables: tuple[str, ...]
    constraints: tuple[Constraint, ...]
    unlowered: tuple[Span, ...]
    blocked: str | None


def lower(requirement: Requirement) -> Lowered:
    """Lower every sentence that is wholly understood."""
    found = [sentence for sentence in sentences(requirement.text) if sentence.words]
    declarations = [(sentence, names) for sentence in found if (names := declared(sentence))]
    variables = declarations[0][1] if len(declarations) == 1 else ()
    reader = Reader(variables)
    constraints: list[Constraint] = []
    left: list[Sentence] = []
    for index, sentence in enumerate(found):
        if sentence.kind == "heading" or any(sentence is declaration for declaration, _ in declarations):
            continue
        expression = _constraint(reader, sentence) if variables and _in_force(found, index) else None
        if expression is None:
            left.append(sentence)
            continue
        span = Span(start=sentence.words[0].start, end=sentence.words[-1].end)
        text = " ".join(requirement.text[span.start : span.end].split())
        name = "c-" + digest_of(text.lower()).removeprefix("sha256:")[:8]
        if all(item.id != name for item in constraints):
            constraints.append(Constraint(id=name, expression=expression, spans=(span,), text=text))
    blocked = "integers are declared more than once" if len(declarations) > 1 else _block(left, variables)
    spans = tuple(Span(start=item.start, end=item.end) for item in left)
    return Lowered(variables, tuple(constraints), spans, blocked)


def _in_force(found: Sequence[Sentence], index: int) -> bool:
    """False for what stands under a heading or an introduction that may restrict it ("In production:")."""
    sentence = found[index]
    for earlier in reversed(found[:index]):
        if earlier.kind == "heading" and earlier is not found[0]:
            return {token.norm for token in earlier.words} <= _BENIGN_INTRO
        intro = earlier.block != sentence.block and sentence.kind == "item" and earlier.kind == "paragraph"
        if intro and earlier.tokens[-1].text == ":" and not declared(earlier):
            return {token.norm for token in earlier.words} <= _BENIGN_INTRO
    return True


def _constraint(reader: Reader, sentence: Sentence) -> Expression | None:
    if sentence.kind not in {"paragraph", "item"} or sentence.tokens[-1].text in {":", "?"}:
        return None
    try:
        return all_of(reader.statements(sentence.words))
    except NotUnderstood:
        return None


def _block(left: Sequence[Sentence], variables: Sequence[str]) -> str | None:
    """A sentence that was left and could soften the others blocks every claim."""
    for sentence in left:
        words = [token.norm for token in sentence.words]
        joined = " ".join(words)
        if any(escape in joined for escape in _ESCAPES):
            return "the text says what to do where nothing satisfies it"
        if _WEAKENERS & set(words) or set(variables) & {token.value for token in sentence.words}:
            return "a clause that could not be lowered may restrict the others"
    return None

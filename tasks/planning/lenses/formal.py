"""The formal lens: z3 refutes what the text states, or finds an input that nothing serves. The checker decides."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from contracts.plan import Constraint, Expression, Hint
from contracts.requirement import BuildSpec, Requirement
from contracts.verdict import Failure, FailureSignature
from tasks.planning import solving
from tasks.planning.bounds import settled
from tasks.planning.certificates import certify, limits, minimal_core, settings
from tasks.planning.lenses import View
from tasks.planning.lowering import Lowered


class FormalLens:
    """Whatever was lowered, as one problem for a solver."""

    name = "formal"

    def unavailable(self) -> str | None:
        """Why it cannot work here."""
        return None if solving.available() else "z3 is not installed: it comes with the extra `solver`"

    def look(self, spec: BuildSpec, requirement: Requirement, lowered: Lowered) -> View:  # noqa: ARG002 - the protocol's
        """A checked certificate where the lowered constraints contradict each other, at some input if there are any."""
        hints = (*_hints(lowered), *disagreements(lowered))
        given = self._input(lowered) if lowered.given else {}
        if not lowered.constraints or lowered.blocked is not None or given is None:
            return View(hints=hints)

        def refuted(items: Sequence[Constraint]) -> bool:
            return solving.refuted(items, lowered.continuous)

        differing = [hint for hint in hints if hint.kind == "disagreement"]
        if differing and refuted(lowered.constraints):
            return View(witnesses=(_apart(differing),), hints=hints)
        certificate = certify(spec.seal(), lowered, refuted, lens=self.name, given=given)
        if certificate is not None:
            return View(certificate if lowered.block(certificate.constraints) is None else None, hints=hints)
        core, _ = minimal_core(lowered, lambda items: refuted(settled(items, settings(given))))
        return View(claimed=core if lowered.block(core) is None else (), hints=hints)

    def _input(self, lowered: Lowered) -> dict[str, int] | None:
        """An input, of those that the text allows, which nothing serves."""
        if any(name not in limits(lowered.assumed) for name in lowered.given):
            return None
        return solving.impossible_input((*lowered.constraints, *lowered.implied), lowered.assumed, lowered.given)


LENS = FormalLens()


def disagreements(lowered: Lowered) -> Iterator[Hint]:
    """What a formal block says and the prose around it does not, or the other way round. Nothing is resolved."""
    inside = [item for item in lowered.constraints if set(item.spans) <= set(lowered.restated)]
    outside = [item for item in lowered.constraints if item not in inside]
    if not inside:
        return
    sides = ((inside, outside, "the formal block says, and the prose does not"),
             (outside, inside, "the prose says, and the formal block does not"))  # fmt: skip
    for stated, other, words in sides:
        for item in stated:
            denied = item.model_copy(update={"expression": Expression(op="not", args=(item.expression,))})
            if not solving.refuted((*other, denied)):
                text = f"{words}: {item.text}"
                yield Hint(lens="formal", kind="disagreement", text=text, span=item.spans[0])


def _hints(lowered: Lowered) -> tuple[Hint, ...]:
    if not lowered.constraints:
        return ()
    note = f"{len(lowered.constraints)} constraints were read"
    note = note if lowered.blocked is None else f"{note}; nothing is claimed of them: {lowered.blocked}"
    return (Hint(lens="formal", kind="note", text=note),)


def _apart(differing: Sequence[Hint]) -> Failure:
    """Prose and block cannot both be meant: which one is, their author must say."""
    return Failure(
        signature=FailureSignature.CONTRADICTORY_REQUIREMENT,
        spans=tuple(hint.span for hint in differing if hint.span is not None),
        detail="the formal block and the prose around it disagree; " + "; ".join(hint.text for hint in differing),
    )

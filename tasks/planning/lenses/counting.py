"""The counting lens: too many members for the values that there are. It needs no solver."""

from __future__ import annotations

from collections.abc import Sequence

from contracts.plan import Constraint
from contracts.requirement import BuildSpec, Requirement
from tasks.planning.bounds import bounds
from tasks.planning.certificates import certify
from tasks.planning.combination import conjuncts
from tasks.planning.lenses import View
from tasks.planning.lowering import Lowered


class CountingLens:
    """Pigeonholes, one-to-one maps between finite sets, and capacities."""

    name = "counting"

    def unavailable(self) -> str | None:
        """It always works."""
        return None

    def look(self, spec: BuildSpec, requirement: Requirement, lowered: Lowered) -> View:  # noqa: ARG002 - the protocol's
        """A checked certificate where more different values are asked for than there are."""
        if lowered.given or lowered.continuous or lowered.blocked is not None or lowered.restated:
            return View()
        certificate = certify(spec.seal(), lowered, overfull, lens=self.name)
        if certificate is None or lowered.block(certificate.constraints) is not None:
            return View()
        return View(certificate)


LENS = CountingLens()


def overfull(constraints: Sequence[Constraint]) -> bool:
    """True iff bounds leave a variable no value, or variables that all differ too few values."""
    known = bounds(constraints)
    if any(low is not None and high is not None and low > high for low, high in known.values()):
        return True
    for item in (part for constraint in constraints for part in conjuncts(constraint.expression)):
        ends = [known.get(term.name or "", (None, None)) for term in item.args] if item.op == "different" else []
        lows = [low for low, _ in ends if low is not None]
        highs = [high for _, high in ends if high is not None]
        if ends and len(lows) == len(highs) == len(ends) and max(highs) - min(lows) + 1 < len(ends):
            return True
    return False

"""The counting lens: too many members for the values that there are. It needs no solver."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from importlib.util import find_spec

from contracts.plan import Constraint, Expression
from contracts.requirement import BuildSpec, Requirement
from tasks.planning.checker import check_certificate
from tasks.planning.lenses import View
from tasks.planning.lenses.formal import certify, limits, minimal_core, relaxations
from tasks.planning.lowering import lower


class CountingLens:
    """Pigeonholes, one-to-one maps between finite sets, and capacities."""

    name = "counting"

    def unavailable(self) -> str | None:
        """It always works."""
        return None

    def look(self, spec: BuildSpec, requirement: Requirement) -> View:
        """A checked certificate where more different values are asked for than there are."""
        lowered = lower(requirement)
        core = () if lowered.given else minimal_core(lowered.constraints, overfull)
        if not core:
            return View()
        weaker = relaxations(core) if find_spec("z3") else ()
        certificate = certify(spec.seal(), core, lowered.constraints, relaxed=weaker, lens=self.name)
        if certificate is None or lowered.block(core) is not None or check_certificate(certificate) is not None:
            return View()
        return View(certificate)


LENS = CountingLens()


def overfull(constraints: Sequence[Constraint]) -> bool:
    """True iff bounds leave a variable no value, or variables that all differ too few values."""
    domains = limits(constraints)
    if any(item.low > item.high for item in domains.values()):
        return True
    for item in (part for constraint in constraints for part in _parts(constraint.expression)):
        names = [term.name for term in item.args if term.op == "variable" and term.name in domains]
        if item.op == "different" and names and len(names) == len(item.args):
            boxes = [domains[name] for name in names if name is not None]
            if max(box.high for box in boxes) - min(box.low for box in boxes) + 1 < len(boxes):
                return True
    return False


def _parts(expression: Expression) -> Iterator[Expression]:
    if expression.op == "and":
        for item in expression.args:
            yield from _parts(item)
    else:
        yield expression

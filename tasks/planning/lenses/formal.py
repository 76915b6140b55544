"""The formal lens: constraints over bounded integers, refuted by z3 and minimised. The checker has the last word."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from importlib.util import find_spec
from typing import Any

from contracts.plan import Constraint, Domain, Expression, InfeasibilityCertificate
from contracts.requirement import BuildSpec, Requirement
from tasks.planning.checker import CHECKER, bounds, check_certificate, size, variables
from tasks.planning.lenses import View
from tasks.planning.lowering import Lowered, lower

TIMEOUT_MS = 2_000
MAX_ASSIGNMENTS = 2**53 - 1


class FormalLens:
    """Integers that the program chooses, and what the text says of them."""

    name = "formal"

    def unavailable(self) -> str | None:
        """Why it cannot work here."""
        return None if find_spec("z3") else "z3 is not installed (pip install 'forge-verdict[solver]')"

    def look(self, spec: BuildSpec, requirement: Requirement) -> View:
        """A checked certificate where the lowered constraints contradict each other."""
        lowered = lower(requirement)
        hints: tuple[str, ...] = ()
        if lowered.constraints and lowered.blocked is None:
            core = minimal_core(lowered.constraints)
            certificate = certify(spec.seal(), core) if core else None
            if certificate is not None and check_certificate(certificate) is None:
                return View(certificate, hints, lowered.unlowered)
            if core:
                hints = ("the constraints seem to contradict each other, but no checked proof of it was found",)
        return View(None, hints + _hints(lowered), lowered.unlowered)


LENS = FormalLens()


def certify(build_spec: str, core: Sequence[Constraint]) -> InfeasibilityCertificate | None:
    """The certificate over ``core``; None where some variable has no finite domain in it."""
    stated = bounds(core)
    domains = []
    for name in variables(core):
        low, high = stated.get(name, (None, None))
        if low is None or high is None:
            return None
        domains.append(Domain(variable=name, low=low, high=high))
    assignments = size({item.variable: (item.low, item.high) for item in domains})
    if assignments > MAX_ASSIGNMENTS:
        return None
    return InfeasibilityCertificate(
        build_spec=build_spec,
        lens="formal",
        domains=tuple(domains),
        constraints=tuple(core),
        checker=CHECKER,
        assignments=assignments,
    )


def minimal_core(constraints: Sequence[Constraint]) -> tuple[Constraint, ...]:
    """A set that z3 refutes and of which every proper subset can be satisfied; empty if z3 refutes nothing.

    By deletion: bounds are tried last, so that the domains of the core stay finite where they can.
    """
    if not refuted(constraints):
        return ()
    stated = [item for item in constraints if bounds([item])]
    core = [item for item in constraints if item not in stated] + stated
    for item in list(core):
        rest = [other for other in core if other is not item]
        if refuted(rest):
            core = rest
    return tuple(item for item in constraints if item in core)


def refuted(constraints: Sequence[Constraint]) -> bool:
    """True iff z3 says that no integers satisfy all of them; not knowing is no."""
    import z3

    solver: Any = z3.Solver()
    solver.set("timeout", TIMEOUT_MS)
    names = {name: z3.Int(name) for name in variables(constraints)}
    solver.add(*(_term(item.expression, names) for item in constraints))
    return bool(solver.check() == z3.unsat)


def _term(expression: Expression, names: Mapping[str, Any]) -> Any:
    import z3

    if expression.op == "integer":
        return z3.IntVal(expression.value)
    if expression.op == "variable":
        return names[expression.name or ""]
    args = [_term(item, names) for item in expression.args]
    logical = {"and": z3.And, "or": z3.Or, "not": z3.Not, "implies": z3.Implies}
    if expression.op in logical:
        return logical[expression.op](*args)
    left, right = args
    operations = {
        "+": lambda: left + right,
        "-": lambda: left - right,
        "*": lambda: left * right,
        "mod": lambda: left % right,
        "=": lambda: left == right,
        "!=": lambda: left != right,
        "<": lambda: left < right,
        "<=": lambda: left <= right,
        ">": lambda: left > right,
        ">=": lambda: left >= right,
    }
    return operations[expression.op]()


def _hints(lowered: Lowered) -> tuple[str, ...]:
    if not lowered.constraints:
        return ()
    count = len(lowered.constraints)
    note = f"{count} constraints over {', '.join(lowered.variables)} were read"
    return (note if lowered.blocked is None else f"{note}; nothing is claimed of them: {lowered.blocked}",)

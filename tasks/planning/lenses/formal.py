"""The formal lens: constraints over bounded integers, refuted by z3 and minimised. The checker has the last word."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from importlib.util import find_spec
from math import prod
from typing import Any

from contracts.plan import Constraint, Domain, Expression, InfeasibilityCertificate
from contracts.requirement import BuildSpec, Requirement
from tasks.planning.checker import CHECKER, check_certificate
from tasks.planning.lenses import View
from tasks.planning.lowering import Lowered, lower

TIMEOUT_MS = 2_000
MAX_ASSIGNMENTS = 2**53 - 1
_LIMITS = {"<", "<=", ">", ">=", "="}
_MIRRORED = {"<": ">", "<=": ">=", ">": "<", ">=": "<=", "=": "="}


class FormalLens:
    """Integers that the program chooses, and what the text says of them."""

    name = "formal"

    def unavailable(self) -> str | None:
        """Why it cannot work here."""
        return None if find_spec("z3") else "z3 is not installed (pip install 'forge-verdict[solver]')"

    def look(self, spec: BuildSpec, requirement: Requirement) -> View:
        """A checked certificate where the lowered constraints contradict each other."""
        lowered = lower(requirement)
        hints = _hints(lowered)
        if lowered.constraints and lowered.blocked is None:
            core = minimal_core(lowered.constraints)
            certificate = certify(spec.seal(), core, lowered.constraints) if core else None
            if certificate is not None and check_certificate(certificate) is None:
                return View(certificate, hints, lowered.unlowered)
            if core:
                hints += ("the constraints seem to contradict each other, but no checked proof of it was found",)
        return View(None, hints, lowered.unlowered)


LENS = FormalLens()


def names_in(expression: Expression) -> frozenset[str]:
    """The variables of an expression."""
    own = frozenset() if expression.name is None else frozenset({expression.name})
    return own.union(*(names_in(item) for item in expression.args))


def limits(constraints: Sequence[Constraint]) -> dict[str, Domain]:
    """The finite domain of each variable that constants bound on both sides."""
    lows: dict[str, int] = {}
    highs: dict[str, int] = {}
    pending = [item.expression for item in constraints]
    while pending:
        expression = pending.pop()
        if expression.op == "and":
            pending.extend(expression.args)
        elif expression.op in _LIMITS and len(names_in(expression)) == 1:
            left, right = expression.args
            if left.name is not None and right.value is not None:
                _limit(lows, highs, left.name, expression.op, right.value)
            elif right.name is not None and left.value is not None:
                _limit(lows, highs, right.name, _MIRRORED[expression.op], left.value)
    return {name: Domain(variable=name, low=lows[name], high=highs[name]) for name in lows if name in highs}


def _limit(lows: dict[str, int], highs: dict[str, int], name: str, op: str, value: int) -> None:
    if op in {">", ">=", "="}:
        lows[name] = max(lows.get(name, value + (op == ">")), value + (op == ">"))
    if op in {"<", "<=", "="}:
        highs[name] = min(highs.get(name, value - (op == "<")), value - (op == "<"))


def certify(
    build_spec: str, core: Sequence[Constraint], stated: Sequence[Constraint]
) -> InfeasibilityCertificate | None:
    """The certificate over ``core``; None where a variable has no finite domain, neither there nor in all ``stated``."""
    domains = limits(stated) | limits(core)
    names = sorted(frozenset().union(*(names_in(item.expression) for item in core)))
    if any(name not in domains for name in names):
        return None
    assignments = prod(max(0, domains[name].high - domains[name].low + 1) for name in names)
    if assignments > MAX_ASSIGNMENTS:
        return None
    return InfeasibilityCertificate(
        build_spec=build_spec,
        lens="formal",
        domains=tuple(domains[name] for name in names),
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
    bounding = [item for item in constraints if limits([item])]
    core = [item for item in constraints if item not in bounding] + bounding
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
    names = {
        name: z3.Int(name) for name in sorted(frozenset().union(*(names_in(item.expression) for item in constraints)))
    }
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

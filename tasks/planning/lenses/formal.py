"""The formal lens: constraints over bounded integers, refuted by z3 and minimised. The checker has the last word."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from importlib.util import find_spec
from math import prod
from typing import Any

from contracts.plan import Constraint, Domain, Expression, InfeasibilityCertificate, Relaxation, Setting
from contracts.requirement import BuildSpec, Requirement
from tasks.planning.bounds import bounds
from tasks.planning.checker import CHECKER, check_certificate
from tasks.planning.lenses import View
from tasks.planning.lowering import Lowered, lower
from tasks.planning.terms import names_in

EFFORT = 10_000_000
"""z3's own units, about a second: on a slow machine the answer is the same as on a fast one."""
MAX_ASSIGNMENTS = 2**53 - 1
_LIMITS = {"<", "<=", ">", ">=", "="}
_BOUND = "bound#"
_MIRRORED = {"<": ">", "<=": ">=", ">": "<", ">=": "<=", "=": "="}


class FormalLens:
    """Integers that the program chooses, and what the text says of them."""

    name = "formal"

    def unavailable(self) -> str | None:
        """Why it cannot work here."""
        return None if find_spec("z3") else "z3 is not installed: it comes with the extra `solver`"

    def look(self, spec: BuildSpec, requirement: Requirement) -> View:
        """A checked certificate where the lowered constraints contradict each other, at some input if there are any."""
        lowered = lower(requirement)
        hints = _hints(lowered)
        given = impossible_input(lowered) if lowered.given else {}
        if not lowered.constraints or lowered.blocked is not None or given is None:
            return View(None, hints, lowered.unlowered)
        core = minimal_core(lowered.constraints, lambda items: refuted(at_input(items, given)))
        if not core:
            return View(None, hints, lowered.unlowered)
        weaker = () if given else relaxations(core)
        certificate = certify(spec.seal(), core, lowered.constraints, given=given, relaxed=weaker)
        if certificate is not None and lowered.block(core) is None and check_certificate(certificate) is None:
            return View(certificate, hints, lowered.unlowered)
        hints += ("the constraints seem to contradict each other, but no checked proof of it was found",)
        return View(None, hints, lowered.unlowered)


LENS = FormalLens()


def at_input(constraints: Sequence[Constraint], given: Mapping[str, int]) -> tuple[Constraint, ...]:
    """The constraints as they are for one input."""
    return tuple(item.model_copy(update={"expression": _put(item.expression, given)}) for item in constraints)


def _put(expression: Expression, given: Mapping[str, int]) -> Expression:
    if expression.name is not None and expression.name in given:
        return Expression(op="integer", value=given[expression.name])
    return expression.model_copy(update={"args": tuple(_put(item, given) for item in expression.args)})


def impossible_input(lowered: Lowered) -> dict[str, int] | None:
    """An input that meets all assumptions, and with which z3 finds every choice refuted; None if it finds none."""
    import z3

    if any(name not in limits(lowered.assumed) for name in lowered.given):
        return None
    names = _integers([item.expression for item in (*lowered.constraints, *lowered.assumed)])
    chosen = [names[name] for name in names if name not in lowered.given]
    solver: Any = z3.Solver()
    solver.set("rlimit", EFFORT)
    solver.add(*(_term(item.expression, names) for item in lowered.assumed))
    possible = z3.And(*(_term(item.expression, names) for item in lowered.constraints))
    solver.add(z3.ForAll(chosen, z3.Not(possible)) if chosen else z3.Not(possible))
    if solver.check() != z3.sat:
        return None
    model = solver.model()
    return {name: model.eval(names[name], model_completion=True).as_long() for name in lowered.given}


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
    build_spec: str,
    core: Sequence[Constraint],
    stated: Sequence[Constraint],
    *,
    given: Mapping[str, int] | None = None,
    relaxed: tuple[Relaxation, ...] = (),
    lens: str = "formal",
) -> InfeasibilityCertificate | None:
    """The certificate over ``core``; None where a variable has no finite domain, not even in all ``stated``."""
    given = given or {}
    at = at_input(core, given)
    known, own = bounds(at_input(stated, given)), bounds(at)
    domains = []
    for name in sorted(frozenset().union(*(names_in(item.expression) for item in at))):
        ends = [*known.get(name, (None, None)), *own.get(name, (None, None))]
        lows, highs = ([end for end in ends[side::2] if end is not None] for side in (0, 1))
        if not lows or not highs:
            return None
        domains.append(Domain(variable=name, low=min(lows), high=max(highs)))
    return InfeasibilityCertificate(
        build_spec=build_spec,
        lens=lens,
        given=tuple(Setting(variable=name, value=value) for name, value in given.items()),
        domains=tuple(domains),
        constraints=tuple(core),
        relaxations=relaxed,
        checker=CHECKER,
        assignments=min(MAX_ASSIGNMENTS, prod(max(0, item.high - item.low + 1) for item in domains)),
    )


def relaxations(core: Sequence[Constraint]) -> tuple[Relaxation, ...]:
    """For each constant that a constraint compares with, the nearest one with which all can hold, if there is one."""
    found = []
    for constraint in core:
        others = [item.expression for item in core if item is not constraint]
        parts = _conjuncts(constraint.expression)
        for bound in dict.fromkeys(_bound_of(part) for part in parts):
            weaker = None if bound is None else _nearest(parts, bound, others)
            if weaker is not None:
                expression, witness = weaker
                found.append(Relaxation(constraint=constraint.id, expression=expression, witness=witness))
    return tuple(found)


def _conjuncts(expression: Expression) -> list[Expression]:
    if expression.op != "and":
        return [expression]
    return [part for item in expression.args for part in _conjuncts(item)]


def _bound_of(part: Expression) -> tuple[str, int, int] | None:
    """Relation, place and value of the constant in a comparison."""
    for place, item in enumerate(part.args):
        if part.op in _LIMITS and item.value is not None:
            return part.op, place, item.value
    return None


def _nearest(
    parts: Sequence[Expression], old: tuple[str, int, int], others: Sequence[Expression]
) -> tuple[Expression, tuple[Setting, ...]] | None:
    """The conjunction of ``parts`` with the constant ``old`` replaced everywhere, and what satisfies all then."""
    import z3

    def put(value: Expression) -> Expression:
        def args(part: Expression) -> tuple[Expression, ...]:
            return tuple(value if place == old[1] else item for place, item in enumerate(part.args))

        changed = [part.model_copy(update={"args": args(part)}) if _bound_of(part) == old else part for part in parts]
        return changed[0] if len(changed) == 1 else Expression(op="and", args=tuple(changed))

    moved = put(Expression(op="variable", name=_BOUND))
    names = _integers([*others, moved])
    solver: Any = z3.Optimize()
    solver.set("rlimit", EFFORT)
    solver.add(*(_term(item, names) for item in (*others, moved)))
    bound = names[_BOUND]
    solver.minimize(z3.If(bound >= old[2], bound - old[2], old[2] - bound))
    if solver.check() != z3.sat:
        return None
    values = {name: solver.model().eval(item, model_completion=True).as_long() for name, item in names.items()}
    instead = put(Expression(op="integer", value=values.pop(_BOUND)))
    return instead, tuple(Setting(variable=name, value=value) for name, value in values.items())


def minimal_core(
    constraints: Sequence[Constraint], refutes: Callable[[Sequence[Constraint]], bool]
) -> tuple[Constraint, ...]:
    """A set that ``refutes`` rejects and of which it rejects no proper subset; empty if it does not reject all.

    By deletion: bounds are tried last, so that the domains of the core stay finite where they can.
    """
    if not refutes(constraints):
        return ()
    bounding = [item for item in constraints if limits([item])]
    core = [item for item in constraints if item not in bounding] + bounding
    for item in list(core):
        rest = [other for other in core if other is not item]
        if refutes(rest):
            core = rest
    return tuple(item for item in constraints if item in core)


def refuted(constraints: Sequence[Constraint]) -> bool:
    """True iff z3 says that no integers satisfy all of them; not knowing is no."""
    import z3

    solver: Any = z3.Solver()
    solver.set("rlimit", EFFORT)
    names = _integers([item.expression for item in constraints])
    solver.add(*(_term(item.expression, names) for item in constraints))
    return bool(solver.check() == z3.unsat)


def _integers(expressions: Sequence[Expression]) -> dict[str, Any]:
    import z3

    return {name: z3.Int(name) for item in expressions for name in sorted(names_in(item))}


def _term(expression: Expression, names: Mapping[str, Any]) -> Any:
    import z3

    if expression.op == "integer":
        return z3.IntVal(expression.value)
    if expression.op == "variable":
        return names[expression.name or ""]
    args = [_term(item, names) for item in expression.args]
    if expression.op == "count":
        return z3.Sum([z3.If(item, 1, 0) for item in args])
    if expression.op == "different":
        return z3.Distinct(*args)
    logical = {"and": z3.And, "or": z3.Or, "not": z3.Not, "implies": z3.Implies}
    if expression.op in logical:
        return logical[expression.op](*args)
    left, right = args
    operations = {
        "+": lambda: left + right,
        "-": lambda: left - right,
        "*": lambda: left * right,
        "div": lambda: left / right,
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
    note = f"{len(lowered.constraints)} constraints were read"
    return (note if lowered.blocked is None else f"{note}; nothing is claimed of them: {lowered.blocked}",)

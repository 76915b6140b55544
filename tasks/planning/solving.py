"""What z3 is asked. Nothing rests on its answers but where to look: proofs and witnesses are checked apart."""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from importlib.util import find_spec
from math import lcm
from typing import Any

from contracts.plan import Constraint, Expression, Multiplier
from tasks.planning.combination import below_zero, conjuncts
from tasks.planning.terms import names_in

EFFORT = 10_000_000
"""z3's own units, about a second: on a slow machine the answer is the same as on a fast one."""
NEAR_EFFORT = 300_000
"""For a relaxation: it is a service, and a certificate must not wait for it."""


def available() -> bool:
    """True iff the solver is installed: it comes with the extra `solver`."""
    return find_spec("z3") is not None


def refuted(constraints: Sequence[Constraint], continuous: Collection[str] = ()) -> bool:
    """True iff z3 says that no integers, real numbers for ``continuous``, satisfy all; not knowing is no."""
    expressions = [item.expression for item in constraints]
    solver, _ = _solver(expressions, continuous)
    return bool(solver.check() == _z3().unsat)


def model(expressions: Sequence[Expression]) -> dict[str, int] | None:
    """Integers that satisfy all, by z3; None where it finds none."""
    solver, names = _solver(expressions)
    if solver.check() != _z3().sat:
        return None
    return _values(solver.model(), names)


def impossible_input(
    chosen: Sequence[Constraint], assumed: Sequence[Constraint], given: Collection[str]
) -> dict[str, int] | None:
    """An input that meets all that is assumed, and with which every choice is refuted; None if z3 finds none."""
    z3 = _z3()
    solver, names = _solver([item.expression for item in assumed])
    for name, item in _variables([item.expression for item in chosen], ()).items():
        names.setdefault(name, item)
    free = [names[name] for name in names if name not in given]
    possible = z3.And(*(_term(item.expression, names) for item in chosen))
    solver.add(z3.ForAll(free, z3.Not(possible)) if free else z3.Not(possible))
    return _values(solver.model(), {name: names[name] for name in given}) if solver.check() == z3.sat else None


def nearest(expressions: Sequence[Expression], name: str, old: int) -> dict[str, int] | None:
    """Integers that satisfy all, with the variable ``name`` as close to ``old`` as can be."""
    z3 = _z3()
    names = _variables(expressions, ())
    solver: Any = z3.Optimize()
    solver.set("rlimit", NEAR_EFFORT)
    solver.add(*_terms(expressions, names))
    solver.minimize(z3.If(names[name] >= old, names[name] - old, old - names[name]))
    return _values(solver.model(), names) if solver.check() == z3.sat else None


def combination(constraints: Sequence[Constraint], continuous: Collection[str]) -> tuple[Multiplier, ...]:
    """How often to add each comparison so that the sum is impossible; empty where no sum is (Farkas' lemma)."""
    z3 = _z3()
    found = [
        (item.id, place, known, z3.Real(f"{place}:{item.id}"))
        for item in constraints
        for place, part in enumerate(conjuncts(item.expression))
        if (known := below_zero(part)) is not None
    ]
    solver: Any = z3.Solver()
    solver.set("rlimit", EFFORT)
    solver.add(*(factor >= 0 for _, _, known, factor in found if not known.equal))
    for name in sorted({name for _, _, known, _ in found for name in known.terms}):
        solver.add(z3.Sum([factor * known.terms.get(name, 0) for _, _, known, factor in found]) == 0)
    real = [known.strict and bool(set(known.terms) & set(continuous)) for _, _, known, _ in found]
    constant = [
        factor * (known.constant + (known.strict and not apart))
        for (_, _, known, factor), apart in zip(found, real, strict=True)
    ]
    strictly = [factor for (_, _, _, factor), apart in zip(found, real, strict=True) if apart]
    solver.add(z3.Or(z3.Sum(constant) >= 1, z3.And(z3.Sum(constant) >= 0, z3.Sum(strictly) >= 1)))
    if not found or solver.check() != z3.sat:
        return ()
    values = [solver.model().eval(factor, model_completion=True).as_fraction() for *_, factor in found]
    scale = lcm(*(value.denominator for value in values))
    return tuple(
        Multiplier(constraint=name, part=place, factor=int(value * scale))
        for (name, place, *_), value in zip(found, values, strict=True)
        if value
    )


def _z3() -> Any:
    import z3

    return z3


def _solver(expressions: Sequence[Expression], continuous: Collection[str] = ()) -> tuple[Any, dict[str, Any]]:
    solver: Any = _z3().Solver()
    solver.set("rlimit", EFFORT)
    names = _variables(expressions, continuous)
    solver.add(*_terms(expressions, names))
    return solver, names


def _variables(expressions: Sequence[Expression], continuous: Collection[str]) -> dict[str, Any]:
    z3 = _z3()
    return {
        name: z3.Real(name) if name in continuous else z3.Int(name)
        for item in expressions
        for name in sorted(names_in(item))
    }


def _values(model: Any, names: Mapping[str, Any]) -> dict[str, int]:
    return {name: model.eval(item, model_completion=True).as_long() for name, item in names.items()}


def _terms(expressions: Sequence[Expression], names: Mapping[str, Any]) -> list[Any]:
    """The expressions for the solver, and the room that what is all different needs: it finds no pigeonholes itself."""
    z3 = _z3()
    found = [_term(item, names) for item in expressions]
    apart = [part for item in expressions for part in conjuncts(item) if part.op == "different"]
    for number, item in enumerate(apart):
        terms = [_term(known, names) for known in item.args]
        low, high = z3.FreshInt(f"low{number}"), z3.FreshInt(f"high{number}")
        found += [z3.Or(*(low == known for known in terms)), z3.Or(*(high == known for known in terms))]
        found += [bound for known in terms for bound in (low <= known, known <= high)]
        found.append(high - low >= len(terms) - 1)
    return found


def _term(expression: Expression, names: Mapping[str, Any]) -> Any:
    z3 = _z3()
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

"""Adding comparisons up to an impossible one: part of the checker, exact arithmetic, knows no lens and no solver.

From ``x < y``, ``y < z`` and ``z < x`` follows ``0 < 0``, whatever values there are (Farkas' lemma). Nothing needs
bounds here, and the variables may be real numbers.
"""

from __future__ import annotations

from collections.abc import Collection, Sequence

from contracts.plan import Constraint, Expression, Multiplier
from tasks.planning.bounds import linear


def conjuncts(expression: Expression) -> list[Expression]:
    """What an expression states one by one; a multiplier counts them from 0."""
    if expression.op != "and":
        return [expression]
    return [part for item in expression.args for part in conjuncts(item)]


def combination_problem(
    constraints: Sequence[Constraint], multipliers: Sequence[Multiplier], continuous: Collection[str]
) -> str | None:
    """Why the sum of these comparisons is not impossible; None if it is."""
    parts = {(item.id, place): part for item in constraints for place, part in enumerate(conjuncts(item.expression))}
    total: dict[str, int] = {}
    constant, strictly = 0, False
    for item in multipliers:
        part = parts.get((item.constraint, item.part))
        known = None if part is None else below_zero(part)
        if known is None or (item.factor <= 0 and not known.equal):
            return f"part {item.part} of {item.constraint} cannot be added {item.factor} times"
        whole = not set(known.terms) & set(continuous)
        constant += item.factor * (known.constant + (known.strict and whole))
        strictly = strictly or (known.strict and not whole)
        for name, factor in known.terms.items():
            total[name] = total.get(name, 0) + item.factor * factor
    if any(total.values()):
        return "the comparisons do not add up to one without variables"
    return None if constant > 0 or (constant == 0 and strictly) else "the comparisons add up to a possible one"


class Below:
    """A linear term that is at most zero: ``terms`` plus ``constant``; below it if ``strict``, zero if ``equal``."""

    def __init__(self, terms: dict[str, int], constant: int, op: str) -> None:
        self.terms, self.constant = terms, constant
        self.strict, self.equal = op in {"<", ">"}, op == "="


def below_zero(part: Expression) -> Below | None:
    """The comparison with everything on one side; None for what is no linear comparison."""
    if part.op not in {"=", "<", "<=", ">", ">="}:
        return None
    left, right = part.args if part.op in {"=", "<", "<="} else reversed(part.args)
    found = linear(Expression(op="-", args=(left, right)))
    return (
        None
        if found is None
        else Below({name: factor for name, factor in found[0].items() if factor}, found[1], part.op)
    )

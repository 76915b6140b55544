"""Direct evaluation over finite boxes: part of the checker, pure Python, knows no lens and no solver.

It walks all assignments of a box, skipping those that interval arithmetic already refutes, and walks no more than
`NODES` of them: what is too large to walk is not confirmed.
"""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from itertools import pairwise

from contracts.plan import Constraint, Expression
from tasks.planning.bounds import narrowed, sums_of

NODES = 50_000
Interval = tuple[int, int]


class TooLarge(Exception):  # noqa: N818 - a limit, not a fault
    """More assignments than the checker walks."""


def variables(constraints: Sequence[Constraint]) -> tuple[str, ...]:
    """The names of all variables, in order of their first use."""
    found: dict[str, None] = {}
    pending = [item.expression for item in reversed(constraints)]
    while pending:
        expression = pending.pop()
        if expression.op == "variable" and expression.name is not None:
            found[expression.name] = None
        pending.extend(reversed(expression.args))
    return tuple(found)


def size(box: Mapping[str, Interval]) -> int:
    """How many assignments a box holds."""
    return math.prod(max(0, high - low + 1) for low, high in box.values())


def search(box: Mapping[str, Interval], constraints: Sequence[Constraint]) -> dict[str, int] | None:
    """An assignment in ``box`` that satisfies all constraints, or None.

    Raises:
        TooLarge: more than `NODES` assignments, whole and partial, would have to be walked.
    """
    names = sorted(box, key=lambda name: box[name][1] - box[name][0])
    every = sums_of(constraints)
    sums = [item for item in every if len(item[0]) > 1]  # the rest says all it can at the start
    walked = 0

    def descend(depth: int, ranges: Mapping[str, Interval]) -> Mapping[str, Interval] | None:
        nonlocal walked
        walked += 1
        if walked > NODES:
            raise TooLarge
        tight = narrowed(sums, ranges)
        if tight is None or any(not truth(item.expression, tight)[1] for item in constraints):
            return None
        if depth == len(names):
            return tight
        low, high = tight[names[depth]]
        for value in range(low, high + 1):
            found = descend(depth + 1, {**tight, names[depth]: (value, value)})
            if found is not None:
                return found
        return None

    start = narrowed(every, box)
    found = None if start is None else descend(0, start)
    return None if found is None else {name: found[name][0] for name in names}


def truth(expression: Expression, ranges: Mapping[str, Interval]) -> tuple[bool, bool]:
    """Whether it may be false and may be true, as (surely true, possibly true), over the given ranges."""
    op, args = expression.op, expression.args
    if op == "not":
        sure, possible = truth(args[0], ranges)
        return not possible, not sure
    if op in {"and", "or", "implies"}:
        parts = [truth(item, ranges) for item in args]
        if op == "implies":
            (sure, possible), after = parts
            return not possible or after[0], not sure or after[1]
        join = all if op == "and" else any
        return join(sure for sure, _ in parts), join(possible for _, possible in parts)
    if op == "different":
        return _different([interval(item, ranges) for item in args])
    (a, b), (c, d) = (interval(item, ranges) for item in args)
    if op == "=":
        return a == b == c == d, a <= d and c <= b
    if op == "!=":
        return b < c or d < a, not a == b == c == d
    if op in {">", ">="}:
        (a, b), (c, d) = (c, d), (a, b)
    return (b < c, a < d) if op in {"<", ">"} else (b <= c, a <= d)


def _different(found: Sequence[Interval]) -> tuple[bool, bool]:
    """No two equal: surely if no two ranges touch, never if two are the same point or all are too few values."""
    ordered = sorted(found)
    apart = all(one[1] < other[0] for one, other in pairwise(ordered))
    points = [low for low, high in found if low == high]
    room = max(high for _, high in found) - ordered[0][0] + 1
    return apart, len(set(points)) == len(points) and room >= len(found)


def interval(expression: Expression, ranges: Mapping[str, Interval]) -> Interval:
    """The least and greatest value that integer arithmetic can give over the ranges."""
    if expression.op == "integer":
        return (expression.value or 0,) * 2
    if expression.op == "variable":
        return ranges[expression.name or ""]
    if expression.op == "count":
        known = [truth(item, ranges) for item in expression.args]
        return sum(sure for sure, _ in known), sum(possible for _, possible in known)
    (a, b), (c, d) = (interval(item, ranges) for item in expression.args)
    if expression.op == "+":
        return a + c, b + d
    if expression.op == "-":
        return a - d, b - c
    if expression.op == "*":
        products = (a * c, a * d, b * c, b * d)
        return min(products), max(products)
    if expression.op == "div":
        return a // c, b // c
    return (a % c, a % c) if a == b else (0, c - 1)

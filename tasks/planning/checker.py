"""The independent checker of certificates: pure Python, knows no lens and no solver, trusts only domains it derives.

It walks all assignments of a finite box, skipping those that interval arithmetic already refutes, and walks no more
than `NODES` of them: what is too large to check is not confirmed.
"""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from itertools import pairwise

from contracts.plan import Constraint, Domain, Expression, InfeasibilityCertificate, Relaxation, Setting
from tasks.planning.bounds import bounds, narrowed, sums_of

CHECKER = "enumeration"
NODES = 50_000
MOST = 2**53 - 1
"""What a certificate calls the number of assignments where there are as many or more."""
MARGIN = 64
Interval = tuple[int, int]
_LOGICAL = {"and", "or", "not", "implies"}
_COMPARING = {"=", "!=", "<", "<=", ">", ">=", "different"}
_ANY_NUMBER = {"and", "or", "count", "different"}


class TooLarge(Exception):  # noqa: N818 - a limit, not a fault
    """More assignments than the checker walks."""


def check_certificate(certificate: InfeasibilityCertificate) -> str | None:
    """Why the certificate does not prove what it claims; None if it does. Pure; takes no lens at its word.

    Confirmed are, at the input that it names: no domain is narrower than its constraints allow; no assignment in the
    box satisfies all of them; without any single one of them some assignment, in the box or around it, does; with each
    relaxation in its place its witness does. The text is `planner.check_claim`'s to compare.
    """
    if certificate.checker != CHECKER:
        return f"no such checker: {certificate.checker}"
    stated = certificate.constraints
    if not stated or len({item.id for item in stated}) != len(stated):
        return "it names no constraints, or one of them twice"
    if len({item.variable for item in certificate.given}) != len(certificate.given):
        return "it gives an input twice"
    relaxed = [_relaxed(stated, item) for item in certificate.relaxations]
    problem = next((found for item in (stated, *relaxed) if (found := _shape_problem(item)) is not None), None)
    problem = problem or _domain_problem(certificate.domains, settled(stated, certificate.given))
    if problem is not None:
        return problem
    try:
        return _search_problem(certificate, relaxed)
    except TooLarge:
        return f"there are more than {NODES} assignments to walk"


def _search_problem(certificate: InfeasibilityCertificate, relaxed: Sequence[Sequence[Constraint]]) -> str | None:
    constraints = settled(certificate.constraints, certificate.given)
    box = {item.variable: (item.low, item.high) for item in certificate.domains}
    there = min(size(box), MOST)
    if certificate.assignments != there:
        return f"it claims {certificate.assignments} assignments, but there are {there}"
    found = search(box, constraints)
    if found is not None:
        return f"{_shown(found)} satisfies all of its constraints"
    for left_out in constraints:
        rest = [item for item in constraints if item.id != left_out.id]
        if search(_widened(rest, box), rest) is None:
            return f"it is not minimal: nothing was found that satisfies all but {left_out.text!r}"
    for item, weaker in zip(certificate.relaxations, relaxed, strict=True):
        instead = settled(settled(weaker, certificate.given), item.witness)
        if variables(instead) or not all(truth(known.expression, {})[0] for known in instead):
            return f"the relaxation of {item.constraint} does not help"
    return None


def settled(constraints: Sequence[Constraint], given: Sequence[Setting]) -> tuple[Constraint, ...]:
    """The constraints with the values of an input in the place of its variables."""
    values = {item.variable: Expression(op="integer", value=item.value) for item in given}

    def put(expression: Expression) -> Expression:
        if expression.op == "variable":
            return values.get(expression.name or "", expression)
        return expression.model_copy(update={"args": tuple(put(item) for item in expression.args)})

    return tuple(item.model_copy(update={"expression": put(item.expression)}) for item in constraints)


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
    sums = sums_of(constraints)
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

    found = descend(0, box)
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


def _relaxed(constraints: Sequence[Constraint], by: Relaxation) -> tuple[Constraint, ...]:
    """All constraints, the named one replaced. An unknown name replaces none, and so helps nothing."""
    return tuple(
        item.model_copy(update={"expression": by.expression}) if item.id == by.constraint else item
        for item in constraints
    )


def _shape_problem(constraints: Sequence[Constraint]) -> str | None:
    pending = [(item.expression, True) for item in constraints]
    while pending:
        expression, logical = pending.pop()
        op, count = expression.op, len(expression.args)
        if logical != (op in _LOGICAL | _COMPARING):
            return f"{op} stands where it has no meaning"
        wanted = {"variable": 0, "integer": 0, "not": 1}.get(op, 2)
        if count != wanted and not (op in _ANY_NUMBER and count > 0):
            return f"{op} has {count} arguments"
        if (op == "variable") != (expression.name is not None) or (op == "integer") != (expression.value is not None):
            return f"{op} is not well formed"
        if op in {"div", "mod"} and (expression.args[1].op != "integer" or (expression.args[1].value or 0) <= 0):
            return f"{op} needs a positive constant"
        pending += [(item, op in _LOGICAL or op == "count") for item in expression.args]
    return None


def _domain_problem(domains: Sequence[Domain], constraints: Sequence[Constraint]) -> str | None:
    if sorted(item.variable for item in domains) != sorted(variables(constraints)):
        return "domains and variables differ"
    stated = bounds(constraints)
    for item in domains:
        low, high = stated.get(item.variable, (None, None))
        if (low is not None and item.low > low) or (high is not None and item.high < high):
            return f"the domain of {item.variable} is narrower than the constraints allow"
    return None


def _widened(rest: Sequence[Constraint], box: Mapping[str, Interval]) -> dict[str, Interval]:
    """The box of fewer constraints: stated bounds where there still are some, else a margin around the old ones."""
    stated = bounds(rest)
    reach = MARGIN + max((abs(value) for value in _constants(rest)), default=0)
    widened = {}
    for name in variables(rest):
        low, high = stated.get(name, (None, None))
        widened[name] = (
            min(box[name]) - reach if low is None else low,
            max(box[name]) + reach if high is None else high,
        )
    return widened


def _constants(constraints: Sequence[Constraint]) -> list[int]:
    found, pending = [], [item.expression for item in constraints]
    while pending:
        expression = pending.pop()
        if expression.value is not None:
            found.append(expression.value)
        pending.extend(expression.args)
    return found


def _shown(found: Mapping[str, int]) -> str:
    return ", ".join(f"{name} = {value}" for name, value in found.items())

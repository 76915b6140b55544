"""Least and greatest values that constraints leave their variables: part of the checker, knows no lens and no solver.

What one constraint states outright is taken, then sums are propagated: from ``x + y = 10`` and ``x >= 4`` comes
``y <= 6``. Only ever too wide: no value outside of the bounds satisfies the constraints.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from math import prod

from contracts.plan import Constraint, Expression, Setting

Bounds = dict[str, tuple[int | None, int | None]]
ROUNDS = 12
_FLIPPED = {"<": ">", "<=": ">=", ">": "<", ">=": "<=", "=": "="}


def bounds(constraints: Sequence[Constraint]) -> Bounds:
    """Least and greatest value of each variable: as stated outright, else as propagated; None where there is none.

    What has one value only is put in its place, which can make more of the rest readable.
    """
    found = _bounds(constraints)
    fixed: dict[str, int] = {}
    while True:
        new = {
            name: low for name, (low, high) in found.items() if low is not None and low == high and name not in fixed
        }
        if not new:
            return found
        fixed |= new
        constraints = settled(constraints, [Setting(variable=name, value=value) for name, value in new.items()])
        for name, (low, high) in _bounds(constraints).items():
            _tighten(found, name, low, high)


def _bounds(constraints: Sequence[Constraint]) -> Bounds:
    stated = _of_all([item.expression for item in constraints])
    found = dict(stated)
    sums = sums_of(constraints)
    products = [known for item in constraints for known in _products(item.expression)]
    for _ in range(ROUNDS):
        before = dict(found)
        for terms, most in sums:
            _propagate(terms, most, found)
        for factors, most in products:
            _divide(factors, most, found)
        if found == before:
            break
    for name, (low, high) in stated.items():
        derived_low, derived_high = found[name]
        found[name] = derived_low if low is None else low, derived_high if high is None else high
    return found


def settled(constraints: Sequence[Constraint], given: Sequence[Setting]) -> tuple[Constraint, ...]:
    """The constraints with the values of an input in the place of its variables."""
    values = {item.variable: Expression(op="integer", value=item.value) for item in given}

    def put(expression: Expression) -> Expression:
        if expression.op == "variable":
            return values.get(expression.name or "", expression)
        return expression.model_copy(update={"args": tuple(put(item) for item in expression.args)})

    return tuple(item.model_copy(update={"expression": put(item.expression)}) for item in constraints)


Sums = Sequence[tuple[dict[str, int], int]]


def sums_of(constraints: Sequence[Constraint]) -> Sums:
    """Coefficients, and the most that their sum may be, of every linear comparison that must hold."""
    return [known for item in constraints for known in _sums(item.expression)]


def narrowed(sums: Sums, ranges: Mapping[str, tuple[int, int]]) -> dict[str, tuple[int, int]] | None:
    """The ranges without values that a sum rules out; None where one is left empty."""
    found: Bounds = dict(ranges)
    for terms, most in sums:
        _propagate(terms, most, found)
    known = {name: (low, high) for name, (low, high) in found.items() if low is not None and high is not None}
    return None if any(low > high for low, high in known.values()) else known


def _of(expression: Expression) -> Bounds:
    """What an expression states of single variables."""
    if expression.op == "and":
        return _of_all(expression.args)
    if expression.op == "or":
        branches = [_of(item) for item in expression.args]
        shared = set(branches[0]).intersection(*branches)
        return {name: _hull([item[name] for item in branches]) for name in shared}
    if expression.op == "implies" and _is_true(expression.args[0]):
        return _of(expression.args[1])
    stated = _stated(expression)
    return {} if stated is None else {stated[0]: stated[1:]}


def _of_all(expressions: Sequence[Expression]) -> Bounds:
    found: Bounds = {}
    for expression in expressions:
        for name, (low, high) in _of(expression).items():
            _tighten(found, name, low, high)
    return found


def _tighten(found: Bounds, name: str, low: int | None, high: int | None) -> None:
    old_low, old_high = found.get(name, (None, None))
    lows = [item for item in (old_low, low) if item is not None]
    highs = [item for item in (old_high, high) if item is not None]
    found[name] = max(lows, default=None), min(highs, default=None)


def _hull(found: Sequence[tuple[int | None, int | None]]) -> tuple[int | None, int | None]:
    lows, highs = [low for low, _ in found], [high for _, high in found]
    low = None if None in lows else min(item for item in lows if item is not None)
    return low, None if None in highs else max(item for item in highs if item is not None)


def _is_true(expression: Expression) -> bool:
    """True for a condition without variables that holds: a comparison, or several, of constants."""
    if expression.op in {"and", "or"}:
        return (all if expression.op == "and" else any)(_is_true(item) for item in expression.args)
    values = [_constant(item) for item in expression.args]
    if expression.op not in {*_FLIPPED, "!="} or None in values:
        return False
    left, right = (value or 0 for value in values)
    return {
        "=": left == right,
        "!=": left != right,
        "<": left < right,
        "<=": left <= right,
        ">": left > right,
        ">=": left >= right,
    }[expression.op]


def _constant(expression: Expression) -> int | None:
    known = linear(expression)
    if known is not None and not any(known[0].values()):
        return known[1]
    if expression.op not in {"mod", "div"}:
        return None
    left, right = (_constant(item) for item in expression.args)
    if left is None or right is None or right <= 0:
        return None
    return left % right if expression.op == "mod" else left // right


def _stated(expression: Expression) -> tuple[str, int | None, int | None] | None:
    """Variable, low and high of a comparison of a variable with a constant."""
    if expression.op not in _FLIPPED or len(expression.args) != 2:
        return None
    left, right = expression.args
    op: str = expression.op
    value = _constant(right)
    if left.op != "variable":
        left, value, op = right, _constant(left), _FLIPPED[op]
    if left.op != "variable" or left.name is None or value is None:
        return None
    low = {">": value + 1, ">=": value, "=": value}.get(op)
    high = {"<": value - 1, "<=": value, "=": value}.get(op)
    return left.name, low, high


def _sums(expression: Expression) -> Iterator[tuple[dict[str, int], int]]:
    if expression.op == "and":
        for item in expression.args:
            yield from _sums(item)
        return
    if expression.op == "implies" and _is_true(expression.args[0]):
        yield from _sums(expression.args[1])
    if expression.op not in _FLIPPED:
        return
    difference = linear(Expression(op="-", args=expression.args))
    if difference is None:
        return
    terms, constant = difference
    slack = 1 if expression.op in {"<", ">"} else 0
    if expression.op in {"<", "<=", "="}:
        yield terms, -constant - slack
    if expression.op in {">", ">=", "="}:
        yield {name: -factor for name, factor in terms.items()}, constant - slack


def _products(expression: Expression) -> Iterator[tuple[tuple[str, ...], int]]:
    """Factors, and the most that their product may be, of every comparison of a product of variables."""
    if expression.op == "and":
        for item in expression.args:
            yield from _products(item)
    elif expression.op in {"=", "<=", "<"}:
        left, right = expression.args
        factors, most = _factors(left), _constant(right)
        if most is not None and len(factors) > 1 and "" not in factors:
            yield factors, most - (expression.op == "<")


def _factors(expression: Expression) -> tuple[str, ...]:
    """The variables of a product; an empty name for anything else in it."""
    if expression.op == "*":
        return tuple(name for item in expression.args for name in _factors(item))
    return (expression.name or "",)


def _divide(factors: Sequence[str], most: int, found: Bounds) -> None:
    """Bound each factor by what the least values of the others leave it, where none can be below one."""
    lows = [found.get(name, (None, None))[0] for name in factors]
    known = [low for low in lows if low is not None and low > 0]
    if len(known) == len(factors) and len(set(factors)) == len(factors):
        for name, low in zip(factors, known, strict=True):
            _tighten(found, name, None, most * low // prod(known))


def linear(expression: Expression) -> tuple[dict[str, int], int] | None:
    """Coefficients and constant of a linear term."""
    if expression.op == "variable":
        return {expression.name or "": 1}, 0
    if expression.op == "integer":
        return {}, expression.value or 0
    parts = [linear(item) for item in expression.args] if expression.op in {"+", "-", "*"} else []
    known = [item for item in parts if item is not None]
    if len(known) != 2:
        return None
    (left, one), (right, other) = known
    if expression.op == "*":
        if left and right:
            return None
        terms, factor = (left, other) if left else (right, one)
        return {name: value * factor for name, value in terms.items()}, one * other
    sign = 1 if expression.op == "+" else -1
    merged = {name: left.get(name, 0) + sign * right.get(name, 0) for name in (*left, *right)}
    return merged, one + sign * other


def _propagate(terms: Mapping[str, int], most: int, found: Bounds) -> None:
    """Bound each variable of a sum by the most that the others leave it."""
    for name, factor in terms.items():
        least = 0
        for other, weight in terms.items():
            low, high = found.get(other, (None, None))
            end = low if weight > 0 else high
            if other == name or weight == 0:
                continue
            if end is None:
                break
            least += weight * end
        else:
            if factor > 0:
                _tighten(found, name, None, (most - least) // factor)
            elif factor < 0:
                _tighten(found, name, -((most - least) // -factor), None)

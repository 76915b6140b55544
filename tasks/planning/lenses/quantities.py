"""The quantities lens: times, sizes and amounts, with their units by pint; a sum of parts against its bound."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from functools import cache
from importlib.util import find_spec
from typing import Any

from contracts.plan import Constraint, Expression, Hint
from contracts.requirement import BuildSpec, Requirement, Span
from tasks.planning.bounds import bounds
from tasks.planning.certificates import certify, minimal_core
from tasks.planning.lenses import View
from tasks.planning.lowering import Lowered
from tasks.planning.topics.budgets import LENGTHS, MASSES, SIZES, TIMES

_BASES = ((TIMES, "millisecond"), (LENGTHS, "millimeter"), (MASSES, "gram"))
_AMOUNT = re.compile(
    r"(?<![\w.])(\d[\d,]*(?:\.\d+)?) ?(" + "|".join(sorted({*TIMES, *SIZES, *LENGTHS, *MASSES}, key=len, reverse=True))
    + r")s?(?![\w-])", re.IGNORECASE,
)  # fmt: skip


class QuantitiesLens:
    """Units and magnitudes. That two amounts have different dimensions proves nothing; it is said."""

    name = "quantities"

    def unavailable(self) -> str | None:
        """Why it cannot work here."""
        return None if find_spec("pint") else "pint is not installed: it comes with the extra `lenses`"

    def look(self, spec: BuildSpec, requirement: Requirement, lowered: Lowered) -> View:
        """A checked certificate where parts need more than the whole has, once pint agrees on every unit."""
        amounts = list(_amounts(requirement.text))
        hints = tuple(_hints(amounts))
        if (
            lowered.blocked is not None
            or not lowered.continuous
            or not all(map(_agrees, {unit for _, unit, _ in amounts}))
        ):
            return View(hints=hints)
        certificate = certify(spec.seal(), lowered, overdrawn, lens=self.name)
        core = () if certificate is not None else minimal_core(lowered, overdrawn)[0]
        return View(certificate, claimed=core, hints=hints)


LENS = QuantitiesLens()


def overdrawn(constraints: Sequence[Constraint]) -> bool:
    """True iff adding up leaves some amount no value, even where what is "less than" were "at most"."""
    closed = [item.model_copy(update={"expression": _closed(item.expression)}) for item in constraints]
    return any(low is not None and high is not None and low > high for low, high in bounds(closed).values())


def _closed(expression: Expression) -> Expression:
    """Bounds for integers take "less than 2" for "at most 1", and between the two are real numbers."""
    op = {"<": "<=", ">": ">="}.get(expression.op, expression.op)
    return expression.model_copy(update={"op": op, "args": tuple(_closed(item) for item in expression.args)})


@cache
def _registry() -> Any:
    import pint

    return pint.UnitRegistry()


def _amounts(text: str) -> Iterator[tuple[float, str, Span]]:
    for match in _AMOUNT.finditer(text):
        if match[2].lower() not in {"m", "t", "b", "g", "h", "s"}:  # a letter alone is more often something else
            yield float(match[1].replace(",", "")), match[2], Span(start=match.start(), end=match.end())


def _agrees(unit: str) -> bool:
    """True iff pint gives the unit the size that it was lowered with. Bytes are read both ways on purpose."""
    for table, base in _BASES:
        if unit.lower() in table:
            return bool(abs(_registry().Quantity(1, unit.lower()).to(base).magnitude - table[unit.lower()]) < 1e-9)
    return True


def _hints(amounts: Sequence[tuple[float, str, Span]]) -> Iterator[Hint]:
    """The same amount in the smallest unit, where a text measures one dimension in several units."""
    for table, _ in _BASES:
        known = [(count, unit.lower(), span) for count, unit, span in amounts if unit.lower() in table]
        least = min((unit for _, unit, _ in known), key=table.__getitem__, default="")
        for count, unit, span in known:
            if table[unit] != table[least]:
                same = _registry().Quantity(count, unit).to(least).magnitude
                yield Hint(lens="quantities", kind="value", text=f"{count:g} {unit} is {same:.12g} {least}", span=span)

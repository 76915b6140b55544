"""The symbolic lens: closed forms, recurrences and growth by sympy. It proves nothing: its forms are hints.

A form is offered only after it was evaluated beside the definition at small arguments, in plain integers.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from importlib.util import find_spec
from math import factorial
from typing import Any

from contracts.plan import Hint
from contracts.requirement import BuildSpec, Requirement, Span
from tasks.planning.lenses import View
from tasks.planning.lowering import Lowered

TRIED = 12
"""Arguments at which a form is held against its definition."""
WORD = 2**63 - 1
_SUMMANDS: dict[str, Callable[[Any], Any]] = {
    "square": lambda k: k * k,
    "cube": lambda k: k * k * k,
    "odd": lambda k: 2 * k - 1,
    "even": lambda k: 2 * k,
    "triangular": lambda k: k * (k + 1) // 2 if isinstance(k, int) else k * (k + 1) / 2,
    "power of two": lambda k: 2**k,
    "": lambda k: k,
}
_SUM = re.compile(
    r"sum of (?:the |all )?"
    r"(?:(?:first n )(?:positive |natural )?(?:integers|numbers)?|(?:integers|numbers) from 1 to n|)"
    r"(?:(?:the )?(?:first n )?(?P<kind>square|cube|odd|even|triangular|power of two|powers of two)"
    r"(?:s| numbers| integers)?)?(?: from 1 to n)?(?![\w-])",
    re.IGNORECASE,
)
_RECURRENCE = re.compile(
    r"(?P<f>[a-z])\(n\) ?= ?(?:(?P<p>\d+) ?\*? ?)?(?P=f)\(n ?[-−] ?1\)"
    r"(?: ?(?P<sign>[+−-]) ?(?:(?:(?P<q>\d+) ?\*? ?)?(?P<second>(?P=f)\(n ?[-−] ?2\))|(?P<c>\d+)))?"
)
_START = re.compile(r"(?P<f>[a-z])\((?P<n>[01])\) ?= ?(?P<value>-?\d+)")


class SymbolicLens:
    """Sums, recurrences, and how large they become."""

    name = "symbolic"

    def unavailable(self) -> str | None:
        """Why it cannot work here."""
        return None if find_spec("sympy") else "sympy is not installed: it comes with the extra `lenses`"

    def look(self, spec: BuildSpec, requirement: Requirement, lowered: Lowered) -> View:  # noqa: ARG002 - the protocol's
        """Closed forms of what the text names, and arguments at which numbers outgrow a machine word."""
        text = requirement.text
        return View(hints=(*_sums(text), *_recurrences(text), *_growing(text)))


LENS = SymbolicLens()


def _sympy() -> Any:
    import sympy  # type: ignore[import-untyped]  # it ships no types

    return sympy


def _sums(text: str) -> Iterator[Hint]:
    for match in _SUM.finditer(text):
        if "n" not in re.findall(r"\w+", match[0]):
            continue
        summand = _SUMMANDS[(match["kind"] or "").lower().replace("powers", "power")]
        form = closed_sum(summand)
        if form is not None:
            span = Span(start=match.start(), end=match.end())
            yield Hint(lens="symbolic", kind="form", text=f"{match[0]} is {form}", span=span)


def closed_sum(summand: Callable[[Any], Any]) -> str | None:
    """A formula in n for the sum of ``summand`` from 1 to n; None where none was found that holds."""
    sympy = _sympy()
    n, k = sympy.symbols("n k", integer=True, positive=True)
    form = sympy.factor(sympy.summation(summand(k), (k, 1, n)))
    return _held(form, n, lambda m: sum(summand(i) for i in range(1, m + 1)))


def _held(form: Any, n: Any, definition: Callable[[int], int]) -> str | None:
    """The form as text, if it gives what the definition gives at small arguments; the definition is plain integers."""
    if any(form.subs(n, m) != definition(m) for m in range(1, TRIED + 1)):
        return None
    return str(form)


def _recurrences(text: str) -> Iterator[Hint]:
    for match in _RECURRENCE.finditer(text):
        starts = {int(item["n"]): int(item["value"]) for item in _START.finditer(text) if item["f"] == match["f"]}
        solved = solve(match, starts)
        if solved is not None:
            span = Span(start=match.start(), end=match.end())
            form, limit = solved
            yield Hint(lens="symbolic", kind="form", text=f"{match['f']}(n) is {form}", span=span)
            if limit is not None:
                yield Hint(
                    lens="symbolic",
                    kind="growth",
                    text=f"{match['f']}(n) grows by a factor that tends to {limit}",
                    span=span,
                )


def solve(match: re.Match[str], starts: dict[int, int]) -> tuple[str, str | None] | None:
    """Closed form and limit of the growth of a linear recurrence with its first values; None where there is none."""
    sympy = _sympy()
    first, second, constant = _coefficients(match)
    order = 2 if match["second"] else 1
    base = min(starts, default=0)
    if set(starts) < set(range(base, base + order)):
        return None
    f, n = sympy.Function("f"), sympy.symbols("n", integer=True)
    equation = f(n) - first * f(n - 1) - second * f(n - 2) - constant
    form = sympy.rsolve(equation, f(n), {f(at): value for at, value in list(starts.items())[:order]})
    if form is None:
        return None
    values = [starts[base + step] for step in range(order)]
    while len(values) < TRIED:
        values.append(first * values[-1] + (second * values[-2] if order == 2 else 0) + constant)
    if any(sympy.simplify(form.subs(n, base + step) - value) != 0 for step, value in enumerate(values)):
        return None
    root = (first + sympy.sqrt(first * first + 4 * second)) / 2 if order == 2 else sympy.Integer(first)
    return str(sympy.simplify(form)), str(sympy.N(root, 4)) if root.is_real and root > 1 else None


def _coefficients(match: re.Match[str]) -> tuple[int, int, int]:
    sign = -1 if match["sign"] in {"-", "−"} else 1
    second = sign * int(match["q"] or 1) if match["second"] else 0
    return int(match["p"] or 1), second, sign * int(match["c"] or 0)


def _fibonacci(n: int) -> int:
    one, other = 0, 1
    for _ in range(n):
        one, other = other, one + other
    return one


_GROWING: dict[str, tuple[str, Callable[[int], int]]] = {
    "factorial": ("n!", factorial),
    "fibonacci": ("the n-th Fibonacci number", _fibonacci),
}


def _growing(text: str) -> Iterator[Hint]:
    for word, (what, value) in _GROWING.items():
        match = re.search(rf"\b{word}s?\b", text, re.IGNORECASE)
        if match is not None:
            at = next(n for n in range(1, 200) if value(n) > WORD)
            note = f"{what} no longer fits into 64 bits from n = {at}; n = {at - 1} and n = {at} are worth a run"
            yield Hint(lens="symbolic", kind="growth", text=note, span=Span(start=match.start(), end=match.end()))

"""A plan that covers every obligation, or a certificate that no program can satisfy the requirement."""

from __future__ import annotations

from typing import Literal

from contracts.model import Count, Model, Sha256
from contracts.requirement import Span


class PlanStep(Model):
    """How one acceptance criterion is going to be met and proven."""

    criterion: str
    method: str
    text: str


class FeasiblePlan(Model):
    """One step for every acceptance criterion; ``unlowered`` are clauses that no lens could read."""

    kind: Literal["plan"] = "plan"
    build_spec: Sha256
    steps: tuple[PlanStep, ...]
    hints: tuple[str, ...]
    lenses: tuple[str, ...]
    unlowered: tuple[Span, ...]


class Expression(Model):
    """Integer arithmetic and logic as a tree. ``variable`` has a name, ``integer`` a value, the rest arguments.

    ``div`` rounds down; ``mod`` is what it leaves. ``count`` is the number of its arguments that are true,
    ``different`` says that no two of its arguments are equal.
    """

    op: Literal[
        "variable",
        "integer",
        "+",
        "-",
        "*",
        "div",
        "mod",
        "count",
        "=",
        "!=",
        "<",
        "<=",
        ">",
        ">=",
        "different",
        "and",
        "or",
        "not",
        "implies",
    ]
    name: str | None = None
    value: int | None = None
    args: tuple[Expression, ...] = ()


class Constraint(Model):
    """A statement of the text, lowered; the spans are the words that it was read from."""

    id: str
    expression: Expression
    spans: tuple[Span, ...]
    text: str


class Domain(Model):
    """The integers that a variable may take, both ends included."""

    variable: str
    low: int
    high: int


class Setting(Model):
    """An input that the program is given: a variable and its value."""

    variable: str
    value: int


class Relaxation(Model):
    """Another statement in the place of the constraint named. With it all constraints hold for ``witness``."""

    constraint: str
    expression: Expression
    witness: tuple[Setting, ...]


class InfeasibilityCertificate(Model):
    """A minimal set of constraints that no assignment satisfies; remove any one and the rest can be satisfied.

    ``lens`` found it; ``checker`` confirmed it by other means over ``assignments`` assignments. Where the program is
    given integers, ``given`` is an input for which nothing that it may choose satisfies the constraints.
    """

    kind: Literal["certificate"] = "certificate"
    build_spec: Sha256
    lens: str
    given: tuple[Setting, ...] = ()
    domains: tuple[Domain, ...]
    constraints: tuple[Constraint, ...]
    relaxations: tuple[Relaxation, ...] = ()
    checker: str
    assignments: Count

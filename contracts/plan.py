"""A plan that covers every obligation, or a certificate that no program can satisfy the requirement."""

from __future__ import annotations

from typing import Literal

from contracts.model import Count, Model, Sha256
from contracts.requirement import Span
from contracts.verdict import Failure


class PlanStep(Model):
    """How one acceptance criterion is going to be met and proven."""

    criterion: str
    method: str
    text: str


class Coverage(Model):
    """Where one hard statement is met, by which probes it is shown, and who judges it.

    ``probes`` are origins of probes, as in `contracts.probe.ProbeCase`; ``judge`` a method of proof, a validator layer,
    or the check of a quality.
    """

    atom: str
    file: str
    probes: tuple[str, ...]
    judge: str


class Boundary(Model):
    """A value at which behaviour changes or a domain ends: inputs on it, below it and above it are worth a run."""

    subject: str
    value: int
    span: Span


class Hint(Model):
    """What a lens has to say to whoever writes code or probes. It proves nothing.

    A ``form`` is another way to write what the text asks for, a ``growth`` what becomes of it for large inputs, an
    ``approach`` one that cannot work, a ``disagreement`` two ways in which the text says a thing.
    """

    lens: str
    kind: Literal["note", "form", "growth", "approach", "value", "disagreement"]
    text: str
    span: Span | None = None


class FeasiblePlan(Model):
    """One step for every acceptance criterion; ``unlowered`` are clauses that no lens could read.

    ``failures`` end the build before any code: a contradiction with its witness, an infeasibility that no checker
    confirmed, a statement that nobody can judge.
    """

    kind: Literal["plan"] = "plan"
    build_spec: Sha256
    steps: tuple[PlanStep, ...]
    coverage: tuple[Coverage, ...] = ()
    boundaries: tuple[Boundary, ...] = ()
    hints: tuple[Hint, ...]
    lenses: tuple[str, ...]
    unlowered: tuple[Span, ...]
    failures: tuple[Failure, ...] = ()


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
    """Another statement in the place of the constraint named, or none: it is dropped. All hold then for ``witness``."""

    constraint: str
    expression: Expression | None
    witness: tuple[Setting, ...]


class Multiplier(Model):
    """How often the linear comparison ``part`` of a constraint goes into a sum; parts are its conjuncts, from 0."""

    constraint: str
    part: Count
    factor: int


class InfeasibilityCertificate(Model):
    """A minimal set of constraints that no assignment satisfies; remove any one and the rest can be satisfied.

    ``lens`` found it and ``checker`` confirmed it by other means: ``enumeration`` over ``assignments`` assignments of
    the ``domains``, ``combination`` by adding comparisons up to an impossible one. ``implied`` is what words of the
    text mean and nobody could drop; a ``continuous`` variable takes any real value. Where the program is given
    integers, ``given`` is an input for which nothing that it may choose satisfies the constraints.
    """

    kind: Literal["certificate"] = "certificate"
    build_spec: Sha256
    lens: str
    given: tuple[Setting, ...] = ()
    domains: tuple[Domain, ...]
    continuous: tuple[str, ...] = ()
    constraints: tuple[Constraint, ...]
    implied: tuple[Constraint, ...] = ()
    relaxations: tuple[Relaxation, ...] = ()
    checker: str
    combination: tuple[Multiplier, ...] = ()
    assignments: Count

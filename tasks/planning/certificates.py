"""From a contradiction that a lens found to a certificate: core, proof object, witnesses, relaxations."""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterator, Mapping, Sequence
from math import prod

from contracts.plan import (
    Constraint,
    Domain,
    Expression,
    InfeasibilityCertificate,
    Multiplier,
    Relaxation,
    Setting,
)
from tasks.planning import solving
from tasks.planning.bounds import bounds, settled
from tasks.planning.checker import COMBINATION, ENUMERATION, MOST, check_certificate
from tasks.planning.combination import conjuncts
from tasks.planning.evaluation import TooLarge, search
from tasks.planning.lowering import Lowered
from tasks.planning.terms import all_of, names_in

REACH = 64
"""How far from the constants of the text values are looked for where nothing bounds them and there is no solver."""
SMALL = 20_000
"""Up to so many assignments a count is preferred to a sum: it is what a person would do."""
_LIMITS = {"<", "<=", ">", ">=", "="}
_BOUND = "bound#"
Refutes = Callable[[Sequence[Constraint]], bool]
Prove = Callable[[Sequence[Constraint], Collection[str]], tuple[Multiplier, ...]]


def certify(
    build_spec: str,
    lowered: Lowered,
    refutes: Refutes,
    *,
    lens: str,
    given: Mapping[str, int] | None = None,
    prove: Prove | None = None,
) -> InfeasibilityCertificate | None:
    """The certificate for what ``refutes`` rejects of a text; None where it rejects nothing, or no checker confirms it.

    Args:
        build_spec: seal of the BuildSpec.
        lowered: the text; its constraints at ``given`` are put to ``refutes`` with what is implied.
        refutes: says that nothing satisfies a set of constraints, rightly or not: the checker has the last word.
        lens: who asks.
        given: an input.
        prove: finds a combination for the core; z3 does where nothing else is said.
    """
    setting = settings(given or {})
    core, implied = minimal_core(lowered, lambda items: refutes(settled(items, setting)))
    if not core:
        return None
    at = settled((*core, *implied), setting)
    drops = [_dropped(item, at) for item in core]
    weaker = [item for item in drops if item is not None]
    if len(weaker) < len(core):
        return None
    found = InfeasibilityCertificate(
        build_spec=build_spec,
        lens=lens,
        given=setting,
        domains=(),
        continuous=tuple(sorted(lowered.continuous & _names(at))),
        constraints=core,
        implied=implied,
        relaxations=(*weaker, *(() if given else _moved(core, implied))),
        checker=COMBINATION,
        assignments=0,
    )
    for proven in _proven(found, at, settled((*lowered.constraints, *lowered.implied), setting), prove):
        if check_certificate(proven) is None:
            return proven
    return None


def minimal_core(lowered: Lowered, refutes: Refutes) -> tuple[tuple[Constraint, ...], tuple[Constraint, ...]]:
    """Constraints, and what is implied, that ``refutes`` rejects, and no proper subset of them; empty if it does not.

    By deletion: bounds are tried last, so that the domains of the core stay finite where they can.
    """
    constraints = lowered.constraints
    if not constraints or not refutes((*constraints, *lowered.implied)):
        return (), ()
    bounding = [item for item in constraints if limits([item])]
    core = [item for item in (*lowered.implied, *constraints) if item not in bounding] + bounding
    for item in list(core):
        rest = [other for other in core if other is not item]
        if refutes(rest):
            core = rest
    return tuple(item for item in constraints if item in core), tuple(item for item in lowered.implied if item in core)


def limits(constraints: Sequence[Constraint]) -> dict[str, Domain]:
    """The finite domain of each variable that single constraints bound on both sides."""
    known = bounds([item for item in constraints if len(names_in(item.expression)) == 1 or item.expression.op == "and"])
    return {
        name: Domain(variable=name, low=low, high=high)
        for name, (low, high) in known.items()
        if low is not None and high is not None
    }


def _names(constraints: Sequence[Constraint]) -> frozenset[str]:
    return frozenset[str]().union(*(names_in(item.expression) for item in constraints))


def _proven(
    found: InfeasibilityCertificate,
    at: Sequence[Constraint],
    stated: Sequence[Constraint],
    prove: Prove | None,
) -> Iterator[InfeasibilityCertificate]:
    """The certificate with each kind of proof object that there is, the one that is quickly checked first."""
    domains = None if found.continuous else _domains(at, stated)
    counted = []
    if domains is not None:
        assignments = min(MOST, prod(max(0, item.high - item.low + 1) for item in domains))
        counted = [found.model_copy(update={"checker": ENUMERATION, "domains": domains, "assignments": assignments})]
        if assignments <= SMALL:
            yield from counted
    if prove is None and solving.available():
        prove = solving.combination
    proof = () if prove is None else prove(at, found.continuous)
    if proof:
        yield found.model_copy(update={"combination": proof})
    yield from counted


def _domains(core: Sequence[Constraint], stated: Sequence[Constraint]) -> tuple[Domain, ...] | None:
    """The box to walk: no narrower than the core allows, nor than the text; None where a variable has no bound."""
    known, own = bounds(stated), bounds(core)
    domains = []
    for name in sorted(_names(core)):
        ends = [*known.get(name, (None, None)), *own.get(name, (None, None))]
        lows, highs = ([end for end in ends[side::2] if end is not None] for side in (0, 1))
        if not lows or not highs:
            return None
        domains.append(Domain(variable=name, low=min(lows), high=max(highs)))
    return tuple(domains)


def _dropped(constraint: Constraint, core: Sequence[Constraint]) -> Relaxation | None:
    """All but one, with values that satisfy them; None where none were found."""
    rest = [item for item in core if item.id != constraint.id]
    values = solving.model([item.expression for item in rest]) if solving.available() else _searched(rest)
    return None if values is None else Relaxation(constraint=constraint.id, expression=None, witness=settings(values))


def _searched(constraints: Sequence[Constraint]) -> dict[str, int] | None:
    """Values that satisfy all: within their bounds, or not far from the constants that stand there."""
    known = bounds(constraints)
    reach = REACH + max((abs(value) for item in constraints for value in _constants(item.expression)), default=0)
    box = {}
    for name in _names(constraints):
        low, high = known.get(name, (None, None))
        box[name] = (-reach if low is None else low, reach if high is None else high)
    try:
        return search(box, constraints)
    except TooLarge:
        return None


def _constants(expression: Expression) -> Iterator[int]:
    if expression.value is not None:
        yield expression.value
    for item in expression.args:
        yield from _constants(item)


def settings(values: Mapping[str, int]) -> tuple[Setting, ...]:
    """Values by variable, as a certificate names them."""
    return tuple(Setting(variable=name, value=value) for name, value in sorted(values.items()))


def _moved(core: Sequence[Constraint], implied: Sequence[Constraint]) -> Iterator[Relaxation]:
    """For each constant that a constraint compares with, the nearest one with which all can hold, if there is one."""
    if not solving.available():
        return
    for constraint in core:
        others = [item.expression for item in (*core, *implied) if item is not constraint]
        parts = conjuncts(constraint.expression)
        for bound in dict.fromkeys(_bound_of(part) for part in parts):
            weaker = None if bound is None else _nearest(parts, bound, others)
            if weaker is not None:
                expression, witness = weaker
                yield Relaxation(constraint=constraint.id, expression=expression, witness=witness)


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

    def put(value: Expression) -> Expression:
        def args(part: Expression) -> tuple[Expression, ...]:
            return tuple(value if place == old[1] else item for place, item in enumerate(part.args))

        return all_of(
            [part.model_copy(update={"args": args(part)}) if _bound_of(part) == old else part for part in parts]
        )

    values = solving.nearest([*others, put(Expression(op="variable", name=_BOUND))], _BOUND, old[2])
    if values is None:
        return None
    return put(Expression(op="integer", value=values.pop(_BOUND))), settings(values)

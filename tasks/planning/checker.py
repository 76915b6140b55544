"""The independent checker of certificates: pure Python, knows no lens and no solver, trusts only domains it derives."""

from __future__ import annotations

from collections.abc import Sequence
from functools import lru_cache

from contracts.plan import Constraint, Domain, InfeasibilityCertificate, Relaxation
from tasks.planning.bounds import bounds, settled
from tasks.planning.combination import combination_problem
from tasks.planning.evaluation import NODES, TooLarge, search, size, truth, variables

ENUMERATION = "enumeration"
COMBINATION = "combination"
MOST = 2**53 - 1
"""What a certificate calls the number of assignments where there are as many or more."""
_LOGICAL = {"and", "or", "not", "implies"}
_COMPARING = {"=", "!=", "<", "<=", ">", ">=", "different"}
_ANY_NUMBER = {"and", "or", "count", "different"}


@lru_cache(maxsize=4)
def check_certificate(certificate: InfeasibilityCertificate) -> str | None:
    """Why the certificate does not prove what it claims; None if it does. Pure; takes no lens at its word.

    Confirmed are, at the input that it names: nothing satisfies all of its constraints and what is implied, by walking
    a box that is no narrower than they allow, or by adding comparisons up to an impossible one; without any single
    constraint, and with each relaxation in its place, the witness satisfies the rest. The text is
    `planner.check_claim`'s to compare.
    """
    stated = (*certificate.constraints, *certificate.implied)
    if not certificate.constraints or len({item.id for item in stated}) != len(stated):
        return "it names no constraints, or one of them twice"
    if len({item.variable for item in certificate.given}) != len(certificate.given):
        return "it gives an input twice"
    relaxed = [_relaxed(stated, item) for item in certificate.relaxations]
    problem = next((found for item in (stated, *relaxed) if (found := _shape_problem(item)) is not None), None)
    return problem or _proof_problem(certificate, settled(stated, certificate.given)) or _weakness(certificate, relaxed)


def _proof_problem(certificate: InfeasibilityCertificate, stated: Sequence[Constraint]) -> str | None:
    if certificate.checker == COMBINATION:
        return combination_problem(stated, certificate.combination, certificate.continuous)
    if certificate.checker != ENUMERATION:
        return f"no such checker: {certificate.checker}"
    if set(variables(stated)) & set(certificate.continuous):
        return "real numbers cannot be enumerated"
    return _domain_problem(certificate.domains, stated) or _search_problem(certificate, stated)


def _search_problem(certificate: InfeasibilityCertificate, stated: Sequence[Constraint]) -> str | None:
    box = {item.variable: (item.low, item.high) for item in certificate.domains}
    there = min(size(box), MOST)
    if certificate.assignments != there:
        return f"it claims {certificate.assignments} assignments, but there are {there}"
    try:
        found = search(box, stated)
    except TooLarge:
        return f"there are more than {NODES} assignments to walk"
    if found is None:
        return None
    return ", ".join(f"{name} = {value}" for name, value in found.items()) + " satisfies all of its constraints"


def _weakness(certificate: InfeasibilityCertificate, relaxed: Sequence[Sequence[Constraint]]) -> str | None:
    """Why it is not minimal, or a relaxation no way out: each is applied, and its witness evaluated."""
    for item, weaker in zip(certificate.relaxations, relaxed, strict=True):
        instead = settled(settled(weaker, certificate.given), item.witness)
        if variables(instead) or not all(truth(known.expression, {})[0] for known in instead):
            return f"the relaxation of {item.constraint} does not help"
    dropped = {item.constraint for item in certificate.relaxations if item.expression is None}
    needed = next((item for item in certificate.constraints if item.id not in dropped), None)
    return None if needed is None else f"it is not minimal: nothing shows what satisfies all but {needed.text!r}"


def _relaxed(stated: Sequence[Constraint], by: Relaxation) -> tuple[Constraint, ...]:
    """All that is stated, the named constraint replaced or dropped. An unknown name changes nothing, and helps not."""
    instead = by.expression
    kept = (item for item in stated if instead is not None or item.id != by.constraint)
    if instead is None:
        return tuple(kept)
    return tuple(item.model_copy(update={"expression": instead}) if item.id == by.constraint else item for item in kept)


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

"""Certificates: what the solver finds, the independent checker confirms; every planted fault is refused."""

from __future__ import annotations

from random import Random

import pytest

from contracts.plan import Constraint, Domain, Expression, InfeasibilityCertificate
from contracts.requirement import Requirement, Span
from tasks.planning import checker
from tasks.planning.checker import check_certificate, search, truth
from tasks.planning.lenses.formal import certify, minimal_core, refuted
from tasks.planning.lowering import lower
from tasks.planning.terms import combine, integer

SEAL = "sha256:" + "0" * 64


def variable(name: str) -> Expression:
    return Expression(op="variable", name=name)


def constraint(name: str, expression: Expression) -> Constraint:
    return Constraint(id=name, expression=expression, spans=(Span(start=0, end=1),), text=name)


def between(name: str, low: int, high: int) -> Constraint:
    bounds = (combine(">=", variable(name), integer(low)), combine("<=", variable(name), integer(high)))
    return constraint(f"{name} in {low}..{high}", combine("and", *bounds))


def certificate(*constraints: Constraint, **changes: object) -> InfeasibilityCertificate:
    found = certify(SEAL, constraints, constraints)
    assert found is not None
    return found.model_copy(update=changes)


X, Y = variable("x"), variable("y")
BOX = (between("x", 1, 5), between("y", 1, 5))
TOO_MUCH = constraint("sum", combine("=", combine("+", X, Y), integer(11)))


def test_a_sound_and_minimal_certificate_is_confirmed() -> None:
    found = certificate(*BOX, TOO_MUCH)
    assert check_certificate(found) is None
    assert found.assignments == 25
    assert found.domains == (Domain(variable="x", low=1, high=5), Domain(variable="y", low=1, high=5))


def test_planted_faults_are_refused() -> None:
    """Law 7: one for each thing that a certificate claims."""
    possible = constraint("sum", combine("=", combine("+", X, Y), integer(10)))
    superfluous = constraint("odd", combine("=", combine("mod", X, integer(2)), integer(1)))
    shrunk = (Domain(variable="x", low=1, high=4), Domain(variable="y", low=1, high=5))
    missing = (Domain(variable="x", low=1, high=5),)
    division = constraint("mod", combine("=", combine("mod", X, integer(0)), integer(0)))
    nonsense = constraint("sum", combine("=", combine("<", X, Y), integer(11)))
    faults = {
        "satisfies all": certificate(*BOX, possible),
        "not minimal": certificate(*BOX, superfluous, TOO_MUCH),
        "is narrower": certificate(*BOX, TOO_MUCH, domains=shrunk),
        "differ": certificate(*BOX, TOO_MUCH, domains=missing),
        "claims 24": certificate(*BOX, TOO_MUCH, assignments=24),
        "no such checker": certificate(*BOX, TOO_MUCH, checker="trust"),
        "positive constant": certificate(*BOX, division),
        "no meaning": certificate(*BOX, nonsense),
        "twice": certificate(*BOX, TOO_MUCH, constraints=(*BOX, TOO_MUCH, TOO_MUCH)),
        "no constraints": certificate(*BOX, TOO_MUCH, constraints=(), domains=(), assignments=1),
    }
    for words, fault in faults.items():
        reason = check_certificate(fault)
        assert reason is not None, words
        assert words in reason


def test_a_domain_without_a_bound_makes_no_certificate() -> None:
    constraints = (constraint("x < 3", combine("<", X, integer(3))), TOO_MUCH)
    assert certify(SEAL, constraints, constraints) is None


def test_a_contradiction_that_needs_no_bounds_is_walked_within_those_of_the_text() -> None:
    less, more = constraint("x < y", combine("<", X, Y)), constraint("y < x", combine("<", Y, X))
    found = certify(SEAL, minimal_core([*BOX, less, more], refuted), [*BOX, less, more])
    assert found is not None
    assert found.constraints == (less, more)
    assert check_certificate(found) is None


def test_a_box_too_large_to_walk_is_not_confirmed(monkeypatch: pytest.MonkeyPatch) -> None:
    names = [variable(name) for name in "abcd"]
    square = combine("+", *[combine("*", names[0], names[0]), combine("*", names[1], names[1])])
    cubes = combine("+", combine("*", names[2], names[3]), square)
    odd = constraint("never", combine("=", combine("mod", combine("*", integer(2), cubes), integer(2)), integer(1)))
    found = certificate(*(between(name, 1, 500) for name in "abcd"), odd)
    monkeypatch.setattr(checker, "NODES", 2_000)
    assert "more than 2000 assignments" in str(check_certificate(found))


def random_constraints(rng: Random) -> tuple[Constraint, ...]:
    def term() -> Expression:
        left = rng.choice((X, Y, variable("z")))
        right = rng.choice((X, Y, integer(rng.randint(0, 6))))
        return combine(rng.choice("+-*"), left, right)

    found = [between(name, 1, rng.randint(2, 6)) for name in "xyz"]
    for index in range(rng.randint(1, 4)):
        op = rng.choice(("=", "<", "<=", ">", ">=", "!="))
        left = term() if rng.random() < 0.7 else combine("mod", term(), integer(rng.randint(2, 4)))
        found.append(constraint(f"c{index}", combine(op, left, integer(rng.randint(-3, 20)))))
    return tuple(found)


def value(expression: Expression, at: dict[str, int]) -> int | bool:
    """Plain evaluation, written apart from the checker."""
    if expression.op == "variable":
        return at[str(expression.name)]
    if expression.op == "integer":
        return int(expression.value or 0)
    args = [value(item, at) for item in expression.args]
    if expression.op == "and":
        return all(args)
    a, b = args
    table = {
        "+": a + b,
        "-": a - b,
        "*": a * b,
        "=": a == b,
        "!=": a != b,
        "<": a < b,
        "<=": a <= b,
        ">": a > b,
        ">=": a >= b,
    }
    return a % b if expression.op == "mod" else table[expression.op]


@pytest.mark.parametrize("seed", range(80))
def test_search_solver_and_plain_enumeration_agree(seed: int) -> None:
    """Three ways to the same answer; and any core certifies, and loses its contradiction with any one member."""
    constraints = random_constraints(Random(seed))
    box = dict.fromkeys("xyz", (1, 6))
    points = [dict(zip("xyz", (a, b, c), strict=True)) for a in range(1, 7) for b in range(1, 7) for c in range(1, 7)]
    satisfiable = any(all(value(item.expression, point) for item in constraints) for point in points)
    found = search(box, constraints)
    assert (found is not None) == satisfiable
    assert refuted(constraints) != satisfiable
    if found is not None:
        assert all(value(item.expression, found) for item in constraints)
        return
    core = minimal_core(constraints, refuted)
    for left_out in core:
        assert not refuted([item for item in core if item is not left_out])
    made = certify(SEAL, core, constraints)
    assert made is None or check_certificate(made) is None


@pytest.mark.parametrize("seed", range(40))
def test_interval_truth_is_never_wrong(seed: int) -> None:
    rng = Random(seed)
    for item in random_constraints(rng):
        ranges = {name: (low, low + rng.randint(0, 4)) for name in "xyz" for low in [rng.randint(-3, 5)]}
        sure, possible = truth(item.expression, ranges)
        seen = {
            bool(value(item.expression, {"x": a, "y": b, "z": c}))
            for a in range(ranges["x"][0], ranges["x"][1] + 1)
            for b in range(ranges["y"][0], ranges["y"][1] + 1)
            for c in range(ranges["z"][0], ranges["z"][1] + 1)
        }
        assert not (sure and False in seen)
        assert possible or True not in seen


def test_the_core_of_a_text_leaves_out_what_does_not_contradict() -> None:
    text = "Write a program that chooses two integers x and y and prints them. "
    text += "Each is between 1 and 9. x is even. x + y = 30."
    core = minimal_core(lower(Requirement(text=text)).constraints, refuted)
    assert [item.text for item in core] == ["Each is between 1 and 9", "x + y = 30"]

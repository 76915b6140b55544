"""Certificates: what the solver finds, the independent checker confirms; every planted fault is refused."""

from __future__ import annotations

from random import Random

import pytest

from contracts.plan import Constraint, Domain, Expression, InfeasibilityCertificate, Multiplier, Relaxation
from contracts.requirement import Requirement, Span
from tasks.planning import evaluation
from tasks.planning.certificates import certify, minimal_core
from tasks.planning.checker import check_certificate
from tasks.planning.evaluation import search, truth
from tasks.planning.lowering import Lowered, lower
from tasks.planning.solving import refuted
from tasks.planning.terms import combine, integer

SEAL = "sha256:" + "0" * 64


def variable(name: str) -> Expression:
    return Expression(op="variable", name=name)


def constraint(name: str, expression: Expression) -> Constraint:
    return Constraint(id=name, expression=expression, spans=(Span(start=0, end=1),), text=name)


def between(name: str, low: int, high: int) -> Constraint:
    bounds = (combine(">=", variable(name), integer(low)), combine("<=", variable(name), integer(high)))
    return constraint(f"{name} in {low}..{high}", combine("and", *bounds))


def stated(*constraints: Constraint, implied: tuple[Constraint, ...] = (), continuous: str = "") -> Lowered:
    return Lowered(
        chosen=(),
        given=(),
        constraints=constraints,
        assumed=(),
        implied=implied,
        continuous=frozenset(continuous),
        ordered=False,
        restated=(),
        blocking=(),
        unlowered=(),
        blocked=None,
        exits=None,
    )


def proven(
    *constraints: Constraint, implied: tuple[Constraint, ...] = (), continuous: str = ""
) -> InfeasibilityCertificate:
    lowered = stated(*constraints, implied=implied, continuous=continuous)
    found = certify(SEAL, lowered, lambda items: refuted(items, lowered.continuous), lens="formal")
    assert found is not None
    return found


X, Y = variable("x"), variable("y")
BOX = (between("x", 1, 5), between("y", 1, 5))
TOO_MUCH = constraint("sum", combine("=", combine("+", X, Y), integer(11)))


def test_a_sound_and_minimal_certificate_is_confirmed() -> None:
    found = proven(*BOX, constraint("odd", combine("=", combine("mod", X, integer(2)), integer(1))), TOO_MUCH)
    assert check_certificate(found) is None
    assert found.constraints == (*BOX, TOO_MUCH)
    assert found.assignments == 25
    assert found.domains == (Domain(variable="x", low=1, high=5), Domain(variable="y", low=1, high=5))


def test_planted_faults_are_refused() -> None:
    """Law 7: one for each thing that a certificate claims."""
    sound = proven(*BOX, TOO_MUCH)
    possible = constraint("sum", combine("=", combine("+", X, Y), integer(10)))
    superfluous = constraint("odd", combine("=", combine("mod", X, integer(2)), integer(1)))
    shrunk = (Domain(variable="x", low=1, high=4), Domain(variable="y", low=1, high=5))
    division = constraint("mod", combine("=", combine("mod", X, integer(0)), integer(0)))
    nonsense = constraint("sum", combine("=", combine("<", X, Y), integer(11)))
    faults: dict[str, dict[str, object]] = {
        "satisfies all": {"constraints": (*BOX, possible)},
        "does not help": {"constraints": (*BOX, superfluous, TOO_MUCH)},
        "is narrower": {"domains": shrunk, "assignments": 20},
        "differ": {"domains": sound.domains[:1]},
        "claims 24": {"assignments": 24},
        "no such checker": {"checker": "trust"},
        "positive constant": {"constraints": (*BOX, division)},
        "no meaning": {"constraints": (*BOX, nonsense)},
        "twice": {"constraints": (*BOX, TOO_MUCH, TOO_MUCH)},
        "no constraints": {"constraints": ()},
        "real numbers": {"continuous": ("x",)},
        "add up": {"checker": "combination"},
    }
    for words, fault in faults.items():
        reason = check_certificate(sound.model_copy(update=fault))
        assert reason is not None, words
        assert words in reason


def test_without_a_witness_for_each_constraint_left_out_it_is_not_minimal() -> None:
    """Law 7."""
    sound = proven(*BOX, TOO_MUCH)
    fewer = tuple(item for item in sound.relaxations if item.constraint != TOO_MUCH.id)
    assert "not minimal" in str(check_certificate(sound.model_copy(update={"relaxations": fewer})))
    wrong = Relaxation(constraint=TOO_MUCH.id, expression=None, witness=())
    assert "does not help" in str(check_certificate(sound.model_copy(update={"relaxations": (*fewer, wrong)})))


LESS = constraint("x < y", combine("<", X, Y))
MORE = constraint("y < x + 1", combine("<", Y, combine("+", X, integer(1))))


def test_a_contradiction_without_bounds_is_proven_by_adding_up() -> None:
    found = proven(LESS, MORE)
    assert found.checker == "combination"
    assert found.domains == ()
    assert sorted(item.factor for item in found.combination) == [1, 1]
    assert check_certificate(found) is None


def test_between_two_integers_there_is_room_for_real_numbers() -> None:
    """Law 7: a proof about integers is none about real numbers."""
    found = proven(LESS, MORE)
    for name in "xy":
        assert "possible" in str(check_certificate(found.model_copy(update={"continuous": (name,)})))
    assert certify(SEAL, stated(LESS, MORE, continuous="xy"), refuted, lens="formal") is None
    assert proven(LESS, constraint("y < x", combine("<", Y, X)), continuous="xy").checker == "combination"


def test_planted_faults_of_a_combination_are_refused() -> None:
    """Law 7."""
    found = proven(LESS, MORE)
    one, other = found.combination
    faults = {
        "do not add up": (one,),
        "cannot be added": (one, other.model_copy(update={"factor": -1})),
        "cannot be added 0": (one, other, other.model_copy(update={"factor": 0})),
        "part 7 of": (one, Multiplier(constraint=LESS.id, part=7, factor=1)),
        "a possible one": (),
    }
    for words, combination in faults.items():
        reason = check_certificate(found.model_copy(update={"combination": combination}))
        assert words in str(reason), words


def test_what_is_implied_is_no_way_out() -> None:
    """It needs no witness of its own, and stands in every relaxation."""
    positive = constraint("no length is below zero", combine(">=", X, integer(0)))
    below = constraint("x < 0", combine("<", X, integer(0)))
    found = proven(below, implied=(positive,), continuous="x")
    assert [item.constraint for item in found.relaxations if item.expression is None] == ["x < 0"]
    assert found.implied == (positive,)
    assert check_certificate(found) is None
    assert "cannot be added" in str(check_certificate(found.model_copy(update={"implied": ()})))


def test_a_box_too_large_to_walk_is_not_confirmed(monkeypatch: pytest.MonkeyPatch) -> None:
    names = [variable(name) for name in "abcd"]
    square = combine("+", *[combine("*", names[0], names[0]), combine("*", names[1], names[1])])
    cubes = combine("+", combine("*", names[2], names[3]), square)
    odd = constraint("never", combine("=", combine("mod", combine("*", integer(2), cubes), integer(2)), integer(1)))
    monkeypatch.setattr(evaluation, "NODES", 2_000)
    with pytest.raises(evaluation.TooLarge):
        search(dict.fromkeys("abcd", (1, 500)), (odd,))


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
    core, _ = minimal_core(stated(*constraints), refuted)
    for left_out in core:
        assert not refuted([item for item in core if item is not left_out])
    made = proven(*constraints)
    assert check_certificate(made) is None


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
    core, _ = minimal_core(lower(Requirement(text=text)), refuted)
    assert [item.text for item in core] == ["Each is between 1 and 9", "x + y = 30"]

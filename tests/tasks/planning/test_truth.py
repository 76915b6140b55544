"""Random texts against plain enumeration: what can be done is never proven impossible, and most else is."""

from __future__ import annotations

from collections.abc import Callable
from itertools import product
from random import Random

import pytest

from contracts.plan import InfeasibilityCertificate
from contracts.requirement import Requirement
from tasks.planning.bounds import bounds, narrowed, sums_of
from tasks.planning.lowering import lower
from tasks.planning.planner import plan
from tasks.requirement.compiler import compile_requirement

Fact = Callable[[int, int, int], bool]
TOP = 5


def facts(rng: Random) -> list[tuple[str, Fact]]:
    """Sentences and, written apart from the parser, what they mean."""
    a, b = rng.randint(0, 7), rng.randint(1, 3)
    total = rng.randint(1, 17)
    return [
        (f"x is at most {a}.", lambda x, _y, _z: x <= a),
        (f"y is at least {a}.", lambda _x, y, _z: y >= a),
        (f"The sum of x, y and z is {total}.", lambda x, y, z: x + y + z == total),
        (f"x + y >= {a} * z.", lambda x, y, z: x + y >= a * z),
        (f"The product of x and z is {total}.", lambda x, _y, z: x * z == total),
        (f"If x is even, y is at most {b}.", lambda x, y, _z: x % 2 != 0 or y <= b),
        (f"z is {a} when y is less than {b}.", lambda _x, y, z: y >= b or z == a),
        (f"If x is {a} or y is {b}, then z is odd.", lambda x, y, z: not (x == a or y == b) or z % 2 == 1),
        (f"x is {a} or z is {b}.", lambda x, _y, z: x == a or z == b),
        (f"Each is at most {b} or at least {a}.", lambda *v: all(item <= b or item >= a for item in v)),
        (f"z is one of {a}, {b} and 4.", lambda _x, _y, z: z in {a, b, 4}),
        (f"x and y differ by at least {b}.", lambda x, y, _z: abs(x - y) >= b),
        (f"The difference between y and z is {b}.", lambda _x, y, z: abs(y - z) == b),
        (f"y is {b} more than z.", lambda _x, y, z: y == z + b),
        ("No two of them are equal.", lambda *v: len(set(v)) == 3),
        ("x, y and z are in strictly increasing order.", lambda x, y, z: x < y < z),
        (f"Exactly {b} of them are even.", lambda *v: sum(item % 2 == 0 for item in v) == b),
        (f"At least two of them are greater than {a}.", lambda *v: sum(item > a for item in v) >= 2),
        (f"The mean of x and y is {b}.", lambda x, y, _z: x + y == 2 * b),
        (f"Their average, rounded down, is {b}.", lambda *v: sum(v) // 3 == b),
        (f"x leaves a remainder of 1 when divided by {b + 1}.", lambda x, _y, _z: x % (b + 1) == 1),
        (f"z is not {a}.", lambda _x, _y, z: z != a),
    ]


@pytest.mark.parametrize("seed", range(30))
def test_a_random_text_is_called_infeasible_only_if_it_is(seed: int) -> None:
    """Every lowered sentence, in random company; each contradiction over small integers is within reach and proven."""
    rng = Random(seed)
    chosen = rng.sample(facts(rng), rng.randint(2, 5))
    sentences = [
        "Write a program that chooses three integers x, y and z and prints them.",
        f"Each is between 1 and {TOP}.",
    ]
    text = " ".join([*sentences, *(sentence for sentence, _ in chosen)])
    possible = [v for v in product(range(1, TOP + 1), repeat=3) if all(fact(*v) for _, fact in chosen)]
    requirement = Requirement(text=text)
    lowered = lower(requirement)
    assert lowered.unlowered == ()
    found = plan(compile_requirement(requirement, {}), requirement)
    assert isinstance(found, InfeasibilityCertificate) == (not possible), text
    known = bounds(lowered.constraints)
    box = dict.fromkeys("xyz", (1, TOP))
    tight = narrowed(sums_of(lowered.constraints), box)
    for values in possible:
        assert tight is not None
        for name, value in zip("xyz", values, strict=True):
            low, high = known[name]
            assert low is None or low <= value
            assert high is None or value <= high
            assert tight[name][0] <= value <= tight[name][1]

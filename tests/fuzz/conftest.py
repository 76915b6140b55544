"""How long a property is tried: a few hundred examples by default; in the slow suite for as long as is asked."""

from __future__ import annotations

import os
import time
from collections.abc import Callable
from typing import Any

import pytest
from hypothesis import HealthCheck, given, seed, settings
from hypothesis.strategies import SearchStrategy

Try = Callable[[SearchStrategy[Any], Callable[[Any], None]], int]
BATCH = 200
SLOW_TESTS = 2


def _batch(number: int, examples: SearchStrategy[Any], holds: Callable[[Any], None]) -> None:
    bounds = settings(max_examples=BATCH, deadline=None, database=None, suppress_health_check=list(HealthCheck))
    seed(number)(bounds(given(examples)(holds)))()


@pytest.fixture
def once() -> Try:
    """One batch of examples, always the same."""

    def run(examples: SearchStrategy[Any], holds: Callable[[Any], None]) -> int:
        _batch(1, examples, holds)
        return 1

    return run


@pytest.fixture
def long() -> Try:
    """Batches, each with its own seed, for FORGE_FUZZ_SECONDS shared among the tests of the slow suite."""
    until = time.monotonic() + float(os.environ.get("FORGE_FUZZ_SECONDS", "100")) / SLOW_TESTS

    def run(examples: SearchStrategy[Any], holds: Callable[[Any], None]) -> int:
        number = 1
        while time.monotonic() < until:
            number += 1
            _batch(number, examples, holds)
        return number

    return run

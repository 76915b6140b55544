"""How a stage is run: the protocol, and the engine that makes plain calls. Imports no Prefect.

Both engines retry faults of the infrastructure and nothing else, and report every failed attempt (law 6).
"""

from __future__ import annotations

import functools
from collections.abc import Callable
from typing import ParamSpec, Protocol, TypeVar

from sandbox.base import SandboxLost
from tasks.errors import StoreUnavailable
from tasks.stages import Stage

P = ParamSpec("P")
R = TypeVar("R")

OnFault = Callable[[BaseException], None]
"""Told of each attempt of a stage that raised, before it is tried again or given up."""


class Engine(Protocol):
    """Runs stages. ``name`` stands in the record."""

    name: str

    def run(self, stage: Stage[P, R], on_fault: OnFault, *args: P.args, **kwargs: P.kwargs) -> R:
        """Run ``stage`` on plain values; raises what the last attempt raised."""
        ...


class InlineEngine:
    """Plain calls in this process."""

    name = "inline"

    def run(self, stage: Stage[P, R], on_fault: OnFault, *args: P.args, **kwargs: P.kwargs) -> R:
        """Run ``stage`` here, again after a transient fault while retries are left."""
        function = reporting(stage.load(), on_fault)
        for _ in range(stage.retries):
            try:
                return function(*args, **kwargs)
            except Exception as error:
                if not is_transient(error):
                    raise
        return function(*args, **kwargs)


def is_transient(error: BaseException) -> bool:
    """True for a fault of the infrastructure that another attempt may not meet (law 3, PRE-12)."""
    return isinstance(error, (SandboxLost, StoreUnavailable))


def reporting(function: Callable[P, R], on_fault: OnFault) -> Callable[P, R]:
    """``function``, telling ``on_fault`` of whatever it raises. It keeps the source that Prefect's cache keys read."""

    @functools.wraps(function)
    def attempt(*args: P.args, **kwargs: P.kwargs) -> R:
        try:
            return function(*args, **kwargs)
        except BaseException as error:
            on_fault(error)
            raise

    return attempt

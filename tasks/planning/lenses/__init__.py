"""Lenses: each looks at a requirement in its own way and answers with a proof, a witness, hints, or nothing."""

from __future__ import annotations

from dataclasses import dataclass
from importlib import import_module
from typing import Protocol

from contracts.plan import Constraint, Hint, InfeasibilityCertificate
from contracts.requirement import BuildSpec, Requirement
from contracts.verdict import Failure
from tasks.planning.lowering import Lowered

NAMES = ("obligations", "counting", "graphs", "quantities", "symbolic", "formal")
"""In the order in which they are asked: those that are quick first."""


@dataclass(frozen=True, slots=True)
class View:
    """What a lens saw.

    ``certificate`` is a proof that nothing satisfies the text, ``claimed`` a core for which it has none that a checker
    confirms, ``witnesses`` are contradictions with an input that shows them, ``hints`` are for who writes code.
    """

    certificate: InfeasibilityCertificate | None = None
    claimed: tuple[Constraint, ...] = ()
    witnesses: tuple[Failure, ...] = ()
    hints: tuple[Hint, ...] = ()


class Lens(Protocol):
    """A way to look at a requirement. Nothing rests on its word: a certificate is checked by other means."""

    name: str

    def unavailable(self) -> str | None:
        """Why the lens cannot work here, in one line; None if it can."""
        ...

    def look(self, spec: BuildSpec, requirement: Requirement, lowered: Lowered) -> View:
        """Look at the requirement. Never raises for what a text says."""
        ...


def load(name: str) -> Lens:
    """The lens of that name; its module is imported now."""
    lens: Lens = import_module(f"tasks.planning.lenses.{name}").LENS
    return lens

"""Lenses: each looks at a requirement in its own way and answers with a proof, hints, or nothing; loaded when used."""

from __future__ import annotations

from dataclasses import dataclass
from importlib import import_module
from typing import Protocol

from contracts.plan import InfeasibilityCertificate
from contracts.requirement import BuildSpec, Requirement, Span

NAMES = ("counting", "formal")


@dataclass(frozen=True, slots=True)
class View:
    """What a lens saw: a proof that nothing satisfies the text, hints for who writes code, what it could not read."""

    certificate: InfeasibilityCertificate | None = None
    hints: tuple[str, ...] = ()
    unlowered: tuple[Span, ...] = ()


class Lens(Protocol):
    """A way to look at a requirement. Nothing rests on its word: a certificate is checked by other means."""

    name: str

    def unavailable(self) -> str | None:
        """Why the lens cannot work here, in one line; None if it can."""
        ...

    def look(self, spec: BuildSpec, requirement: Requirement) -> View:
        """Look at the requirement. Never raises for what a text says."""
        ...


def load(name: str) -> Lens:
    """The lens of that name; its module is imported now."""
    lens: Lens = import_module(f"tasks.planning.lenses.{name}").LENS
    return lens

"""What a run tells whoever watches it. Telling is all that it is for: the evidence is the record (PRE-15)."""

from __future__ import annotations

from typing import Protocol

from contracts.evidence import BuildReport
from contracts.gate import CheckReport
from contracts.repair import RepairReport
from contracts.verdict import Failure

Report = BuildReport | CheckReport | RepairReport
"""What a run ends with."""


class Listener(Protocol):
    """Told of each step as it happens, in the thread of the run."""

    def started(self, stage: str, attempt: int) -> None:
        """A stage begins; ``attempt`` counts candidates, from 0."""
        ...

    def finished(self, stage: str, milliseconds: int) -> None:
        """A stage returned a value; whether it is a pass is another matter."""
        ...

    def faulted(self, stage: str, failure: Failure) -> None:
        """A stage raised. It may be tried again."""
        ...

    def ended(self, report: Report) -> None:
        """The record is sealed."""
        ...


class Silent:
    """Listens and says nothing."""

    def started(self, stage: str, attempt: int) -> None:
        """As `Listener.started`."""

    def finished(self, stage: str, milliseconds: int) -> None:
        """As `Listener.finished`."""

    def faulted(self, stage: str, failure: Failure) -> None:
        """As `Listener.faulted`."""

    def ended(self, report: Report) -> None:
        """As `Listener.ended`."""

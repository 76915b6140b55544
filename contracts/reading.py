"""Readings: reference implementations written from the requirement alone, and what they agreed on."""

from __future__ import annotations

from contracts.candidate import Candidate
from contracts.model import Model, Sha256
from contracts.probe import Observation, ProbePlan
from contracts.verdict import Failure


class Reading(Model):
    """One reading. It is admitted iff it meets every example, conditional and invariant; ``reason`` says why not.

    ``observations`` are what it showed, one for each input: admission and agreement follow from them.
    """

    label: str
    tree: Candidate
    admitted: bool
    reason: str
    observations: tuple[Observation, ...]


class ReadingSet(Model):
    """All readings and the probes with the expectations on which the admitted ones agree.

    ``failures`` are ambiguities: an input in the domain with two defensible outputs.
    """

    build_spec: Sha256
    readings: tuple[Reading, ...]
    plan: ProbePlan
    failures: tuple[Failure, ...]

    @property
    def admitted(self) -> int:
        """How many readings were admitted."""
        return sum(reading.admitted for reading in self.readings)

"""From the readings' observations to what is admitted, and to the sealed plan with what they agree on. Pure.

Verification comes to the same end from the same observations.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import NamedTuple

from contracts.candidate import Candidate
from contracts.probe import CommandProbe, Observation, ProbeCase, ProbePlan
from contracts.reading import Reading, ReadingSet
from contracts.requirement import BuildSpec
from contracts.verdict import Failure
from tasks.reading.agreement import Runs, answers, settle, undated
from tasks.reading.generators import (
    dated_again,
    generated_probes,
    hostile_cases,
    near_probes,
    proving,
    stated_cases,
    undated_probe,
)
from tasks.reading.standing import samples, standing_cases
from tasks.validation.cases import run_failures
from tasks.validation.grouping import grouped

OTHER_DATES = ("2025-03-01", "2031-10-20")


class Probes:
    """All inputs of a build, before anything ran."""

    def __init__(self, spec: BuildSpec, seed: int) -> None:
        self.stated = stated_cases(spec)
        self.generated = generated_probes(spec, seed)
        self.near = near_probes(spec, seed)
        self.undated = undated_probe(spec, seed)
        self.dated = tuple(dated_again(spec, self.undated, day) for day in OTHER_DATES) if self.undated else ()

    @property
    def all(self) -> tuple[CommandProbe, ...]:
        """Those that readings are run on, in a fixed order."""
        once = (self.undated,) if self.undated else ()
        return (*(case.probe for case in self.stated), *self.generated, *self.near, *once, *self.dated)


class Observed(NamedTuple):
    """A reading by its label, and one observation for each of the probes."""

    label: str
    tree: Candidate
    observations: tuple[Observation, ...]


def conclude_readings(spec: BuildSpec, seed: int, observed: Sequence[Observed]) -> ReadingSet:
    """Admit the readings that meet the text, and plan every probe with what the admitted ones agree on.

    Raises:
        ValueError: the observations of a reading are not those of the probes that ``spec`` and ``seed`` give.
    """
    probes = Probes(spec, seed)
    runs = [_paired(probes, item) for item in observed]
    readings = tuple(_admit(spec, item, probes, run) for item, run in zip(observed, runs, strict=True))
    admitted = {item.label: run for item, run in zip(readings, runs, strict=True) if item.admitted}
    settled = _settle_all(spec, probes, admitted)
    compared = [item for item in settled if isinstance(item, ProbeCase)]
    plan = ProbePlan(
        build_spec=spec.seal(),
        seed=seed,
        cases=(
            *standing_cases(spec, *samples(spec, compared)),
            *probes.stated,
            *compared,
            *hostile_cases(spec),
        ),
    )
    failures = grouped([item for item in settled if isinstance(item, Failure)])
    return ReadingSet(build_spec=spec.seal(), readings=readings, plan=plan, failures=failures)


def rederive_readings(spec: BuildSpec, readings: ReadingSet) -> str | None:
    """Why ``readings`` is not what the observations in it give, or None if it is."""
    observed = [Observed(item.label, item.tree, item.observations) for item in readings.readings]
    try:
        derived = conclude_readings(spec, readings.plan.seed, observed)
    except ValueError as error:
        return str(error)
    if derived.readings != readings.readings:
        return "the readings are not admitted as their observations give"
    if derived.plan != readings.plan:
        return "the probes are not those that the contract, the seed and the readings' agreement give"
    return None if derived == readings else "the ambiguities are not those that the readings' observations give"


def _paired(probes: Probes, item: Observed) -> Runs:
    if [observation.probe for observation in item.observations] != [probe.id for probe in probes.all]:
        raise ValueError(f"the observations of the reading {item.label} do not pair with the probes")
    return {observation.probe: observation for observation in item.observations}


def _admit(spec: BuildSpec, item: Observed, probes: Probes, runs: Runs) -> Reading:
    """Admitted iff it meets the text on every stated case, every invariant, and answers every generated input."""
    reason = _refusal(spec, probes, runs)
    return Reading(
        label=item.label,
        tree=item.tree,
        admitted=reason is None,
        reason=reason or "meets everything the text states",
        observations=item.observations,
    )


def _refusal(spec: BuildSpec, probes: Probes, runs: Runs) -> str | None:
    stated = {case.probe.id for case in probes.stated}
    plain = [ProbeCase(probe=probe, origin="invariant") for probe in probes.all if probe.id not in stated]
    for case in (*probes.stated, *plain):
        failure = next(run_failures(spec, case, runs), None)
        if failure is not None:
            return f"{case.probe.id}: {failure.detail}"[:500]
        reason = None if case.probe.id in stated else _unanswered(spec, runs[case.probe.id])
        if reason:
            return f"{case.probe.id}: {reason}"[:500]
    return None


def _unanswered(spec: BuildSpec, observation: Observation) -> str | None:
    try:
        answers(spec, observation)
    except ValueError as error:
        return str(error)
    return None


def _settle_all(spec: BuildSpec, probes: Probes, admitted: Mapping[str, Runs]) -> list[ProbeCase | Failure]:
    if not admitted:
        invariants = proving(spec, "invariant")
        return [ProbeCase(probe=probe, origin="invariant", obligations=invariants) for probe in probes.generated]
    found = [settle(spec, probe, admitted, "reading") for probe in probes.generated]
    found += [settle(spec, probe, admitted, "near_example") for probe in probes.near]
    if probes.undated:
        found.append(_settle_undated(spec, probes.undated, probes.dated, admitted))
    return found


def _settle_undated(
    spec: BuildSpec, probe: CommandProbe, dated: Sequence[CommandProbe], admitted: Mapping[str, Runs]
) -> ProbeCase | Failure:
    settled = settle(spec, probe, admitted, "reading")
    if isinstance(settled, Failure):
        return settled
    return undated(spec, settled, admitted, [item.id for item in dated])

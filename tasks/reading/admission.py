"""From the readings' observations to what is admitted, and to the sealed plan with what they agree on. Pure.

Verification comes to the same end from the same observations.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import NamedTuple

from contracts.candidate import Candidate
from contracts.probe import CallProbe, CommandProbe, HttpProbe, Observation, Origin, Probe, ProbeCase, ProbePlan, Raised
from contracts.reading import Reading, ReadingSet
from contracts.requirement import BuildSpec
from contracts.verdict import Failure
from tasks.reading.agreement import Runs, answers, settle, undated
from tasks.reading.call_agreement import settle_call
from tasks.reading.generators import (
    dated_again,
    generated_probes,
    hostile_cases,
    near_probes,
    proving,
    stated_cases,
    undated_probe,
)
from tasks.reading.libraries import call_examples, generated_calls
from tasks.reading.services import exchange_examples, generated_exchanges, settle_exchange
from tasks.reading.standing import samples, standing_cases
from tasks.validation.cases import run_failures
from tasks.validation.grouping import grouped

OTHER_DATES = ("2025-03-01", "2031-10-20")


class Probes:
    """All inputs of a build, before anything ran; the generated ones with what holds of every run."""

    def __init__(self, spec: BuildSpec, seed: int) -> None:
        self.undated: CommandProbe | None = None
        self.dated: tuple[CommandProbe, ...] = ()
        self.hostile: tuple[ProbeCase, ...] = ()
        self.near: tuple[ProbeCase, ...] = ()
        if spec.functions:
            self.stated = call_examples(spec)
            self.generated, self.near = generated_calls(spec, seed)
            return
        if spec.exchanges:
            self.stated = exchange_examples(spec)
            self.generated = generated_exchanges(spec, seed)
            return
        self.stated = stated_cases(spec)
        self.generated = _plain(generated_probes(spec, seed))
        self.near = _plain(near_probes(spec, seed))
        self.hostile = hostile_cases(spec)
        self.undated = undated_probe(spec, seed)
        if self.undated is not None:
            self.dated = tuple(dated_again(spec, self.undated, day) for day in OTHER_DATES)

    @property
    def all(self) -> tuple[Probe, ...]:
        """Those that readings are run on, in a fixed order."""
        once = (self.undated,) if self.undated else ()
        return (*(case.probe for case in (*self.stated, *self.generated, *self.near)), *once, *self.dated)


def _plain(probes: Sequence[Probe]) -> tuple[ProbeCase, ...]:
    return tuple(ProbeCase(probe=probe, origin="invariant") for probe in probes)


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
            *standing_cases(
                spec, *samples(spec, [*probes.stated, *compared] if spec.functions or spec.exchanges else compared)
            ),
            *probes.stated,
            *compared,
            *probes.hostile,
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
    dated = _plain([*([probes.undated] if probes.undated else []), *probes.dated])
    for case in probes.stated:
        failure = next(run_failures(spec, case, runs), None)
        if failure is not None:
            return f"{case.probe.id}: {failure.detail}"[:500]
    for case in (*probes.generated, *probes.near, *dated):
        run = runs[case.probe.id]
        if isinstance(case.probe, CallProbe):
            reason = _uncallable(spec, case, run)
        elif isinstance(case.probe, HttpProbe):
            reason = None  # what a service does not answer it has no say on
        else:
            failure = next(run_failures(spec, case, runs), None)
            reason = failure.detail if failure else _unanswered(spec, run)
        if reason:
            return f"{case.probe.id}: {reason}"[:500]
    return None


def _uncallable(spec: BuildSpec, case: ProbeCase, run: Observation) -> str | None:
    """Why a reading of a library is none; where it raises or takes too long, no more than that it has no say there."""
    if isinstance(run.value, Raised):
        return "it cannot be imported, or has no such function" if run.value.stage == "import" else None
    if run.outcome != "exited":
        return None
    failure = next(run_failures(spec, case, {case.probe.id: run}), None)
    return failure.detail if failure and case.standing == "shown" else None


def _unanswered(spec: BuildSpec, observation: Observation) -> str | None:
    try:
        answers(spec, observation)
    except ValueError as error:
        return str(error)
    return None


def _settle_all(spec: BuildSpec, probes: Probes, admitted: Mapping[str, Runs]) -> list[ProbeCase | Failure]:
    if not admitted:
        invariants = proving(spec, "invariant")
        return [case.model_copy(update={"obligations": invariants}) for case in probes.generated if _tells(case)]
    found: list[ProbeCase | Failure] = []
    origins: tuple[tuple[Origin, tuple[ProbeCase, ...]], ...]
    origins = (("reading", probes.generated), ("near_example", probes.near))
    for origin, cases in origins:
        settled = (_settle(spec, case, admitted, origin) for case in cases)
        found += [item for item in settled if item is not None]
    if probes.undated:
        found.append(_settle_undated(spec, probes.undated, probes.dated, admitted))
    return found


def _tells(case: ProbeCase) -> bool:
    """False for a call of which nothing is expected: without a reading it would show nothing."""
    return isinstance(case.probe, CommandProbe) or bool(case.expectations and case.standing == "shown")


def _settle(
    spec: BuildSpec, case: ProbeCase, admitted: Mapping[str, Runs], origin: Origin
) -> ProbeCase | Failure | None:
    if isinstance(case.probe, CommandProbe):
        return settle(spec, case.probe, admitted, origin)
    if isinstance(case.probe, HttpProbe):
        return settle_exchange(spec, case, admitted, origin)
    return settle_call(spec, case, admitted, origin)


def _settle_undated(
    spec: BuildSpec, probe: CommandProbe, dated: Sequence[CommandProbe], admitted: Mapping[str, Runs]
) -> ProbeCase | Failure:
    settled = settle(spec, probe, admitted, "reading")
    if isinstance(settled, Failure):
        return settled
    return undated(spec, settled, admitted, [item.id for item in dated])

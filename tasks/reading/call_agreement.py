"""What readings agree on of a call; where they fail, or the text does not reach, nothing is compared. Pure."""

from __future__ import annotations

from collections.abc import Mapping

from contracts.probe import (
    ArgumentExpectation,
    Expectation,
    Observation,
    Origin,
    ProbeCase,
    Raised,
    RaiseExpectation,
    Returned,
    ReturnExpectation,
)
from contracts.requirement import BuildSpec
from contracts.value import equal
from contracts.verdict import Failure
from tasks.reading.agreement import Runs, ambiguity
from tasks.reading.generators import proving
from tasks.requirement.literals import NoLiteralError, literal
from tasks.validation.check_calls import is_a

SLOW_MS = 1_000
"""A call that takes a reading this much CPU time is none that every right program answers in time."""


def settle_call(
    spec: BuildSpec, case: ProbeCase, readings: Mapping[str, Runs], origin: Origin
) -> ProbeCase | Failure | None:
    """The case for a generated call on which more than half of the readings agree.

    None where no clause decides: a reading fails, or they differ on an input of a kind that the text does not show. The
    ambiguity where they differ on one that it does.
    """
    runs = {label: of[case.probe.id] for label, of in readings.items()}
    if any(run.outcome != "exited" or run.timing.cpu_ms > SLOW_MS for run in runs.values()):
        return None
    if any(not isinstance(run.value, Returned) for run in runs.values()):
        return _raising(spec, case, list(runs.values()), origin)
    for run in runs.values():
        if 2 * sum(_agree(run, other) for other in runs.values()) > len(runs):
            return _agreed(spec, case, run, origin)
    return ambiguity(spec, case.probe, runs) if case.standing == "shown" else None


def _agree(run: Observation, other: Observation) -> bool:
    one, two = run.value, other.value
    if not (isinstance(one, Returned) and isinstance(two, Returned) and equal(one.value, two.value)):
        return False
    return equal(list(one.arguments or ()), list(two.arguments or ()))


def _agreed(spec: BuildSpec, case: ProbeCase, run: Observation, origin: Origin) -> ProbeCase:
    assert isinstance(run.value, Returned)  # noqa: S101 - for the type checker
    expected: list[Expectation] = [ReturnExpectation(value=run.value.value)]
    expected += [ArgumentExpectation(place=place, value=value) for place, value in enumerate(run.value.arguments or ())]
    others = [item for item in case.expectations if not isinstance(item, ArgumentExpectation)]
    return _planned(spec, case, run, origin, (*expected, *others))


def _raising(spec: BuildSpec, case: ProbeCase, runs: list[Observation], origin: Origin) -> ProbeCase | None:
    """All raise what a clause of the text names: then that is expected."""
    named = [
        item.value for clause in spec.conditional_obligations for item in clause.effects if item.channel == "raise"
    ]
    for name in named:
        if all(isinstance(run.value, Raised) and is_a(run.value, name) for run in runs):
            decided = case.model_copy(update={"standing": "shown"})
            return _planned(spec, decided, runs[0], origin, (RaiseExpectation(type=name),))
    return None


def _planned(
    spec: BuildSpec, case: ProbeCase, run: Observation, origin: Origin, expectations: tuple[Expectation, ...]
) -> ProbeCase:
    """The case as the candidate gets it: with the whole time that the policy allows."""
    return case.model_copy(
        update={
            "probe": case.probe.model_copy(update={"wall_ms": None}),
            "origin": origin,
            "obligations": _proven(spec, run) if case.standing == "shown" else (),
            "expectations": expectations,
        }
    )


def _proven(spec: BuildSpec, run: Observation) -> tuple[str, ...]:
    """The criteria that agreement on this run proves: not those of a clause whose effect it does not show (law 3)."""
    silent = {
        clause.id
        for clause in spec.conditional_obligations
        if clause.effects and not any(_shows(run, item.channel, item.value) for item in clause.effects)
    }
    proven = [item for item in spec.acceptance_criteria if item.method == "reading" and not silent & set(item.atoms)]
    return tuple(dict.fromkeys([*(item.id for item in proven), *proving(spec, "invariant")]))


def _shows(run: Observation, channel: str, value: str) -> bool:
    """Whether a call shows the effect; one that cannot be read counts as shown by any."""
    if channel == "raise":
        return isinstance(run.value, Raised) and is_a(run.value, value)
    try:
        wanted = literal(value)
    except NoLiteralError:
        return True
    return isinstance(run.value, Returned) and equal(run.value.value, wanted)

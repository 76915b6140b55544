"""How strong the evidence is, whether it is strong enough, and what was not checked (law 8, DEC-17). Pure."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import NamedTuple

from contracts.probe import Observation, Origin, ProbeCase, ProbePlan
from contracts.reading import ReadingSet
from contracts.requirement import BuildSpec, Span
from contracts.verdict import (
    Failure,
    FailureSignature,
    Floor,
    LayerEvidence,
    LayerResult,
    MutantRun,
    Strength,
)
from tasks.validation.cases import run_failures, unread_parts

BEHAVIOUR: tuple[Origin, ...] = ("example", "conditional", "invariant", "reading", "near_example")


UNCHANGED = "unchanged"
"""The change of the run that is no mutant: the candidate itself, on the inputs that mutants are compared on."""


FURTHER = "further-"
"""How the ids of further inputs begin."""


class Tally(NamedTuple):
    """Mutants that were judged, those that a check caught, and those that behave alike on all generated inputs."""

    judged: int
    killed: int
    equivalent: int


def behaviour_cases(plan: ProbePlan) -> tuple[ProbeCase, ...]:
    """The cases that mutants are judged by: those on inputs inside the contract's domain."""
    return tuple(case for case in plan.cases if case.origin in BEHAVIOUR)


def fixed_by_readings(cases: Iterable[ProbeCase]) -> bool:
    """True iff readings fix the behaviour on the generated inputs, so that passing every case means to agree there."""
    return any(case.origin == "reading" for case in cases)


def tally(spec: BuildSpec, plan: ProbePlan, runs: Sequence[MutantRun]) -> Tally:
    """Judge the mutants. One that no check caught is equivalent only if it behaved as the candidate on all inputs.

    Those inputs are the plan's and the further ones. On the plan's inputs readings fix the behaviour, or else the
    candidate's own run is compared.
    """
    cases = {case.probe.id: case for case in behaviour_cases(plan)}
    original = {item.probe: item for run in runs if run.change == UNCHANGED for item in run.observations}
    mutants = [run for run in runs if run.change != UNCHANGED]
    alive = [run for run in mutants if not is_killed(spec, cases, run.observations)]
    needed = set(original) | set(cases)
    comparable = bool(original) and (fixed_by_readings(cases.values()) or set(cases) <= set(original))
    alike = sum(_is_alike(spec, run, original, needed) for run in alive) if comparable else 0
    return Tally(judged=len(mutants), killed=len(mutants) - len(alive), equivalent=alike)


def _is_alike(spec: BuildSpec, run: MutantRun, original: Mapping[str, Observation], needed: set[str]) -> bool:
    seen = {item.probe: item for item in run.observations}
    return seen.keys() >= needed and all(
        _behaviour(spec, seen[probe]) == _behaviour(spec, other) for probe, other in original.items()
    )


def _behaviour(spec: BuildSpec, observation: Observation) -> tuple[object, ...]:
    """What a run showed in the bound channels; of a call what it gave back, and nothing that it printed."""
    bound = spec.interface.bound
    if observation.value is not None:
        return (observation.outcome, observation.value.canonical())
    if observation.responses:
        return (observation.outcome, tuple((item.fault, item.status, item.body) for item in observation.responses))
    return (
        observation.outcome,
        observation.exit_code,
        observation.stdout.digest if "stdout" in bound else None,
        observation.stderr.digest if "stderr" in bound else None,
        frozenset((file.path, file.kind, file.digest) for file in observation.files) if "files" in bound else None,
    )


def is_killed(spec: BuildSpec, cases: Mapping[str, ProbeCase], observations: Sequence[Observation]) -> bool:
    """True iff one of the observations fails its case or an invariant."""
    seen_by = {observation.probe: observation for observation in observations}
    return any(next(run_failures(spec, cases[probe], seen_by), None) for probe in seen_by if probe in cases)


def weakness(spec: BuildSpec, plan: ProbePlan, evidence: LayerEvidence, floor: Floor) -> tuple[Failure, ...]:
    """Why the evidence is too weak to certify under ``floor``, if it is."""
    counted = tally(spec, plan, evidence.mutants)
    possible = int(evidence.notes.get("mutants_possible", ("0",))[0])
    details = [
        *_rule_faults(spec, plan),
        *_mutation_faults(counted, possible, floor),
        *_output_faults(spec, plan, floor),
    ]
    return tuple(Failure(signature=FailureSignature.INSUFFICIENT_EVIDENCE, detail=detail) for detail in details)


def _rule_faults(spec: BuildSpec, plan: ProbePlan) -> Iterator[str]:
    """A function of which nothing but examples is known: a table of them would pass as well."""
    if takes_input(spec) and (spec.functions or spec.exchanges) and not fixed_by_readings(plan.cases):
        yield "nothing but examples speaks for the rule, and who knows those by heart passes too: readings would tell"


def _mutation_faults(counted: Tally, possible: int, floor: Floor) -> Iterator[str]:
    remaining = counted.judged - counted.equivalent
    if counted.judged < max(1, min(floor.mutants_at_least, possible)):
        yield f"{counted.judged} of {possible} mutants were judged, the policy asks for {floor.mutants_at_least}"
    elif counted.equivalent * 100 > floor.mutants_equivalent_percent * counted.judged:
        yield (
            f"{counted.equivalent} of {counted.judged} mutants behave like the program on every input tried: "
            "the inputs tell too little apart"
        )
    elif counted.killed * 100 < floor.mutants_killed_percent * remaining:
        yield (
            f"the checks caught {counted.killed} of {remaining} mutants, the policy asks for "
            f"{floor.mutants_killed_percent} percent; readings (--reading DIR) or more examples would catch more"
        )


def _output_faults(spec: BuildSpec, plan: ProbePlan, floor: Floor) -> Iterator[str]:
    classes = len(output_classes(plan))
    if takes_input(spec) and classes < floor.output_classes:
        yield f"the checks tell {classes} kinds of output apart, the policy asks for {floor.output_classes}"


def takes_input(spec: BuildSpec) -> bool:
    """False for a program whose domain is a single run."""
    if spec.functions:
        return any(item.parameters for item in spec.functions)
    if spec.exchanges:
        return True
    return bool(spec.interface.arguments) or spec.interface.reads_stdin


def output_classes(plan: ProbePlan) -> frozenset[str]:
    """The different outputs that the cases expect exactly; a passing candidate has shown every one."""
    expected = (case.model_dump_json(include={"expectations"}) for case in behaviour_cases(plan) if case.expectations)
    return frozenset(expected)


def measure_strength(
    spec: BuildSpec,
    readings: ReadingSet,
    layers: Sequence[tuple[LayerEvidence | None, LayerResult]],
    floor: Floor,
) -> Strength:
    """The strength of the evidence of all layers; a layer that was not executed adds nothing."""
    done = [(evidence, result) for evidence, result in layers if evidence is not None and result.executed]
    run = {obligation for evidence, _ in done for case in evidence.cases for obligation in case.obligations}
    failed = {name for _, result in done for failure in result.failures for name in failure.requirement_ids}
    criteria = {criterion.id for criterion in spec.acceptance_criteria}
    mutants = [mutant for evidence, _ in done for mutant in evidence.mutants]
    counted = tally(spec, readings.plan, mutants)
    return Strength(
        obligations=len(criteria),
        obligations_covered=len(criteria & run - failed),
        probes=sum(len(evidence.observations) for evidence, _ in done),
        readings=readings.admitted,
        mutants=counted.judged,
        mutants_killed=counted.killed,
        mutants_equivalent=counted.equivalent,
        output_classes=len(output_classes(readings.plan)),
        floor=floor,
        not_checked=tuple(_not_checked(spec, readings, layers)),
    )


def _weak_spans(spec: BuildSpec) -> Iterator[tuple[Span, str]]:
    """The parts of the text that are not checked, or by readings only."""
    yield from ((span, "nothing was read from them") for span in spec.unbound)
    yield from ((item.span, "a quality without a check") for item in spec.quality if item.how is None)
    for clause in spec.conditional_obligations:
        yield from ((span, "nothing but the readings speaks for them") for span in unread_parts(clause))


def _not_checked(
    spec: BuildSpec, readings: ReadingSet, layers: Sequence[tuple[LayerEvidence | None, LayerResult]]
) -> Iterator[str]:
    for span, why in _weak_spans(spec):
        yield f"characters {span.start} to {span.end} of the requirement: {why}"
    left_out = _left_out(readings)
    if left_out:
        yield f"{left_out} generated inputs: readings fail there or differ, and no clause decides"
    free = (
        []
        if spec.functions or spec.exchanges
        else [name for name in ("exit", "stdout", "stderr", "files") if name not in spec.interface.bound]
    )
    if free:
        yield f"not compared, since the requirement does not speak of it: {', '.join(free)}"
    if readings.admitted < 2:
        yield f"independent readings that agree: {readings.admitted} admitted, two are needed to compare"
    if any(criterion.method == "tests" for criterion in spec.acceptance_criteria):
        yield "whether the candidate's own tests are any good: that they pass is its own claim"
    for _, result in layers:
        if not result.executed:
            yield f"the layer {result.layer}: {result.not_executed}"
    if any(argument.role == "date" and not argument.required for argument in spec.interface.arguments):
        yield "runs without the option for the date: only dates decades away from the current one were tried"
    yield from (f"left out of the candidate: {item}" for item in _noted(layers, "dropped"))
    unreached = _noted(layers, "unreached")
    if unreached:
        yield f"lines of the candidate that no traced run reached: {', '.join(unreached)}"


def _left_out(readings: ReadingSet) -> int:
    """How many inputs admitted readings ran on that the plan compares nothing on."""
    planned = {case.probe.id for case in readings.plan.cases}
    admitted = next((item for item in readings.readings if item.admitted), None)
    tried = () if admitted is None else admitted.observations
    return sum(item.probe not in planned and not item.probe.startswith("undated") for item in tried)


def _noted(layers: Sequence[tuple[LayerEvidence | None, LayerResult]], name: str) -> list[str]:
    return [fact for evidence, _ in layers if evidence is not None for fact in evidence.notes.get(name, ())]

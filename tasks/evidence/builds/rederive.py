"""What a build concludes, derived again from what was observed (EVI-06)."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from contracts.plan import InfeasibilityCertificate
from contracts.reading import ReadingSet
from contracts.requirement import BuildSpec, Requirement
from contracts.verdict import LAYERS, Floor, LayerEvidence, LayerResult, ValidationArtifact
from tasks.evidence.builds.contents import Attempt, BuildContents


def verdict_faults(contents: BuildContents) -> Iterator[str]:
    """Every judgement, directive and certificate that the evidence for it does not give."""
    if contents.spec is None:
        return
    if contents.certificate is not None:
        yield from _certificate(contents.certificate, contents.spec, contents.requirement)
    if contents.readings is None:
        return
    if contents.same_generators:
        yield from _readings(contents.spec, contents.readings)
    for attempt in contents.attempts:
        if attempt.artifact is not None:
            yield from _artifact(contents.spec, contents.readings, attempt, contents.settings.floor)
    yield from _directives(contents.spec, contents.readings, contents.attempts)


def _readings(spec: BuildSpec, readings: ReadingSet) -> Iterator[str]:
    """Admission, agreement and the probes themselves, from contract, seed and observations."""
    from tasks.reading.admission import rederive_readings

    fault = rederive_readings(spec, readings)
    if fault is not None:
        yield fault


def _certificate(certificate: InfeasibilityCertificate, spec: BuildSpec, requirement: Requirement) -> Iterator[str]:
    from tasks.planning.planner import check_claim

    fault = check_claim(certificate, spec, requirement)
    if fault is not None:
        yield f"the certificate does not hold: {fault}"


def _artifact(spec: BuildSpec, readings: ReadingSet, attempt: Attempt, floor: Floor) -> Iterator[str]:
    from tasks.validation.judge import assemble, judge_layer

    artifact, number = attempt.artifact, attempt.candidate.attempt
    if artifact is None:
        return
    stated = {result.layer: result for result in artifact.layers}
    seen = {evidence.layer: evidence for evidence in attempt.evidence}
    layers: list[tuple[LayerEvidence | None, LayerResult]] = []
    for layer in LAYERS:
        evidence = seen.get(layer)
        if evidence is not None:
            layers.append((evidence, judge_layer(spec, readings.plan, evidence, floor)))
        elif stated[layer].executed or stated[layer].passed:
            yield f"the layer {layer} of attempt {number} is judged without evidence"
        else:
            layers.append((None, stated[layer]))
    if assemble(spec, readings, attempt.candidate, layers, floor) != artifact:
        yield f"attempt {number} is not judged as its evidence gives"


def _directives(spec: BuildSpec, readings: ReadingSet, attempts: Sequence[Attempt]) -> Iterator[str]:
    from tasks.repair.directive import direct

    judged: list[ValidationArtifact] = []
    for number, attempt in enumerate(attempts):
        if attempt.artifact is None:
            return
        judged.append(attempt.artifact)
        given = attempt.directive
        if given is not None and (attempt.artifact.passed or given != direct(spec, readings.plan, judged)):
            yield f"the directive after attempt {number} is not what the failures so far give"

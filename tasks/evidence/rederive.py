"""What a record concludes, derived again from what was observed (EVI-06)."""

from __future__ import annotations

from collections.abc import Iterator

from contracts.evidence import Outcome
from contracts.plan import InfeasibilityCertificate
from contracts.reading import ReadingSet
from contracts.requirement import BuildSpec, Requirement
from contracts.verdict import LAYERS, Floor, LayerEvidence, LayerResult
from tasks.evidence.conclusion import NoConclusion, conclude
from tasks.evidence.contents import Attempt, Contents


def verdict_faults(contents: Contents) -> Iterator[str]:
    """Every judgement, directive and certificate that the evidence for it does not give."""
    if contents.spec is None:
        return
    if contents.certificate is not None:
        yield from _certificate(contents.certificate, contents.spec, contents.requirement)
    if contents.readings is None:
        return
    for attempt in contents.attempts:
        if attempt.artifact is not None:
            yield from _artifact(contents.spec, contents.readings, attempt, contents.settings.floor)


def outcome_faults(contents: Contents, outcome: Outcome) -> Iterator[str]:
    """Why the outcome is not the one that the record gives."""
    try:
        end = conclude(contents)
    except NoConclusion as error:
        yield str(error)
        return
    stated = (outcome.status, outcome.fault, outcome.failures, outcome.layers, outcome.strength, outcome.usage)
    if stated != (end.status, end.fault, end.failures, end.layers, end.strength, end.usage):
        yield "another outcome is stated than the record gives"


def _certificate(certificate: InfeasibilityCertificate, spec: BuildSpec, requirement: Requirement) -> Iterator[str]:
    from tasks.planning.planner import check_claim

    fault = check_claim(certificate, spec, requirement)
    if fault is not None:
        yield f"the certificate does not hold: {fault}"


def _artifact(spec: BuildSpec, readings: ReadingSet, attempt: Attempt, floor: Floor) -> Iterator[str]:
    from tasks.repair.directive import direct
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
    if attempt.directive is not None and (artifact.passed or attempt.directive != direct(spec, artifact)):
        yield f"the directive after attempt {number} is not what its failures give"
    if assemble(spec, readings, attempt.candidate, layers, floor) != artifact:
        yield f"attempt {number} is not judged as its evidence gives"

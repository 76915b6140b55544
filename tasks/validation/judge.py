"""The judge: observations and the sealed plan in, results out (laws 1, 3, 5). Pure: verification calls it again."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from contracts.candidate import Candidate
from contracts.probe import Observation, ProbeCase, ProbePlan
from contracts.reading import ReadingSet
from contracts.requirement import AcceptanceCriterion, BuildSpec
from contracts.verdict import (
    Failure,
    FailureSignature,
    Floor,
    LayerEvidence,
    LayerName,
    LayerResult,
    ValidationArtifact,
)
from tasks.validation.cases import cases_of, run_failures, unread_parts
from tasks.validation.check import check
from tasks.validation.grouping import grouped
from tasks.validation.readable import plain
from tasks.validation.strength import FURTHER, measure_strength, weakness

__all__ = ["assemble", "check", "judge_layer", "not_executed"]

NOTES = {
    "entry_missing": FailureSignature.ENTRY_POINT_MISSING,
    "tampering": FailureSignature.VERIFIER_TAMPERING,
    "undeclared": FailureSignature.UNDECLARED_FILE,
}
"""Notes about the tree that are failures; all others are facts for the reader of the record."""


def judge_layer(spec: BuildSpec, plan: ProbePlan, evidence: LayerEvidence, floor: Floor) -> LayerResult:
    """Judge one layer's evidence against the sealed plan.

    The cases are taken from the plan: evidence that drops, alters, adds or repeats one is a seal mismatch, and a
    case without an observation is not executed; neither is a pass (laws 3 and 5).
    """
    layer, cases = evidence.layer, cases_of(plan, evidence.layer)
    broken = _seal_fault(spec, plan, evidence, cases)
    if broken:
        return _refused(layer, broken)
    seen_by = {observation.probe: observation for observation in evidence.observations}
    unseen = [case.probe.id for case in cases if case.probe.id not in seen_by]
    if unseen:
        reason = f"{len(unseen)} of {len(cases)} planned probes were not run, the first is {unseen[0]}"
        return not_executed(layer, reason)
    failures = (
        *_note_failures(evidence),
        *grouped([failure for case in cases for failure in run_failures(spec, case, seen_by)]),
        *_uncovered(spec, layer, cases),
    )
    if layer == "adversarial" and not failures:
        failures = weakness(spec, plan, evidence, floor)
    return LayerResult(layer=layer, executed=True, passed=not failures, failures=failures)


def not_executed(layer: LayerName, reason: str) -> LayerResult:
    """The result of a layer that did not run; never a pass (law 3)."""
    return LayerResult(layer=layer, executed=False, passed=False, not_executed=reason)


def assemble(
    spec: BuildSpec,
    readings: ReadingSet,
    candidate: Candidate,
    layers: Sequence[tuple[LayerEvidence | None, LayerResult]],
    floor: Floor,
) -> ValidationArtifact:
    """The judgement of one attempt, with the strength of its evidence (laws 5 and 8)."""
    checked = [(evidence, _of(candidate, evidence, result)) for evidence, result in layers]
    return ValidationArtifact(
        build_spec=spec.seal(),
        probe_plan=readings.plan.seal(),
        candidate=candidate.tree,
        attempt=candidate.attempt,
        layers=tuple(result for _, result in checked),
        strength=measure_strength(spec, readings, checked, floor),
    )


def _refused(layer: LayerName, reason: str) -> LayerResult:
    failure = Failure(signature=FailureSignature.SEAL_MISMATCH, detail=reason)
    return LayerResult(layer=layer, executed=False, passed=False, not_executed=reason, failures=(failure,))


def _of(candidate: Candidate, evidence: LayerEvidence | None, result: LayerResult) -> LayerResult:
    """``result``, unless it rests on another candidate's evidence (law 5, GAME-55)."""
    if evidence is None or evidence.candidate == candidate.tree:
        return result
    return _refused(result.layer, f"the evidence of the layer {result.layer} is another candidate's")


def _seal_fault(spec: BuildSpec, plan: ProbePlan, evidence: LayerEvidence, cases: tuple[ProbeCase, ...]) -> str | None:
    if plan.build_spec != spec.seal():
        return "the plan was made for another contract"
    if evidence.cases != cases:
        return f"the cases of the layer {evidence.layer} are not those of the sealed plan"
    known = {case.probe.id for case in plan.cases}
    runs = [("layer", {case.probe.id for case in cases}, evidence.observations)]
    runs += [("mutant", known, _planned(mutant.observations)) for mutant in evidence.mutants]
    for name, allowed, observations in runs:
        ids = [observation.probe for observation in observations]
        if len(set(ids)) != len(ids) or not set(ids) <= allowed:
            return f"the observations of a {name} do not pair with the sealed probes"
    return None


def _planned(observations: Sequence[Observation]) -> tuple[Observation, ...]:
    """Without those of further inputs, which carry no expectation and are compared with each other only."""
    return tuple(item for item in observations if not item.probe.startswith(FURTHER))


def _note_failures(evidence: LayerEvidence) -> tuple[Failure, ...]:
    return tuple(
        Failure(signature=signature, detail=plain(fact)[:1_000])
        for name, signature in NOTES.items()
        for fact in evidence.notes.get(name, ())
    )


def _uncovered(spec: BuildSpec, layer: LayerName, cases: tuple[ProbeCase, ...]) -> Iterator[Failure]:
    """Obligations that no executed case of the layer that proves them names (law 3)."""
    named = {obligation for case in cases for obligation in case.obligations}
    for criterion in spec.acceptance_criteria:
        if layer == ("runtime" if criterion.method == "tests" else "obligations") and criterion.id not in named:
            yield _unproven(criterion, compared=any(case.origin == "reading" for case in cases))
    if layer == "obligations":
        yield from _unreadable(spec)


def _unproven(criterion: AcceptanceCriterion, *, compared: bool) -> Failure:
    ids = (criterion.id, *criterion.atoms)
    if criterion.method == "reading":
        detail = "no reading was admitted to say what is right here: examples in the text, or --reading DIR, would"
        if compared:
            detail = "no generated input made the readings show what this clause says: an example in the text would"
        signature = FailureSignature.INSUFFICIENT_EVIDENCE
    else:
        detail = f"no probe was run that proves this clause ({criterion.method})"
        signature = FailureSignature.UNPROVEN_REQUIREMENT
    return Failure(signature=signature, requirement_ids=ids, spans=(criterion.span,), detail=detail)


def _unreadable(spec: BuildSpec) -> Iterator[Failure]:
    """Conditionals of which a part could not be read, and which no criterion leaves to the readings."""
    left = {name for item in spec.acceptance_criteria if item.method == "reading" for name in item.atoms}
    for conditional in spec.conditional_obligations:
        spans = unread_parts(conditional)
        if spans and conditional.id not in left:
            yield Failure(
                signature=FailureSignature.UNPROVEN_REQUIREMENT,
                requirement_ids=(conditional.id, conditional.atom),
                spans=spans,
                detail="this could not be read, and nothing else proves it",
            )

"""Layer 3: what lies hidden in the tree, hostile inputs, special-cased examples, and the strength of the evidence."""

from __future__ import annotations

from contracts.candidate import Candidate
from contracts.reading import ReadingSet
from contracts.requirement import BuildSpec
from contracts.settings import BuildSettings
from contracts.verdict import LayerEvidence
from tasks.evidence.store import open_store
from tasks.validation.cases import cases_of, run_failures
from tasks.validation.mutation import run_mutants
from tasks.validation.running import run_probes
from tasks.validation.tree_notes import tree_notes


def observe_adversarial(
    spec: BuildSpec, readings: ReadingSet, candidate: Candidate, settings: BuildSettings
) -> LayerEvidence:
    """Run the layer's cases; then, for a candidate that fails none, its mutants (DEC-10). No judgement (law 1).

    Raises:
        SandboxError: the infrastructure failed.
    """
    cases = cases_of(readings.plan, "adversarial")
    observations = run_probes(candidate, (case.probe for case in cases), settings)
    evidence = LayerEvidence(
        layer="adversarial",
        candidate=candidate.tree,
        cases=cases,
        observations=observations,
        notes=tree_notes(candidate, open_store(settings.store)),
    )
    seen = {observation.probe: observation for observation in observations}
    if any(next(run_failures(spec, case, seen), None) for case in cases):
        return evidence
    mutants, notes = run_mutants(spec, readings.plan, candidate, settings)
    return evidence.model_copy(update={"mutants": mutants, "notes": evidence.notes | notes})

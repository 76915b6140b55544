"""Layer 2: every obligation of the contract has been tried, and what was seen meets it."""

from __future__ import annotations

from contracts.candidate import Candidate
from contracts.reading import ReadingSet
from contracts.requirement import BuildSpec
from contracts.settings import BuildSettings
from contracts.verdict import LayerEvidence
from tasks.validation.cases import cases_of
from tasks.validation.running import run_probes


def observe_obligations(
    spec: BuildSpec,  # noqa: ARG001 - the signature of a layer; the sealed plan says it all here
    readings: ReadingSet,
    candidate: Candidate,
    settings: BuildSettings,
) -> LayerEvidence:
    """Run the examples, conditionals, invariants and the inputs that readings agree on; no judgement (law 1).

    Raises:
        SandboxError: the infrastructure failed.
    """
    cases = cases_of(readings.plan, "obligations")
    return LayerEvidence(
        layer="obligations",
        candidate=candidate.tree,
        cases=cases,
        observations=run_probes(candidate, (case.probe for case in cases), settings),
    )

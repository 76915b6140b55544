"""Layer 1: it parses, its imports resolve, its entry point answers, its tests run, repeated runs agree."""

from __future__ import annotations

from contracts.candidate import Candidate
from contracts.reading import ReadingSet
from contracts.requirement import BuildSpec
from contracts.settings import BuildSettings
from contracts.verdict import LayerEvidence
from tasks.evidence.store import open_store
from tasks.validation.cases import cases_of
from tasks.validation.running import run_probes
from tasks.validation.tree_notes import tree_notes


def observe_runtime(
    spec: BuildSpec, readings: ReadingSet, candidate: Candidate, settings: BuildSettings
) -> LayerEvidence:
    """Run the cases of the layer; no judgement is made here (law 1).

    Raises:
        SandboxError: the infrastructure failed.
    """
    cases = cases_of(readings.plan, "runtime")
    entry = spec.interface.entry
    lacks = not spec.functions and all(file.path != entry for file in candidate.files)
    missing = (f"there is no file {entry}",) if lacks else ()
    found = tree_notes(candidate, open_store(settings.store)).get("tampering", ())
    notes = {"entry_missing": missing, "tampering": found}
    return LayerEvidence(
        layer="runtime",
        candidate=candidate.tree,
        cases=cases,
        observations=run_probes(candidate, (case.probe for case in cases), settings),
        notes={name: facts for name, facts in notes.items() if facts},
    )

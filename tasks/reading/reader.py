"""Independent readings, and the sealed plan of every probe with what they agree on (laws 1, 2; DEC-14)."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

from contracts.candidate import Candidate, Provenance
from contracts.probe import CommandProbe, Observation, ProbeCase, ProbePlan
from contracts.reading import Reading, ReadingSet
from contracts.requirement import BuildSpec, Requirement
from contracts.settings import BuildSettings
from contracts.verdict import Failure
from tasks.coding.samples import scripted
from tasks.errors import UsageError
from tasks.evidence.store import open_store
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
from tasks.trees import ingest
from tasks.validation.cases import run_failures
from tasks.validation.grouping import grouped
from tasks.validation.running import run_probes

SANDBOXES_AT_ONCE = 2
OTHER_DATES = ("2025-03-01", "2031-10-20")


def read(spec: BuildSpec, requirement: Requirement, settings: BuildSettings) -> ReadingSet:
    """Run every reading on every generated input, admit those that meet the text, and seal the plan.

    A reading is untrusted: each runs in a sandbox of its own. No candidate is looked at.

    Raises:
        UsageError: a directory of a reading cannot be read.
        SandboxError: the infrastructure failed.
    """
    probes = _Probes(spec, settings.seed)
    trees = _trees(spec, requirement, settings)
    runs = _run_all(list(trees.values()), probes.all, settings)
    readings = tuple(
        _admit(spec, label, tree, probes, run) for (label, tree), run in zip(trees.items(), runs, strict=True)
    )
    admitted = {item.label: run for item, run in zip(readings, runs, strict=True) if item.admitted}
    settled = _settle_all(spec, probes, admitted)
    compared = [item for item in settled if isinstance(item, ProbeCase)]
    plan = ProbePlan(
        build_spec=spec.seal(),
        seed=settings.seed,
        cases=(
            *standing_cases(spec, *samples(spec, compared)),
            *probes.stated,
            *compared,
            *hostile_cases(spec),
        ),
    )
    failures = grouped([item for item in settled if isinstance(item, Failure)])
    return ReadingSet(build_spec=spec.seal(), readings=readings, plan=plan, failures=failures)


class _Probes:
    """All inputs of a build, before anything ran."""

    def __init__(self, spec: BuildSpec, seed: int) -> None:
        self.stated = stated_cases(spec)
        self.generated = generated_probes(spec, seed)
        self.near = near_probes(spec, seed)
        self.undated = undated_probe(spec, seed)
        self.dated = tuple(dated_again(spec, self.undated, day) for day in OTHER_DATES) if self.undated else ()

    @property
    def all(self) -> tuple[CommandProbe, ...]:
        once = (self.undated,) if self.undated else ()
        return (*(case.probe for case in self.stated), *self.generated, *self.near, *once, *self.dated)


def _trees(spec: BuildSpec, requirement: Requirement, settings: BuildSettings) -> dict[str, Candidate]:
    """The supplied readings, or else those that ship with the sample, which know the default conventions only."""
    store = open_store(settings.store)
    supplied = [Path(name) for name in settings.readings]
    source = "directory" if supplied else "scripted"
    found: dict[str, Candidate] = {}
    overridden = any(item.source == "override" for item in spec.conventions)
    for path in supplied or ([] if overridden else scripted(requirement.text, "readings")):
        label = path.name if path.name not in found else f"{path.name} ({len(found) + 1})"
        note = label if supplied else f"written by hand, reading {label} of the sample"
        try:
            provenance = Provenance.model_validate({"source": source, "label": note})
            found[label] = ingest(path, store, provenance, 0)
        except (ValueError, OSError) as error:
            raise UsageError(f"the reading {path} cannot be read: {error}") from error
    return found


def _run_all(trees: Sequence[Candidate], probes: Sequence[CommandProbe], settings: BuildSettings) -> list[Runs]:
    def run(tree: Candidate) -> Runs:
        return {observation.probe: observation for observation in run_probes(tree, probes, settings)}

    with ThreadPoolExecutor(SANDBOXES_AT_ONCE) as pool:
        return list(pool.map(run, trees))


def _admit(spec: BuildSpec, label: str, tree: Candidate, probes: _Probes, runs: Runs) -> Reading:
    """Admitted iff it meets the text on every stated case, every invariant, and answers every generated input."""
    reason = _refusal(spec, probes, runs)
    return Reading(label=label, tree=tree, admitted=reason is None, reason=reason or "meets everything the text states")


def _refusal(spec: BuildSpec, probes: _Probes, runs: Runs) -> str | None:
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


def _settle_all(spec: BuildSpec, probes: _Probes, admitted: Mapping[str, Runs]) -> list[ProbeCase | Failure]:
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

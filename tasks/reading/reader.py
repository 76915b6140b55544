"""Independent readings: each runs on every probe of the contract before any candidate exists (laws 1, 2; DEC-14)."""

from __future__ import annotations

from pathlib import Path

from contracts.candidate import Candidate, Provenance
from contracts.reading import ReadingSet
from contracts.requirement import BuildSpec, Requirement
from contracts.settings import BuildSettings
from tasks.coding.samples import scripted
from tasks.errors import UsageError
from tasks.evidence.store import open_store
from tasks.reading.admission import Observed, Probes, conclude_readings
from tasks.reading.cache import run_once
from tasks.trees import ingest


def read(
    spec: BuildSpec, requirement: Requirement, settings: BuildSettings, written: tuple[Candidate, ...] = ()
) -> ReadingSet:
    """Run every reading on every generated input, admit those that meet the text, and seal the plan.

    A reading is untrusted: each runs in sandboxes of its own. No candidate is looked at. ``written`` are readings by
    models, of which two that answer alike are two sources all the same; without them they are the supplied ones, or
    those of the sample.

    Raises:
        UsageError: a directory of a reading cannot be read, or two hold the same program.
        SandboxError: the infrastructure failed.
    """
    probes = Probes(spec, settings.seed).all
    trees = {f"reading-{number}": tree for number, tree in enumerate(written, 1)} or _trees(spec, requirement, settings)
    observed = [Observed(label, tree, run_once(tree, probes, settings)) for label, tree in trees.items()]
    return conclude_readings(spec, settings.seed, observed)


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
    if supplied and len({tree.tree for tree in found.values()}) < len(found):
        raise UsageError("two readings are the same program: that is one source, not two")
    return found

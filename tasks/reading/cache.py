"""What a reading showed is kept in the store: the next build of the same contract need not ask again (DEC-10)."""

from __future__ import annotations

from collections.abc import Sequence
from contextlib import suppress

from pydantic import ValidationError

from contracts.candidate import Candidate
from contracts.canonical import digest_of
from contracts.model import Model
from contracts.probe import Observation, Probe
from contracts.settings import BuildSettings
from tasks.evidence.store import BLOB_BYTES, open_store
from tasks.isolation import measure
from tasks.validation.running import run_probes


class _Kept(Model):
    observations: tuple[Observation, ...]


def run_once(tree: Candidate, probes: Sequence[Probe], settings: BuildSettings) -> tuple[Observation, ...]:
    """One observation for each probe: as the store has them for this tree, these probes and this sandbox, or run now.

    Only runs that ended by themselves are kept: a limit may be the fault of a busy machine (law 3).

    Raises:
        SandboxError: the infrastructure failed.
    """
    store, key = open_store(settings.store), _key(tree, probes, settings)
    kept = store.read(key, BLOB_BYTES)
    if kept is not None:
        with suppress(ValidationError):  # damaged, or of another version: the runs are made again
            return _Kept.model_validate_json(kept).observations
    observations = run_probes(tree, probes, settings)
    if kept is None and all(item.outcome == "exited" for item in observations):
        store.create(key, _Kept(observations=observations).canonical())
    return observations


def _key(tree: Candidate, probes: Sequence[Probe], settings: BuildSettings) -> str:
    sandbox = measure(settings)
    parts = [tree.tree, [probe.document() for probe in probes], sandbox.policy, sandbox.root, sandbox.tools]
    return f"observations/{digest_of(parts).removeprefix('sha256:')}.json"

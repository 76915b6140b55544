"""Run probes on a tree: one fresh sandbox, the tree's identity recomputed on the way in (laws 4 and 5)."""

from __future__ import annotations

from collections.abc import Iterable

from contracts.candidate import Candidate
from contracts.probe import Observation, Probe
from contracts.settings import BuildSettings
from sandbox import open_sandbox, toolbox
from tasks.evidence.store import open_store
from tasks.trees import materialise


def run_probes(candidate: Candidate, probes: Iterable[Probe], settings: BuildSettings) -> tuple[Observation, ...]:
    """One observation for each probe, in order.

    Raises:
        SandboxError: the infrastructure failed (law 3).
        SealMismatch, StoreError: the tree is not the one that was sealed (law 5).
    """
    store = open_store(settings.store)
    with materialise(candidate, store) as tree, open_sandbox(settings.policy, tree, toolbox()) as sandbox:
        return tuple(sandbox.run(probes))

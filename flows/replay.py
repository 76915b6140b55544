"""A record's runs made again from its own parts, whatever type it is (RPL-01)."""

from __future__ import annotations

import tempfile
from pathlib import Path

from contracts.evidence import Record
from contracts.replay import ReplayReport
from flows.replay_build import replay_build
from flows.replay_check import replay_check
from flows.replay_repair import replay_repair
from tasks.errors import UsageError
from tasks.evidence.arrangement import read_contents
from tasks.evidence.benches.contents import BenchContents
from tasks.evidence.builds.contents import BuildContents
from tasks.evidence.checks.contents import CheckContents
from tasks.evidence.repairs.contents import RepairContents
from tasks.evidence.store import Store


def replay(record: Record, store: Store) -> ReplayReport:
    """Run everything again that the record says was run; it is taken to be verified.

    Raises:
        UsageError: it is of a run over a bundle.
        SandboxError, InfrastructureError: it cannot be run here, which says nothing about the record (law 3).
    """
    contents = read_contents(record, store)
    with tempfile.TemporaryDirectory(prefix="forge-replay-") as scratch:
        match contents:
            case BuildContents():
                return replay_build(contents, store, Path(scratch))
            case CheckContents():
                return replay_check(contents, store, Path(scratch))
            case RepairContents():
                return replay_repair(contents, store, Path(scratch))
            case BenchContents():
                raise UsageError("a run over a bundle is run again by forge bench replay; its builds have own records")
            case _:
                raise TypeError(f"there is no replay of a {contents.TYPE}")

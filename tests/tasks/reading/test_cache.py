"""Readings are run once for a contract, a tree and a sandbox (DEC-10), and never believed beyond that."""

from __future__ import annotations

from collections.abc import Callable

import pytest

from contracts.candidate import Provenance
from contracts.isolation import IsolationReport, Limits, SandboxPolicy
from contracts.probe import CommandProbe
from contracts.settings import BuildSettings
from tasks.evidence.store import open_store
from tasks.reading.cache import run_once
from tasks.trees import ingest

LIMITS = Limits()
PROBES = [CommandProbe(id=f"p{number}", argv=("python3", "/candidate/main.py")) for number in range(3)]


@pytest.fixture
def asked(tmp_path, monkeypatch, seen) -> Callable[..., int]:
    """Ask for the runs of a tree; how many were made."""

    def ask(text: str = "", probes=PROBES, limits=LIMITS, interpreter="3.11", **given) -> int:
        made: list[str] = []

        def run_probes(_tree, probes, _settings):
            made.extend(probe.id for probe in probes)
            return tuple(seen(probe.id, **given) for probe in probes)

        def measure(settings):
            return IsolationReport(
                policy=settings.policy.seal(),
                backend="bubblewrap",
                root="host",
                tools={"python3": interpreter},
                enforced={},
                checks=(),
            )

        monkeypatch.setattr("tasks.reading.cache.run_probes", run_probes)
        monkeypatch.setattr("tasks.reading.cache.measure", measure)
        settings = BuildSettings(store=str(tmp_path / "store"), policy=SandboxPolicy(limits=limits))
        folder = tmp_path / "tree"
        folder.mkdir(exist_ok=True)
        (folder / "main.py").write_text(text)
        tree = ingest(folder, open_store(settings.store), Provenance(source="directory", label="x"), 0)
        assert [item.probe for item in run_once(tree, probes, settings)] == [probe.id for probe in probes]
        return len(made)

    return ask


def test_the_same_runs_are_made_once(asked):
    assert [asked(), asked()] == [3, 0]


def test_another_tree_other_probes_and_another_sandbox_are_run(asked):
    asked()
    assert asked(text="# changed\n") == 3
    assert asked(probes=PROBES[:2]) == 2
    assert asked(probes=[probe.model_copy(update={"stdin": b"x"}) for probe in PROBES]) == 3
    assert asked(limits=Limits(wall_ms=5_000)) == 3
    assert asked(interpreter="3.12") == 3
    assert asked() == 0


def test_a_run_that_a_limit_ended_is_made_again(asked):
    """Law 3: it may be the fault of a busy machine."""
    asked(outcome="limit", status=None)
    assert asked() == 3


def test_damage_is_not_believed(asked, tmp_path):
    asked()
    (kept,) = (tmp_path / "store" / "observations").iterdir()
    kept.chmod(0o644)
    kept.write_bytes(kept.read_bytes()[:-20])
    assert asked() == 3

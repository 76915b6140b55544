"""Runs in two sandboxes at once: order, faults, and interruptions that wait for no candidate (CLI-06, law 3)."""

from __future__ import annotations

import signal
import tempfile
import threading
import time
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest

from contracts.candidate import Provenance
from contracts.probe import CommandProbe
from contracts.settings import BuildSettings
from sandbox.base import SandboxLost
from sandbox.owner import PREFIX, owner_id
from tasks.evidence.store import open_store
from tasks.trees import ingest
from tasks.validation.running import WORTH_TWO, run_probes, spread

PROMPT_S = 6.0
"""Far below the wall limit of a probe (10 s), with room for a busy machine; it takes some 0.2 s on an idle one."""


class Fake:
    """A sandbox that answers with what ``answer`` makes of the probe, until it is closed."""

    def __init__(self, answer: Callable[[CommandProbe], Any]) -> None:
        self.answer = answer
        self.closed = threading.Event()

    def run(self, probes: list[CommandProbe]) -> Iterator[Any]:
        for probe in probes:
            yield self.answer(probe)

    def close(self) -> None:
        self.closed.set()


def probes(number: int) -> list[CommandProbe]:
    return [CommandProbe(id=f"p-{place:03}", argv=("python3", "/candidate/main.py")) for place in range(number)]


def test_results_come_in_the_order_of_the_jobs_whoever_was_free():
    slow, fast = Fake(lambda probe: ("slow", probe.id)), Fake(lambda probe: ("fast", probe.id))
    found = spread([slow, fast], probes(200), lambda once, probe: once(probe))  # type: ignore[list-item]
    assert [name for _, name in found] == [probe.id for probe in probes(200)]
    assert not slow.closed.is_set()


def test_a_fault_of_one_sandbox_ends_the_other_and_is_raised():
    """It hangs until it is closed: without that the test would not end."""

    def lost(probe: CommandProbe) -> Any:
        raise SandboxLost("gone")

    hanging = Fake(lambda probe: hanging.closed.wait(60))
    with pytest.raises(SandboxLost, match="gone"):
        spread([hanging, Fake(lost)], probes(100), lambda once, probe: once(probe))  # type: ignore[list-item]
    assert hanging.closed.is_set()


@pytest.fixture
def interrupt() -> Iterator[Callable[[float], None]]:
    """Raise KeyboardInterrupt in this thread after some seconds, as the command line's handler does."""

    def handler(*_: object) -> None:
        raise KeyboardInterrupt

    before = signal.signal(signal.SIGALRM, handler)
    yield lambda seconds: signal.setitimer(signal.ITIMER_REAL, seconds)  # type: ignore[func-returns-value]
    signal.setitimer(signal.ITIMER_REAL, 0)
    signal.signal(signal.SIGALRM, before)


@pytest.mark.parametrize("number", [1, WORTH_TWO])
@pytest.mark.parametrize("after", [0.05, 1.5])
def test_an_interruption_waits_for_no_candidate_and_leaves_nothing(number, after, interrupt, tmp_path):
    """Planted: a candidate that never ends. The interruption comes while sandboxes are opened, and in its runs."""
    settings = BuildSettings(store=str(tmp_path / "store"))
    tree = tmp_path / "tree"
    tree.mkdir()
    (tree / "main.py").write_text("while True:\n    pass\n")
    candidate = ingest(tree, open_store(settings.store), Provenance(source="directory", label="x"), 0)
    interrupt(after)
    begun = time.monotonic()
    with pytest.raises(KeyboardInterrupt):
        run_probes(candidate, probes(number), settings)
    assert time.monotonic() - begun < after + PROMPT_S
    assert not [thread.name for thread in threading.enumerate() if thread.name.startswith("ThreadPool")]
    assert not list(Path(tempfile.gettempdir()).glob(f"{PREFIX}{owner_id()}-*"))
    assert _children() == []


def _children() -> list[str]:
    """The names of this process's children that are sandboxes."""
    tasks = Path("/proc/self/task").iterdir()
    pids = [pid for task in tasks for pid in (task / "children").read_text().split()]
    return [name for pid in pids if (name := Path(f"/proc/{pid}/comm").read_text().strip()) == "bwrap"]

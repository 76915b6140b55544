"""Faults of the infrastructure are never the candidate's, and none is a hang (law 3)."""

from __future__ import annotations

import contextlib
import os
import random
import signal
import time
from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import pytest

from contracts.isolation import Limits, SandboxPolicy
from contracts.probe import CommandProbe, Observation
from sandbox import session as trusted
from sandbox.base import SandboxLost
from sandbox.bubblewrap import Bubblewrap
from sandbox.opening import measured
from sandbox.session import Session

SLEEP = CommandProbe(id="sleep", argv=("python3", "-c", "import time; time.sleep(30)"))
TRUE = CommandProbe(id="true", argv=("true",))


@pytest.fixture
def opened(bubblewrap: SandboxPolicy, tmp_path: Path) -> Iterator[Session]:
    tmp_path.chmod(0o755)
    with Bubblewrap().open(bubblewrap, tmp_path, tmp_path) as session:
        yield session


def processes(session: Session) -> dict[str, list[int]]:
    """Pids below the sandbox's own process, by what they are: supervisor, wardens, candidates."""
    channel = session._channel
    assert channel is not None
    found: dict[str, list[int]] = {"supervisor": [], "other": []}
    pending = [channel._process.pid]  # type: ignore[attr-defined]  # a PipeChannel
    while pending:
        for task in Path(f"/proc/{pending.pop()}/task").iterdir():
            children = [int(pid) for pid in (task / "children").read_text(encoding="ascii").split()]
            pending += children
            for pid in children:
                with contextlib.suppress(OSError):
                    line = Path(f"/proc/{pid}/cmdline").read_bytes()
                    found["supervisor" if line.startswith(b"/opt/bin/python3") else "other"].append(pid)
    return found


def during(session: Session, probe: CommandProbe, act: Callable[[], None]) -> Observation:
    """Run a probe and act while it runs."""
    with ThreadPoolExecutor(1) as pool:
        running = pool.submit(lambda: next(iter(session.run([probe]))))
        deadline = time.monotonic() + 20
        while not any(b"sleep" in line for line in lines(session)) and time.monotonic() < deadline:
            time.sleep(0.01)
        act()
        return running.result(60)


def gone(pids: list[int]) -> bool:
    """Within a moment."""
    deadline = time.monotonic() + 5
    while any(Path(f"/proc/{pid}").exists() for pid in pids):
        if time.monotonic() > deadline:
            return False
        time.sleep(0.01)
    return True


def lines(session: Session) -> list[bytes]:
    found = []
    for pid in processes(session)["other"]:
        with contextlib.suppress(OSError):
            found.append(Path(f"/proc/{pid}/cmdline").read_bytes())
    return found


def test_a_supervisor_that_is_killed_is_a_fault_of_ours(opened: Session) -> None:
    """The observations before stand, and a new supervisor takes its place."""
    first = processes(opened)["supervisor"][0]
    with pytest.raises(SandboxLost, match="supervisor of the sandbox ended"):
        during(opened, SLEEP, lambda: os.kill(first, signal.SIGKILL))
    assert [seen.exit_code for seen in opened.run([TRUE])] == [0]


def test_a_supervisor_that_does_not_answer_is_no_hang(opened: Session, monkeypatch: pytest.MonkeyPatch) -> None:
    """SCN-16, SCN-24."""
    monkeypatch.setattr(trusted, "_GRACE_S", 0.3)
    stopped = processes(opened)["supervisor"][0]
    os.kill(stopped, signal.SIGSTOP)
    begun = time.monotonic()
    with pytest.raises(SandboxLost, match="does not answer"):
        list(opened.run([TRUE.model_copy(update={"wall_ms": 100})]))
    assert time.monotonic() - begun < 30
    assert gone([stopped])


def test_a_warden_that_is_killed_is_tampering_and_the_sandbox_is_replaced(opened: Session) -> None:
    """DEC-04, DEC-21."""
    before = processes(opened)["supervisor"]

    def kill() -> None:
        for pid in processes(opened)["supervisor"][1:]:
            os.kill(pid, signal.SIGKILL)

    seen = during(opened, SLEEP, kill)
    assert (seen.outcome, seen.exit_code) == ("tampering", None)
    assert seen.detail is not None
    assert [again.exit_code for again in opened.run([TRUE])] == [0]
    assert not set(before) & set(processes(opened)["supervisor"])


def test_a_message_that_is_no_observation_is_a_fault_of_ours(opened: Session, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(opened, "_exchange", lambda *_: {"observation": {"outcome": "exited"}})
    with pytest.raises(SandboxLost, match="no observation"):
        list(opened.run([TRUE]))


def test_closing_ends_a_run_that_goes_on(opened: Session) -> None:
    """SCN-18, SCN-22: nothing of an attempt is left for the next."""
    started = list(opened.run([TRUE]))
    pids = [pid for group in processes(opened).values() for pid in group]
    opened.close()
    assert started[0].exit_code == 0
    assert pids
    assert gone(pids)


def test_many_sandboxes_at_once_lose_nothing(bubblewrap: SandboxPolicy, tmp_path: Path) -> None:
    """SCN-16, SCN-50, SCN-53: more at once than there are processors, in any order, the same answers."""
    tmp_path.chmod(0o755)
    policy = bubblewrap.model_copy(update={"limits": Limits(wall_ms=60_000, cpu_ms=60_000)})
    measured(policy)

    def work(seed: int) -> dict[str, tuple[str, int | None, bytes]]:
        probes = [
            CommandProbe(id=str(n), argv=("sh", "-c", f"echo {n}; exit {n % 3}"))
            for n in random.Random(seed).sample(range(12), 12)
        ]
        with Bubblewrap().open(policy, tmp_path, tmp_path) as session:
            return {seen.probe: (seen.outcome, seen.exit_code, seen.stdout.head) for seen in session.run(probes)}

    with ThreadPoolExecutor(8) as pool:
        answers = list(pool.map(work, range(8)))
    expected = {str(n): ("exited", n % 3, f"{n}\n".encode()) for n in range(12)}
    assert answers == [expected] * 8


def test_a_tree_that_others_cannot_read_is_named(bubblewrap: SandboxPolicy, tmp_path: Path) -> None:
    """SCN-24: a missing directory is a fault of ours with a name."""
    with pytest.raises(SandboxLost, match="nowhere"), Bubblewrap().open(bubblewrap, tmp_path / "nowhere", tmp_path):
        pytest.fail("it was opened")


@pytest.mark.docker
def test_a_sandbox_makes_no_network(docker: SandboxPolicy, tmp_path: Path) -> None:
    """SCN-27."""
    import docker as sdk

    from sandbox.docker import Docker

    client = sdk.from_env(timeout=30)
    before = {network.id for network in client.networks.list()}
    tmp_path.chmod(0o755)
    with Docker().open(docker, tmp_path, tmp_path) as session:
        assert [seen.exit_code for seen in session.run([TRUE])] == [0]
        assert {network.id for network in client.networks.list()} == before
    client.close()

"""SCN-14, SCN-22, SCN-24: whenever the orchestrator is killed, nothing of it is left, and the test can see what is."""

from __future__ import annotations

import contextlib
import os
import random
import secrets
import signal
import subprocess
import sys
import time
from collections.abc import Iterator
from pathlib import Path

import pytest

from contracts.isolation import SandboxPolicy
from sandbox.opening import measured

ROOT = Path(__file__).resolve().parents[2]

ORCHESTRATOR = """
import sys, threading
from pathlib import Path
from contracts.isolation import SandboxPolicy
from contracts.probe import CommandProbe
from sandbox.opening import backend
marker, kind, tree = sys.argv[1:]
code = f"import os, time; os.fork(); open('/tmp/{marker}', 'w').close(); time.sleep(60)"
policy = SandboxPolicy(backend=kind)
while True:
    with backend(policy).open(policy, Path(tree), Path(tree), {}) as sandbox:
        print("open", flush=True)
        probes = [CommandProbe(id=marker, argv=("python3", "-c", code, marker), wall_ms=ms) for ms in (20, 60_000)]
        for observation in sandbox.run(probes):
            print(observation.outcome, flush=True)
"""


def living(marker: str) -> list[str]:
    """Processes that show the marker in their command line; those of a sandbox are visible from outside."""
    found = []
    for entry in Path("/proc").iterdir():
        if entry.name.isdigit() and int(entry.name) != os.getpid():
            with contextlib.suppress(OSError):
                line = (entry / "cmdline").read_bytes()
                if marker.encode() in line:
                    found.append(line.decode("utf-8", "replace"))
    return found


def mounts(marker: str) -> list[str]:
    text = Path("/proc/self/mountinfo").read_text(encoding="utf-8")
    return [line for line in text.splitlines() if marker in line]


def gone(marker: str, seconds: float = 15) -> list[str]:
    """What is left after at most so long."""
    deadline = time.monotonic() + seconds
    while (left := living(marker) + mounts(marker)) and time.monotonic() < deadline:
        time.sleep(0.01)
    return left


@contextlib.contextmanager
def orchestrator(marker: str, kind: str, tree: Path) -> Iterator[subprocess.Popen[bytes]]:
    argv = [sys.executable, "-c", ORCHESTRATOR, marker, kind, str(tree)]
    process = subprocess.Popen(argv, cwd=ROOT, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL)
    try:
        yield process
    finally:
        process.kill()
        process.wait(10)
        assert process.stdout is not None
        process.stdout.close()


def kill_at_random(kind: str, times: int, tree: Path, longest: float) -> None:
    chance = random.Random(7)
    tree = tree / f"forge-leak-{secrets.token_hex(8)}"
    tree.mkdir(mode=0o755)
    for number in range(times):
        with orchestrator(tree.name, kind, tree) as process:
            if number % 2:
                assert process.stdout is not None
                assert process.stdout.readline() == b"open\n"
            time.sleep(chance.uniform(0, longest))
            process.send_signal(signal.SIGKILL)
            process.wait(10)
    assert gone(tree.name) == []


def test_a_leak_would_be_seen() -> None:
    """The positive control (SCN-14)."""
    marker = f"forge-leak-{secrets.token_hex(8)}"
    planted = subprocess.Popen([marker, "60"], executable="/bin/sleep")
    deadline = time.monotonic() + 10
    try:
        while not living(marker) and time.monotonic() < deadline:  # its command line appears a moment after its start
            time.sleep(0.001)
        assert len(gone(marker, seconds=0.05)) == 1
    finally:
        planted.kill()
        planted.wait(10)
    assert gone(marker) == []


def test_a_killed_orchestrator_leaves_nothing(bubblewrap: SandboxPolicy, tmp_path: Path) -> None:
    """A dozen kills at random moments; the slow suite has more."""
    measured(bubblewrap)
    tmp_path.chmod(0o755)
    kill_at_random("bubblewrap", 12, tmp_path, 0.5)


@pytest.mark.slow
@pytest.mark.timeout(3_600)
def test_a_killed_orchestrator_leaves_nothing_however_often(bubblewrap: SandboxPolicy, tmp_path: Path) -> None:
    """DEC-15: FORGE_KILLS times."""
    kill_at_random("bubblewrap", int(os.environ.get("FORGE_KILLS", "200")), tmp_path, 0.5)


@pytest.mark.docker
def test_a_killed_orchestrator_leaves_no_container(docker: SandboxPolicy, tmp_path: Path) -> None:
    """The supervisor ends with its input, and the container with it; the rest is the reaper's."""
    import docker as sdk

    from sandbox.gc import reap
    from sandbox.owner import OWNER_LABEL, is_dead

    kill_at_random("docker", 6, tmp_path, 1.5)
    client = sdk.from_env(timeout=30)
    deadline = time.monotonic() + 20
    while (left := [c for c in client.containers.list(all=True) if is_dead(c.labels.get(OWNER_LABEL, ""))]) and (
        time.monotonic() < deadline
    ):
        reap()
        time.sleep(0.1)
    client.close()
    assert left == []

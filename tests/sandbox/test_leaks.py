"""SCN-14, SCN-22, SCN-24: whenever the orchestrator is killed, nothing of it is left, and the test can see what is."""

from __future__ import annotations

import contextlib
import os
import secrets
import subprocess
import sys
import time
from pathlib import Path

import pytest

from contracts.isolation import SandboxPolicy
from sandbox import cgroup
from sandbox.opening import measured
from sandbox.owner import OWNER_LABEL, PREFIX, directory_owner, is_dead

ROOT = Path(__file__).resolve().parents[2]

NURSERY = """
import os, random, select, signal, sys, time
from pathlib import Path
from contracts.isolation import SandboxPolicy
from contracts.probe import CommandProbe
from sandbox.opening import backend
marker, kind, tree, times, longest, seed = sys.argv[1:]
policy = SandboxPolicy(backend=kind)
chosen = backend(policy)
chosen.describe(policy)
chance = random.Random(int(seed))

def orchestrate(opened):
    code = f"import os, time; os.fork(); open('/tmp/{marker}', 'w').close(); time.sleep(60)"
    while True:
        with chosen.open(policy, Path(tree), Path(tree), {}) as sandbox:
            os.write(opened, b".")
            probes = [CommandProbe(id=marker, argv=("python3", "-c", code, marker), wall_ms=ms) for ms in (20, 60_000)]
            list(sandbox.run(probes))

for number in range(int(times)):
    reader, opened = os.pipe()
    child = os.fork()
    if child == 0:
        try: orchestrate(opened)
        finally: os._exit(1)
    if number % 2:
        select.select([reader], [], [], 60)
    time.sleep(chance.uniform(0, float(longest)))
    os.kill(child, signal.SIGKILL)
    if os.waitpid(child, 0)[1] != signal.SIGKILL:
        sys.exit("it had ended by itself")
    os.close(reader), os.close(opened)
"""
"""Forks an orchestrator, kills it at a random moment, half of them after it has opened a sandbox, and so on: so many
times that each must be short. It has one thread."""


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


def kill_at_random(kind: str, times: int, tree: Path, longest: float) -> None:
    """Two nurseries side by side, ``times`` kills together."""
    tree = tree / f"forge-leak-{secrets.token_hex(8)}"
    tree.mkdir(mode=0o755)
    nurseries = [
        subprocess.Popen(
            [sys.executable, "-c", NURSERY, tree.name, kind, str(tree), str(times // 2), str(longest), str(seed)],
            cwd=ROOT,
        )
        for seed in range(2)
    ]
    try:
        assert [nursery.wait(60 + 5 * times) for nursery in nurseries] == [0, 0]
    finally:
        for nursery in nurseries:
            nursery.kill()
            nursery.wait(10)
    assert gone(tree.name) == []
    cgroup.reap()
    assert [place for place in groups() if is_dead(directory_owner(place))] == []


def groups() -> list[Path]:
    """Control groups that runs of Forge have made beside ours and above."""
    return [place for parent in cgroup._candidates() for place in parent.directory.glob(f"{PREFIX}*")]


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


@pytest.mark.timeout(900)
def test_a_killed_orchestrator_leaves_nothing(bubblewrap: SandboxPolicy, tmp_path: Path) -> None:
    """DEC-15: 200 kills at random moments."""
    measured(bubblewrap)
    tmp_path.chmod(0o755)
    kill_at_random("bubblewrap", 200, tmp_path, 0.2)


@pytest.mark.slow
@pytest.mark.timeout(20_000)
def test_a_killed_orchestrator_leaves_nothing_however_often(bubblewrap: SandboxPolicy, tmp_path: Path) -> None:
    """DEC-15: 2,000 times, or FORGE_KILLS: `benchmarks/perf/leaks.py` asks for 20,000."""
    measured(bubblewrap)
    tmp_path.chmod(0o755)
    kill_at_random("bubblewrap", int(os.environ.get("FORGE_KILLS", "2000")), tmp_path, 0.2)


@pytest.mark.docker
def test_a_killed_orchestrator_leaves_no_container(docker: SandboxPolicy, tmp_path: Path) -> None:
    """The supervisor ends with its input, and the container with it; the rest is the reaper's."""
    import docker as sdk

    from sandbox.gc import reap

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

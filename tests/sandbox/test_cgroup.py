"""SCN-49, SCN-56: memory is held by the kernel where a control group can be made, and else said to be polled."""

from __future__ import annotations

import os
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

from contracts.isolation import Limits, SandboxPolicy
from contracts.probe import CommandProbe
from sandbox import cgroup, gc, opening
from sandbox.base import SandboxLost
from sandbox.bubblewrap import Bubblewrap
from sandbox.process import run_tool
from sandbox.supervisor import limits as inside

MIB = 1024 * 1024
ROOT = Path(__file__).resolve().parents[2]


@pytest.fixture
def real() -> None:
    """A host where groups can be made."""
    if not cgroup.available():
        pytest.skip("no control group can be made here")


@pytest.fixture
def uncached() -> Iterator[None]:
    cgroup._parent.cache_clear()
    yield
    cgroup._parent.cache_clear()


def test_a_group_holds_what_is_started_in_it_and_is_gone_afterwards(real: None) -> None:
    with cgroup.group(32 * MIB) as group:
        assert group is not None
        seen = run_tool(group.entering(["cat", "/proc/self/cgroup"]), timeout_s=20)
        assert group.directory.name in seen.stdout.decode()
        hog = [sys.executable, "-I", "-S", "-c", "x = b'x' * (100 << 20)"]
        assert run_tool(group.entering(hog), timeout_s=60).exit_code == -9
    assert not group.directory.exists()


def test_the_report_says_kernel_and_a_policy_may_require_it(real: None, bubblewrap: SandboxPolicy) -> None:
    """DEC-05."""
    required = bubblewrap.model_copy(update={"require": {"memory": "kernel"}})
    assert opening.measured(required).enforced["memory_bytes"] == "kernel"


@pytest.mark.parametrize("kernel", [True, False])
def test_a_child_out_of_memory_is_the_runs_limit(
    bubblewrap: SandboxPolicy, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, kernel: bool
) -> None:
    """The kernel takes the child and the main process lives on: it is the limit all the same, and at once."""
    if kernel and not cgroup.available():
        pytest.skip("no control group can be made here")
    if not kernel:
        monkeypatch.setattr(cgroup, "_parent", lambda: None)
    tmp_path.chmod(0o755)
    policy = bubblewrap.model_copy(update={"limits": Limits(memory_bytes=64 * MIB, wall_ms=60_000)})
    code = "import os,time\nif os.fork() == 0: x = b'x' * (200 << 20)\ntime.sleep(50)"
    with Bubblewrap().open(policy, tmp_path, tmp_path) as session:
        (seen,) = session.run([CommandProbe(id="p", argv=("python3", "-c", code))])
    assert seen.limit is not None, seen
    assert seen.limit.name == "memory_bytes"
    assert seen.timing.wall_ms < 40_000


def test_version_two_is_used_only_where_memory_is_delegated(
    uncached: None, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """As systemd delegates it: our own group holds processes, and the one above it hands out memory."""
    own = tmp_path / "user" / "app"
    own.mkdir(parents=True)
    (tmp_path / "cgroup.subtree_control").write_text("cpu memory\n")
    (tmp_path / "user" / "cgroup.subtree_control").write_text("memory pids\n")
    (own / "cgroup.subtree_control").write_text("\n")
    monkeypatch.setattr(cgroup, "_TOP", tmp_path)
    monkeypatch.setattr(cgroup, "_memberships", lambda: [("", "/user/app")])
    found = list(cgroup._candidates())
    assert [parent.directory for parent in found] == [tmp_path / "user", tmp_path]
    assert {parent.inside for parent in found} == {"/sys/fs/cgroup"}


def test_where_no_group_can_be_made_it_is_polled(uncached: None, monkeypatch: pytest.MonkeyPatch) -> None:
    """Neither version, or nothing delegated; never assumed."""
    monkeypatch.setattr(cgroup, "_memberships", list)
    assert not cgroup.available()
    assert Bubblewrap().describe(SandboxPolicy()).enforced["memory_bytes"] == "polled"
    with cgroup.group(MIB) as group:
        assert group is None


def test_a_group_that_takes_no_process_is_not_used(
    uncached: None, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A directory that is none: nothing would be held."""
    (tmp_path / "memory").mkdir()
    monkeypatch.setattr(cgroup, "_TOP", tmp_path)
    monkeypatch.setattr(cgroup, "_memberships", lambda: [("memory", "/")])
    assert not cgroup.available()


def test_a_group_that_cannot_be_made_any_more_is_a_fault_of_ours(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Law 3; and law 4: it is not left out."""
    gone = cgroup._Parent(tmp_path / "gone", (), "")
    monkeypatch.setattr(cgroup, "_parent", lambda: gone)
    with pytest.raises(SandboxLost, match="a control group cannot be made"), cgroup.group(MIB):
        pytest.fail("it was opened")


def test_a_group_of_a_killed_run_is_reclaimed(real: None) -> None:
    """SCN-22, SCN-23: and that of a living one is not."""
    code = "from sandbox import cgroup\nwith cgroup.group(1 << 30) as g: print(g.directory, flush=True); input()"
    argv = [sys.executable, "-c", code]
    other = subprocess.Popen(argv, cwd=ROOT, stdin=subprocess.PIPE, stdout=subprocess.PIPE)
    assert other.stdout is not None
    assert other.stdin is not None
    left = Path(other.stdout.readline().decode().strip())
    with cgroup.group(1 << 30) as mine:
        assert mine is not None
        cgroup.reap()
        assert left.exists()
        other.kill()
        other.wait(10)
        other.stdin.close()
        other.stdout.close()
        assert f"control group {left.name}" in gc.reap()
        assert mine.directory.exists()
    assert not left.exists()


def test_the_counters_of_both_versions_are_read(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """The supervisor finds them where Docker and bubblewrap put them."""
    for text in ("low 0\nmax 12\noom 3\noom_kill 2\n", "oom_kill_disable 0\nunder_oom 0\noom_kill 2\n"):
        file = tmp_path / "events"
        file.write_text(text)
        monkeypatch.setattr(inside, "_COUNTERS", (str(tmp_path / "absent"), str(file)))
        assert inside.oom_kills() == 2
    monkeypatch.setattr(inside, "_COUNTERS", (os.devnull,))
    assert inside.oom_kills() == 0

"""SCN-22, SCN-23: what a dead run owned is reclaimed, and nothing else."""

from __future__ import annotations

import os
import subprocess
import sys
import tempfile
from pathlib import Path

import pytest

from sandbox import cgroup, gc
from sandbox.owner import PREFIX, directory_owner, is_dead, owner_id, run_directory


def test_the_living_the_strange_and_the_unreadable_are_left_alone() -> None:
    mine = owner_id()
    host, pid, started = mine.rsplit(".", 2)
    assert not is_dead(mine)
    assert not is_dead("")
    assert not is_dead("anything")
    assert not is_dead(f"{'0' * 36}.1.{pid}.{started}")
    assert is_dead(f"{host}.{pid}.{int(started) + 1}")


def test_the_dead_are_known_by_start_time_too() -> None:
    """A pid that was given again is another process."""
    process = subprocess.Popen(["/bin/sleep", "60"])
    owner = owner_id(process.pid)
    assert not is_dead(owner)
    process.kill()
    process.wait(10)
    assert is_dead(owner)


def test_a_directory_of_a_killed_run_is_reclaimed(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(tempfile, "tempdir", str(tmp_path))
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path / "cache"))
    monkeypatch.setattr(cgroup, "reap", list)
    code = "from sandbox.owner import run_directory\nwith run_directory() as d: print(d, flush=True); input()"
    argv = [sys.executable, "-c", code]
    path = [str(Path(gc.__file__).resolve().parents[1]), os.environ.get("PYTHONPATH", "")]
    environment = {**os.environ, "TMPDIR": str(tmp_path), "PYTHONPATH": os.pathsep.join(path)}
    other = subprocess.Popen(argv, stdin=subprocess.PIPE, stdout=subprocess.PIPE, env=environment)
    assert other.stdout is not None
    assert other.stdin is not None
    left = Path(other.stdout.readline().decode().strip())
    (left / "deep").mkdir()
    strange = tmp_path / f"{PREFIX}not-an-owner"
    strange.mkdir()
    with run_directory() as mine:
        assert directory_owner(mine) == owner_id()
        assert gc.reap() == ()
        other.kill()
        other.wait(10)
        other.stdin.close()
        other.stdout.close()
        assert gc.reap() == (f"directory {left.name}",)
        assert mine.exists()
    assert not mine.exists()
    assert not left.exists()
    assert strange.exists()

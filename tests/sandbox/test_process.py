"""How our own processes are started."""

from __future__ import annotations

import signal
import subprocess
import sys
import threading
import time

import pytest

from sandbox.base import SandboxError
from sandbox.process import run_tool, spawn

DIES_WITH_ITS_PARENT = "import ctypes,time; ctypes.CDLL(None).prctl(1, 9); print('ready', flush=True); time.sleep(60)"


def started(start: object) -> subprocess.Popen[bytes]:
    """Start such a process from a thread that ends at once."""
    found: list[subprocess.Popen[bytes]] = []
    argv = [sys.executable, "-I", "-S", "-c", DIES_WITH_ITS_PARENT]
    go = threading.Event()

    def work() -> None:
        process = start(argv, stdout=subprocess.PIPE)  # type: ignore[operator]  # spawn or Popen
        assert process.stdout is not None
        assert process.stdout.readline() == b"ready\n"
        found.append(process)
        go.wait(10)

    thread = threading.Thread(target=work)
    thread.start()
    go.set()
    thread.join()
    return found[0]


def ended(process: subprocess.Popen[bytes], seconds: float) -> int | None:
    try:
        return process.wait(seconds)
    except subprocess.TimeoutExpired:
        return None
    finally:
        process.kill()
        process.wait(10)
        assert process.stdout is not None
        process.stdout.close()


def test_a_process_does_not_die_with_the_thread_that_asked_for_it() -> None:
    """DEC-05."""
    assert ended(started(spawn), 0.3) is None


def test_without_the_spawner_it_would() -> None:
    """Law 7: the fault that the spawner is for."""
    assert ended(started(subprocess.Popen), 10) == -signal.SIGKILL


def test_a_tool_answers_with_status_and_streams() -> None:
    answer = run_tool(["sh", "-c", "cat; echo err >&2; exit 3"], timeout_s=30, stdin=b"in")
    assert (answer.exit_code, answer.stdout, answer.stderr) == (3, b"in", b"err\n")


def test_a_tool_that_hangs_is_a_bounded_fault() -> None:
    """SCN-16, SCN-28: with all that it started."""
    begun = time.monotonic()
    with pytest.raises(SandboxError, match=r"sh did not end within 0\.2 s"):
        run_tool(["sh", "-c", "sleep 60 & sleep 60"], timeout_s=0.2)
    assert time.monotonic() - begun < 10


def test_a_tool_that_is_not_there_is_a_fault_of_ours() -> None:
    """Law 3."""
    with pytest.raises(SandboxError, match="no-such-tool cannot be started"):
        run_tool(["no-such-tool"], timeout_s=5)

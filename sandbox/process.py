"""How our own processes are started: from one long-lived thread, with a bound on time and output.

``--die-with-parent`` and PR_SET_PDEATHSIG fire when the *thread* that started a process ends (DEC-05).
"""

from __future__ import annotations

import os
import queue
import subprocess
import threading
from collections.abc import Callable, Mapping, Sequence
from concurrent.futures import Future
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from sandbox.base import SandboxError

_SPAWN_S = 30.0


class _Spawner:
    """A daemon thread that lives as long as the process; a forked copy of us makes its own."""

    def __init__(self) -> None:
        self.pid = os.getpid()
        self._jobs: queue.SimpleQueue[tuple[Callable[[], Any], Future[Any]]] = queue.SimpleQueue()
        threading.Thread(target=self._serve, name="forge-spawner", daemon=True).start()

    def call(self, action: Callable[[], Any]) -> Any:
        answer: Future[Any] = Future()
        self._jobs.put((action, answer))
        return answer.result(timeout=_SPAWN_S)

    def _serve(self) -> None:
        while True:
            action, answer = self._jobs.get()
            try:
                answer.set_result(action())
            except BaseException as error:  # noqa: BLE001 - it is raised again in the caller
                answer.set_exception(error)


_lock = threading.Lock()
_spawner: _Spawner | None = None


def spawn(argv: Sequence[str], **options: Any) -> subprocess.Popen[bytes]:
    """`subprocess.Popen` from the long-lived thread; raises what it raises."""
    global _spawner  # noqa: PLW0603 - one thread per process is the point
    with _lock:
        if _spawner is None or _spawner.pid != os.getpid():
            _spawner = _Spawner()
    process: subprocess.Popen[bytes] = _spawner.call(lambda: subprocess.Popen(list(argv), **options))
    return process


@dataclass(frozen=True)
class ToolResult:
    """How a tool of ours ended."""

    exit_code: int
    stdout: bytes
    stderr: bytes


def run_tool(
    argv: Sequence[str],
    *,
    timeout_s: float,
    cwd: Path | None = None,
    environment: Mapping[str, str] | None = None,
    stdin: bytes = b"",
) -> ToolResult:
    """Run a trusted tool in a process group of its own and wait for it; the group is gone afterwards.

    Raises:
        SandboxError: it cannot be started, or did not end in ``timeout_s`` seconds.
    """
    name = Path(argv[0]).name
    try:
        process = spawn(
            argv,
            cwd=cwd,
            env=None if environment is None else dict(environment),
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            start_new_session=True,
        )
    except OSError as error:
        raise SandboxError(f"{name} cannot be started: {error.strerror}") from error
    with process:
        try:
            out, err = process.communicate(stdin, timeout=timeout_s)
        except subprocess.TimeoutExpired as error:
            raise SandboxError(f"{name} did not end within {timeout_s:g} s") from error
        finally:
            with suppress(ProcessLookupError, PermissionError):
                os.killpg(process.pid, 9)
    return ToolResult(process.returncode, out, err)

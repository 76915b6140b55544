"""A module of the candidate imported once, and a copy of its interpreter for each call (DEC-10).

What is kept is a process of the candidate that never runs again (`freeze`). A copy starts without descriptors, with
scratch directories and pipes of its own. What could tell one copy of another is looked for from here: before, or the
module is not kept; and after each call, or that call counts for nothing and is made in an interpreter of its own.
"""

# ruff: noqa: PTH123, PTH208 - pathlib would cost each start several milliseconds
from __future__ import annotations

import base64
import json
import os
import select
import signal
import socket
from collections.abc import Sequence
from contextlib import suppress

from . import freeze
from .limits import now_ms
from .separation import ROOTS, Separation
from .warden import FaultError, Run, conduct, launcher
from .wire import Frame

_OWN_NUMBER, _CALL_NUMBER = 300, 2
"""Pids in a pid namespace of its own: a call has the one that it has in an interpreter of its own."""

_SHARE = 4
"""A module may take a quarter of the memory and half of the time of a call."""

_STATE = ("SigPnd", "ShdPnd", "Cpus_allowed", "Threads")
_STAT = (0, 15, 16, 37, 38)
"""State, priority, nice value, real-time priority and policy, counted from behind the name (proc_pid_stat(5))."""

_TRAFFIC = "/proc/net/dev"


class ColdError(Exception):
    """A call has to be made in an interpreter of its own; the text says why."""


class _Import(Run):
    """The run of the process that imports the module and stops; it is observed like any other."""

    process: freeze.Frozen | None = None

    def _on_stop(self, pid: int, number: int) -> None:
        if self.process is None:
            self.process = freeze.Frozen(pid)
            self.process.begin()
        elif number == signal.SIGSTOP:
            self._stopped = True
        else:
            self.process.resume(number)

    def settle(self) -> freeze.Frozen:
        """What has come to its stop, having said nothing."""
        if self._hit:
            raise ColdError(f"its import reached the limit {self._hit['name']}")
        if self.process is None or not self._stopped:
            raise ColdError(self._detail or "its import raised, ended the program, left its directory or set a timer")
        self._check_usage()
        if self._peak > self._limits["memory_bytes"]:
            raise ColdError("its import takes too much memory to be kept")
        self._serve(list(self._reading))
        if self._output():
            raise ColdError("its import wrote output")
        return self.process


class Template:
    """An interpreter that has imported what a call asks for, frozen."""

    def __init__(self, probe: Frame, seccomp: bytes, separation: Separation) -> None:
        """Import; raises ColdError if copies of it would not be as good as new."""
        if not freeze.supported():
            raise ColdError("this machine is not supported")
        self._separation = separation
        self.kept = True
        self._listener = socket.socket(socket.AF_UNIX, socket.SOCK_STREAM | socket.SOCK_CLOEXEC)
        name = f"forge-{os.urandom(16).hex()}"
        self._listener.bind(f"\0{name}")
        self._listener.listen()
        try:
            self._frozen = self._import(probe, seccomp, name)
        except (freeze.LostError, FaultError, OSError) as error:
            raise ColdError(f"its interpreter cannot be kept: {error}") from error
        self._state = self._observe()

    def call(self, probe: Frame) -> Frame:
        """The observation of one call by a copy; ``kept`` is false if there can be no further one.

        Raises:
            ColdError: this call counts for nothing, and there is no further one.
        """
        self._separation.renew()
        traffic = _read(_TRAFFIC)
        try:
            observation = conduct(probe, self._separation, lambda streams: self._launch(probe, streams))
        except (freeze.LostError, OSError) as error:
            raise ColdError(f"the copy of its interpreter was lost: {error}") from error
        if not self._separation.kept:  # something else was still there, and all had to be ended
            self.kept = False
        elif self._observe() != self._state:
            raise ColdError("the call reached for the interpreter that it is a copy of")
        elif observation["leftovers"] or _read(_TRAFFIC) != traffic:
            self.kept = False
        return observation

    def _import(self, probe: Frame, seccomp: bytes, name: str) -> freeze.Frozen:
        limits = probe["limits"]
        request = json.dumps({**probe["imports"], "socket": name}).encode()
        half = {**limits, "wall_ms": limits["wall_ms"] // 2, "memory_bytes": limits["memory_bytes"] // _SHARE}
        watched = {**probe, "request": base64.b64encode(request).decode(), "limits": half}
        started = {**watched, "limits": {**limits, "processes": limits["processes"] + 1}}
        self._separation.number_next(_OWN_NUMBER)
        run = _Import(watched, self._separation)
        run.start(launcher(started, seccomp, self._separation, traced=True))
        run.watch()
        process = run.settle()
        run.close()
        deadline = now_ms() + half["wall_ms"]
        process.enter_fork(lambda: now_ms() < deadline)
        self._separation.kept = process.pid
        objection = self._objection(process.pid)
        if objection:
            raise ColdError(objection)
        process.close()
        return process

    def _objection(self, pid: int) -> str | None:
        """What copies would share, seen as the owner, from its files in /proc."""

        def look() -> str | None:
            if os.listdir(f"/proc/{pid}/fd"):
                return "its import left files or sockets open"
            with open(f"/proc/{pid}/maps", "rb") as file:
                if any(_is_shared(line.split(maxsplit=5)) for line in file):
                    return "its import shares memory"
            if len(os.listdir(f"/proc/{pid}/task")) != 1:
                return "its import started threads"
            if any(os.listdir(root) for root in ROOTS):
                return "its import wrote files"
            return None

        if self._separation.pids():
            return "its import started processes"
        try:
            found = self._separation.as_owner(look)
        except OSError:
            return "its import closed its own files in /proc"
        return None if found is None else str(found)

    def _launch(self, probe: Frame, streams: Sequence[int]) -> tuple[int, str | None]:
        """A copy takes its descriptors: number 0 last, since its own end of the connection is in that place."""
        self._separation.number_next(_CALL_NUMBER)
        pid = self._frozen.copy()
        poll = select.poll()
        poll.register(self._listener, select.POLLIN)
        poll.register(ended := os.pidfd_open(pid), select.POLLIN)
        try:
            ready = dict(poll.poll(probe["limits"]["wall_ms"]))
            if self._listener.fileno() not in ready:
                raise freeze.LostError("it did not take its descriptors")
            connection = self._listener.accept()[0]
            with connection:
                socket.send_fds(connection, [b"\0"], [*streams[1:], streams[0]])
        finally:
            os.close(ended)
        return pid, None

    def _observe(self) -> tuple[bytes, ...]:
        """All that another process of the same uid can change of the frozen one."""
        pid = self._frozen.pid
        lines = dict(line.partition(b":")[::2] for line in _read(f"/proc/{pid}/status").splitlines())
        stat = _read(f"/proc/{pid}/stat").rpartition(b")")[2].split()
        return (
            _read(f"/proc/{pid}/limits"),
            *(lines.get(name.encode(), b"") for name in _STATE),
            *(stat[index] for index in _STAT if index < len(stat)),
        )


def _is_shared(mapping: list[bytes]) -> bool:
    """Whether copies could write to each other through it: a file of the system itself is read-only."""
    return mapping[1].endswith(b"s") and not mapping[-1].startswith((b"/usr/", b"/lib", b"/opt/"))


def _read(path: str) -> bytes:
    with suppress(OSError), open(path, "rb") as file:
        return file.read()
    return b""

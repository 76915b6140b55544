"""One probe: start the candidate, watch it, end it, observe what it left. One warden process per probe."""

from __future__ import annotations

import base64
import fcntl
import os
import select
import signal
from collections.abc import Callable, Sequence
from contextlib import suppress

from . import child, limits, scratch
from .capture import Capture
from .client import Client
from .limits import now_ms
from .separation import ROOTS, WORK, Separation
from .wire import Frame

_CHUNK = 1 << 16
_POLL_MS = (1.0, 10.0)
_END_MS = 5_000
_MOST_NAMED = 20
_LINGER_MS = 2_000
"""Children that end by themselves so soon after the main process are as good as waited for: a pool's workers, the
tail of a pipeline. What still runs then was left in the background on purpose, and is a leftover (DEC-09, DEC-21)."""


class FaultError(Exception):
    """The infrastructure failed: the candidate did not run, or cannot be ended or observed."""


Launch = Callable[[Sequence[int]], tuple[int, str | None]]
"""Starts the candidate with these descriptors as its 0, 1, 2 and so on: its pid, and why its program did not run."""


def conduct(probe: Frame, separation: Separation, launch: Launch) -> Frame:
    """Run one probe to its observation: `contracts.probe.Observation` with raw paths in base64.

    Raises:
        FaultError: as its own text says.
        OSError: the scratch directories could not be filled or read.
    """
    if probe["files"]:
        separation.as_owner(lambda: scratch.place(WORK, probe["files"]))
    run = Run(probe, separation)
    run.start(launch)
    run.watch()
    run.end()
    bounds = probe["limits"]
    collector = scratch.Collector(probe["files"], bounds["kept_bytes"], bounds["scratch_bytes"])

    def gather() -> tuple[list[Frame], str | None]:
        files, full = collector.collect(WORK), limits.full(ROOTS)
        separation.discard()
        return files, full

    files, full = separation.as_owner(gather)
    run.close()
    return run.observation(files, full, separation.leftovers())


def launcher(probe: Frame, seccomp: bytes, separation: Separation, *, traced: bool = False) -> Launch:
    """Fork and exec; ``traced`` stops the candidate at its exec (`freeze`)."""

    def launch(streams: Sequence[int]) -> tuple[int, str | None]:
        report, out = os.pipe()
        pid = os.fork()
        if pid == 0:
            child.become(probe, streams, out, seccomp, separation, traced=traced)
        os.close(out)
        with os.fdopen(report, "rb") as file:
            kind, _, text = file.read().decode("utf-8", "replace").partition(" ")
        if kind == "setup":
            raise FaultError(f"a probe cannot be started: {text}")
        return pid, f"cannot execute {probe['argv'][0]}: {os.strerror(int(text))}" if kind == "exec" else None

    return launch


class Run:
    """The candidate's processes, and what is known of them."""

    def __init__(self, probe: Frame, separation: Separation) -> None:
        self._probe = probe
        self._limits: dict[str, int] = probe["limits"]
        self._separation = separation
        self._input = memoryview(base64.b64decode(probe["stdin"] or ""))
        kept = self._limits["kept_bytes"]
        self._out, self._err, self._value = Capture(kept), Capture(kept), Capture(kept)
        self._client: Client | None = None
        self._stopped = False
        self._outlived: list[str] = []
        self._reading: dict[int, Capture] = {}
        self._poll = select.poll()
        self._status: int | None = None
        self._hit: Frame | None = None
        self._detail: str | None = None
        self._cpu_ms = 0.0
        self._peak = 0
        self._wall_ms = 0
        self._kernel_holds_memory = limits.kernel_holds_memory()
        self._oom_kills = limits.oom_kills()

    def start(self, launch: Launch) -> None:
        """The clock starts when the candidate's program does (SCN-58)."""
        given = (os.open(os.devnull, os.O_RDONLY), -1) if self._probe["stdin"] is None else os.pipe()
        out, err = os.pipe(), os.pipe()
        streams = [given[0], out[1], err[1]]
        self._reading = {out[0]: self._out, err[0]: self._err}
        if "request" in self._probe:
            value = os.pipe()
            streams += [_memory_file(base64.b64decode(self._probe["request"])), value[1]]
            self._reading[value[0]] = self._value
        self._main, self._detail = launch(streams)
        for descriptor in streams:
            os.close(descriptor)
        self._started = now_ms()
        if "http" in self._probe:
            self._client = Client(self._probe["http"], self._limits["kept_bytes"])
        for descriptor in self._reading:
            os.set_blocking(descriptor, False)
            self._poll.register(descriptor, select.POLLIN)
        self._handle = -1
        with suppress(OSError):  # not every kernel has them; without, the end is seen at the next turn
            self._handle = os.pidfd_open(self._main)
            self._poll.register(self._handle, select.POLLIN)
        self._stdin = given[1]
        if self._stdin >= 0:
            os.set_blocking(self._stdin, False)
            self._poll.register(self._stdin, select.POLLOUT)

    def watch(self) -> None:
        """Until the main process or the exchange has ended, or a limit is hit; no wait is unbounded (SCN-16)."""
        interval, due = _POLL_MS[0], 0.0
        while self._hit is None:
            ready = self._poll.poll(_POLL_MS[0] if self._client else interval)
            self._serve([descriptor for descriptor, _ in ready])
            self._reap()
            now = now_ms()
            self._wall_ms = int(now - self._started)
            if self._status is not None or self._stopped:
                return
            self._check("wall_ms", self._wall_ms)
            self._check("output_bytes", self._output())
            if self._client and self._hit is None and self._client.step():
                self._stopped = True
                return
            if now >= due:
                self._check_usage()
                interval = min(interval * 1.3, _POLL_MS[1])
                due = now + interval

    def end(self) -> None:
        """End every process of the candidate, and read what is still in the pipes."""
        if self._hit is None and not self._stopped:
            self._linger()
        deadline = now_ms() + _END_MS
        self._separation.kill_all()
        self._reap()
        while self._status is None or self._separation.pids():
            if now_ms() > deadline:
                raise FaultError("the candidate's processes cannot be ended")
            select.poll().poll(1)
            self._separation.kill_all()
            self._reap()
        while self._reading and now_ms() < deadline:
            self._serve(list(self._reading))

    def close(self) -> None:
        """Close what is still open of its descriptors."""
        for descriptor in (self._handle, self._stdin, *self._reading):
            if descriptor >= 0:
                os.close(descriptor)
        self._reading = {}

    def _linger(self) -> None:
        """Give what the main process left a moment to end, and name what does not."""
        deadline = now_ms() + _LINGER_MS
        while self._status is not None and self._hit is None and (left := limits.living(self._separation.pids())):
            if now_ms() > deadline:
                self._outlived = [f"process {pid}: {line}" for pid, line in left.items()]
                return
            self._serve([descriptor for descriptor, _ in self._poll.poll(_POLL_MS[0])])
            self._reap()
            self._check("output_bytes", self._output())

    def observation(self, files: list[Frame], full: str | None, leftovers: list[str]) -> Frame:
        """What happened, after the end."""
        code = os.waitstatus_to_exitcode(self._status or 0)
        self._check("output_bytes", self._output())
        if code != 0 and not self._stopped:
            self._check_kernel(-code, files, full)
        ended = "stopped" if self._stopped else "signalled" if code < 0 else "exited"
        outcome = "limit" if self._hit else ended
        return {
            "outcome": outcome,
            "exit_code": code if outcome == "exited" else None,
            "signal": -code if outcome == "signalled" else None,
            "limit": self._hit,
            "detail": self._detail,
            "stdout": self._out.frame(),
            "stderr": self._err.frame(),
            "files": files,
            "leftovers": [*self._outlived[:_MOST_NAMED], *leftovers],
            "value": self._value.frame(),
            "responses": self._client.frames() if self._client else [],
            "timing": {
                "queue_ms": int(self._started - self._probe["received"]),
                "wall_ms": self._wall_ms,
                "cpu_ms": int(self._cpu_ms),
                "peak_memory_bytes": self._peak,
            },
        }

    def _serve(self, ready: list[int]) -> None:
        for descriptor in ready:
            if descriptor in self._reading:
                self._read(descriptor)
            elif descriptor == self._stdin:
                self._write()

    def _read(self, descriptor: int) -> None:
        with suppress(BlockingIOError):
            data = os.read(descriptor, _CHUNK)
            self._reading[descriptor].feed(data)
            if not data:
                del self._reading[descriptor]
                self._poll.unregister(descriptor)

    def _write(self) -> None:
        try:
            self._input = self._input[os.write(self._stdin, self._input[:_CHUNK]) :] if self._input else self._input
        except BlockingIOError:
            return
        except BrokenPipeError:
            self._input = memoryview(b"")
        if not self._input:
            self._poll.unregister(self._stdin)
            os.close(self._stdin)
            self._stdin = -1

    def _reap(self) -> None:
        """Collect the main process and the orphans that fell to us; their CPU time is exact."""
        with suppress(ChildProcessError):
            while (ended := os.wait4(-1, os.WNOHANG))[0]:
                pid, status, used = ended
                if os.WIFSTOPPED(status):
                    self._on_stop(pid, os.WSTOPSIG(status))
                    continue
                self._cpu_ms += (used.ru_utime + used.ru_stime) * 1000
                if pid == self._main:
                    self._status = status
                    self._peak = max(self._peak, used.ru_maxrss * 1024)

    def _on_stop(self, pid: int, number: int) -> None:
        """Only a process that is traced is seen to stop."""

    def _output(self) -> int:
        return sum(capture.length for capture in (self._out, self._err, self._value)) + (
            self._client.length if self._client else 0
        )

    def _check(self, name: str, observed: int) -> None:
        """Name the limit that ended the run: the first one found."""
        if self._hit is None and observed > self._limits[name]:
            self._hit = {"name": name, "configured": self._limits[name], "observed": observed}

    def _check_usage(self) -> None:
        used = limits.usage(self._separation.pids())
        scratch_bytes = limits.scratch_used(ROOTS)
        memory = sum(used.resident.values()) + scratch_bytes
        if memory > self._limits["memory_bytes"] and not self._kernel_holds_memory:
            memory = limits.proportional(used.resident) + scratch_bytes
            self._check("memory_bytes", memory)
        self._peak = max(self._peak, memory)
        if limits.oom_kills() > self._oom_kills:  # it may have been a child, and the main process lives on
            self._hit = self._hit or self._reached("memory_bytes", self._peak)
        self._check("cpu_ms", int(self._cpu_ms) + used.cpu_ms)
        if used.tasks >= self._limits["processes"]:
            self._hit = self._hit or self._reached("processes")

    def _check_kernel(self, number: int, files: list[Frame], full: str | None) -> None:
        """A run that failed with a limit of the kernel reached was ended by that limit."""
        if self._hit is not None:
            return
        if number == signal.SIGXCPU or (number == signal.SIGKILL and self._cpu_ms > self._limits["cpu_ms"]):
            self._hit = self._reached("cpu_ms", int(self._cpu_ms))
        elif limits.oom_kills() > self._oom_kills:
            self._hit = self._reached("memory_bytes", self._peak)
        elif number == signal.SIGXFSZ or any(file["size"] >= self._limits["file_bytes"] for file in files):
            self._hit = self._reached("file_bytes")
        elif full:
            self._hit = self._reached(full)

    def _reached(self, name: str, observed: int = 0) -> Frame:
        configured = self._limits[name]
        return {"name": name, "configured": configured, "observed": max(configured, observed)}


def _memory_file(data: bytes) -> int:
    """A descriptor from which ``data`` can be read; nothing can change it."""
    descriptor = os.memfd_create("request", os.MFD_CLOEXEC | os.MFD_ALLOW_SEALING)
    with os.fdopen(os.dup(descriptor), "wb") as file:
        file.write(data)
    fcntl.fcntl(descriptor, fcntl.F_ADD_SEALS, fcntl.F_SEAL_WRITE | fcntl.F_SEAL_GROW | fcntl.F_SEAL_SHRINK)
    os.lseek(descriptor, 0, os.SEEK_SET)
    return descriptor

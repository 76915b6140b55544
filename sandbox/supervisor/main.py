"""The loop of the supervisor: a probe frame in, an observation frame out, one warden process for each.

While a probe runs, the warden of the next one is made ready, so that a batch does not wait for namespaces.
"""

from __future__ import annotations

import base64
import gc
import os
import platform
import select
import signal
import sys
from collections.abc import Callable
from contextlib import suppress
from typing import NoReturn

from . import linux, wire
from .limits import now_ms
from .separation import UID, Identities, Namespaces, Separation, open_scratch
from .warden import FaultError, conduct
from .wire import Frame

_GRACE_MS = 30_000
_LAST_UID = 60_000


def main() -> None:
    """Serve the channel on standard input and output until its end; then nothing of ours is left."""
    channel_in, channel_out = _take_channel()
    linux.set_dumpable(False)
    signal.signal(signal.SIGINT, signal.SIG_DFL)  # a warden is pid 1: what it does not handle cannot reach it
    opening = wire.unpack(lambda size: os.read(channel_in, size))
    if opening is None:
        return
    supervisor = _Supervisor(opening, channel_in)
    try:
        wire.send(channel_out, {"ready": {"python": platform.python_version()}})
        while (probe := wire.unpack(lambda size: os.read(channel_in, size))) is not None:
            wire.send(channel_out, supervisor.run(probe))
    finally:
        supervisor.close()


class _Warden:
    """A process that runs one probe: ``probes`` takes its frame, ``answers`` gives what came of it."""

    def __init__(self, separation: Separation, limits: Frame, seccomp: bytes) -> None:
        to, back = os.pipe(), os.pipe()
        self.pid = separation.fork()
        if self.pid == 0:
            os.close(to[1])
            _serve_once(to[0], back[1], separation, limits, seccomp)
        os.close(to[0])
        os.close(back[1])
        self.probes, self.answers = to[1], back[0]

    def end(self) -> int:
        """Make sure, once, that it is gone, and all its namespaces; its wait status."""
        pid, self.pid = self.pid, 0
        if pid:
            with suppress(ProcessLookupError, ChildProcessError):
                os.kill(pid, signal.SIGKILL)
                return os.waitpid(pid, 0)[1]
        return 0


class _Supervisor:
    """Makes wardens and gives each one probe."""

    def __init__(self, opening: Frame, channel: int) -> None:
        self._limits: Frame = opening["limits"]
        self._seccomp = base64.b64decode(opening["seccomp"])
        self._nested = opening["separation"] == "namespaces"
        self._uid = UID - 1
        self._channel = channel
        if not self._nested:
            open_scratch()
        self._next = self._warden()
        self._last: _Warden | None = None

    def run(self, probe: Frame) -> Frame:
        """Run one probe when nothing of the one before is left.

        The answer is an ``observation``, or ``fault`` with what failed, or ``tampering`` if the warden was ended.
        """
        probe["received"] = received = now_ms()
        if self._last is not None:
            self._last.end()
        self._reap()
        warden = self._last = self._next
        with suppress(BrokenPipeError):
            wire.send(warden.probes, probe)
        os.close(warden.probes)
        self._next = self._warden()
        deadline = received + probe["wall_ms"] + _GRACE_MS
        try:
            answer = wire.unpack(self._receiver(warden.answers, deadline))
        except wire.WireError:
            answer = None
        except TimeoutError:
            answer = {"fault": "a probe did not end within its wall clock limit and 30 s"}
        os.close(warden.answers)
        return answer or {"tampering": f"the warden of the probe ended with wait status {warden.end()}"}

    def close(self) -> None:
        """End the wardens, and with them the candidate's processes."""
        for warden in (self._last, self._next):
            if warden is not None:
                warden.end()

    def _warden(self) -> _Warden:
        gc.freeze()
        return _Warden(self._separation(), self._limits, self._seccomp)

    def _separation(self) -> Separation:
        if self._nested:
            return Namespaces()
        self._uid += 1
        if self._uid > _LAST_UID:
            raise RuntimeError("all uids of this container are used up")
        return Identities(self._uid)

    def _receiver(self, reader: int, deadline: float) -> Callable[[int], bytes]:
        """Reads from the warden, gives up at the deadline, and ends everything when the channel is closed."""
        poll = select.poll()
        poll.register(reader, select.POLLIN)
        poll.register(self._channel, select.POLLRDHUP)

        def receive(size: int) -> bytes:
            ready = dict(poll.poll(max(0.0, deadline - now_ms())))
            if not ready:
                raise TimeoutError
            if self._channel in ready:
                sys.exit(0)
            return os.read(reader, size)

        return receive

    @staticmethod
    def _reap() -> None:
        """Orphans that fell to us."""
        with suppress(ChildProcessError):
            while os.waitpid(-1, os.WNOHANG)[0]:
                pass


def _serve_once(probes: int, answers: int, separation: Separation, limits: Frame, seccomp: bytes) -> NoReturn:
    """In the child: become the warden, wait for the probe, run it, answer, end."""
    gc.disable()
    try:
        separation.enter(limits)
        probe = wire.unpack(lambda size: os.read(probes, size))
        if probe is None:
            os._exit(0)
        probe["limits"] = {**limits, "wall_ms": probe["wall_ms"]}
        frame: Frame = {"observation": conduct(probe, seccomp, separation)}
    except (FaultError, OSError) as error:
        frame = {"fault": str(error) or type(error).__name__}
    try:
        wire.send(answers, frame)
    finally:
        os._exit(0)


def _take_channel() -> tuple[int, int]:
    """Move the channel off the standard descriptors; nothing but it is open afterwards, and no child inherits it."""
    os.closerange(3, 1 << 20)
    channel = (os.dup(0), os.dup(1))
    null = os.open(os.devnull, os.O_RDWR)
    os.dup2(null, 0)
    os.dup2(null, 1)
    return channel

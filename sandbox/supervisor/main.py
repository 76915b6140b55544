"""The loop of the supervisor: a probe frame in, an observation frame out, from a warden process.

While a probe runs, the warden of the next one is made ready, so that a batch does not wait for namespaces.
"""

from __future__ import annotations

import base64
import gc
import os
import select
import signal
import sys
from collections.abc import Callable
from contextlib import suppress

from . import linux, wire
from .calls import Calls
from .limits import now_ms
from .separation import LAST_UID, UID, Identities, Namespaces, Separation, open_scratch
from .serving import Warden
from .wire import Frame

_GRACE_MS = 30_000
_MOST_IDENTITIES = 2


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
        wire.send(channel_out, {"ready": {"python": sys.version.partition(" ")[0]}})
        while (probe := wire.unpack(lambda size: os.read(channel_in, size))) is not None:
            wire.send(channel_out, {**supervisor.run(probe), "spent": supervisor.spent})
    finally:
        supervisor.close()


class _Supervisor:
    """Makes wardens and gives each a probe, or the calls on one module (`warm`)."""

    def __init__(self, opening: Frame, channel: int) -> None:
        self._limits: Frame = opening["limits"]
        self._seccomp = base64.b64decode(opening["seccomp"])
        self._nested = opening["separation"] == "namespaces"
        self._uid = UID - 1
        self._channel = channel
        self._calls = Calls()
        if not self._nested:
            open_scratch()
        self._next = self._warden()
        self._last: Warden | None = None
        self._kept: Warden | None = None

    def run(self, probe: Frame) -> Frame:
        """Run one probe when nothing of the one before is left.

        The answer is an ``observation``, or ``fault`` with what failed, or ``tampering`` if the warden was ended.
        """
        probe["received"] = now_ms()
        if self._last is not None:
            self._last.end()
        self._reap()
        if self._calls.changes(probe):
            self._drop()
        reason = self._calls.objection(probe)
        if reason is None:
            answer = self._run_warm({**probe, "warm": True})
            reason = answer.get("cold")
            if reason is None:
                return answer
            self._calls.refuse(reason)
        warden = self._last = self._take()
        answer = self._ask(warden, {**probe, "warm": False}, probe["wall_ms"])
        if reason and "observation" in answer:
            answer["observation"]["timing"]["cold"] = reason
        return answer

    @property
    def spent(self) -> bool:
        """Whether there may be too few identities left for another probe, which takes up to two."""
        return self._uid + _MOST_IDENTITIES > LAST_UID

    def close(self) -> None:
        """End the wardens, and with them the candidate's processes."""
        for warden in (self._last, self._kept, self._next):
            if warden is not None:
                warden.end()

    def _run_warm(self, probe: Frame) -> Frame:
        if self._kept is None:
            self._kept = self._take()
        answer = self._ask(self._kept, probe, 2 * probe["wall_ms"])
        if not answer.get("kept"):
            self._calls.lose()
            self._drop()
        if "observation" in answer:
            answer["observation"]["timing"]["warm"] = True
        return answer

    def _drop(self) -> None:
        if self._kept is not None:
            self._kept.end()
            self._kept = None

    def _ask(self, warden: Warden, probe: Frame, most_ms: int) -> Frame:
        warden.ask(probe)
        try:
            answer = warden.answer(self._receiver(warden.answers, now_ms() + most_ms + _GRACE_MS))
        except TimeoutError:
            return {"fault": "a probe did not end within its wall clock limit and 30 s"}
        return answer or {"tampering": f"the warden of the probe ended with wait status {warden.end()}"}

    def _take(self) -> Warden:
        """The warden that is ready; while it works, the next one gets so."""
        warden = self._next
        self._next = self._warden()
        return warden

    def _warden(self) -> Warden:
        gc.freeze()
        return Warden(self._separation(), self._limits, self._seccomp)

    def _separation(self) -> Separation:
        if self._nested:
            return Namespaces()
        self._uid += 1
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


def _take_channel() -> tuple[int, int]:
    """Move the channel off the standard descriptors; nothing but it is open afterwards, and no child inherits it."""
    os.closerange(3, 1 << 20)
    channel = (os.dup(0), os.dup(1))
    null = os.open(os.devnull, os.O_RDWR)
    os.dup2(null, 0)
    os.dup2(null, 1)
    return channel

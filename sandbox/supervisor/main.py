"""The loop of the supervisor: a probe frame in, an observation frame out, one warden process for each."""

from __future__ import annotations

import base64
import os
import platform
import select
import signal
import sys
from collections.abc import Callable
from contextlib import suppress

from . import linux, wire
from .limits import now_ms
from .separation import Identities, Namespaces, Separation, open_scratch
from .warden import FaultError, conduct
from .wire import Frame

_GRACE_MS = 30_000
_FIRST_UID = 10_000
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
    wire.send(channel_out, {"ready": {"python": platform.python_version()}})
    while (probe := wire.unpack(lambda size: os.read(channel_in, size))) is not None:
        wire.send(channel_out, supervisor.run(probe))


class _Supervisor:
    """Starts wardens, one after another."""

    def __init__(self, opening: Frame, channel: int) -> None:
        self._seccomp = base64.b64decode(opening["seccomp"])
        self._nested = opening["separation"] == "namespaces"
        if not self._nested:
            open_scratch()
        self._uid = _FIRST_UID
        self._channel = channel

    def run(self, probe: Frame) -> Frame:
        """The observation of one probe, or ``fault`` with what failed, or ``tampering`` if the warden was ended."""
        received = now_ms()
        separation = self._separation()
        reader, writer = os.pipe()
        child = os.fork()
        if child == 0:
            _warden(probe, writer, self._seccomp, separation, received)
        os.close(writer)
        deadline = received + probe["limits"]["wall_ms"] + _GRACE_MS
        try:
            answer = wire.unpack(self._receiver(reader, deadline))
        except wire.WireError:
            answer = None
        except TimeoutError:
            answer = {"fault": "a probe did not end within its wall clock limit and 30 s"}
        os.close(reader)
        with suppress(ProcessLookupError):
            if answer is None or "fault" in answer:
                os.kill(child, signal.SIGKILL)
        _, status = os.waitpid(child, 0)
        self._reap()
        return answer or {"tampering": f"the warden of the probe ended with wait status {status}"}

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
            while True:
                ready = dict(poll.poll(max(0.0, deadline - now_ms())))
                if not ready:
                    raise TimeoutError
                if self._channel in ready:
                    sys.exit(0)
                return os.read(reader, size)

        return receive

    @staticmethod
    def _reap() -> None:
        with suppress(ChildProcessError):
            while os.waitpid(-1, os.WNOHANG)[0]:
                pass


def _warden(probe: Frame, writer: int, seccomp: bytes, separation: Separation, received: float) -> None:
    """In the child: become the warden, run, answer, end."""
    try:
        separation.enter(probe["limits"])
        entered = now_ms()
        answer = conduct(probe, seccomp, separation)
        answer["timing"]["queue_ms"] = int(entered - received)
        frame: Frame = {"observation": answer}
    except (FaultError, OSError) as error:
        frame = {"fault": str(error) or type(error).__name__}
    try:
        wire.send(writer, frame)
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

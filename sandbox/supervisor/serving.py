"""Warden processes: each runs one probe, or the calls that follow each other on one module, and answers."""

from __future__ import annotations

import gc
import os
import signal
from collections.abc import Callable
from contextlib import suppress
from typing import NoReturn

from . import wire
from .separation import Separation
from .warden import FaultError, conduct, launcher
from .warm import ColdError, Template
from .wire import Frame


class Warden:
    """``ask`` gives it a probe; what it answers says whether it can take another one: ``kept``."""

    def __init__(self, separation: Separation, limits: Frame, seccomp: bytes) -> None:
        to, back = os.pipe(), os.pipe()
        self.pid = separation.fork()
        if self.pid == 0:
            os.close(to[1])
            _serve(to[0], back[1], separation, limits, seccomp)
        os.close(to[0])
        os.close(back[1])
        self._probes, self.answers = to[1], back[0]

    def ask(self, probe: Frame) -> None:
        """Give it a probe; a warden that has ended says so by its answer."""
        with suppress(BrokenPipeError):
            wire.send(self._probes, probe)

    def answer(self, receive: Callable[[int], bytes]) -> Frame | None:
        """What came of it; None if it has ended. Raises TimeoutError as ``receive`` does."""
        try:
            return wire.unpack(receive)
        except wire.WireError:
            return None

    def end(self) -> int:
        """Make sure, once, that it is gone, and all its namespaces; its wait status."""
        pid, self.pid = self.pid, 0
        status = 0
        if pid:
            os.close(self._probes)
            os.close(self.answers)
            with suppress(ProcessLookupError, ChildProcessError):
                os.kill(pid, signal.SIGKILL)
                status = os.waitpid(pid, 0)[1]
        return status


def _serve(probes: int, answers: int, separation: Separation, limits: Frame, seccomp: bytes) -> NoReturn:
    """In the child: become the warden, wait for a probe, run it, answer; end unless a template is kept."""
    gc.disable()
    try:
        separation.enter(limits)
        warden = _Work(separation, seccomp)
        kept = True
        while kept and (probe := wire.unpack(lambda size: os.read(probes, size))) is not None:
            probe["limits"] = {**limits, "wall_ms": probe["wall_ms"]}
            frame = warden.run(probe)
            kept = frame["kept"]
            wire.send(answers, frame)
    except (FaultError, OSError) as error:
        wire.send(answers, {"fault": str(error) or type(error).__name__})
    finally:
        os._exit(0)


class _Work:
    def __init__(self, separation: Separation, seccomp: bytes) -> None:
        self._separation = separation
        self._seccomp = seccomp
        self._template: Template | None = None

    def run(self, probe: Frame) -> Frame:
        if not probe["warm"]:
            launch = launcher(probe, self._seccomp, self._separation)
            return {"observation": conduct(probe, self._separation, launch), "kept": False}
        try:
            if self._template is None:
                self._template = Template(probe, self._seccomp, self._separation)
            frame: Frame = {"observation": self._template.call(probe), "kept": self._template.kept}
        except ColdError as error:
            frame = {"cold": str(error), "kept": False}
        if not frame["kept"]:
            self._clear()
        return frame

    def _clear(self) -> None:
        """Leave no process and no file of the template and its copies."""
        separation = self._separation
        separation.kept = 0
        separation.kill_all()
        while separation.pids():
            with suppress(ChildProcessError):
                os.waitpid(-1, 0)
        separation.as_owner(separation.discard)

"""The trusted end of a supervisor's channel: probes out as frames, frames back as observations."""

from __future__ import annotations

import base64
import time
from collections.abc import Callable, Iterable, Iterator, Mapping
from typing import Any, Protocol

from pydantic import ValidationError

from contracts.isolation import IsolationReport, SandboxPolicy
from contracts.paths import is_contained, path_bytes, path_text
from contracts.probe import CallProbe, CommandProbe, HttpProbe, Observation, Probe, Stream
from sandbox import results
from sandbox.base import SandboxLost
from sandbox.seccomp import program
from sandbox.supervisor import wire

_OPEN_S = 60.0
_GRACE_S = 60.0
_RUNS = 3
"""A call may be made a second time, after an import (DEC-10)."""
_EMPTY = {
    "length": 0,
    "digest": "sha256:e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855",
    "head": "",
    "tail": "",
    "truncated": False,
}


class Channel(Protocol):
    """A byte stream to a supervisor. Nothing waits longer than until ``deadline`` (monotonic seconds)."""

    def send(self, data: bytes, deadline: float) -> None:
        """Send all of it; raises SandboxLost."""

    def receive(self, size: int, deadline: float) -> bytes:
        """At most ``size`` bytes, none at the end; raises SandboxLost."""

    def close(self) -> None:
        """End the supervisor and all that it started; never raises for what is gone already."""

    def last_words(self) -> str:
        """What the other end wrote to standard error, for a message."""


class Session:
    """An open sandbox (`sandbox.base.Sandbox`) over a supervisor that ``connect`` starts.

    When something of a probe may be left, the supervisor was reached, or has no identity left for another probe, it is
    replaced (DEC-21).
    """

    def __init__(
        self,
        connect: Callable[[], Channel],
        policy: SandboxPolicy,
        environment: Mapping[str, str],
        separation: str,
    ) -> None:
        self.report: IsolationReport
        self.tools: dict[str, str] = {}
        self.warm = True
        """Whether calls may be made by copies of one interpreter (DEC-10); what is observed is the same."""
        self._connect = connect
        self._policy = policy
        self._environment = dict(environment)
        self._separation = separation
        self._channel: Channel | None = None

    def open(self) -> None:
        """Start a supervisor and wait until it answers."""
        channel = self._channel = self._connect()
        opening = {
            "separation": self._separation,
            "limits": self._policy.limits.document(),
            "seccomp": _base64(program()),
        }
        self.tools = self._exchange(channel, opening, _OPEN_S)["ready"]

    def close(self) -> None:
        """End it."""
        channel, self._channel = self._channel, None
        if channel is not None:
            channel.close()

    def run(self, probes: Iterable[Probe]) -> Iterator[Observation]:
        """As `sandbox.base.Sandbox.run`.

        Raises:
            ValueError: a probe holds text that cannot cross the boundary, or more input than the scratch directory
                takes; found before it is started (ENC-01, SBX-19).
        """
        for probe in probes:
            frame = self._frame(probe)
            if self._channel is None:
                self.open()
            assert self._channel is not None  # noqa: S101 - for the type checker
            answer = self._exchange(self._channel, frame, _RUNS * frame["wall_ms"] / 1000 + _GRACE_S)
            observation = _observation(probe, answer)
            if observation.leftovers or observation.outcome == "tampering" or answer.get("spent"):
                self.close()
            yield observation

    def _exchange(self, channel: Channel, frame: wire.Frame, seconds: float) -> wire.Frame:
        deadline = time.monotonic() + seconds
        try:
            channel.send(wire.pack(frame), deadline)
            answer = _answer(wire.unpack(lambda size: channel.receive(size, deadline)))
        except (SandboxLost, wire.WireError) as error:
            self.close()
            words = channel.last_words()
            raise SandboxLost(f"{error}{': ' if words else ''}{words}") from error
        return answer

    def _frame(self, probe: Probe) -> wire.Frame:
        limits = self._policy.limits
        environment = {**self._environment, **self._policy.environment, **probe.environment}
        parts = _parts(probe)
        if not self.warm:
            parts.pop("imports", None)
        _check_text(probe, parts["argv"], environment)
        if sum(len(file.content) for file in probe.files) > limits.scratch_bytes:
            raise ValueError(f"probe {probe.id}: its files do not fit into the scratch directory")
        return {
            **parts,
            "files": [
                {
                    "path": _base64(path_bytes(file.path)),
                    "content": _base64(file.content),
                    "executable": file.executable,
                }
                for file in probe.files
            ],
            "environment": environment,
            "wall_ms": limits.wall_ms if probe.wall_ms is None else min(probe.wall_ms, limits.wall_ms),
        }


def _parts(probe: Probe) -> wire.Frame:
    """What is particular to a kind of probe."""
    if isinstance(probe, CommandProbe):
        return {"argv": list(probe.argv), "stdin": None if probe.stdin is None else _base64(probe.stdin)}
    if isinstance(probe, CallProbe):
        request = _base64(results.call_request(probe))
        imports = {"module": probe.module, "root": probe.root}
        return {"argv": list(results.CALL), "stdin": None, "request": request, "imports": imports}
    plan = {
        "port": probe.port,
        "requests": [_base64(results.http_request(request, probe.port)) for request in probe.requests],
        "ready_ms": probe.ready_ms,
        "answer_ms": probe.answer_ms,
    }
    return {"argv": list(probe.argv), "stdin": None, "http": plan}


def _base64(data: bytes) -> str:
    return base64.b64encode(data).decode()


def _check_text(probe: Probe, argv: Iterable[str], environment: Mapping[str, str]) -> None:
    paths = [file.path for file in probe.files]
    if len(set(paths)) != len(paths) or not all(is_contained(path) for path in paths):
        raise ValueError(f"probe {probe.id}: its files need different paths below the scratch directory")
    for text in (*argv, *environment, *environment.values()):
        if "\0" in text or any("\ud800" <= char <= "\udfff" for char in text):
            raise ValueError(f"probe {probe.id}: NUL or a lone surrogate in its command or environment")
    if any(not name or "=" in name for name in environment):
        raise ValueError(f"probe {probe.id}: not a name of an environment variable")


def _observation(probe: Probe, answer: wire.Frame) -> Observation:
    try:
        if "tampering" in answer:
            timing = {"queue_ms": 0, "wall_ms": 0, "cpu_ms": 0, "peak_memory_bytes": 0}
            body: dict[str, Any] = {
                "outcome": "tampering",
                "detail": str(answer["tampering"]),
                "stdout": _EMPTY,
                "stderr": _EMPTY,
                "files": [],
                "timing": timing,
            }
        else:
            body = answer["observation"]
            value, responses = body.pop("value"), body.pop("responses")
            if isinstance(probe, CallProbe):
                body["value"] = results.result(Stream.model_validate(value))
            if isinstance(probe, HttpProbe):
                body["responses"] = [
                    results.response(each["fault"], each["stream"], request.method)
                    for each, request in zip(responses, probe.requests, strict=True)
                ]
            for file in body["files"]:
                file["path"] = path_text(base64.b64decode(file["path"]))
        return Observation.model_validate({**body, "probe": probe.id})
    except (KeyError, TypeError, ValueError, ValidationError) as error:
        raise SandboxLost("the supervisor's answer is no observation") from error


def _answer(frame: wire.Frame | None) -> wire.Frame:
    if frame is None:
        raise SandboxLost("the supervisor of the sandbox ended")
    if "fault" in frame:
        raise SandboxLost(str(frame["fault"])[:1000])
    return frame

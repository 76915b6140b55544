"""A supervisor's channel over the pipes of a child process."""

from __future__ import annotations

import os
import select
import subprocess
import tempfile
import time
from contextlib import suppress

from sandbox.base import SandboxLost
from sandbox.process import spawn

_END_S = 5.0
_WORDS = 2_000


class PipeChannel:
    """Starts ``argv`` and speaks over its standard input and output; closing kills it and waits for its end."""

    def __init__(self, argv: list[str], environment: dict[str, str]) -> None:
        self._errors = tempfile.TemporaryFile()  # noqa: SIM115 - closed in close()
        self._words = ""
        try:
            self._process = spawn(
                argv,
                env=environment,
                cwd="/",
                stdin=subprocess.PIPE,
                stdout=subprocess.PIPE,
                stderr=self._errors,
                start_new_session=True,
                bufsize=0,
            )
        except OSError as error:
            self._errors.close()
            raise SandboxLost(f"{argv[0]} cannot be started: {error.strerror}") from error
        assert self._process.stdin is not None  # noqa: S101 - given PIPE
        assert self._process.stdout is not None  # noqa: S101
        self._in, self._out = self._process.stdin.fileno(), self._process.stdout.fileno()
        os.set_blocking(self._in, False)
        os.set_blocking(self._out, False)

    def send(self, data: bytes, deadline: float) -> None:
        """As `sandbox.session.Channel`."""
        rest = memoryview(data)
        while rest:
            try:
                rest = rest[os.write(self._in, rest) :]
            except BlockingIOError:
                self._wait(self._in, select.POLLOUT, deadline)
            except OSError as error:
                raise SandboxLost("the supervisor of the sandbox ended") from error

    def receive(self, size: int, deadline: float) -> bytes:
        """As `sandbox.session.Channel`."""
        while True:
            try:
                return os.read(self._out, size)
            except BlockingIOError:
                self._wait(self._out, select.POLLIN, deadline)

    def close(self) -> None:
        """As `sandbox.session.Channel`."""
        if self._errors.closed:
            return
        process = self._process
        assert process.stdin is not None  # noqa: S101
        assert process.stdout is not None  # noqa: S101
        process.stdin.close()
        try:
            process.wait(_END_S)
        except subprocess.TimeoutExpired:
            process.kill()
            with suppress(subprocess.TimeoutExpired):
                process.wait(_END_S)
        process.stdout.close()
        self._errors.seek(0)
        self._words = self._errors.read(_WORDS).decode("utf-8", "replace").strip()
        self._errors.close()

    def last_words(self) -> str:
        """As `sandbox.session.Channel`."""
        return self._words

    @staticmethod
    def _wait(descriptor: int, event: int, deadline: float) -> None:
        poll = select.poll()
        poll.register(descriptor, event)
        if not poll.poll(max(0.0, deadline - time.monotonic()) * 1000):
            raise SandboxLost("the supervisor of the sandbox does not answer")

"""A supervisor's channel over the attached streams of a container."""

from __future__ import annotations

import socket
import time
from contextlib import suppress
from typing import Any

from sandbox.base import SandboxLost

_STDERR = 2
_WORDS = 2_000


class AttachedChannel:
    """Creates a container, attaches to its streams, then starts it; closing kills and removes it.

    Without a terminal the engine wraps output into frames of its own: one byte for the stream, three of zero, four
    of length, then the bytes.
    """

    def __init__(self, api: Any, options: dict[str, Any]) -> None:
        self._api = api
        self._words = b""
        self._left = 0
        self._container: str = api.create_container(**options)["Id"]
        self._socket: socket.socket | None = None
        try:
            streams = {"stdin": 1, "stdout": 1, "stderr": 1, "stream": 1}
            self._file = api.attach_socket(self._container, params=streams)
            self._socket = getattr(self._file, "_sock", self._file)
            api.start(self._container)
        except BaseException:
            self.close()
            raise

    def send(self, data: bytes, deadline: float) -> None:
        """As `sandbox.session.Channel`."""
        try:
            self._open(deadline).sendall(data)
        except OSError as error:
            raise SandboxLost(f"the container's input is closed: {error}") from error

    def receive(self, size: int, deadline: float) -> bytes:
        """As `sandbox.session.Channel`."""
        while not self._left:
            head = self._exactly(8, deadline)
            if not head:
                return b""
            self._left = int.from_bytes(head[4:], "big")
            if head[0] == _STDERR:
                self._words = (self._words + self._exactly(self._left, deadline))[-_WORDS:]
                self._left = 0
        data = self._some(min(size, self._left), deadline)
        self._left -= len(data)
        return data

    def close(self) -> None:
        """As `sandbox.session.Channel`."""
        import docker
        import requests

        connection, self._socket = self._socket, None
        if connection is not None:
            with suppress(OSError):
                connection.shutdown(socket.SHUT_RDWR)
            self._file._response.close()  # the SDK hands out the socket and keeps its connection there
            self._file.close()
            connection.close()
        with suppress(docker.errors.APIError, requests.RequestException):
            self._api.remove_container(self._container, force=True)

    def last_words(self) -> str:
        """As `sandbox.session.Channel`."""
        return self._words.decode("utf-8", "replace").strip()

    def _exactly(self, size: int, deadline: float) -> bytes:
        parts = b""
        while len(parts) < size:
            part = self._some(size - len(parts), deadline)
            if not part:
                return b""
            parts += part
        return parts

    def _some(self, size: int, deadline: float) -> bytes:
        try:
            return self._open(deadline).recv(size)
        except TimeoutError as error:
            raise SandboxLost("the supervisor of the sandbox does not answer") from error
        except OSError as error:
            raise SandboxLost(f"the container's output is closed: {error}") from error

    def _open(self, deadline: float) -> socket.socket:
        if self._socket is None:
            raise SandboxLost("the container is closed")
        self._socket.settimeout(max(0.01, deadline - time.monotonic()))
        return self._socket

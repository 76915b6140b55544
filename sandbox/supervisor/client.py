"""Requests to a server of the candidate, over the loopback; what comes back is bytes, parsed outside (law 1)."""

from __future__ import annotations

import base64
import errno
import socket
import struct

from .capture import Capture
from .limits import now_ms
from .wire import Frame

_HOST = "127.0.0.1"
_CHUNK = 1 << 16
_RESET = struct.pack("ii", 1, 0)


class Client:
    """One request after another, each on its own connection, never blocking: `step` goes on as far as it can.

    ``plan`` has ``port``, ``requests`` (whole, in base64), ``ready_ms`` and ``answer_ms``.
    """

    def __init__(self, plan: Frame, kept: int) -> None:
        self._address = (_HOST, plan["port"])
        self._requests = [base64.b64decode(request) for request in plan["requests"]]
        self._ready_ms, self._answer_ms = plan["ready_ms"], plan["answer_ms"]
        self._kept = kept
        self._done: list[Frame] = []
        self._finished = 0
        self._capture = Capture(kept)
        self._socket: socket.socket | None = None
        self._connected = False
        self._rest = b""
        self._until = now_ms() + self._ready_ms

    @property
    def length(self) -> int:
        """Bytes that came back so far."""
        return self._finished + self._capture.length

    def step(self) -> bool:
        """Go on; True when there is a response, or none in time, for every request."""
        while len(self._done) < len(self._requests):
            if self._connected or self._connect():
                self._exchange()
            elif now_ms() >= self._until:
                self._finish("not_connected")
            else:
                return False
            if self._connected and now_ms() >= self._until:
                self._finish("unfinished")
            elif self._connected:
                return False
        return True

    def frames(self) -> list[Frame]:
        """A response for every request: ``stream``, and ``fault`` or None."""
        while len(self._done) < len(self._requests):
            self._finish("unfinished" if self._connected else "not_connected")
        return self._done

    def _connect(self) -> bool:
        if self._socket is None:
            self._socket = socket.socket(socket.AF_INET, socket.SOCK_STREAM | socket.SOCK_NONBLOCK)
            # closed by a reset, a connection leaves nothing that keeps the port from the next server
            self._socket.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, _RESET)
            self._socket.connect_ex(self._address)
        error = self._socket.connect_ex(self._address)  # again: what became of it
        if error in (0, errno.EISCONN):
            self._connected = True
            self._rest = self._requests[len(self._done)]
            self._until = now_ms() + self._answer_ms
        elif error not in (errno.EINPROGRESS, errno.EALREADY):
            self._close()
        return self._connected

    def _exchange(self) -> None:
        assert self._socket is not None  # noqa: S101 - it is connected
        try:
            while self._rest:
                self._rest = self._rest[self._socket.send(self._rest[:_CHUNK]) :]
        except BlockingIOError:
            pass
        except OSError:
            self._rest = b""  # it may have answered without reading all
        try:
            data = self._socket.recv(_CHUNK)
        except BlockingIOError:
            return
        except OSError:
            data = b""
        self._capture.feed(data)
        if not data:
            self._finish(None)

    def _finish(self, fault: str | None) -> None:
        self._done.append({"fault": fault, "stream": self._capture.frame()})
        self._finished += self._capture.length
        self._capture = Capture(self._kept)
        self._close()
        if fault != "not_connected":
            self._until = now_ms() + self._answer_ms

    def _close(self) -> None:
        if self._socket is not None:
            self._socket.close()
        self._socket, self._connected = None, False

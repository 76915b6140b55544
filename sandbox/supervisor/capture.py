"""An output stream while it runs: length and digest of the whole, head and tail kept (SBX-05, SCN-30)."""

from __future__ import annotations

import base64
import hashlib

from .wire import Frame


class Capture:
    """Takes any number of bytes in bounded memory; up to ``kept`` bytes everything is kept."""

    def __init__(self, kept: int) -> None:
        self.length = 0
        self._kept = kept
        self._hash = hashlib.sha256()
        self._head = bytearray()
        self._tail = bytearray()

    def feed(self, data: bytes) -> None:
        """Take the next bytes of the stream."""
        self.length += len(data)
        self._hash.update(data)
        room = self._kept - len(self._head)
        self._head += data[:room]
        self._tail += data[room:] if room > 0 else data
        if len(self._tail) > 2 * self._kept:
            del self._tail[: -self._kept or None]

    def frame(self) -> Frame:
        """The stream in the shape of `contracts.probe.Stream`; a longer one keeps half a cap at either end."""
        truncated = self.length > self._kept
        half = self._kept // 2
        head = self._head[:half] if truncated else self._head
        tail = (self._head + self._tail)[-half:] if truncated and half else b""
        return {
            "length": self.length,
            "digest": "sha256:" + self._hash.hexdigest(),
            "head": base64.b64encode(head).decode(),
            "tail": base64.b64encode(tail).decode(),
            "truncated": truncated,
        }

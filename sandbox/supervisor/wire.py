"""The channel of the supervisor: length-prefixed JSON frames, bounded, on descriptors that no candidate holds."""

from __future__ import annotations

import json
import os
from collections.abc import Callable
from typing import Any

MAX_FRAME = 256 * 1024 * 1024
"""Above what a probe with full inputs, or an observation with full outputs, can come to."""

Frame = dict[str, Any]


class WireError(Exception):
    """The bytes on the channel are no frame."""


def pack(frame: Frame) -> bytes:
    """The bytes of one frame: four bytes of length, big-endian, then JSON."""
    body = json.dumps(frame, separators=(",", ":")).encode()
    if len(body) > MAX_FRAME:
        raise WireError(f"a frame of {len(body)} bytes")
    return len(body).to_bytes(4, "big") + body


def unpack(receive: Callable[[int], bytes]) -> Frame | None:
    """The next frame; None at the end of the channel. ``receive`` gives at most so many bytes, none at the end.

    Raises:
        WireError: the channel ended inside a frame, or the frame is too large or no JSON object.
    """
    head = _exactly(receive, 4)
    if not head:
        return None
    size = int.from_bytes(head, "big")
    if len(head) < 4 or size > MAX_FRAME:
        raise WireError("a broken frame")
    body = _exactly(receive, size)
    if len(body) < size:
        raise WireError("the channel ended inside a frame")
    try:
        frame = json.loads(body)
    except ValueError as error:
        raise WireError("a frame that is not JSON") from error
    if not isinstance(frame, dict):
        raise WireError("a frame that is no object")
    return frame


def send(descriptor: int, frame: Frame) -> None:
    """Write one frame to a blocking descriptor."""
    data = memoryview(pack(frame))
    while data:
        data = data[os.write(descriptor, data) :]


def _exactly(receive: Callable[[int], bytes], size: int) -> bytes:
    parts: list[bytes] = []
    while size and (part := receive(min(size, 1 << 20))):
        parts.append(part)
        size -= len(part)
    return b"".join(parts)

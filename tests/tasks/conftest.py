"""Observations made by hand: the judge is pure, so its tests need no sandbox."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest

from contracts.canonical import digest
from contracts.probe import FileObservation, Observation, Stream, Timing

Seen = Callable[..., Observation]
LIMIT = {"name": "wall_ms", "configured": 1, "observed": 2}


def stream(data: bytes, truncated: bool = False) -> Stream:
    return Stream(length=len(data), digest=digest(data), head=data, tail=b"", truncated=truncated)


def written(path: str, content: bytes | None) -> FileObservation:
    size = len(content or b"")
    return FileObservation(
        path=path, kind="file", size=size, digest=digest(content or b""), content=content, executable=False
    )


@pytest.fixture(scope="session")
def seen() -> Seen:
    """An observation: status 0, nothing printed, nothing written, but for what is given."""

    def make(
        probe: str = "p",
        *,
        status: int | None = 0,
        stdout: bytes = b"",
        stderr: bytes = b"",
        files: dict[str, bytes | None] | None = None,
        cut: bool = False,
        **given: Any,
    ) -> Observation:
        return Observation(
            probe=probe,
            outcome=given.pop("outcome", "exited"),
            exit_code=status,
            stdout=stream(stdout, cut),
            stderr=stream(stderr),
            files=tuple(written(path, content) for path, content in (files or {}).items()),
            timing=Timing(queue_ms=0, wall_ms=1, cpu_ms=1, peak_memory_bytes=1),
            **given,
        )

    return make

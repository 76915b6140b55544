"""The parts of the supervisor that work without a sandbox: frames, captures, the collector."""

from __future__ import annotations

import base64
import hashlib
import io
import os
import random
import subprocess
import sys
from pathlib import Path
from types import SimpleNamespace

import pytest

from contracts.isolation import SandboxPolicy
from contracts.probe import CommandProbe
from sandbox import session as trusted
from sandbox.session import Session
from sandbox.supervisor import main, scratch, separation, wire
from sandbox.supervisor.capture import Capture

PACKAGE = Path(wire.__file__).parent


def test_frames_survive_any_fragmentation() -> None:
    frames: list[wire.Frame] = [{"a": 1}, {"text": "ü\0"}, {}]
    stream = io.BytesIO(b"".join(wire.pack(frame) for frame in frames))
    assert [wire.unpack(lambda size: stream.read(min(size, 3))) for _ in range(4)] == [*frames, None]


@pytest.mark.parametrize(
    "data",
    [b"\0\0", b"\0\0\0\x05{}", b"\xff\xff\xff\xff", b"\0\0\0\x02[]", b"\0\0\0\x02{x", b"\0\0\0\x01\xff"],
)
def test_what_is_no_frame_is_refused(data: bytes) -> None:
    """Bounded, and never taken for something else."""
    with pytest.raises(wire.WireError):
        wire.unpack(io.BytesIO(data).read)


@pytest.mark.parametrize("kept", [0, 1, 7, 64])
@pytest.mark.parametrize("length", [0, 1, 6, 7, 8, 63, 64, 65, 127, 128, 1_000])
def test_a_capture_keeps_head_and_tail_of_any_length(kept: int, length: int) -> None:
    """SCN-30: whole up to the cap, half a cap at either end above it, length and digest always of the whole."""
    data = random.Random(length).randbytes(length)
    capture = Capture(kept)
    rest, step = data, 1
    while rest:
        capture.feed(rest[:step])
        rest, step = rest[step:], step * 2
    frame = capture.frame()
    head, tail = base64.b64decode(frame["head"]), base64.b64decode(frame["tail"])
    assert (frame["length"], frame["digest"]) == (length, "sha256:" + hashlib.sha256(data).hexdigest())
    if length <= kept:
        assert (head, tail, frame["truncated"]) == (data, b"", False)
    else:
        half = kept // 2
        assert (head, tail, frame["truncated"]) == (data[:half], data[-half:] if half else b"", True)


def test_sparse_files_cost_a_bounded_time(tmp_path: Path) -> None:
    """A digest is computed over so many bytes and no more; beyond that there is none."""
    for number in range(4):
        with (tmp_path / f"f{number}").open("wb") as file:
            file.truncate(3_000_000)
    found = scratch.Collector([], kept=10, total=2_000_000).collect(str(tmp_path))
    assert [entry["digest"] is None for entry in found] == [False, False, True, True]
    assert {entry["size"] for entry in found} == {3_000_000}


def test_kept_contents_are_bounded_together(tmp_path: Path) -> None:
    for number in range(5):
        (tmp_path / f"f{number}").write_bytes(b"x" * 40)
    found = scratch.Collector([], kept=50, total=100).collect(str(tmp_path))
    assert [entry["content"] is None for entry in found] == [False, False, True, True, True]
    assert all(entry["digest"] for entry in found)


def test_emptying_removes_any_depth_and_follows_no_link(tmp_path: Path) -> None:
    """SBX-15."""
    outside = tmp_path / "outside"
    outside.mkdir()
    (outside / "kept").touch()
    root = tmp_path / "root"
    root.mkdir()
    (root / "link").symlink_to(outside)
    current = os.open(root, os.O_RDONLY)
    for _ in range(1_100):
        os.mkdir("dddd", dir_fd=current)
        below = os.open("dddd", os.O_RDONLY, dir_fd=current)
        os.close(current)
        current = below
    os.close(current)
    scratch.empty(str(root))
    assert list(root.iterdir()) == []
    assert (outside / "kept").exists()


def test_the_supervisor_is_standard_library_only_and_imports_nothing_of_ours() -> None:
    """It runs with ``-I -S`` on the sandbox's interpreter."""
    code = (
        "import sys; sys.path.append(sys.argv[1]); import supervisor.main;"
        "print([m for m in sys.modules if m.split('.')[0] in ('sandbox', 'contracts', 'pydantic', 'pathlib')])"
    )
    argv = [sys.executable, "-I", "-S", "-B", "-c", code, str(PACKAGE.parent)]
    assert subprocess.run(argv, capture_output=True, check=True).stdout == b"[]\n"


@pytest.mark.parametrize(("left", "spent"), [(3, False), (2, False), (1, True), (0, True)])
def test_a_container_says_when_its_identities_are_used_up(left: int, spent: bool) -> None:
    """A probe may take two: an import that cannot be kept, and a call of its own."""
    supervisor = object.__new__(main._Supervisor)
    supervisor._uid = separation.LAST_UID - left
    assert supervisor.spent is spent


def test_a_supervisor_without_identities_is_replaced(monkeypatch: pytest.MonkeyPatch) -> None:
    """DEC-04: never is one used twice."""
    opened: list[int] = []
    session = Session(lambda: pytest.fail("not here"), SandboxPolicy(), {}, "identities")
    monkeypatch.setattr(session, "open", lambda: opened.append(1) or setattr(session, "_channel", Silent()))
    monkeypatch.setattr(session, "_exchange", lambda *_: {"tampering": "none", "spent": len(opened) == 1})
    monkeypatch.setattr(trusted, "_observation", lambda *_: SimpleNamespace(leftovers=(), outcome="exited"))
    list(session.run([CommandProbe(id="p", argv=("true",))] * 3))
    assert len(opened) == 2


class Silent:
    def close(self) -> None:
        """Nothing is held."""

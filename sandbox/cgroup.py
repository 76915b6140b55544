"""A control group for the memory of one sandbox, where this host lets us make one (DEC-05, SCN-56).

Version 1 and version 2; at the top, or in what is delegated to this user. Where there is none, memory is polled.
"""

from __future__ import annotations

import os
import tempfile
import time
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from dataclasses import dataclass
from functools import lru_cache
from pathlib import Path

from sandbox.base import SandboxLost
from sandbox.owner import PREFIX, directory_owner, is_dead, owner_id

_TOP = Path("/sys/fs/cgroup")
_END_S = 5.0
_ENTER = 'echo $$ >"$1/cgroup.procs" && shift && exec "$@"'


@dataclass(frozen=True)
class Group:
    """A control group: ``directory`` on the host, ``inside`` is where the supervisor looks for its counters."""

    directory: Path
    inside: str

    def entering(self, argv: list[str]) -> list[str]:
        """``argv``, started inside the group, so that no process of it was ever outside."""
        return ["/bin/sh", "-c", _ENTER, "sh", str(self.directory), *argv]


@dataclass(frozen=True)
class _Parent:
    directory: Path
    limits: tuple[tuple[str, str], ...]
    inside: str


_V1 = (("memory.limit_in_bytes", "{}"), ("memory.memsw.limit_in_bytes", "{}"))
_V2 = (("memory.max", "{}"), ("memory.swap.max", "0"), ("memory.oom.group", "0"))
_OPTIONAL = {"memory.memsw.limit_in_bytes", "memory.swap.max", "memory.oom.group"}
"""Absent where the kernel does not account for swap; `_make` then demands that there is none."""


@contextmanager
def group(memory_bytes: int) -> Iterator[Group | None]:
    """A group that holds all its processes together to so many bytes, swap included; None where none can be made."""
    parent = _parent()
    if parent is None:
        yield None
        return
    try:
        directory = _make(parent, memory_bytes)
    except OSError as error:
        raise SandboxLost(f"a control group cannot be made: {error.strerror}") from error
    try:
        yield Group(directory, parent.inside)
    finally:
        _remove(directory)


def available() -> bool:
    """Whether groups can be made here."""
    return _parent() is not None


def reap() -> list[str]:
    """Remove the groups of runs that are gone (SCN-22)."""
    removed = []
    for parent in _candidates():
        for directory in parent.directory.glob(f"{PREFIX}*"):
            if is_dead(directory_owner(directory)):
                with suppress(OSError):
                    directory.rmdir()
                    removed.append(f"control group {directory.name}")
    return removed


@lru_cache(maxsize=1)
def _parent() -> _Parent | None:
    """The first place where a group can be made and a process of ours be put into it."""
    for parent in _candidates():
        with suppress(OSError):
            directory = _make(parent, 1 << 30)
            try:
                if _can_enter(directory):
                    return parent
            finally:
                _remove(directory)
    return None


def _candidates() -> Iterator[_Parent]:
    """Our own group and those above it, by version."""
    for controllers, path in _memberships():
        own = path.strip("/")
        if controllers == "memory":
            yield from (_Parent(place, _V1, "/sys/fs/cgroup/memory") for place in _upwards(_TOP / "memory", own))
        elif not controllers:
            for place in _upwards(_TOP, own):
                with suppress(OSError):
                    if "memory" in (place / "cgroup.subtree_control").read_text(encoding="ascii").split():
                        yield _Parent(place, _V2, "/sys/fs/cgroup")


def _memberships() -> list[tuple[str, str]]:
    """Our groups: controllers (none for version 2) and path."""
    with suppress(OSError):
        lines = Path("/proc/self/cgroup").read_text(encoding="utf-8").splitlines()
        return [(controllers, path) for _, controllers, path in (line.split(":", 2) for line in lines)]
    return []


def _upwards(top: Path, own: str) -> Iterator[Path]:
    place = top / own
    while place.is_relative_to(top):
        if os.access(place, os.W_OK):
            yield place
        place = place.parent


def _make(parent: _Parent, memory_bytes: int) -> Path:
    directory = Path(tempfile.mkdtemp(prefix=f"{PREFIX}{owner_id()}-", dir=parent.directory))
    try:
        directory.chmod(0o755)
        for name, value in parent.limits:
            if (directory / name).exists() or name not in _OPTIONAL or _swaps():
                with os.fdopen(os.open(directory / name, os.O_WRONLY), "w") as file:  # never a file of our making
                    file.write(value.format(memory_bytes))
    except BaseException:
        _remove(directory)
        raise
    return directory


def _swaps() -> bool:
    return len(Path("/proc/swaps").read_text(encoding="utf-8").splitlines()) > 1


def _can_enter(directory: Path) -> bool:
    from sandbox.base import SandboxError
    from sandbox.process import run_tool

    try:
        return run_tool(Group(directory, "").entering(["true"]), timeout_s=10).exit_code == 0
    except SandboxError:
        return False


def _remove(directory: Path) -> None:
    """Its processes have been killed; the last of them may take a moment to leave. What stays is for `reap`."""
    deadline = time.monotonic() + _END_S
    while True:
        try:
            directory.rmdir()
        except FileNotFoundError:
            return
        except OSError:
            if time.monotonic() > deadline:
                return
            time.sleep(0.005)
        else:
            return

"""Limits: those of the kernel, set in the child before it becomes the candidate, and those that are polled."""

# ruff: noqa: PTH123 - pathlib would cost each start several milliseconds
from __future__ import annotations

import os
import resource
import time
from collections.abc import Iterable, Mapping
from contextlib import suppress

from .wire import Frame

_COUNTERS = ("/sys/fs/cgroup/memory.events", "/sys/fs/cgroup/memory/memory.oom_control")
_PAGE = resource.getpagesize()
_TICK_MS = 1000 // os.sysconf("SC_CLK_TCK")


def set_kernel_limits(limits: Frame, processes: int) -> None:
    """Rlimits of the calling process and all that it starts; hard and soft alike but for CPU time."""
    seconds = -(-limits["cpu_ms"] // 1000)
    resource.setrlimit(resource.RLIMIT_CPU, (seconds, seconds + 1))
    resource.setrlimit(resource.RLIMIT_NPROC, (processes, processes))
    for name, value in (
        (resource.RLIMIT_FSIZE, limits["file_bytes"]),
        (resource.RLIMIT_NOFILE, limits["open_files"]),
        (resource.RLIMIT_CORE, 0),
        (resource.RLIMIT_MEMLOCK, 64 * 1024),
    ):
        resource.setrlimit(name, (value, value))


class Usage:
    """What the processes of a probe use together; memory includes their scratch file systems."""

    def __init__(self) -> None:
        self.tasks = 0
        self.cpu_ms = 0
        self.resident: dict[int, int] = {}


def usage(pids: Iterable[int]) -> Usage:
    """Sum over living processes; CPU time includes that of the children that they waited for."""
    total = Usage()
    for pid in pids:
        with suppress(OSError, ValueError, IndexError):
            with open(f"/proc/{pid}/stat", "rb") as file:
                fields = file.read().rpartition(b")")[2].split()
            total.cpu_ms += sum(int(ticks) for ticks in fields[11:15]) * _TICK_MS
            total.tasks += int(fields[17])
            total.resident[pid] = int(fields[21]) * _PAGE
    return total


def living(pids: Iterable[int]) -> dict[int, str]:
    """The command lines of those that have not ended, cut to 200 characters."""
    found = {}
    for pid in pids:
        with suppress(OSError, IndexError):
            with open(f"/proc/{pid}/stat", "rb") as file:
                if file.read().rpartition(b")")[2].split()[0] in (b"Z", b"X"):
                    continue
            with open(f"/proc/{pid}/cmdline", "rb") as file:
                found[pid] = file.read(200).replace(b"\0", b" ").decode("utf-8", "backslashreplace").strip()
    return found


def proportional(resident: Mapping[int, int]) -> int:
    """Memory in bytes with shared pages counted once; slower than the sum of ``resident``, and never above it."""
    total = 0
    for pid, size in resident.items():
        try:
            with open(f"/proc/{pid}/smaps_rollup", "rb") as file:
                total += sum(int(line.split()[1]) for line in file if line.startswith((b"Pss:", b"SwapPss:"))) * 1024
        except (FileNotFoundError, ProcessLookupError):
            continue
        except OSError:
            total += size
    return total


def scratch_used(roots: Iterable[str]) -> int:
    """Bytes that the scratch file systems hold in memory."""
    held = 0
    for root in roots:
        state = os.statvfs(root)
        held += (state.f_blocks - state.f_bfree) * state.f_frsize
    return held


def full(roots: Iterable[str]) -> str | None:
    """The limit that a scratch file system has reached, if any."""
    for root in roots:
        state = os.statvfs(root)
        if state.f_blocks and state.f_bavail == 0:
            return "scratch_bytes"
        if state.f_files and state.f_ffree == 0:
            return "scratch_inodes"
    return None


def kernel_holds_memory() -> bool:
    """True where the control group of this sandbox has a limit of its own: then the kernel judges, not a poll."""
    for path in ("/sys/fs/cgroup/memory.max", "/sys/fs/cgroup/memory/memory.limit_in_bytes"):
        with suppress(OSError, ValueError), open(path, encoding="ascii") as file:
            return int(file.read()) < 1 << 60
    return False


def oom_kills() -> int:
    """How often the kernel has killed for memory in this container; 0 where no control group is in sight."""
    for path in _COUNTERS:
        with suppress(OSError, ValueError), open(path, encoding="ascii") as file:
            for line in file:
                name, value = line.split()
                if name == "oom_kill":
                    return int(value)
    return 0


def now_ms() -> float:
    """Monotonic time."""
    return time.monotonic() * 1000

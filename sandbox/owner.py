"""Who owns what a run leaves in an engine: a process, named so that nobody else's can be taken for it (SCN-23)."""

from __future__ import annotations

import os
from contextlib import suppress
from pathlib import Path

OWNER_LABEL = "forge.owner"


def owner_id(pid: int | None = None) -> str:
    """``boot:pid namespace:pid:start time`` of a process of this host, by default our own; empty if it is gone."""
    with suppress(OSError, IndexError):
        process = Path("/proc", str(pid or os.getpid()))
        started = (process / "stat").read_text(encoding="utf-8", errors="replace").rpartition(")")[2].split()[19]
        return f"{_host()}:{pid or os.getpid()}:{started}"
    return ""


def is_dead(owner: str) -> bool:
    """True iff the owner was a process of this boot and pid namespace, and is gone. Others cannot be judged."""
    host, _, rest = owner.rpartition(":")
    host, _, pid = host.rpartition(":")
    return host == _host() and pid.isdigit() and bool(rest) and owner_id(int(pid)) != owner


def _host() -> str:
    boot = Path("/proc/sys/kernel/random/boot_id").read_text(encoding="ascii").strip()
    return f"{boot}:{Path('/proc/self/ns/pid').readlink()}"

"""Who owns what a run leaves behind: a process, named so that nobody else's can be taken for it (SCN-23)."""

from __future__ import annotations

import os
import re
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path

from sandbox.workspace import remove

OWNER_LABEL = "forge.owner"
PREFIX = "forge-run-"

_OWNER = re.compile(r"([0-9a-f-]{36}\.\d+)\.(\d+)\.(\d+)")


def owner_id(pid: int | None = None) -> str:
    """``boot id.pid namespace.pid.start time`` of a process, by default our own; empty if it is gone."""
    number = pid or os.getpid()
    with suppress(OSError, IndexError):
        status = Path(f"/proc/{number}/stat").read_text(encoding="utf-8", errors="replace")
        return f"{_host()}.{number}.{status.rpartition(')')[2].split()[19]}"
    return ""


def is_dead(owner: str) -> bool:
    """True iff the owner was a process of this boot and pid namespace, and is gone. Others cannot be judged."""
    match = _OWNER.fullmatch(owner)
    return match is not None and match[1] == _host() and owner_id(int(match[2])) != owner


@contextmanager
def run_directory() -> Iterator[Path]:
    """A fresh directory for what a run needs for a while, gone afterwards; `sandbox.gc` finds it after a SIGKILL.

    Only its owner can list it; whoever is given a path below it may go there.
    """
    path = Path(tempfile.mkdtemp(prefix=f"{PREFIX}{owner_id()}-"))
    try:
        path.chmod(0o711)
        yield path
    finally:
        remove(path)


def directory_owner(path: Path) -> str:
    """The owner in the name of such a directory."""
    return path.name.removeprefix(PREFIX).rpartition("-")[0]


def _host() -> str:
    boot = Path("/proc/sys/kernel/random/boot_id").read_text(encoding="ascii").strip()
    return f"{boot}.{Path('/proc/self/ns/pid').stat().st_ino}"

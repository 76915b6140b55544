"""Reclaim what a run that was killed left behind, and nothing of another's (SCN-22, SCN-23).

A bubblewrap sandbox ends with its parent, by the kernel. A container ends when its input does; one that still
stands, and a directory, is removed iff its owner is a process of this host that is gone.
"""

from __future__ import annotations

import os
import tempfile
import time
from contextlib import suppress
from pathlib import Path

from sandbox import cache, cgroup
from sandbox.base import SandboxError
from sandbox.owner import OWNER_LABEL, PREFIX, directory_owner, is_dead
from sandbox.workspace import remove

_DRAFT_AGE_S = 3_600


def reap() -> tuple[str, ...]:
    """Reclaim; the answer names what was, one line each. What cannot be reached or judged is left alone."""
    return (*_containers(), *cgroup.reap(), *_directories(), *_drafts())


def _containers() -> list[str]:
    if not os.environ.get("DOCKER_HOST") and not Path("/var/run/docker.sock").exists():
        return []
    from sandbox.docker import engine, engine_errors

    removed = []
    with suppress(SandboxError), engine() as client, engine_errors():
        for container in client.containers.list(all=True, filters={"label": OWNER_LABEL}):
            if is_dead(container.labels[OWNER_LABEL]):
                container.remove(force=True)
                removed.append(f"container {container.short_id}")
    return removed


def _directories() -> list[str]:
    removed = []
    for path in Path(tempfile.gettempdir()).glob(f"{PREFIX}*"):
        with suppress(OSError):
            if path.lstat().st_uid == os.getuid() and is_dead(directory_owner(path)):
                remove(path)
                removed.append(f"directory {path.name}")
    return removed


def _drafts() -> list[str]:
    """What was being put into the cache when its maker died."""
    removed = []
    for path in cache.directory().glob(".draft-*"):
        with suppress(OSError):
            if time.time() - path.stat().st_mtime > _DRAFT_AGE_S:
                remove(path)
                removed.append(f"draft {path.name}")
    return removed

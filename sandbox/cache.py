"""Forge's own directory in the user's cache; everything in it can be made again."""

from __future__ import annotations

import os
import tempfile
from collections.abc import Callable
from contextlib import suppress
from pathlib import Path

from sandbox.workspace import remove


def directory() -> Path:
    """``$XDG_CACHE_HOME/forge``, or ``~/.cache/forge``, or one of this user's in the temporary directory."""
    base = os.environ.get("XDG_CACHE_HOME") or str(Path("~").expanduser() / ".cache")
    for candidate in (Path(base, "forge"), Path(tempfile.gettempdir(), f"forge-{os.getuid()}")):
        with suppress(OSError):
            candidate.mkdir(mode=0o700, parents=True, exist_ok=True)
            status = candidate.lstat()
            if status.st_uid == os.getuid() and candidate.is_dir() and os.access(candidate, os.W_OK):
                return candidate
    return Path(tempfile.mkdtemp(prefix="forge-"))


def made_once(name: str, make: Callable[[Path], None]) -> Path:
    """The cached directory ``name``; ``make`` fills it once, and no one ever sees it half full."""
    final = directory() / name
    if not final.is_dir():
        draft = Path(tempfile.mkdtemp(prefix=".draft-", dir=final.parent))
        try:
            draft.chmod(0o755)
            make(draft)
            with suppress(OSError):
                draft.rename(final)
        finally:
            with suppress(OSError):
                remove(draft)
    return final

"""Where Forge keeps what outlives a run and is no evidence: what waits for a store, what was seen of a log."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path


def state_directory(environment: Mapping[str, str]) -> Path:
    """The user's state directory of Forge (XDG base directories)."""
    home = Path(environment.get("HOME") or "~").expanduser()
    return Path(environment.get("XDG_STATE_HOME") or home / ".local" / "state") / "forge"

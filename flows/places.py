"""Where Forge keeps what is a user's own: state of the local Prefect server, and the evidence store."""

from __future__ import annotations

import os
from pathlib import Path


def state_home() -> Path:
    """``$XDG_STATE_HOME/forge``, else ``~/.local/state/forge``; made if absent, readable by its owner alone."""
    base = os.environ.get("XDG_STATE_HOME") or str(Path.home() / ".local" / "state")
    home = Path(base).absolute() / "forge"
    home.mkdir(mode=0o700, parents=True, exist_ok=True)
    return home


def default_store() -> Path:
    """``$FORGE_STORE``, else ``store`` in the user's data directory."""
    if named := os.environ.get("FORGE_STORE"):
        return Path(named).absolute()
    base = os.environ.get("XDG_DATA_HOME") or str(Path.home() / ".local" / "share")
    return Path(base).absolute() / "forge" / "store"

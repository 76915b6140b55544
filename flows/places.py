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


def data_home() -> Path:
    """``$XDG_DATA_HOME/forge``, else ``~/.local/share/forge``; made by whoever puts something there."""
    base = os.environ.get("XDG_DATA_HOME") or str(Path.home() / ".local" / "share")
    return Path(base).absolute() / "forge"


def default_store() -> str:
    """``$FORGE_STORE``, a directory or ``s3://bucket/prefix``; else ``store`` in the user's data directory."""
    named = os.environ.get("FORGE_STORE")
    return store_at(named) if named else str(data_home() / "store")


def store_at(location: str) -> str:
    """A store's location that holds wherever it is opened from: what has a scheme is no path."""
    return location if "://" in location else os.path.abspath(location)  # noqa: PTH100 - links are kept

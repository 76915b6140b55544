"""Which Forge this is."""

from __future__ import annotations

from importlib.metadata import PackageNotFoundError, version

UNINSTALLED = "0+source"


def forge_version() -> str:
    """The installed version; `UNINSTALLED` where Forge runs from a source tree alone."""
    try:
        return version("forge-verdict")
    except PackageNotFoundError:
        return UNINSTALLED

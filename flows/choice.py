"""Which engine a build runs on (DEC-12): only what was meant for Forge decides, never a setting meant for others."""

from __future__ import annotations

import os
from dataclasses import dataclass
from importlib.util import find_spec
from typing import Literal

from flows.serving import live_server
from tasks.errors import UsageError

EngineName = Literal["inline", "prefect"]
VARIABLE = "FORGE_PREFECT_API_URL"


@dataclass(frozen=True)
class Choice:
    """An engine; ``api`` is the Prefect API that it reports to, None for one of this process's own."""

    engine: EngineName
    api: str | None = None


def choose(asked: EngineName | None) -> Choice:
    """Inline, unless Prefect is asked for, `VARIABLE` names an API, or ``forge serve`` is alive.

    Raises:
        UsageError: Prefect is asked for and not installed, or the variable is set but empty.
    """
    if asked == "inline":
        return Choice("inline")
    api = os.environ.get(VARIABLE)
    if api == "":
        raise UsageError(f"{VARIABLE} is empty; unset it or name an API")
    api = api or live_server()
    if api is None and asked is None:
        return Choice("inline")
    require_prefect()
    return Choice("prefect", api)


def require_prefect() -> None:
    """Raises UsageError where Prefect is not installed; does not import it."""
    if find_spec("prefect") is None:
        raise UsageError(
            "Prefect is not installed: it comes with the extra `prefect`, or by deployments/bootstrap.py --full"
        )

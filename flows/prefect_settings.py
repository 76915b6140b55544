"""Prefect's settings, put into the environment before its first import (PRE-01 to PRE-05). Imports no Prefect."""

from __future__ import annotations

import os
from collections.abc import MutableMapping

from flows.places import state_home

DEFAULTS = {
    "DO_NOT_TRACK": "1",
    "PREFECT_SERVER_ANALYTICS_ENABLED": "false",
    "PREFECT_SERVER_SERVICES_TASK_RUN_RECORDER_BATCH_SIZE": "100",
    "PREFECT_SERVER_SERVICES_TASK_RUN_RECORDER_READ_BATCH_SIZE": "100",
    "PREFECT_SERVER_SERVICES_TASK_RUN_RECORDER_FLUSH_INTERVAL": "1",
    "PREFECT_SERVER_EPHEMERAL_STARTUP_TIMEOUT_SECONDS": "180",
    "PREFECT_LOGGING_LEVEL": "WARNING",
    "PREFECT_SERVER_LOGGING_LEVEL": "CRITICAL",
    "PREFECT_LOGGING_HANDLERS_CONSOLE_LEVEL": "CRITICAL",  # tracebacks go to the API's log, not to a terminal (CLI-05)
    "PREFECT_LOGGING_HANDLERS_DEBUG_LEVEL": "CRITICAL",
    "PREFECT_LOGGING_EXTRA_LOGGERS": "forge",
    "PREFECT_TASKS_RUNNER_THREAD_POOL_MAX_WORKERS": "4",
    "PYTHONSAFEPATH": "1",  # for the processes that Prefect starts (DEC-20)
}
CAPTURING = ("PREFECT_API_URL", "PREFECT_PROFILE", "PREFECT_API_KEY", "PREFECT_API_AUTH_STRING")
"""What a user may have for another purpose; it must not capture a build (DEC-12)."""


def apply(api_url: str | None, environment: MutableMapping[str, str] = os.environ) -> None:
    """Point Prefect at ``api_url`` and set our defaults where the user set nothing.

    A worker has chosen its API already (``api_url`` None): then nothing is taken away. Credentials are kept only for
    the API that ``FORGE_PREFECT_API_URL`` names.
    """
    if api_url is not None:
        keep = CAPTURING[2:] if api_url == environment.get("FORGE_PREFECT_API_URL") else ()
        for name in CAPTURING:
            if name not in keep:
                environment.pop(name, None)
        environment["PREFECT_API_URL"] = api_url
    environment.setdefault("PREFECT_HOME", str(state_home() / "prefect"))
    for name, value in DEFAULTS.items():
        environment.setdefault(name, value)


def apply_server(port: int, database: str) -> None:
    """Settings of a server in this process on loopback ``port``, with its own database file (PRE-03, PRE-05)."""
    apply(f"http://127.0.0.1:{port}/api")
    home = os.environ["PREFECT_HOME"]
    os.environ.setdefault("PREFECT_API_DATABASE_CONNECTION_URL", f"sqlite+aiosqlite:///{home}/{database}.db")
    os.environ["PREFECT_SERVER_API_PORT"] = str(port)
    os.environ["PREFECT_UI_API_URL"] = "/api"

"""A Prefect server in this process, on loopback: it ends when the process does, however that ends."""

from __future__ import annotations

import socket
import threading
import time
from collections.abc import Iterator
from contextlib import contextmanager

from flows import prefect_settings
from tasks.errors import InfrastructureError, UsageError

START_SECONDS = 180


@contextmanager
def local_server(port: int, database: str) -> Iterator[str]:
    """Serve API and UI on ``port`` (0: any) from a database file of that name; yield the server's address.

    Prefect must not have been imported yet: its settings are read once, from the environment.

    Raises:
        UsageError: the port is taken.
        InfrastructureError: the server does not start.
    """
    listening = _bind(port)
    port = listening.getsockname()[1]
    prefect_settings.apply_server(port, database)
    import uvicorn
    from prefect.server.api.server import create_app

    server = uvicorn.Server(
        uvicorn.Config(create_app(), log_config=None, access_log=False, timeout_graceful_shutdown=5)
    )
    thread = threading.Thread(target=server.run, kwargs={"sockets": [listening]}, name="prefect-server", daemon=True)
    thread.start()
    try:
        _await_start(server, thread)
        yield f"http://127.0.0.1:{port}"
    finally:
        _deliver_events()
        server.should_exit = True
        thread.join(timeout=20)
        listening.close()


def _bind(port: int) -> socket.socket:
    listening = socket.socket()
    listening.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
    try:
        listening.bind(("127.0.0.1", port))
    except (OSError, OverflowError) as error:
        listening.close()
        raise UsageError(f"port {port} cannot be used: {error}") from error
    return listening


def _await_start(server: object, thread: threading.Thread) -> None:
    deadline = time.monotonic() + START_SECONDS
    while not getattr(server, "started", False):
        if not thread.is_alive() or time.monotonic() > deadline:
            raise InfrastructureError("the local Prefect server did not start")
        time.sleep(0.05)


def _deliver_events() -> None:
    """Task runs reach the server as events: they have to be delivered while it still listens."""
    from prefect.events.worker import EventsWorker
    from prefect.logging.handlers import APILogWorker

    EventsWorker.drain_all(timeout=10)
    APILogWorker.drain_all(timeout=10)

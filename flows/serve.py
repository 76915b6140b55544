"""Server, UI and runner of builds in one process, so that none of them outlives it (PRE-24)."""

from __future__ import annotations

import asyncio
import os
import signal
import site
import sys
from pathlib import Path
from typing import TYPE_CHECKING

import flows
from flows.choice import require_prefect
from flows.local_server import local_server
from flows.places import state_home
from flows.serving import announce, claimed
from tasks.errors import InfrastructureError

if TYPE_CHECKING:
    from prefect.runner import Runner

DEPLOYMENT = "forge"
CONCURRENT_BUILDS = 2


def serve_builds(port: int) -> None:
    """Serve until SIGINT, SIGTERM or SIGHUP; running builds are cancelled then, and their sandboxes removed.

    Raises:
        UsageError: Prefect is not installed, the port is taken, or another server of this user is alive.
        InfrastructureError: server or runner do not start, or stop by themselves.
    """
    require_prefect()
    os.chdir(state_home())  # Prefect reads settings from files in the current directory (PRE-04)
    _make_importable()
    with claimed() as descriptor, local_server(port, "serve") as address:
        asyncio.run(_serve(descriptor, address))
    _reap()


async def _serve(descriptor: int, address: str) -> None:
    from prefect.runner import Runner
    from prefect.types.entrypoint import EntrypointType

    from flows.flow import build_flow

    runner = Runner(name=DEPLOYMENT, limit=CONCURRENT_BUILDS, pause_on_shutdown=False)
    deployment = await build_flow.ato_deployment(DEPLOYMENT, entrypoint_type=EntrypointType.MODULE_PATH)
    identity = await runner.aadd_deployment(deployment)
    running = asyncio.create_task(runner.start())
    await _started(runner, running)
    stop = _stop_signal()
    announce(descriptor, f"{address}/api")
    _say(f"builds are served; start one at {address}/deployments/deployment/{identity}")
    await asyncio.wait([running, asyncio.create_task(stop.wait())], return_when=asyncio.FIRST_COMPLETED)
    if not stop.is_set():
        raise InfrastructureError("the runner of builds stopped by itself")
    _say("stopping")
    await runner.astop()
    await running


async def _started(runner: Runner, running: asyncio.Task[None]) -> None:
    while not runner.started:
        if running.done():
            raise InfrastructureError("the runner of builds did not start") from running.exception()
        await asyncio.sleep(0.05)


def _stop_signal() -> asyncio.Event:
    """Set at the first signal. Installed when the runner has started, since it installs a handler of its own."""
    stop = asyncio.Event()
    for number in (signal.SIGINT, signal.SIGTERM, signal.SIGHUP):
        asyncio.get_running_loop().add_signal_handler(number, stop.set)
    return stop


def _make_importable() -> None:
    """Builds run in processes with a safe path (DEC-20): a source tree that is not installed has to be named."""
    root = str(Path(flows.__file__).parents[1])
    if root not in (*site.getsitepackages(), site.getusersitepackages()):
        os.environ["PYTHONPATH"] = os.pathsep.join(filter(None, (root, os.environ.get("PYTHONPATH"))))


def _reap() -> None:
    from sandbox.gc import reap

    reap()


def _say(line: str) -> None:
    print(f"forge: {line}", file=sys.stderr, flush=True)

"""Runs a build for the command line: engine, progress, signals."""

from __future__ import annotations

import os
import signal
import urllib.error
import urllib.request
from collections.abc import Callable, Iterator
from contextlib import ExitStack, contextmanager
from http.client import HTTPException
from pathlib import Path
from types import FrameType
from urllib.parse import urlsplit

from contracts.evidence import BuildReport
from flows import prefect_settings
from flows.build import build
from flows.choice import EngineName, choose
from flows.cli.progress import watching
from flows.listening import Listener
from flows.parameters import BuildParameters
from flows.places import state_home
from flows.report import check_output
from flows.run import run_name
from tasks.errors import InfrastructureError, UsageError
from tasks.evidence.signing import SigningKey

SIGNALS = (signal.SIGINT, signal.SIGTERM, signal.SIGHUP)


def run_build(
    parameters: BuildParameters,
    engine: EngineName | None,
    out: Path | None,
    key: SigningKey | None,
    *,
    quiet: bool,
    verbose: bool,
) -> BuildReport:
    """Build on the chosen engine; without ``out`` into ``forge-out/<run>`` below the current directory.

    ``key`` signs the record, by default the user's own.

    Raises:
        UsageError, OutputError: the call cannot be carried out.
        InfrastructureError: no Prefect API answers, or the record cannot be kept.
        KeyboardInterrupt: SIGINT, SIGTERM or SIGHUP came; the store has a record of that.
    """
    choice = choose(engine)
    check_output(out)
    outputs = Path.cwd() / "forge-out"
    with interruptible(), watching(quiet=quiet, verbose=verbose) as listener:
        if choice.engine == "inline":
            name = run_name(parameters.request().requirement)
            return build(parameters.request(), None, listener, out=out or outputs / name, name=name, key=key)
        return _with_prefect(parameters, choice.api, listener, lambda name: out or outputs / name, key)


def _with_prefect(
    parameters: BuildParameters,
    api: str | None,
    listener: Listener,
    destination: Callable[[str], Path],
    key: SigningKey | None,
) -> BuildReport:
    os.chdir(state_home())  # Prefect reads .env, prefect.toml and pyproject.toml of the current directory (PRE-04)
    with ExitStack() as stack:
        if api is None:
            from flows.local_server import local_server

            stack.enter_context(local_server(0, "build"))
        else:
            check_api(api)
            prefect_settings.apply(api)
        from flows.flow import build_with_prefect

        return build_with_prefect(parameters, listener, destination, key)


def check_api(api: str) -> None:
    """Fail in a second, not after Prefect's retries; no message holds what may be a password.

    Raises:
        UsageError: it is not the address of an API.
        InfrastructureError: none answers there.
    """
    where = _shown(api)
    try:
        with urllib.request.urlopen(f"{api.rstrip('/')}/health", timeout=10):  # noqa: S310 - the scheme is checked
            return
    except urllib.error.HTTPError as error:
        if error.code not in (401, 403):  # then it is there; Prefect's client brings the credentials
            raise InfrastructureError(f"no Prefect API answers at {where}: status {error.code}") from error
    except (OSError, ValueError, HTTPException) as error:
        raise InfrastructureError(f"no Prefect API answers at {where}") from error


def _shown(api: str) -> str:
    try:
        parts = urlsplit(api)
        port = f":{parts.port}" if parts.port else ""
    except ValueError:
        raise UsageError("the address of the Prefect API cannot be read") from None
    if parts.scheme not in ("http", "https") or not parts.hostname:
        raise UsageError("the address of the Prefect API does not begin with http:// or https://")
    return f"{parts.scheme}://{parts.hostname}{port}"


@contextmanager
def interruptible() -> Iterator[None]:
    """Raise KeyboardInterrupt at the first signal; later ones do not disturb the clean-up (CLI-06)."""

    def interrupt(_number: int, _frame: FrameType | None) -> None:
        for number in SIGNALS:
            signal.signal(number, signal.SIG_IGN)
        raise KeyboardInterrupt

    before = {number: signal.signal(number, interrupt) for number in SIGNALS}
    try:
        yield
    finally:
        for number, handler in before.items():
            signal.signal(number, handler)

"""``forge serve``: a local Prefect server with UI that takes builds."""

from __future__ import annotations

from typing import Annotated

import typer

DEFAULT_PORT = 4280


def serve(
    port: Annotated[int, typer.Option("--port", min=1, max=65_535, help="On loopback only.")] = DEFAULT_PORT,
) -> int:
    """Serve a local Prefect UI that takes builds.

    Start a build from its form; `forge build` reports here while this runs.
    """
    from flows.serve import serve_builds

    serve_builds(port)
    return 0

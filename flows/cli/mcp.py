"""``forge mcp``: a Model Context Protocol server on standard input and output."""

from __future__ import annotations


def mcp() -> int:
    """Serve compile, check, build, explain and verify to a coding agent.

    The protocol has standard input and output to itself; the agent's program starts this command and ends it.
    """
    from flows.mcp import server

    server().run("stdio")
    return 0

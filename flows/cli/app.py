"""The commands by name, and the one place where their errors become exit statuses (DEC-02, CLI-05)."""

from __future__ import annotations

import os
import sys
from collections.abc import Callable, Sequence
from typing import Annotated

import typer
from typer.exceptions import TyperException

from flows.cli import bench, keys, log
from flows.cli.build import build
from flows.cli.check import check
from flows.cli.common import refuse
from flows.cli.compile import compile_
from flows.cli.doctor import doctor
from flows.cli.gc import gc
from flows.cli.mcp import mcp
from flows.cli.repair import repair
from flows.cli.replay import replay
from flows.cli.serve import serve
from flows.cli.verify import verify
from flows.cli.view import view

COMMANDS: dict[str, Callable[..., int]] = {
    "build": build,
    "compile": compile_,
    "check": check,
    "repair": repair,
    "verify": verify,
    "replay": replay,
    "view": view,
    "doctor": doctor,
    "gc": gc,
    "serve": serve,
    "mcp": mcp,
}
GROUPS: dict[str, tuple[str, dict[str, Callable[..., int]]]] = {
    "bench": (
        "Frozen bundles, run blind once.",
        {
            "freeze": bench.freeze,
            "preflight": bench.preflight,
            "run": bench.run,
            "replay": bench.replay,
            "score": bench.score,
            "compare": bench.compare,
            "ledger": bench.ledger,
            "import": bench.import_,
        },
    ),
    "keys": (
        "Your own key, and whom you trust.",
        {"new": keys.new, "show": keys.show, "trust": keys.trust, "revoke": keys.revoke, "cosign": keys.cosign},
    ),
    "log": (
        "Which runs there were, and the proof of it.",
        {"show": log.show, "prove": log.prove, "audit": log.audit},
    ),
}
USAGE, INFRASTRUCTURE, INTERRUPTED = 2, 4, 130


def run(arguments: Sequence[str]) -> int:
    """Carry out a command line and return its exit status; prints one line, never a traceback, where it fails."""
    os.environ.setdefault("PYDANTIC_DISABLE_PLUGINS", "__all__")  # no other package joins in, nor is searched for
    sys.stderr = sys.stderr or open(os.devnull, "w", encoding="utf-8")  # noqa: SIM115, PTH123 - closed by the caller
    if sys.stdout is None:
        return _fail(USAGE, "standard output is closed")
    try:
        status = _app()(args=_routed(list(arguments)), prog_name="forge", standalone_mode=False)
        sys.stdout.flush()
    except TyperException as error:
        return _fail(USAGE, error.format_message() if hasattr(error, "format_message") else str(error))
    except BrokenPipeError:
        _abandon_output()
        return 0
    except OSError as error:
        if error.filename is not None:
            return _fail(INFRASTRUCTURE, _words(error))
        _abandon_output()
        return _fail(USAGE, f"standard output: {error.strerror}")
    except Exception as error:  # noqa: BLE001 - the last line of defence of CLI-05
        return _fail(_status(error), _words(error))
    if status == INTERRUPTED:  # Typer swallows the KeyboardInterrupt
        return _fail(INTERRUPTED, "interrupted")
    return status if isinstance(status, int) else 0


def _abandon_output() -> None:
    """Let the flush at exit succeed: what is buffered goes nowhere."""
    os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())


def _app() -> typer.Typer:
    app = typer.Typer(
        help="Build software from a requirement, or judge a candidate, and leave a signed record of why.",
        epilog="`forge TEXT` is `forge build TEXT`.",
        add_completion=False,
        rich_markup_mode=None,  # keeps `forge --help` under its promised time
        pretty_exceptions_enable=False,
    )
    app.callback(invoke_without_command=True)(_root)
    for name, function in COMMANDS.items():
        app.command(name)(function)
    for name, (words, commands) in GROUPS.items():
        group = typer.Typer(help=words, no_args_is_help=False, rich_markup_mode=None)
        for inner, function in commands.items():
            group.command(inner)(function)
        app.add_typer(group, name=name)
    return app


def _root(
    context: typer.Context,
    version: Annotated[bool, typer.Option("--version", help="Print the version.")] = False,
) -> None:
    """Build software from a requirement, or judge a candidate, and leave a signed record of why."""
    if version:
        from flows.version import forge_version

        print(f"forge {forge_version()}")
        raise typer.Exit
    if context.invoked_subcommand is None:
        refuse("no command is given; forge --help lists them")


def _routed(arguments: list[str]) -> list[str]:
    """A first word that is no command begins a build: its text, or an option of build."""
    if not arguments or arguments[0] in (*COMMANDS, *GROUPS) or arguments[0] in ("--help", "--version"):
        return arguments
    if not arguments[0].startswith("-") and len(arguments[0].split()) == 1:
        refuse(f"there is no command {arguments[0]!r}, and a requirement has more than one word; forge --help")
    return ["build", *arguments]


def _status(error: Exception) -> int:
    from contracts.loading import DocumentError
    from tasks.errors import UsageError

    return USAGE if isinstance(error, (UsageError, DocumentError)) else INFRASTRUCTURE


def _words(error: Exception) -> str:
    from contracts.loading import DocumentError
    from sandbox.base import SandboxError
    from tasks.errors import InfrastructureError, UsageError

    known = isinstance(error, (UsageError, DocumentError, InfrastructureError, SandboxError))
    return str(error) if known else f"internal error: {type(error).__name__}: {error}"


def _fail(status: int, words: str) -> int:
    line = " ".join(words.split()).encode("utf-8", "backslashreplace").decode()
    print(f"forge: {line}", file=sys.stderr)
    return status

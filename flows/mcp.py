"""A Model Context Protocol server over stdio: what Forge decides, as tools for coding agents.

A tool answers with the object that its command prints with ``--json``; a FAIL is an answer, not an error. What cannot
be carried out is a tool error of one line, never a traceback. Calls are carried out one after another.
"""

from __future__ import annotations

import functools
import threading
from collections.abc import Callable
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any, ParamSpec

from pydantic import Field

from contracts.isolation import Backend
from contracts.loading import DocumentError
from sandbox.base import SandboxError
from tasks.errors import InfrastructureError, UsageError

if TYPE_CHECKING:
    from mcp.server.mcpserver import MCPServer
    from mcp.server.mcpserver.tools import Tool

P = ParamSpec("P")
Call = Callable[P, dict[str, Any]]

INSTRUCTIONS = (
    "Ask check or build before you say that a change is done. A verdict rests on runs in a sandbox, and a signed "
    "record of it is kept; verify and explain take the name of its run. Paths are absolute, or relative to where this "
    "server was started."
)

Text = Annotated[str, Field(description="The requirement, in plain words or Markdown.")]
Directory = Annotated[str, Field(description="A directory with the files to judge; it is not changed.")]
Assumptions = Annotated[dict[str, str], Field(description="Conventions to override, by key; compile lists them.")]
Sandbox = Annotated[Backend, Field(description="Where the code runs; no other is chosen if it cannot work.")]
Out = Annotated[str | None, Field(description="A directory that does not exist yet, for the record and its files.")]
Run = Annotated[str, Field(description="The name of a run, a record file, or the directory that it lies in.")]

_ONE_AT_A_TIME = threading.Lock()


def compile(requirement: Text, assumptions: Assumptions = {}) -> dict[str, Any]:  # noqa: A001, B006 - the tool's name
    """Read a requirement: what each part of it binds, its examples, open questions, and the conventions that apply."""
    from flows.run import requirement_of
    from tasks.requirement.compiler import compile_requirement

    return compile_requirement(requirement_of(requirement), assumptions).document()


def check(
    candidate: Directory,
    task: Annotated[str, Field(description="The file of the task, in YAML or JSON.")],
    base: Annotated[str | None, Field(description="The directory as it was before the change.")] = None,
    patch: Annotated[str | None, Field(description="A change of the candidate, which then is the base.")] = None,
    sandbox: Sandbox = "bubblewrap",
) -> dict[str, Any]:
    """Judge a change against a task: PASS or FAIL, and for each check what it showed."""
    from contracts.gate import CheckRequest
    from contracts.isolation import SandboxPolicy
    from flows.check import check as run_check
    from flows.places import default_store
    from tasks.gate.spec import read_task

    spec, overlay = read_task(_path("task", task))
    request = CheckRequest(
        task=spec,
        overlay=str(overlay) if overlay is not None else None,
        candidate=_directory("candidate", candidate),
        base=_directory("base", base) if base is not None else None,
        patch=patch.encode() if patch is not None else None,
        store=default_store(),
        policy=SandboxPolicy(backend=sandbox),
    )
    return run_check(request).document()


def build(  # noqa: PLR0917 - called by keyword
    requirement: Text,
    candidate: Directory,
    readings: Annotated[list[str], Field(description="Directories with reference programs.")] = [],  # noqa: B006
    assumptions: Assumptions = {},  # noqa: B006 - read only
    sandbox: Sandbox = "bubblewrap",
    out: Out = None,
) -> dict[str, Any]:
    """Judge a directory against a requirement: verified with a package, or the failures, each with its input."""
    from flows.build import build as run_build
    from flows.parameters import BuildParameters, by_digest
    from flows.places import default_store

    parameters = BuildParameters(
        requirement=by_digest(requirement, default_store()),
        sandbox=sandbox,
        assumptions=assumptions,
        candidate=_directory("candidate", candidate),
        readings=[_directory("readings", path) for path in readings],
    )
    return run_build(parameters.request(), out=_path("out", out) if out is not None else None).document()


def verify(record: Run) -> dict[str, Any]:
    """Is a record intact, signed by whom, and does its verdict follow from its evidence?"""
    from flows.cli.verify import located, trust_from
    from tasks.evidence.verify import UntrustedSigner, VerificationError, verify_record

    source, store = located(record, None)
    try:
        found = verify_record(source, store, trusted=trust_from(None))
    except VerificationError as error:
        return {"intact": isinstance(error, UntrustedSigner), "trusted": False, "reason": str(error)}
    return {"intact": True, "trusted": True, **found.document()}


def explain(record: Run) -> dict[str, Any]:
    """The report of a record: what was decided, why, by which inputs, and what was not checked."""
    from io import StringIO

    from rich.console import Console

    from contracts.evidence import Record
    from contracts.loading import RECORD_BYTES, load_document
    from flows.cli.verify import located, trust_from
    from tasks.evidence.render import render_terminal
    from tasks.evidence.verify import open_record

    source, kept = located(record, None)
    data, store, beside = open_record(source, kept)
    document = load_document(Record, data, RECORD_BYTES)
    page = StringIO()
    render_terminal(document, store, Console(file=page, width=120, highlight=False), trust_from(None), beside)
    return {"report": page.getvalue()}


TOOLS: tuple[Callable[..., dict[str, Any]], ...] = (compile, check, build, explain, verify)


def server() -> MCPServer[Any]:
    """The server with its tools.

    Raises:
        UsageError: the SDK is not installed.
    """
    try:
        from mcp.server.mcpserver import MCPServer
    except ImportError:
        words = "the Model Context Protocol SDK is not installed: it comes with the extra `mcp`"
        raise UsageError(words) from None
    from flows.version import forge_version

    tools = [_described(tool) for tool in TOOLS]
    return MCPServer("forge", instructions=INSTRUCTIONS, version=forge_version(), log_level="WARNING", tools=tools)


def _described(tool: Callable[..., dict[str, Any]]) -> Tool:
    """The tool as the SDK has it, but that an argument of another name is an error and not dropped (CLI-09)."""
    from mcp.server.mcpserver.tools import Tool
    from mcp.types import ToolAnnotations

    reads_only = tool in (compile, explain, verify)
    hints = ToolAnnotations(read_only_hint=reads_only, destructive_hint=False, open_world_hint=False)
    made = Tool.from_function(_served(tool), name=tool.__name__, annotations=hints)
    arguments = made.fn_metadata.arg_model
    arguments.model_config["extra"] = "forbid"
    arguments.model_rebuild(force=True)
    made.parameters = arguments.model_json_schema(by_alias=True)
    return made


def _served(tool: Call[P]) -> Call[P]:
    """The tool, with every failure as a line that its caller may read."""
    from mcp.server.mcpserver.exceptions import ToolError

    @functools.wraps(tool)
    def call(*args: P.args, **kwargs: P.kwargs) -> dict[str, Any]:
        try:
            with _ONE_AT_A_TIME:
                return tool(*args, **kwargs)
        except (UsageError, DocumentError, InfrastructureError, SandboxError, OSError) as error:
            raise ToolError(_line(str(error))) from None
        except Exception as error:  # noqa: BLE001 - the last line of defence, as on the command line (CLI-05)
            raise ToolError(_line(f"internal error: {type(error).__name__}: {error}")) from None

    return call


def _line(words: str) -> str:
    return " ".join(words.split()).encode("utf-8", "backslashreplace").decode()


def _path(name: str, value: str) -> Path:
    if not value or "\0" in value:
        raise UsageError(f"{name} is empty")
    return Path(value).absolute()


def _directory(name: str, value: str) -> str:
    path = _path(name, value)
    if not path.is_dir():
        raise UsageError(f"{name}: {path} is not a directory")
    return str(path)

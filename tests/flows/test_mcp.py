"""``forge mcp`` as an agent's program uses it: the official client, over standard input and output."""

from __future__ import annotations

import os
import sys
from collections.abc import Awaitable, Callable
from pathlib import Path
from typing import Any

import pytest

pytest.importorskip("mcp", reason="the extra mcp is not installed")

import anyio
from mcp import Client, StdioServerParameters, stdio_client

from flows import mcp as module
from tasks.errors import UsageError

ROOT = Path(__file__).resolve().parents[2]
VAGUE = "Write a program that prints the important rows. Which rows are important is left to interpretation."


def served(cwd: Path, talk: Callable[[Client], Awaitable[None]], errors: Path | None = None) -> str:
    """Talk to a server of its own in ``cwd``; what it wrote on standard error."""
    log = errors or cwd / "stderr"
    names = ("XDG_CONFIG_HOME", "XDG_DATA_HOME", "XDG_STATE_HOME")
    parameters = StdioServerParameters(
        command=sys.executable,
        args=[str(ROOT / "forge.py"), "mcp"],
        cwd=cwd,
        env={name: os.environ[name] for name in names},
    )

    async def run() -> None:
        with log.open("w") as stream:
            async with Client(stdio_client(parameters, errlog=stream)) as client:
                await talk(client)

    anyio.run(run)
    return log.read_text()


async def call(client: Client, tool: str, **arguments: Any) -> Any:
    """The structured answer; for an error its text."""
    result = await client.call_tool(tool, arguments)
    if result.is_error:
        return result.content[0].text  # type: ignore[union-attr]  # errors are text
    return result.structured_content


async def tools_describe_themselves(client: Client) -> None:
    tools = {tool.name: tool for tool in (await client.list_tools()).tools}
    assert set(tools) == {"compile", "check", "build", "explain", "verify"}
    assert all(tool.description and "\n" not in tool.description for tool in tools.values())
    assert tools["build"].input_schema["required"] == ["requirement", "candidate"]
    assert not any(tool.input_schema["additionalProperties"] for tool in tools.values())


async def bad_calls_are_errors_of_one_line(client: Client, tmp_path: Path) -> None:
    spec = await call(client, "compile", requirement=VAGUE)
    assert spec["ambiguity_flags"]
    bad = [
        await call(client, "compile", requirement=" "),
        await call(client, "compile", requirement=VAGUE, assumptions={"no.such": "x"}),
        await call(client, "build", requirement=VAGUE, candidate=""),
        await call(client, "build", requirement=VAGUE, candidate="absent"),
        await call(client, "build", requirement=VAGUE, candidate="a\0b"),
        await call(client, "verify", record="no-such-run"),
        await call(client, "verify", record=""),
        await call(client, "explain", record=str(tmp_path / "absent.json")),
        await call(client, "verify", record=str(tmp_path)),
        await call(client, "check", candidate=str(tmp_path), task="absent.yaml"),
    ]
    for words in bad:
        assert isinstance(words, str), words
        assert "Traceback" not in words
        assert len(words.strip().splitlines()) == 1, words
    assert "internal error" not in "".join(bad)
    assert isinstance(await call(client, "verify"), str)
    assert isinstance(await call(client, "nothing"), str)
    meant = await call(client, "check", candidate=str(tmp_path), task="absent.yaml", pathc="a misspelled patch")
    assert "pathc" in meant


async def a_change_is_checked(client: Client, tmp_path: Path) -> None:
    (tmp_path / "candidate").mkdir()
    (tmp_path / "task.yaml").write_text("brief: b\nartifacts: [a.txt]\nchecks: [{name: n, run: test -s a.txt}]\n")
    failed = await call(client, "check", candidate="candidate", task="task.yaml")
    assert (failed["status"], failed["failures"][0]["signature"]) == ("FAIL", "artifact_missing")
    patch = "--- /dev/null\n+++ b/a.txt\n@@ -0,0 +1 @@\n+x\n"
    passed = await call(client, "check", candidate="candidate", task="task.yaml", patch=patch)
    assert passed["status"] == "PASS"
    assert list((tmp_path / "candidate").iterdir()) == []


async def what_fails_is_an_answer_and_its_record_verifies(client: Client) -> None:
    report = await call(client, "build", requirement=VAGUE, candidate=str(ROOT / "examples/vague"))
    assert (report["status"], report["fault"]) == ("validation_failed", "requirement")
    found = await call(client, "verify", record=report["run"])
    assert (found["intact"], found["trusted"], found["run"]) == (True, True, report["run"])
    told = await call(client, "explain", record=report["run"])
    assert "underspecified_requirement" in told["report"]


def test_a_session(tmp_path: Path) -> None:
    """CLI-05 for tools: whatever is sent, an answer or one line; nothing else on either stream."""

    async def talk(client: Client) -> None:
        await tools_describe_themselves(client)
        await bad_calls_are_errors_of_one_line(client, tmp_path)
        await a_change_is_checked(client, tmp_path)
        await what_fails_is_an_answer_and_its_record_verifies(client)

    assert "Traceback" not in served(tmp_path, talk)


def test_a_crash_of_a_tool_is_a_line(monkeypatch: pytest.MonkeyPatch) -> None:
    """Law 7: the last line of defence holds for what nobody thought of."""

    def crash(requirement: str) -> dict[str, Any]:
        raise RuntimeError("first\nsecond \ud800")

    monkeypatch.setattr(module, "TOOLS", (crash,))

    async def run() -> None:
        async with Client(module.server()) as client:
            words = await call(client, "crash", requirement="x")
            assert words.endswith("internal error: RuntimeError: first second \\ud800")

    anyio.run(run)


def test_without_the_sdk_it_says_which_extra(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "mcp.server.mcpserver", None)
    with pytest.raises(UsageError, match="extra `mcp`"):
        module.server()

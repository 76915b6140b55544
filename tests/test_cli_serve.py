"""``forge serve``: builds report to a live one, its form takes builds, and nothing outlives it (PRE-24, DEC-12)."""

from __future__ import annotations

import json
import os
import shutil
import signal
import socket
import subprocess
import sys
import time
import urllib.error
import urllib.request
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any, NamedTuple

import pytest

pytest.importorskip("prefect")
pytestmark = pytest.mark.slow

ROOT = Path(__file__).resolve().parents[1]
FORGE = [sys.executable, str(ROOT / "forge.py")]
TEXT = "# Important rows\n\nPrint the important rows. Which rows are important is left to interpretation."
ENDED = {"COMPLETED", "FAILED", "CRASHED", "CANCELLED"}


class Server(NamedTuple):
    """A live server: its process, API and the environment that it was started in."""

    process: subprocess.Popen[str]
    api: str
    environment: dict[str, str]


def free_port() -> int:
    with socket.socket() as listening:
        listening.bind(("127.0.0.1", 0))
        return int(listening.getsockname()[1])


@contextmanager
def serving(home: Path) -> Iterator[Server]:
    """Start a server as a shell script with ``&`` would, with SIGINT ignored (PRE-24)."""
    environment = {name: value for name, value in os.environ.items() if not name.startswith(("PREFECT", "FORGE_"))}
    environment |= {f"XDG_{kind}_HOME": str(home / kind.lower()) for kind in ("CONFIG", "DATA", "STATE")}
    port = free_port()
    command = ["sh", "-c", "trap '' INT; exec \"$@\"", "sh", *FORGE, "serve", "--port", str(port)]
    process = subprocess.Popen(command, env=environment, cwd=home, stderr=subprocess.PIPE, text=True)
    try:
        assert process.stderr is not None
        assert "builds are served" in process.stderr.readline()
        yield Server(process, f"http://127.0.0.1:{port}/api", environment)
    finally:
        process.kill()
        process.communicate()


@pytest.fixture(scope="module")
def first_life(tmp_path_factory: pytest.TempPathFactory) -> tuple[Path, int, list[str]]:
    """A server that was started and stopped: its home, exit status, and the processes that outlived it.

    Its database is made by then, which is most of what a first start costs; others begin with a copy of the home.
    """
    home = tmp_path_factory.mktemp("serve")
    with serving(home) as server:
        server.process.send_signal(signal.SIGINT)
        status = server.process.wait(timeout=60)
        return home, status, living(server)


@pytest.fixture
def home(first_life: tuple[Path, int, list[str]], tmp_path: Path) -> Path:
    return shutil.copytree(first_life[0], tmp_path / "home")


@pytest.fixture(scope="module")
def server(first_life: tuple[Path, int, list[str]], tmp_path_factory: pytest.TempPathFactory) -> Iterator[Server]:
    """One server for the tests that leave it running."""
    with serving(shutil.copytree(first_life[0], tmp_path_factory.mktemp("serve") / "home")) as found:
        yield found


def build(server: Server, cwd: Path) -> subprocess.CompletedProcess[str]:
    command = [*FORGE, "build", TEXT, "--json"]
    return subprocess.run(command, env=server.environment, cwd=cwd, capture_output=True, text=True, check=False)


def ask(server: Server, path: str, document: Any) -> Any:
    request = urllib.request.Request(
        f"{server.api}/{path}", json.dumps(document).encode(), {"content-type": "application/json"}
    )
    with urllib.request.urlopen(request, timeout=30) as answer:
        return json.load(answer)


def flow_run(server: Server, identity: str) -> Any:
    with urllib.request.urlopen(f"{server.api}/flow_runs/{identity}", timeout=30) as answer:
        return json.load(answer)


def test_a_build_reports_to_a_live_server(server: Server, tmp_path: Path) -> None:
    done = build(server, tmp_path)
    report = json.loads(done.stdout)
    assert (done.returncode, report["engine"], done.stderr) == (1, "prefect", "")
    (run,) = ask(server, "flow_runs/filter", {"flow_runs": {"name": {"any_": [report["run"]]}}})
    assert (run["state"]["name"], run["state"]["message"]) == ("ValidationFailed", "underspecified_requirement")
    shown = {"flow_run_id": {"any_": [run["id"]]}, "type": {"any_": ["markdown"]}}
    (artifact,) = ask(server, "artifacts/filter", {"artifacts": shown})
    assert "underspecified" in artifact["data"]


def test_a_build_starts_from_the_form(server: Server) -> None:
    """PRE-10: bad input is refused by the API; a good one runs in a process of its own and leaves its record."""
    (deployment,) = ask(server, "deployments/filter", {})
    start = f"deployments/{deployment['id']}/create_flow_run"
    with pytest.raises(urllib.error.HTTPError, match="409"):
        ask(server, start, {"parameters": {"parameters": {"requirement": TEXT, "rounds": 99}}})
    run = ask(server, start, {"parameters": {"parameters": {"requirement": TEXT}}})
    deadline = time.monotonic() + 180
    while run["state"]["type"] not in ENDED and time.monotonic() < deadline:
        time.sleep(0.5)
        run = flow_run(server, run["id"])
    assert run["state"]["name"] == "ValidationFailed"
    assert run["name"].startswith("important-rows-")
    builds = Path(server.environment["XDG_DATA_HOME"]) / "forge" / "builds"
    assert (builds / run["name"] / "record.json").is_file()


def test_there_is_one_server_for_a_user(server: Server) -> None:
    done = subprocess.run([*FORGE, "serve"], env=server.environment, capture_output=True, text=True, check=False)
    assert (done.returncode, done.stderr) == (2, "forge: forge serve is running already\n")


def test_sigint_ends_it_and_all_that_it_started(first_life: tuple[Path, int, list[str]]) -> None:
    _, status, left = first_life
    assert (status, left) == (0, [])


def test_sigterm_ends_it_and_a_build_is_inline_again(home: Path) -> None:
    with serving(home) as server:
        server.process.terminate()
        assert server.process.wait(timeout=60) == 0
        assert living(server) == []
        assert json.loads(build(server, home).stdout)["engine"] == "inline"


def test_a_killed_server_is_not_taken_for_a_live_one(home: Path) -> None:
    with serving(home) as server:
        server.process.kill()
        server.process.wait()
        assert living(server) == []
        assert (home / "state" / "forge" / "serve.json").read_text() != ""
        assert json.loads(build(server, home).stdout)["engine"] == "inline"


def living(server: Server) -> list[str]:
    """Processes that were started with the server's own state directory in their environment."""
    here = server.environment["XDG_STATE_HOME"]
    return [path.parent.name for path in Path("/proc").glob("[0-9]*/environ") if here in readable(path)]


def readable(path: Path) -> str:
    try:
        return path.read_bytes().decode("utf-8", "replace")
    except OSError:
        return ""

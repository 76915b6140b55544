"""Isolation is measured (law 4): attempts from inside, against canaries planted outside; the results are evidence."""

from __future__ import annotations

import json
import secrets
import socket
from collections.abc import Callable, Iterator, Mapping
from contextlib import AbstractContextManager, contextmanager
from pathlib import Path
from typing import Any

from contracts.isolation import IsolationCheck, Limits, SandboxPolicy
from contracts.probe import CommandProbe, Observation
from sandbox.base import Sandbox, SandboxLost
from sandbox.owner import run_directory
from sandbox.process import spawn
from sandbox.toolbox import toolbox

SCRIPT = "/opt/forge/selftest.py"

SMALL = Limits(
    wall_ms=30_000,
    cpu_ms=1_000,
    memory_bytes=96 * 1024 * 1024,
    processes=12,
    file_bytes=2 * 1024 * 1024,
    open_files=32,
    scratch_bytes=4 * 1024 * 1024,
    scratch_inodes=64,
    output_bytes=512 * 1024,
    kept_bytes=64 * 1024,
)
"""Limits of the same kind as any policy's, small enough to be reached in a moment."""

LIMITS = tuple(name for name in Limits.model_fields if name != "kept_bytes")

_WALL_MS = 300

Opener = Callable[[SandboxPolicy, Path, Path, Mapping[str, str]], AbstractContextManager[Sandbox]]
"""Opens a backend without a self-test: policy, tree, tools, and variables in the environment of its launcher."""


def measure(opener: Opener, policy: SandboxPolicy, namespaces: tuple[str, ...]) -> tuple[IsolationCheck, ...]:
    """Try every promise of ``policy`` once, each limit at a small value (`SMALL`), whatever the policy's.

    ``namespaces`` are those that must not be the host's.

    Raises:
        SandboxUnavailable, SandboxLost: the backend does not work at all.
    """
    with run_directory() as directory, _planted(directory) as config:
        tree = directory / "tree"
        tree.mkdir(mode=0o755)
        config["namespaces"] = {space: str(Path(f"/proc/self/ns/{space}").readlink()) for space in namespaces}
        canary = {"FORGE_CANARY": config["token"]}
        with opener(policy.model_copy(update={"limits": SMALL}), tree, toolbox(), canary) as session:
            return (*_reach(session, config), *(limit_check(session, name) for name in LIMITS))


def _reach(session: Sandbox, config: dict[str, Any]) -> Iterator[IsolationCheck]:
    """The second of two probes looks around, so that it would find what the first one left."""
    first = _probe("leave_traces")
    second = CommandProbe(id="reach", argv=("python3", SCRIPT, "reach", json.dumps(config)))
    left, seen = session.run([first, second])
    yield _check("sweep", left.outcome == "limit" and not left.leftovers, f"{left.outcome}, left {left.leftovers}")
    if seen.outcome != "exited" or seen.exit_code != 0:
        raise SandboxLost(f"the self-test did not run: {_words(seen)}")
    for name, (held, observed) in json.loads(seen.stdout.head).items():
        yield _check(name, held, observed)


def limit_check(session: Sandbox, name: str) -> IsolationCheck:
    """Run into one limit of a sandbox that was opened with `SMALL`; the run must have been ended by that limit."""
    probe = _probe(name)
    configured = getattr(SMALL, name)
    if name == "wall_ms":
        configured = _WALL_MS
        probe = probe.model_copy(update={"wall_ms": _WALL_MS})
    (observation,) = session.run([probe])
    hit = observation.limit
    if name == "open_files":  # the program meets it and lives
        count = _number(observation)
        held, words = 0 < count <= configured, f"{count} opened"
    else:
        held = hit is not None and hit.name == name and hit.observed <= configured * 4
        words = _words(observation)
    return _check(f"limits.{name}", held, f"{words}, allowed {configured}")


def _probe(name: str) -> CommandProbe:
    return CommandProbe(id=name, argv=("python3", SCRIPT, name))


def _check(name: str, held: bool, observed: str) -> IsolationCheck:
    return IsolationCheck(name=name, held=held, observed=observed[:500])


def _number(observation: Observation) -> int:
    text = observation.stdout.head.strip()
    return int(text) if text.isdigit() else -1


def _words(observation: Observation) -> str:
    tail = observation.stderr.head.decode("utf-8", "replace").strip().splitlines()[-1:]
    if observation.limit:
        return f"ended at {observation.limit.name} {observation.limit.observed}"
    return f"{observation.outcome} {observation.exit_code} {observation.signal} {' '.join(tail)}"


@contextmanager
def _planted(directory: Path) -> Iterator[dict[str, Any]]:
    """Canaries on the host: a file that anybody may read, a process, listeners on loopback and on a name."""
    token = f"forge-canary-{secrets.token_hex(16)}"
    with (
        socket.create_server(("127.0.0.1", 0)) as listener,
        socket.socket(socket.AF_UNIX, socket.SOCK_STREAM) as abstract,
    ):
        file = directory / "canary"
        file.write_text(token, encoding="utf-8")
        file.chmod(0o644)
        abstract.bind("\0" + token)
        abstract.listen()
        process = spawn([token, "60"], executable="/bin/sleep")
        try:
            yield {"token": token, "file": str(file), "port": listener.getsockname()[1]}
        finally:
            process.kill()
            process.wait(10)

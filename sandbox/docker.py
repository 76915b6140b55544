"""The production backend: one container per open sandbox, through the Docker SDK, with any OCI runtime.

Mounting is refused inside a container, so probes are kept apart by identity (DEC-04). The supervisor ends when its
standard input does, so that nothing outlives a run that was killed; what does is found by its owner (`sandbox.gc`).
"""

from __future__ import annotations

import os
import socket
from collections.abc import Iterator, Mapping
from contextlib import contextmanager, suppress
from pathlib import Path
from types import MappingProxyType
from typing import Any

from contracts.isolation import Enforcement, Limits, SandboxPolicy
from sandbox import accounts, wheelhouse
from sandbox.attach import AttachedChannel
from sandbox.base import Description, SandboxLost, SandboxUnavailable
from sandbox.bubblewrap import PACKAGES, PATH, START, SUPERVISOR_BYTES, supervisor_digest
from sandbox.owner import OWNER_LABEL, owner_id
from sandbox.session import Session

IMAGE = "forge-sandbox:local"
TIMEOUT_S = 30

_SUPERVISOR = Path(__file__).resolve().parent / "supervisor"
_SUPERVISOR_TASKS = 8
_OWN_KERNEL = "runsc"
_OWN_KERNEL_BYTES = 512 * 1024 * 1024
"""Such runtimes run a kernel of their own: a limit of the host's would hit that kernel, and end it with all in it.
Tasks and memory are polled there, and the host's limit on memory leaves that kernel its part."""

_REMEDY = "or choose another sandbox, such as --sandbox bubblewrap"


class Docker:
    """`sandbox.base.Backend` over a Docker engine."""

    def unavailable(self, policy: SandboxPolicy) -> str | None:
        """As `sandbox.base.Backend`."""
        try:
            self.describe(policy)
            if policy.wheels:
                wheelhouse.directory(policy.wheels)
        except SandboxUnavailable as error:
            return str(error)
        return None

    def describe(self, policy: SandboxPolicy) -> Description:
        """As `sandbox.base.Backend`."""
        with engine() as client, engine_errors():
            info = client.info()
            runtime = policy.runtime or info["DefaultRuntime"]
            if runtime not in info["Runtimes"]:
                raise SandboxUnavailable(f"the Docker engine has no runtime {runtime}; {_REMEDY}")
            tools = {"engine": info["ServerVersion"], "runtime": runtime, "supervisor": supervisor_digest()}
            root = f"rootfs:{_root(client, policy)}"
        return Description(root, tools, _enforced(info, runtime), ("ipc", "mnt", "net", "pid", "uts"))

    def fall_back(self) -> bool:
        """As `sandbox.base.Backend`: an engine has no other parts."""
        return False

    @contextmanager
    def open(
        self, policy: SandboxPolicy, tree: Path, tools: Path, canary: Mapping[str, str] = MappingProxyType({})
    ) -> Iterator[Session]:
        """As `sandbox.base.Backend`."""
        with engine() as client, engine_errors():
            trees = {"/candidate": tree, "/opt/forge": tools}
            if policy.wheels:
                trees[PACKAGES] = wheelhouse.directory(policy.wheels)
            options = _options(client, policy, trees, canary)
            session = Session(lambda: AttachedChannel(client.api, options), policy, PATH, "identities")
            try:
                session.open()
                yield session
            finally:
                session.close()


@contextmanager
def engine() -> Iterator[Any]:
    """A client of the engine that the environment names; every call of it is bounded (SCN-28).

    Raises:
        SandboxUnavailable: no SDK, or no engine that answers.
    """
    try:
        import docker
        import requests
    except ImportError as error:
        raise SandboxUnavailable(
            "the Docker SDK is not installed: it comes with the extra `docker`, or by deployments/bootstrap.py --full; "
            f"{_REMEDY}"
        ) from error
    try:
        _ping(os.environ.get("DOCKER_HOST") or "unix:///var/run/docker.sock")
        client = docker.from_env(timeout=TIMEOUT_S)
    except (OSError, docker.errors.DockerException, requests.RequestException) as error:
        raise SandboxUnavailable(f"no Docker engine answers: start one, {_REMEDY} ({_line(error)})") from error
    with client.api:
        yield client


def _ping(host: str) -> None:
    """Ask a local engine for a sign of life before the SDK does, which leaves sockets open when there is none."""
    if not host.startswith("unix://"):
        return
    with socket.socket(socket.AF_UNIX) as connection:
        connection.settimeout(TIMEOUT_S)
        connection.connect(host.removeprefix("unix://"))
        connection.sendall(b"GET /_ping HTTP/1.0\r\nHost: docker\r\n\r\n")
        if not connection.recv(1):
            raise ConnectionError("the engine hung up")


@contextmanager
def engine_errors() -> Iterator[None]:
    """Faults of the engine in the words of this room (law 3)."""
    import docker
    import requests

    try:
        yield
    except (docker.errors.DockerException, requests.RequestException) as error:
        raise SandboxLost(f"the Docker engine failed: {_line(error)}") from error


def _image(client: Any, policy: SandboxPolicy) -> str:
    import docker

    name = policy.image or IMAGE
    with engine_errors():
        try:
            return str(client.images.get(name).id)
        except docker.errors.ImageNotFound as error:
            remedy = "build it with deployments/image/build.sh"
            raise SandboxUnavailable(f"the Docker engine has no image {name}: {remedy}, {_REMEDY}") from error


def _root(client: Any, policy: SandboxPolicy) -> str:
    """The digest of the image's only layer, which is that of the archive it was made from; else the image's own."""
    image = _image(client, policy)
    with engine_errors():
        layers = client.images.get(image).attrs["RootFS"].get("Layers", [])
    return str(layers[0]) if len(layers) == 1 else image


def _enforced(info: Mapping[str, Any], runtime: str) -> dict[str, Enforcement]:
    shared = not runtime.startswith(_OWN_KERNEL)
    memory: Enforcement = "kernel" if shared and info.get("MemoryLimit") and info.get("SwapLimit") else "polled"
    return {
        "wall_ms": "polled",
        "cpu_ms": "polled",
        "memory_bytes": memory,
        "processes": "kernel" if shared else "polled",
        "file_bytes": "kernel",
        "open_files": "kernel",
        "scratch_bytes": "kernel",
        "scratch_inodes": "kernel",
        "output_bytes": "polled",
    }


def _options(
    client: Any, policy: SandboxPolicy, trees: Mapping[str, Path], canary: Mapping[str, str]
) -> dict[str, Any]:
    limits = policy.limits
    binds = {path: str(source.resolve()) for path, source in trees.items()}
    binds["/opt/trusted/supervisor"] = str(_SUPERVISOR)
    binds |= {f"/etc/{name}": str(accounts.directory() / name) for name in accounts.NAMES}
    own_kernel = (policy.runtime or "").startswith(_OWN_KERNEL)
    memory = limits.memory_bytes + SUPERVISOR_BYTES + (_OWN_KERNEL_BYTES if own_kernel else 0)
    host = client.api.create_host_config(
        auto_remove=True,
        binds=[f"{source}:{path}:ro" for path, source in binds.items()],
        cap_add=["SETUID", "SETGID", "KILL"],
        cap_drop=["ALL"],
        ipc_mode="none",
        log_config={"Type": "none"},
        mem_limit=memory,
        memswap_limit=memory,
        network_mode="none",
        pids_limit=None if own_kernel else limits.processes + _SUPERVISOR_TASKS,
        read_only=True,
        runtime=policy.runtime,
        security_opt=["no-new-privileges"],
        tmpfs=dict.fromkeys(("/work", "/tmp", "/dev/shm"), _tmpfs(limits)),  # noqa: S108 - paths inside the sandbox
    )
    return {
        "image": _image(client, policy),
        "command": ["/opt/bin/python3", "-I", "-S", "-B", "-c", START],
        "user": "0:0",
        "hostname": "sandbox",
        "working_dir": "/",
        "stdin_open": True,
        "environment": dict(canary),
        "labels": {OWNER_LABEL: owner_id()},
        "host_config": host,
    }


def _tmpfs(limits: Limits) -> str:
    return f"rw,exec,nosuid,nodev,mode=1777,size={limits.scratch_bytes},nr_inodes={limits.scratch_inodes}"


def _line(error: Exception) -> str:
    text = " ".join(str(error).split())
    with suppress(ValueError):
        text = text[text.rindex("(Caused") :] if "(Caused" in text else text
    return text[:300]

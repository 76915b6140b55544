"""Law 7: each promise that the self-test tries is broken on purpose here, and must turn its check red."""

from __future__ import annotations

import dataclasses
import json
import os
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest

from contracts.isolation import SandboxPolicy
from contracts.probe import Observation
from sandbox import bubblewrap as backend
from sandbox import cgroup, opening, selftest
from sandbox.base import Description, IsolationViolation, SandboxUnavailable
from sandbox.inside import selftest as inside
from sandbox.process import run_tool
from sandbox.session import Session

WEAK = (
    *("--unshare-user", "--unshare-pid", "--uid", "0", "--gid", "0", "--cap-add", "ALL"),
    *("--dev-bind", "/", "/", "--proc", "/proc", "--die-with-parent"),
)
"""Everything is shared but the pid namespace, so that the attempts cannot hurt the host."""


@pytest.fixture
def planted(tmp_path: Path) -> Iterator[dict[str, Any]]:
    with selftest._planted(tmp_path) as config:
        yield config


@pytest.fixture
def weak(bubblewrap: SandboxPolicy, planted: dict[str, Any]) -> Callable[..., dict[str, inside.Result]]:
    """The attempts of the self-test in a sandbox that keeps no promise."""
    planted["namespaces"] = {name: str(Path(f"/proc/self/ns/{name}").readlink()) for name in ("net", "ipc", "uts")}

    def attempt(*prelude: str) -> dict[str, inside.Result]:
        python = ("python3", "-I", str(Path(inside.__file__)), "reach", json.dumps(planted))
        script = f'{" ".join(prelude)} exec "$@"'
        argv = [str(backend.binary()), *WEAK, "--", "sh", "-c", script, "sh", *python]
        environment = {"PATH": os.environ["PATH"], "FORGE_CANARY": planted["token"]}
        answer = run_tool(argv, timeout_s=60, environment=environment)
        assert answer.exit_code == 0, answer.stderr
        return {name: tuple(result) for name, result in json.loads(answer.stdout).items()}

    return attempt


def test_a_sandbox_that_keeps_no_promise_is_red_all_over(weak: Callable[..., dict[str, inside.Result]]) -> None:
    """Law 4: whatever is not held is seen."""
    results = weak("touch /dev/shm/forge-planted; sleep 60 & ")
    try:
        red = {name for name, (held, _) in results.items() if not held}
    finally:
        Path("/dev/shm/forge-planted").unlink()
    assert red >= {
        "network.loopback",
        "network.abstract_socket",
        "network.outside",
        "host.file",
        "host.environment",
        "host.namespaces",
        "privileges.capabilities",
        "privileges.identity",
        "system_calls.filter",
        "system_calls.refused",
        "system_calls.namespaces",
        "supervisor.unreachable",
        "scratch.fresh",
    }


def test_a_visible_process_of_the_host_is_red(planted: dict[str, Any]) -> None:
    """Looked at from the host itself, where it is visible."""
    held, observed = inside._absent("cmdline", planted["token"])
    assert not held
    assert "process" in observed


def test_a_root_that_can_be_written_is_red(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(inside, "_CLOSED", (str(tmp_path),))
    assert inside._read_only() == (False, f"written: {[str(tmp_path)]}")


def test_missing_no_new_privileges_is_red() -> None:
    """Here, outside of a sandbox, they could be had."""
    assert inside._no_new_privileges() == (False, "NoNewPrivs 0")


def test_something_left_by_a_probe_is_red(observed: Callable[..., Observation]) -> None:
    """DEC-21."""

    class Leaving:
        report: Any = None

        def run(self, probes: Any) -> Iterator[Observation]:
            for probe in probes:
                yield observed(probe=probe.id, leftovers=("file /tmp/x",), stdout=b"{}")

    (check,) = selftest._reach(Leaving(), {})
    assert (check.name, check.held) == ("sweep", False)


BEYOND = {
    "wall_ms": 20_000,
    "cpu_ms": 4_500,
    "memory_bytes": 500 * 1024 * 1024,
    "processes": 60,
    "file_bytes": 64 * 1024 * 1024,
    "open_files": 200,
    "scratch_bytes": 20 * 1024 * 1024,
    "scratch_inodes": 600,
    "output_bytes": 4 * 1024 * 1024,
}


@pytest.mark.parametrize("name", selftest.LIMITS)
def test_a_limit_that_does_not_hold_is_red(
    bubblewrap: SandboxPolicy, name: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The sandbox is opened with one limit far too large, and the self-test still expects the small one."""
    from sandbox.bubblewrap import Bubblewrap
    from sandbox.toolbox import toolbox

    limits = selftest.SMALL.model_copy(update={name: BEYOND[name]})
    if name == "wall_ms":
        whole = Session._frame
        monkeypatch.setattr(Session, "_frame", lambda self, probe: {**whole(self, probe), "wall_ms": 2_000})
    tmp_path.chmod(0o755)
    with Bubblewrap().open(SandboxPolicy(limits=limits), tmp_path, toolbox()) as session:
        check = selftest.limit_check(session, name)
    assert not check.held, check.observed


def test_a_broken_promise_means_that_nothing_runs(
    bubblewrap: SandboxPolicy, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    """Law 4, end to end: a root that was left writable is found from inside, and the sandbox is refused."""
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path))
    whole = backend.command
    monkeypatch.setattr(backend, "command", lambda *given: _without(whole(*given)))
    sandbox = opening.open_sandbox(bubblewrap, tmp_path, tmp_path)
    with pytest.raises(IsolationViolation, match=r"root\.read_only \(written: \['/'"):
        sandbox.__enter__()


@pytest.mark.docker
def test_a_broken_promise_of_an_engine_means_that_nothing_runs(
    docker: SandboxPolicy, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    """Law 4: the same with a container whose root can be written."""
    from sandbox import docker as engine

    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path))
    whole = engine._options

    def weak(*given: Any) -> dict[str, Any]:
        options = whole(*given)
        options["host_config"]["Binds"].append(f"{opened}:/var:rw")
        return options

    opened = tmp_path / "var"
    opened.mkdir()
    opened.chmod(0o777)

    monkeypatch.setattr(engine, "_options", weak)
    with pytest.raises(IsolationViolation, match=r"root\.read_only \(written: \['/var'\]"):
        opening.measured(docker)


@pytest.mark.docker
@pytest.mark.slow
@pytest.mark.timeout(300)
def test_gvisor_is_used_only_if_it_keeps_every_promise(docker: SandboxPolicy) -> None:
    """Law 4, SCN-55: where the engine has the runtime it is measured like any other, and never replaced by another."""
    policy = docker.model_copy(update={"runtime": "runsc"})
    try:
        report = opening.measured(policy, fresh=True)
    except SandboxUnavailable as error:
        named = ("the Docker engine has no runtime runsc", "docker does not work here: the self-test did not run: ")
        assert any(words in str(error) for words in named)  # noqa: PT017 - three outcomes, one for a host
    except IsolationViolation as error:
        assert "the docker sandbox does not isolate here: " in str(error)  # noqa: PT017
        assert [check.name for check in opening.measure(policy).checks if not check.held]
    else:
        assert report.isolated
        assert report.enforced["memory_bytes"] == "polled"


def _without(argv: list[str]) -> list[str]:
    place = max(index for index, word in enumerate(argv) if word == "--remount-ro")
    assert argv[place + 1] == "/"
    return argv[:place] + argv[place + 2 :]


def test_what_the_policy_requires_and_the_host_does_not_enforce_is_refused(
    bubblewrap: SandboxPolicy, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """DEC-05: ``--require memory=kernel`` where no control group can be made."""
    monkeypatch.setattr(cgroup, "_parent", lambda: None)
    required = bubblewrap.model_copy(update={"require": {"memory": "kernel"}})
    sandbox = opening.open_sandbox(required, tmp_path, tmp_path)
    with pytest.raises(IsolationViolation, match="memory is to be enforced by kernel, and is polled"):
        sandbox.__enter__()
    unknown = bubblewrap.model_copy(update={"require": {"memroy": "kernel"}})
    with pytest.raises(IsolationViolation, match="there is no limit memroy"):
        opening.measured(unknown)
    opening.measured(bubblewrap.model_copy(update={"require": {"processes": "kernel", "memory_bytes": "polled"}}))


def test_the_report_is_cached_and_still_reported(bubblewrap: SandboxPolicy, monkeypatch: pytest.MonkeyPatch) -> None:
    """DEC-05: the second report is that of the first, under the seal of its own policy."""
    first = opening.measured(bubblewrap)
    monkeypatch.setattr(selftest, "measure", lambda *_: pytest.fail("tested again"))
    other = bubblewrap.model_copy(update={"limits": selftest.SMALL})
    second = opening.measured(other)
    assert second.checks == first.checks
    assert (first.policy, second.policy) == (bubblewrap.seal(), other.seal())


def test_the_cache_is_not_believed_for_other_binaries(bubblewrap: SandboxPolicy) -> None:
    """DEC-05: the key holds what runs."""
    first = Description("host", {"bwrap": "sha256:a"}, {"memory_bytes": "kernel"}, ())

    def made(**changes: Any) -> Description:
        return dataclasses.replace(first, **changes)

    keys = {
        opening._key(bubblewrap, made()),
        opening._key(bubblewrap, made(tools={"bwrap": "sha256:b"})),
        opening._key(bubblewrap, made(root="rootfs:x")),
        opening._key(bubblewrap, made(enforced={"memory_bytes": "polled"})),
        opening._key(bubblewrap.model_copy(update={"environment": {}}), made()),
    }
    assert len(keys) == 5


@pytest.fixture
def observed() -> Callable[..., Observation]:
    """Makes an observation of a run that exited with 0."""

    def make(probe: str, leftovers: tuple[str, ...], stdout: bytes) -> Observation:
        stream = {
            "length": len(stdout),
            "digest": "sha256:" + "0" * 64,
            "head": stdout,
            "tail": b"",
            "truncated": False,
        }
        timing = {"queue_ms": 0, "wall_ms": 0, "cpu_ms": 0, "peak_memory_bytes": 0}
        return Observation.model_validate(
            {
                "probe": probe,
                "outcome": "exited",
                "exit_code": 0,
                "stdout": stream,
                "stderr": stream,
                "files": (),
                "leftovers": leftovers,
                "timing": timing,
            }
        )

    return make

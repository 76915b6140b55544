"""DEC-10: a call by a copy of an interpreter that was imported once is seen as one in an interpreter of its own."""

from __future__ import annotations

import importlib.util
import textwrap
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from types import ModuleType
from typing import Any

import pytest

from contracts.isolation import Limits, SandboxPolicy
from contracts.probe import CallProbe, CommandProbe, Observation, Returned
from contracts.value import encode
from sandbox.opening import backend
from sandbox.session import Session
from sandbox.supervisor.calls import Calls
from sandbox.toolbox import toolbox

MIB = 1024 * 1024
Pair = tuple[Session, Session]


def load() -> ModuleType:
    """The tables beside this file; tests are not importable by name."""
    spec = importlib.util.spec_from_file_location("warm_programs", Path(__file__).with_name("warm_programs.py"))
    assert spec is not None
    assert spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


programs = load()
WARM: dict[str, tuple[str, tuple[Any, ...]]] = programs.WARM
COLD: dict[str, tuple[str, str]] = programs.COLD
LIMITS = Limits(
    wall_ms=4_000, cpu_ms=4_000, memory_bytes=160 * MIB, processes=24, scratch_bytes=8 * MIB, output_bytes=MIB
)

ENDLESS = {"hangs", "bombs", "stops", "spins", "hook_hangs"}
"""They run until a limit ends them, here a near one."""

ONCE = {*ENDLESS, "session"}

QUICK = ("plain", "state", "files", "unclosed", "handler", "patches")
QUICK_COLD = ("raises", "threads", "file", "shared", "hook_opens")


@pytest.fixture(scope="module")
def tree(tmp_path_factory: pytest.TempPathFactory) -> Path:
    tree = tmp_path_factory.mktemp("tree")
    tree.chmod(0o755)
    for name, (code, _) in WARM.items():
        (tree / f"warm_{name}.py").write_text(code + "\n", encoding="utf-8")
    for name, (code, _) in COLD.items():
        (tree / f"cold_{name}.py").write_text(f"{code}\ndef f(x): return x\n", encoding="utf-8")
    for name, code in programs.MODULES.items():
        (tree / f"{name}.py").write_text(textwrap.dedent(code), encoding="utf-8")
    return tree


@pytest.fixture(scope="module")
def pair(bubblewrap: SandboxPolicy, tree: Path) -> Iterator[Pair]:
    with opened_twice(bubblewrap, tree) as sessions:
        yield sessions


@pytest.fixture(scope="module")
def contained(docker: SandboxPolicy, tree: Path) -> Iterator[Pair]:
    with opened_twice(docker, tree) as sessions:
        yield sessions


@contextmanager
def opened_twice(policy: SandboxPolicy, tree: Path) -> Iterator[Pair]:
    """One session that may keep interpreters, and one that may not."""
    chosen, limited = backend(policy), policy.model_copy(update={"limits": LIMITS})
    with chosen.open(limited, tree, toolbox(), {}) as one, chosen.open(limited, tree, toolbox(), {}) as other:
        assert isinstance(one, Session)
        assert isinstance(other, Session)
        other.warm = False
        yield one, other


def check_alike(sessions: Pair, name: str) -> None:
    """Whatever a call does, fresh each time (DEC-04); nearly all are made warm."""
    warm, cold = both(sessions, f"warm_{name}", WARM[name][1])
    assert [comparable(seen) for seen in warm] == [comparable(seen) for seen in cold]
    assert {seen.timing.cold for seen in warm if not seen.timing.warm} <= {"its calls leave more behind than values"}
    assert warm[0].timing.warm
    assert not any(seen.timing.warm for seen in cold)


def check_not_kept(sessions: Pair, name: str) -> None:
    """It is said why, and seen alike."""
    warm, cold = both(sessions, f"cold_{name}", (1,) if name in ONCE else (1, 2))
    assert [comparable(seen) for seen in warm] == [comparable(seen) for seen in cold]
    for seen in warm:
        assert not seen.timing.warm
        assert COLD[name][1] in seen.timing.cold, seen.timing.cold


@pytest.mark.parametrize("name", QUICK)
def test_a_call_is_seen_alike_by_a_copy(pair: Pair, name: str) -> None:
    """Some of them; the slow suite has all."""
    check_alike(pair, name)


@pytest.mark.parametrize("name", QUICK_COLD)
def test_an_import_that_does_more_than_import_is_not_kept(pair: Pair, name: str) -> None:
    """Some of them; the slow suite has all."""
    check_not_kept(pair, name)


@pytest.mark.slow
@pytest.mark.parametrize("name", [name for name in WARM if name not in QUICK])
def test_every_call_is_seen_alike_by_a_copy(pair: Pair, name: str) -> None:
    """Hostile ones among them."""
    check_alike(pair, name)


@pytest.mark.slow
@pytest.mark.parametrize("name", [name for name in COLD if name not in QUICK_COLD])
def test_every_import_that_does_more_is_not_kept(pair: Pair, name: str) -> None:
    """Processes, files, descriptors, shared memory, timers, fork hooks, a stop of its own."""
    check_not_kept(pair, name)


@pytest.mark.docker
@pytest.mark.slow
@pytest.mark.parametrize("name", WARM)
def test_every_call_is_seen_alike_by_a_copy_in_a_container(contained: Pair, name: str) -> None:
    """Where a uid, and no namespace, keeps probes apart."""
    check_alike(contained, name)


@pytest.mark.docker
@pytest.mark.slow
@pytest.mark.parametrize("name", COLD)
def test_every_import_that_does_more_is_not_kept_in_a_container(contained: Pair, name: str) -> None:
    """Where a uid, and no namespace, keeps probes apart."""
    check_not_kept(contained, name)


def call(module: str, function: str, argument: object = None, **options: Any) -> CallProbe:
    return CallProbe(id="p", module=module, function=function, arguments=(encode(argument),), **options)


def both(sessions: Pair, module: str, arguments: tuple[Any, ...]) -> tuple[list[Observation], list[Observation]]:
    near = {"wall_ms": 1_200} if module.partition("_")[2] in ENDLESS else {}
    probes = [call(module, "f", argument, **near) for argument in arguments]
    warm, cold = (list(session.run(probes)) for session in sessions)
    return warm, cold


def comparable(seen: Observation) -> dict[str, Any]:
    """All but measurements; what grew until a limit ended it is a matter of time."""
    if seen.limit:
        return {"limit": seen.limit.name, "value": seen.value, "leftovers": seen.leftovers}
    left = [item.partition(": ")[2] for item in seen.leftovers]
    return {**seen.model_dump(exclude={"timing", "leftovers"}), "leftovers": left}


@pytest.fixture
def opened(bubblewrap: SandboxPolicy, tree: Path) -> Iterator[Session]:
    with backend(bubblewrap).open(bubblewrap, tree, toolbox(), {}) as session:
        assert isinstance(session, Session)
        yield session


def test_copies_cannot_be_counted(opened: Session) -> None:
    """The frozen interpreter runs nothing between two calls: what a hook counts is always one fork."""
    seen = list(opened.run([call("counter", "count", number) for number in range(4)]))
    assert [(each.value, each.timing.warm) for each in seen] == [(Returned(value=1), True)] * 4


def test_a_repeated_call_has_an_import_of_its_own(opened: Session) -> None:
    """What differs from import to import is seen to differ when two runs are compared."""
    first, second, again = opened.run([call("salted", "salt", 1), call("salted", "salt", 2), call("salted", "salt", 1)])
    assert first.value == second.value != again.value
    assert (first.timing.warm, again.timing.warm, again.timing.cold) == (True, False, "it repeats a call")


@pytest.mark.parametrize("way", ["kills", "signals", "limits", "nices", "binds"])
def test_a_call_that_reaches_for_the_kept_interpreter_counts_for_nothing(opened: Session, way: str) -> None:
    """DEC-04: it is made again where there is none, and what it changed is seen by no other call."""
    probes = [call("reaching", "quiet", 1), call("reaching", way, 2), call("reaching", "quiet", 3)]
    before, reached, after = opened.run(probes)
    assert before.timing.warm
    assert reached.value == Returned(value=encode([]))
    assert "reached for the interpreter" in reached.timing.cold or "lost" in reached.timing.cold
    assert after.value == Returned(value=3)


def test_the_memory_of_the_kept_interpreter_is_closed(opened: Session) -> None:
    """DEC-04: nothing of its files in /proc can be opened by its own uid."""
    (seen,) = opened.run([call("reaching", "reads")])
    assert seen.timing.warm
    assert seen.value == Returned(value=encode([])), seen.stderr.head


def test_files_and_another_environment_are_imported_anew(opened: Session) -> None:
    """An import may read both."""
    other = {"environment": {"MINE": "1"}}
    seen = list(
        opened.run(
            [
                call("warm_environment", "f", 1),
                call("warm_environment", "f", 2, **other),
                call("warm_environment", "f", 3, files=({"path": "a", "content": ""},)),
            ]
        )
    )
    assert [each.timing.warm for each in seen] == [True, True, False]
    assert "files" in seen[2].timing.cold


def test_nothing_is_kept_past_the_calls_on_a_module(opened: Session) -> None:
    """DEC-04: another probe finds no process of it."""
    look = CommandProbe(id="look", argv=("sh", "-c", "echo /proc/[0-9]*"))
    first, second = opened.run([call("warm_plain", "f", 1), look])
    assert first.timing.warm
    assert len(second.stdout.head.split()) <= 2
    assert second.timing.cold == ""


def test_calls_that_use_up_their_interpreters_get_their_own(opened: Session) -> None:
    """Two are lost, then no further one is made."""
    seen = list(opened.run([call("warm_socket", "f", number) for number in range(4)]))
    assert [each.timing.warm for each in seen] == [True, True, False, False]
    assert "leave more behind" in seen[-1].timing.cold


def test_a_reason_once_found_holds_for_its_module_alone() -> None:
    calls = Calls()

    def objection(module: str, request: str) -> str | None:
        frame = {"imports": {"module": module}, "environment": {}, "files": [], "request": request}
        calls.changes(frame)
        return calls.objection(frame)

    assert objection("a", "1") is None
    calls.refuse("why")
    assert (objection("a", "2"), objection("b", "1"), objection("a", "3")) == ("why", None, "why")

"""Locked packages for a candidate: what the lock names can be imported, on each backend; all else is refused."""

from __future__ import annotations

import hashlib
import zipfile
from collections.abc import Callable
from pathlib import Path

import pytest

from contracts.isolation import SandboxPolicy
from contracts.probe import CallProbe, CommandProbe, Returned
from sandbox import opening, wheelhouse
from sandbox.base import SandboxUnavailable
from sandbox.toolbox import toolbox
from sandbox.wheelhouse import LOCK, WheelhouseError

WHEEL = "greeting-1.0-py3-none-any.whl"
FILES = {"greeting/__init__.py": "def hello(): return 'hello'\n", "greeting-1.0.data/purelib/beside.py": "x = 1\n"}


@pytest.fixture(autouse=True)
def own_cache(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(wheelhouse.cache, "directory", lambda: place)
    place = tmp_path / "cache"
    place.mkdir(mode=0o755)
    tmp_path.chmod(0o755)


@pytest.fixture
def house(tmp_path: Path) -> Path:
    """A wheelhouse of one wheel."""
    directory = tmp_path / "house"
    directory.mkdir()
    add(directory, WHEEL, FILES)
    lock(directory)
    return directory


def add(house: Path, name: str, files: dict[str, str]) -> None:
    with zipfile.ZipFile(house / name, "w") as wheel:
        for path, text in files.items():
            wheel.writestr(path, text)


def lock(house: Path) -> None:
    wheels = sorted(house.glob("*.whl"))
    lines = [f"{hashlib.sha256(path.read_bytes()).hexdigest()}  {path.name}\n" for path in wheels]
    (house / LOCK).write_text("".join(lines), encoding="utf-8")


def check_imports(policy: SandboxPolicy, house: Path, tmp_path: Path) -> None:
    sealed = policy.model_copy(update={"wheels": wheelhouse.unpack(house)})
    tree = tmp_path / "tree"
    tree.mkdir(mode=0o755)
    (tree / "main.py").write_text("import beside, greeting\ndef f(): return greeting.hello()\nprint(f())\n")
    write = "import greeting; open(greeting.__path__[0] + '/new', 'w')"
    with opening.open_sandbox(sealed, tree, toolbox()) as sandbox:
        probes = (
            CommandProbe(id="run", argv=("python3", "/candidate/main.py")),
            CallProbe(id="call", module="main", function="f"),
            CommandProbe(id="write", argv=("python3", "-c", write)),
        )
        run, call, written = sandbox.run(probes)
    assert (run.exit_code, run.stdout.head) == (0, b"hello\n"), run.stderr.head
    assert call.value == Returned(value="hello")
    assert b"Read-only file system" in written.stderr.head
    with opening.open_sandbox(policy, tree, toolbox()) as sandbox:
        (without,) = sandbox.run(probes[:1])
    assert b"ModuleNotFoundError" in without.stderr.head


def test_locked_packages_can_be_imported(bubblewrap: SandboxPolicy, house: Path, tmp_path: Path) -> None:
    """They are read-only, and there only where the policy says so."""
    check_imports(bubblewrap, house, tmp_path)


@pytest.mark.docker
def test_locked_packages_can_be_imported_in_a_container(docker: SandboxPolicy, house: Path, tmp_path: Path) -> None:
    """They are read-only, and there only where the policy says so."""
    check_imports(docker, house, tmp_path)


def test_the_lock_is_sealed_and_no_place(house: Path, tmp_path: Path) -> None:
    """Law 5: another wheel is another policy; where the directory lies is no part of it."""
    first = wheelhouse.unpack(house)
    moved = house.rename(tmp_path / "elsewhere")
    assert wheelhouse.unpack(moved) == first
    add(moved, WHEEL, {**FILES, "more.py": ""})
    lock(moved)
    other = wheelhouse.unpack(moved)
    assert other != first
    assert SandboxPolicy(wheels=other).seal() != SandboxPolicy(wheels=first).seal() != SandboxPolicy().seal()
    assert "wheels" not in SandboxPolicy().document()


@pytest.mark.parametrize(
    ("spoil", "words"),
    [
        (lambda house: add(house, WHEEL, {"greeting/__init__.py": "evil"}), "is not the wheel that"),
        (lambda house: add(house, "more-1.0-py3-none-any.whl", {"more.py": ""}), "more-1.0-py3-none-any.whl is not in"),
        (lambda house: (house / WHEEL).unlink(), "is only in"),
        (lambda house: (house / LOCK).unlink(), "cannot be read"),
        (lambda house: (house / LOCK).write_text("no lock\n"), "has a line"),
        (lambda house: (house / LOCK).write_text("0" * 64 + "  ../up.whl\n"), "has a line"),
        (lambda house: (add(house, "n-1-cp311-cp311-linux_x86_64.whl", {}), lock(house)), "for any platform"),
        (lambda house: (add(house, "up-1-py3-none-any.whl", {"../up.py": ""}), lock(house)), "outside of itself"),
        (lambda house: (add(house, "up-1-py3-none-any.whl", {"/up.py": ""}), lock(house)), "outside of itself"),
        (lambda house: (add(house, "two-1-py3-none-any.whl", FILES), lock(house)), "two wheels bring"),
        (lambda house: ((house / "bad-1-py3-none-any.whl").write_bytes(b"no zip"), lock(house)), "cannot be unpacked"),
    ],
)
def test_what_is_not_as_locked_is_refused(house: Path, spoil: Callable[[Path], object], words: str) -> None:
    """Law 7: each kind of fault, planted; nothing of it is unpacked."""
    spoil(house)
    with pytest.raises(WheelhouseError, match=words):
        wheelhouse.unpack(house)
    assert list(wheelhouse.cache.directory().glob("wheels-*")) == []


def test_wheels_that_are_not_here_are_named(bubblewrap: SandboxPolicy, tmp_path: Path) -> None:
    """SCN-55: as on another machine, which was given the record alone."""
    missing = bubblewrap.model_copy(update={"wheels": "sha256:" + "0" * 64})
    with pytest.raises(SandboxUnavailable, match="name their directory with --wheels"):
        opening.measured(missing)

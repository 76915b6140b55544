"""Facts about a candidate's tree that need no run: hidden files, start-up injection, dropped links (GAME-11 to 20)."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator

from contracts.candidate import Candidate, FileEntry
from tasks.evidence.store import Store

Notes = dict[str, tuple[str, ...]]

STARTUP = {"sitecustomize.py", "usercustomize.py"}
RUNNERS = {"pytest", "_pytest", "unittest", "pluggy"}
CONFIGURATION = {"pytest.ini", ".pytest.ini", "tox.ini", "setup.cfg", "pyproject.toml"}
NATIVE = (".so", ".pyd", ".dll", ".dylib")
REPORT_HOOK = re.compile(
    rb"pytest_(runtest_makereport|runtest_logreport|report_teststatus|sessionfinish|collection_modifyitems|"
    rb"pyfunc_call|runtest_protocol|runtest_call|cmdline_main|unconfigure)\b"
)
KEPT_BYTES = 200_000


def tree_notes(candidate: Candidate, store: Store) -> Notes:
    """Notes by name: ``tampering`` and ``undeclared`` are failures, ``hidden`` and ``dropped`` are facts.

    Raises:
        StoreError: a file is not in the store.
    """

    def read(entry: FileEntry) -> bytes:
        return store.get(entry.digest)[:KEPT_BYTES]

    notes = {
        "tampering": tuple(_tampering(candidate, read)),
        "undeclared": tuple(_unreadable(candidate)),
        "hidden": tuple(file.path for file in candidate.files if _is_hidden(file.path)),
        "dropped": tuple(f"{item.path}: {item.reason}" for item in candidate.dropped),
    }
    return {name: facts for name, facts in notes.items() if facts}


def _tampering(candidate: Candidate, read: Callable[[FileEntry], bytes]) -> Iterator[str]:
    for file in candidate.files:
        first, name = file.path.partition("/")[0], file.path.rpartition("/")[2]
        if name in STARTUP or name.endswith(".pth"):
            yield f"{file.path} would run at the start of every interpreter (GAME-16)"
        elif first.removesuffix(".py") in RUNNERS:
            yield f"{file.path} stands in for the test runner (GAME-15)"
        elif name == "conftest.py" and (hook := REPORT_HOOK.search(read(file))):
            yield f"{file.path} takes over the reports of tests: {hook.group().decode()} (GAME-11, GAME-13)"
        elif name in CONFIGURATION and _steers(name, read(file)):
            yield f"{file.path} steers which tests run (GAME-14)"


def _steers(name: str, content: bytes) -> bool:
    """True where the section for pytest chooses tests or plugins; plain settings do no harm."""
    marker = {"pyproject.toml": b"[tool.pytest", "setup.cfg": b"[tool:pytest"}.get(name, b"[pytest")
    _, found, section = content.partition(marker)
    return bool(found) and bool(re.search(rb"collect-only|--co\b|--deselect|-k[ =]|-p[ =]?\w|--maxfail", section))


def _unreadable(candidate: Candidate) -> Iterator[str]:
    """Code that nobody can read: bytecode without its source, native libraries."""
    paths = {file.path for file in candidate.files}
    for path in sorted(paths):
        if path.endswith(".pyc") and _source(path) not in paths:
            yield f"{path} is bytecode without its source (GAME-20)"
        elif path.endswith(NATIVE):
            yield f"{path} is native code"


def _source(path: str) -> str:
    directory, _, name = path.rpartition("/")
    directory = directory.removesuffix("__pycache__")
    stem = name.partition(".")[0]
    return f"{directory.rstrip('/')}/{stem}.py".lstrip("/")


def _is_hidden(path: str) -> bool:
    return any(part.startswith(".") for part in path.split("/"))

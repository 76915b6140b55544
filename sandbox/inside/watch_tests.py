"""Run tests by pytest or unittest and say which were executed, and how each ended: a manifest of the judge's own.

Standard input is the request: runner, paths, a key, and for tests apart their subject and the answers so far. Each line
of ``/work/manifest`` carries a code over it and the code before, made with the key, and the last one the exit status.
The key stands in no environment and no file; code that shares this process can still dig it out of memory, so where the
candidate runs in this process the manifest is the weaker evidence that it is named as (DEC-03).
"""

import builtins
import fnmatch
import hmac
import importlib.util
import json
import os
import sys
import unittest
from collections.abc import Callable, Iterator
from types import ModuleType
from typing import Any

sys.path.insert(0, "/opt/forge/site")
sys.path.insert(0, "/opt/forge")
import forge_value  # type: ignore[import-not-found]  # noqa: F401 - loaded before the tree can be
import pytest
import tests_apart  # type: ignore[import-not-found]
import tree_copy  # type: ignore[import-not-found]

sys.path.remove("/opt/forge")

MANIFEST = "/work/manifest"
DETAIL = 300
WATCHED = ("_pytest", "pytest", "pluggy", "unittest")
UNWATCHED = {"_", "__import__", "__debug__"}
"""Names of `builtins` that honest programs set: gettext, import hooks, the prompt."""


def manifest(key: str) -> Callable[[dict[str, Any]], None]:
    """A function that writes a line; what it needs is in no object that can be reached by name."""
    out = open(MANIFEST, "wb", buffering=0)  # noqa: SIM115, PTH123 - open until the end
    keyed = hmac.new(bytes.fromhex(key), digestmod="sha256")
    del key
    code = b""

    def write(fact: dict[str, Any]) -> None:
        nonlocal code
        line = json.dumps(fact, sort_keys=True).encode()
        fresh = keyed.copy()
        fresh.update(code + line)
        code = fresh.hexdigest().encode()
        out.write(line + b" " + code + b"\n")

    return write


class Guard:
    """What the frameworks were before any code of the tree ran; whoever changes them is named (GAME-12, GAME-17)."""

    def __init__(self) -> None:
        modules = [module for name, module in sys.modules.items() if name.partition(".")[0] in WATCHED]
        spaces: list[Any] = [builtins, *modules]
        spaces += {
            id(kind): kind for module in modules for kind in vars(module).values() if isinstance(kind, type)
        }.values()
        self._before = [(space, dict(vars(space))) for space in spaces if hasattr(space, "__dict__")]
        self._code = [
            (function, function.__code__)
            for _, names in self._before
            for function in map(_function, names.values())
            if function is not None
        ]

    def changed(self) -> list[str]:
        """Names of what is no more what it was."""
        found = []
        for space, names in self._before:
            now = vars(space)
            for name, value in names.items():
                watched = callable(value) or isinstance(value, (classmethod, staticmethod, property))
                if watched and name not in UNWATCHED and now.get(name) is not value:
                    found.append(f"{getattr(space, '__name__', '?')}.{name}")
        found += [function.__qualname__ for function, code in self._code if function.__code__ is not code]
        return sorted(set(found))[:20]


def _function(value: Any) -> Any:
    value = getattr(value, "__func__", value)
    return value if hasattr(value, "__code__") else None


class PytestReporter:
    """A plugin. A test has passed if nothing was raised past it and all its phases say so."""

    def __init__(self, write: Callable[[dict[str, Any]], None], test: Callable[[str], None]) -> None:
        self._write, self._test = write, test
        self._raised: set[str] = set()
        self._phases: dict[str, list[Any]] = {}

    def pytest_runtest_logstart(self, nodeid: str) -> None:
        """A hook of pytest."""
        self._test(nodeid)

    @pytest.hookimpl(wrapper=True, tryfirst=True)
    def pytest_runtest_call(self, item: Any) -> Iterator[None]:
        """A hook of pytest."""
        try:
            return (yield)
        except BaseException:
            self._raised.add(item.nodeid)
            raise

    def pytest_runtest_logreport(self, report: Any) -> None:
        """A hook of pytest."""
        self._phases.setdefault(report.nodeid, []).append(report)

    def pytest_runtest_logfinish(self, nodeid: str) -> None:
        """A hook of pytest."""
        self._test("")
        phases = self._phases.pop(nodeid, [])
        outcome = "passed"
        for report in phases:
            if report.outcome != "passed" or hasattr(report, "wasxfail"):
                outcome = "xfailed" if hasattr(report, "wasxfail") else report.outcome
                break
        if outcome == "passed" and (nodeid in self._raised or [item.when for item in phases] != PHASES):
            outcome = "failed"
        self._write({"id": nodeid, "outcome": outcome})

    def pytest_collectreport(self, report: Any) -> None:
        """A hook of pytest."""
        if report.failed:
            self._write({"id": report.nodeid, "outcome": "error", "detail": _line(report.longreprtext)})


PHASES = ["setup", "call", "teardown"]


def run_pytest(
    paths: list[str], write: Callable[[dict[str, Any]], None], test: Callable[[str], None], capture: str
) -> int:
    """No file of the tree configures the runner (GAME-14, GAME-16); what it imports by name comes last (GAME-15)."""
    arguments = ["-q", "-p", "no:cacheprovider", "-c", os.devnull, "--rootdir", tree_copy.COPY, "--import-mode=append"]
    return int(pytest.main([*arguments, f"--capture={capture}", *paths], plugins=[PytestReporter(write, test)]))


class UnittestResult(unittest.TextTestResult):
    """Writes each test as it ends."""

    write: Callable[[dict[str, Any]], None]
    test: Callable[[str], None]

    def startTest(self, test: unittest.TestCase) -> None:  # noqa: N802
        """As `unittest.TestResult`."""
        self.outcome = "passed"
        type(self).test(test.id())
        super().startTest(test)

    def stopTest(self, test: unittest.TestCase) -> None:  # noqa: N802
        """As `unittest.TestResult`."""
        super().stopTest(test)
        type(self).test("")
        type(self).write({"id": test.id(), "outcome": self.outcome})

    def addError(self, test: unittest.TestCase, err: Any) -> None:  # noqa: N802
        """As `unittest.TestResult`."""
        self.outcome = "failed"
        super().addError(test, err)

    def addFailure(self, test: unittest.TestCase, err: Any) -> None:  # noqa: N802
        """As `unittest.TestResult`."""
        self.outcome = "failed"
        super().addFailure(test, err)

    def addSubTest(self, test: unittest.TestCase, subtest: unittest.TestCase, err: Any) -> None:  # noqa: N802
        """As `unittest.TestResult`."""
        if err is not None:
            self.outcome = "failed"
        super().addSubTest(test, subtest, err)

    def addSkip(self, test: unittest.TestCase, reason: str) -> None:  # noqa: N802
        """As `unittest.TestResult`."""
        self.outcome = "skipped"
        super().addSkip(test, reason)

    def addExpectedFailure(self, test: unittest.TestCase, err: Any) -> None:  # noqa: N802
        """As `unittest.TestResult`."""
        self.outcome = "xfailed"
        super().addExpectedFailure(test, err)

    def addUnexpectedSuccess(self, test: unittest.TestCase) -> None:  # noqa: N802
        """As `unittest.TestResult`."""
        self.outcome = "failed"
        super().addUnexpectedSuccess(test)


def run_unittest(paths: list[str], write: Callable[[dict[str, Any]], None], test: Callable[[str], None]) -> int:
    """Test files are loaded by their place, so that no other module can stand in for one."""
    UnittestResult.write, UnittestResult.test = staticmethod(write), staticmethod(test)
    suite, broken = unittest.TestSuite(), False
    for path in _files(paths):
        name = path.removesuffix(".py").replace("/", ".")
        try:
            suite.addTests(unittest.defaultTestLoader.loadTestsFromModule(_load(name, path)))
        except BaseException as error:  # noqa: BLE001 - a module may raise what it likes
            broken = True
            write({"id": name, "outcome": "error", "detail": _line(f"{type(error).__name__}: {error}")})
    kind: Any = UnittestResult  # its stubs are generic, the class itself is not
    result = unittest.TextTestRunner(stream=sys.stderr, verbosity=1, resultclass=kind).run(suite)
    return 0 if result.wasSuccessful() and result.testsRun and not broken else 1


def _files(paths: list[str]) -> Iterator[str]:
    for path in paths:
        if os.path.isdir(path):  # noqa: PTH112
            for directory, folders, files in os.walk(path):
                folders.sort()
                found = fnmatch.filter(sorted(files), "test*.py")
                yield from (os.path.join(directory, name) for name in found)  # noqa: PTH118
        else:
            yield path


def _load(name: str, path: str) -> ModuleType:
    directory = os.path.dirname(os.path.abspath(path))  # noqa: PTH100, PTH120
    if directory not in sys.path:
        sys.path.append(directory)
    spec = importlib.util.spec_from_file_location(name, path)
    if spec is None or spec.loader is None:
        raise ImportError(f"{path} is no module of Python")
    module = sys.modules[name] = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


def _line(text: str) -> str:
    return " ".join(str(text)[-2_000:].split())[-DETAIL:].encode("ascii", "backslashreplace").decode()


def main() -> int:
    """Read the request, close standard input, run, and end the manifest with the status."""
    request = json.load(sys.stdin)
    os.dup2(os.open(os.devnull, os.O_RDONLY), 0)
    os.environ["PYTEST_DISABLE_PLUGIN_AUTOLOAD"] = "1"
    tree_copy.enter()
    write = manifest(request.pop("key"))
    guard = Guard()
    sys.path.append(tree_copy.COPY)
    apart = tests_apart.Apart(request["subject"], request["answers"], write)
    if request["runner"] == "pytest":
        status = run_pytest(request["paths"], write, apart.enter_test, request["capture"])
    else:
        status = run_unittest(request["paths"], write, apart.enter_test)
    write({"end": status, "changed": guard.changed()})
    return status


if __name__ == "__main__":
    sys.exit(main())

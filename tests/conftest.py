"""Shared by all tests: private homes, and the rule that CI skips nothing but the corpora (DEC-15)."""

from __future__ import annotations

import os
from pathlib import Path

import pytest

_skipped: list[str] = []


@pytest.fixture(autouse=True)
def private_home(tmp_path_factory: pytest.TempPathFactory, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Keys, stores and state of a test never touch the user's own."""
    home = tmp_path_factory.mktemp("home")
    for name in ("CONFIG", "DATA", "STATE"):
        monkeypatch.setenv(f"XDG_{name}_HOME", str(home / name.lower()))
    for name in ("FORGE_SIGNING_KEY", "FORGE_STORE", "FORGE_PREFECT_API_URL", "FORGE_PROVIDER", "FORGE_MODELS"):
        monkeypatch.delenv(name, raising=False)
    return home


@pytest.fixture
def corpora() -> Path:
    """The folder of known corpora; the one skip that CI may have."""
    folder = os.environ.get("FORGE_CORPORA")
    if not folder or not Path(folder).is_dir():
        pytest.skip("corpora: FORGE_CORPORA names no folder")
    return Path(folder)


def pytest_runtest_logreport(report: pytest.TestReport) -> None:
    if report.skipped and "corpora:" not in str(report.longrepr):
        _skipped.append(f"{report.nodeid}: {report.longrepr}")


def pytest_sessionfinish(session: pytest.Session) -> None:
    if os.environ.get("FORGE_NO_SKIPS") and _skipped:
        session.exitstatus = pytest.ExitCode.TESTS_FAILED


def pytest_terminal_summary(terminalreporter: pytest.TerminalReporter) -> None:
    if os.environ.get("FORGE_NO_SKIPS") and _skipped:
        terminalreporter.section("skipped where nothing may be skipped")
        for line in _skipped:
            terminalreporter.write_line(line)

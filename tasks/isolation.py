"""The stage that measures isolation before anything untrusted runs (law 4)."""

from __future__ import annotations

from contracts.isolation import IsolationReport
from contracts.settings import BuildSettings
from sandbox import open_sandbox, toolbox
from sandbox.owner import run_directory


def measure(settings: BuildSettings) -> IsolationReport:
    """Open a sandbox over an empty tree, which tests itself, and return what was measured.

    Raises:
        SandboxUnavailable: the backend cannot work on this host.
        IsolationViolation: a promise did not hold, or is required and cannot be kept here.
    """
    with run_directory() as directory:
        empty = directory / "empty"
        empty.mkdir()
        empty.chmod(0o755)
        with open_sandbox(settings.policy, empty, toolbox()) as sandbox:
            return sandbox.report

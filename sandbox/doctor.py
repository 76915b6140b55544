"""Which sandboxes work on this host, and why not."""

from __future__ import annotations

from dataclasses import dataclass
from typing import get_args

from contracts.isolation import Backend, IsolationReport, SandboxPolicy
from sandbox.base import SandboxError
from sandbox.opening import measure


@dataclass(frozen=True)
class Diagnosis:
    """One backend: ``report`` where it could be tried, ``problem`` in one line where it does not work."""

    backend: Backend
    works: bool
    problem: str | None
    report: IsolationReport | None


def diagnose() -> tuple[Diagnosis, ...]:
    """Try every backend, each by its self-test."""
    return tuple(_diagnose(name) for name in get_args(Backend))


def _diagnose(name: Backend) -> Diagnosis:
    try:
        report = measure(SandboxPolicy(backend=name))
    except SandboxError as error:
        return Diagnosis(name, works=False, problem=str(error), report=None)
    broken = [f"{check.name}: {check.observed}" for check in report.checks if not check.held]
    return Diagnosis(name, works=report.isolated, problem="; ".join(broken) or None, report=report)

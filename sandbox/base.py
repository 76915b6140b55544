"""The protocol that every backend follows, its errors, and the one way to open a sandbox."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from contextlib import AbstractContextManager
from dataclasses import dataclass
from pathlib import Path
from typing import Protocol

from contracts.isolation import Enforcement, IsolationReport, SandboxPolicy
from contracts.probe import Observation, Probe


class SandboxError(Exception):
    """A fault of the infrastructure; never the candidate's (law 3). The message is one line for a person."""


class SandboxUnavailable(SandboxError):  # noqa: N818 - the name of the failure signature
    """The backend cannot work on this host; the message names the missing primitive (SCN-55)."""


class IsolationViolation(SandboxError):  # noqa: N818
    """The self-test found a promise broken, or the policy requires what the host cannot enforce (law 4)."""


class SandboxLost(SandboxError):  # noqa: N818
    """The supervisor or the engine died or stopped answering in the middle of a run."""


class Sandbox(Protocol):
    """An open sandbox over one read-only tree. Observations come in the order of the probes, one for each."""

    report: IsolationReport

    def run(self, probes: Iterable[Probe]) -> Iterator[Observation]:
        """Run each probe by itself, one after another, each fresh (DEC-04, DEC-21).

        Raises:
            SandboxLost: the infrastructure failed; the observations yielded before stand.
        """
        ...

    def close(self) -> None:
        """End it, from any thread and more than once: a run in another thread fails at once."""
        ...


@dataclass(frozen=True)
class Description:
    """What a backend is made of, and how it holds each limit; ``namespaces`` are those that are not the host's."""

    root: str
    tools: dict[str, str]
    enforced: dict[str, Enforcement]
    namespaces: tuple[str, ...]


class Backend(Protocol):
    """A kind of sandbox. What is opened here is not measured yet: `sandbox.open_sandbox` is the way in."""

    def unavailable(self, policy: SandboxPolicy) -> str | None:
        """Why this backend cannot work here, naming the missing primitive and the remedy; None if it may."""
        ...

    def describe(self, policy: SandboxPolicy) -> Description:
        """The parts that run beside the candidate, by digest; raises SandboxUnavailable."""
        ...

    def fall_back(self) -> bool:
        """After a self-test that failed: use another binary of the same program from now on; False if there is none."""
        ...

    def open(
        self, policy: SandboxPolicy, tree: Path, tools: Path, canary: Mapping[str, str]
    ) -> AbstractContextManager[Sandbox]:
        """Open a sandbox with ``tree`` at ``/candidate`` and ``tools`` at ``/opt/forge``, both read-only.

        ``canary`` is put into the environment that the sandbox is started from, and must not be seen inside.
        """
        ...

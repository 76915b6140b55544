"""What a sandbox promises, and what a self-test inside it measured (law 4)."""

from __future__ import annotations

from typing import Annotated, Literal

from pydantic import Field

from contracts.model import Count, Model, Sha256, is_default

Backend = Literal["bubblewrap", "docker"]
Enforcement = Literal["kernel", "polled", "none"]


class Limits(Model):
    """Bounds on one probe."""

    wall_ms: Count = 10_000
    cpu_ms: Count = 10_000
    memory_bytes: Count = 512 * 1024 * 1024
    processes: Count = 64
    file_bytes: Count = 16 * 1024 * 1024
    open_files: Count = 256
    scratch_bytes: Count = 64 * 1024 * 1024
    scratch_inodes: Count = 4_096
    output_bytes: Count = 8 * 1024 * 1024
    kept_bytes: Count = 256 * 1024


class SandboxPolicy(Model):
    """The promise. ``environment`` is the whole environment of a probe but for what the probe adds.

    ``image`` names the root: for docker an image, for bubblewrap the digest of an archive (`sandbox.rootfs`), where
    None is the host's own /usr. ``wheels`` is the lock of the packages that a candidate may import
    (`sandbox.wheelhouse`).
    """

    backend: Backend = "bubblewrap"
    runtime: str | None = None
    image: str | None = None
    wheels: Annotated[Sha256 | None, Field(exclude_if=is_default)] = None
    limits: Limits = Limits()
    environment: dict[str, str] = {
        "HOME": "/work",
        "LANG": "C.UTF-8",
        "LC_ALL": "C.UTF-8",
        "PYTHONDONTWRITEBYTECODE": "1",
        "PYTHONHASHSEED": "0",
        "PYTHONUTF8": "1",
        "TMPDIR": "/tmp",  # noqa: S108 - a path inside the sandbox
        "TZ": "UTC",
    }
    require: dict[str, Enforcement] = {}


class IsolationCheck(Model):
    """One promise, tried from inside. ``observed`` is what the attempt saw, in words."""

    name: str
    held: bool
    observed: str


class IsolationReport(Model):
    """The measured isolation of one backend under one policy. ``root`` and ``tools`` name what runs inside."""

    policy: Sha256
    backend: Backend
    root: str
    tools: dict[str, str]
    enforced: dict[str, Enforcement]
    checks: tuple[IsolationCheck, ...]

    @property
    def isolated(self) -> bool:
        """True iff there are checks and every one held."""
        return bool(self.checks) and all(check.held for check in self.checks)

"""The one way to open a sandbox: the named backend or none, measured before anything runs (law 4)."""

from __future__ import annotations

import hashlib
import json
import os
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path

from contracts.canonical import digest_of
from contracts.isolation import Enforcement, IsolationReport, SandboxPolicy
from contracts.loading import DocumentError, load_document
from sandbox import cache, selftest
from sandbox.base import Backend, Description, IsolationViolation, Sandbox, SandboxLost, SandboxUnavailable
from sandbox.primitives import explain

_HERE = Path(__file__).resolve().parent
_STRENGTH: dict[Enforcement, int] = {"none": 0, "polled": 1, "kernel": 2}


@contextmanager
def open_sandbox(policy: SandboxPolicy, tree: Path, tools: Path) -> Iterator[Sandbox]:
    """Open the backend that ``policy`` names, never another, over one read-only tree.

    ``tree`` and ``tools`` must be readable to all (`sandbox.workspace.populate` makes them so).

    Raises:
        SandboxUnavailable: the backend cannot work here; the message names what is missing.
        IsolationViolation: a promise was found broken, or the policy requires what is not enforced here.
        SandboxLost: the sandbox could not be started.
    """
    report = measured(policy)
    with backend(policy).open(policy, tree, tools, {}) as sandbox:
        sandbox.report = report
        yield sandbox


def backend(policy: SandboxPolicy) -> Backend:
    """The backend of a policy."""
    if policy.backend == "docker":
        from sandbox.docker import Docker

        return Docker()
    from sandbox.bubblewrap import Bubblewrap

    return Bubblewrap()


def measured(policy: SandboxPolicy, *, fresh: bool = False) -> IsolationReport:
    """The isolation report of a policy on this host; raises as `open_sandbox`. ``fresh`` tests anew."""
    report = measure(policy, fresh=fresh)
    broken = [f"{check.name} ({check.observed})" for check in report.checks if not check.held]
    if broken or not report.checks:
        raise IsolationViolation(f"the {policy.backend} sandbox does not isolate here: {'; '.join(broken)[:800]}")
    for name, wanted in policy.require.items():
        if _STRENGTH[_enforced(report, name)] < _STRENGTH[wanted]:
            found = _enforced(report, name)
            raise IsolationViolation(f"{name} is to be enforced by {wanted}, and is {found} with {policy.backend} here")
    return report


def measure(policy: SandboxPolicy, *, fresh: bool = False) -> IsolationReport:
    """Self-test, once per backend, policy but for its limits, boot and binaries; held or not (DEC-05, DEC-18)."""
    chosen = backend(policy)
    try:
        report = _measure(chosen, policy, fresh=fresh)
    except SandboxUnavailable:
        if not chosen.fall_back():
            raise
    else:
        if report.isolated or not chosen.fall_back():
            return report
    return _measure(chosen, policy, fresh=fresh)


def _measure(chosen: Backend, policy: SandboxPolicy, *, fresh: bool) -> IsolationReport:
    missing = chosen.unavailable(policy)
    if missing:
        raise SandboxUnavailable(missing)
    description = chosen.describe(policy)
    file = cache.directory() / f"selftest-{_key(policy, description)}.json"
    report = None if fresh else _load(file)
    if report is not None:
        return report.model_copy(update={"policy": policy.seal()})
    try:
        checks = selftest.measure(chosen.open, policy, description.namespaces)
    except SandboxLost as error:
        raise SandboxUnavailable(explain(policy.backend, error)) from error
    report = IsolationReport(
        policy=policy.seal(),
        backend=policy.backend,
        root=description.root,
        tools=description.tools,
        enforced=description.enforced,
        checks=checks,
    )
    if report.isolated:
        _save(file, report)
    return report


def _enforced(report: IsolationReport, name: str) -> Enforcement:
    for key, value in report.enforced.items():
        if name in (key, key.rpartition("_")[0]):
            return value
    raise IsolationViolation(f"there is no limit {name}; there are {', '.join(sorted(report.enforced))}")


def _key(policy: SandboxPolicy, description: Description) -> str:
    code = hashlib.sha256()
    for path in sorted((*_HERE.glob("*.py"), *_HERE.glob("*/*.py"))):
        code.update(path.read_bytes())
    boot = Path("/proc/sys/kernel/random/boot_id").read_text(encoding="ascii").strip()
    parts = [
        policy.model_copy(update={"limits": selftest.SMALL, "require": {}}).document(),
        description.root,
        dict(description.tools),
        dict(description.enforced),
        boot,
        code.hexdigest(),
        os.getuid(),
    ]
    return digest_of(json.loads(json.dumps(parts))).removeprefix("sha256:")[:32]


def _load(file: Path) -> IsolationReport | None:
    with suppress(OSError, DocumentError):
        return load_document(IsolationReport, file.read_bytes())
    return None


def _save(file: Path, report: IsolationReport) -> None:
    with suppress(OSError):
        descriptor, draft = tempfile.mkstemp(dir=file.parent)
        with os.fdopen(descriptor, "wb") as out:
            out.write(report.canonical())
        Path(draft).replace(file)

"""What is not as it was when a record was made: versions, host, sandbox, tools and limits (G-05)."""

from __future__ import annotations

import platform
from collections.abc import Iterator

from contracts.evidence import RunInfo
from contracts.isolation import IsolationReport
from contracts.replay import Difference
from flows.version import forge_version


def differing(run: RunInfo, sealed: IsolationReport | None, now: IsolationReport | None) -> Iterator[Difference]:
    """What differs of the machine, and of the sandbox where the record has one."""
    pairs = {
        "forge": (run.forge, forge_version()),
        "python": (run.python, platform.python_version()),
        "platform": (run.platform, platform.platform()),
    }
    if sealed is not None and now is not None:
        before, after = _facts(sealed), _facts(now)
        pairs |= {name: (before.get(name, "absent"), after.get(name, "absent")) for name in sorted(before | after)}
    for name, (old, new) in pairs.items():
        if old != new:
            yield Difference(step=name, sealed=old, now=new)


def _facts(report: IsolationReport) -> dict[str, str]:
    tools = {f"tool {name}": version for name, version in report.tools.items()}
    limits = {f"limit {name}": how for name, how in report.enforced.items()}
    return {"sandbox": report.backend, "root": report.root, **tools, **limits}

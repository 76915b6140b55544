"""The gate: a change and a task in, PASS or FAIL and a signed record out (DEC-24).

    read_task(path) -> (TaskSpec, overlay directory | None)                    tasks/gate/spec.py
    read_subject(CheckRequest, Store) -> Subject                               tasks/gate/subject.py
    observe(TaskSpec, Subject, SandboxPolicy, Store) -> GateEvidence           tasks/gate/observe.py
    judge(TaskSpec, Subject, GateEvidence) -> GateVerdict                      tasks/gate/judge.py, pure

Repair calls the last two for each attempt, with `Subject.candidate` replaced.
"""

from __future__ import annotations

from pathlib import Path

from contracts.gate import CheckReport, CheckRequest
from flows.engine import Engine
from flows.listening import Listener
from tasks.evidence.signing import SigningKey


def check(
    request: CheckRequest,
    engine: Engine | None = None,
    listener: Listener | None = None,
    *,
    out: Path | None = None,
    name: str | None = None,
    key: SigningKey | None = None,
) -> CheckReport:
    """Check a change and leave a signed record of it in the store.

    Args and errors as `flows.build.build`; a patch that is refused is a FAIL with ``patch_rejected``.
    """
    raise NotImplementedError

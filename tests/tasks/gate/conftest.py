"""Small tasks and changes, checked for real in a sandbox or judged from made-up observations."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from contracts.gate import CheckRequest, GateEvidence, GateVerdict, Subject, Task
from contracts.isolation import SandboxPolicy
from contracts.taskspec import TaskSpec
from tasks.gate.judge import judge
from tasks.gate.observe import observe
from tasks.gate.subject import read_subject

Files = dict[str, str]


class Gate:
    """Writes trees below ``root`` and checks them."""

    def __init__(self, root: Path, policy: SandboxPolicy) -> None:
        self.root, self.policy = root, policy
        self.store = str(root / "store")

    def write(self, name: str, files: Files) -> str:
        for path, text in files.items():
            target = self.root / name / path
            target.parent.mkdir(parents=True, exist_ok=True)
            target.write_text(text, encoding="utf-8")
        (self.root / name).mkdir(exist_ok=True)
        return str(self.root / name)

    def request(self, spec: TaskSpec, candidate: Files, **more: Any) -> CheckRequest:
        trees = {name: self.write(name, files) for name, files in more.items() if isinstance(files, dict)}
        rest = {name: value for name, value in more.items() if not isinstance(value, dict)}
        return CheckRequest(
            task=Task(text="", spec=spec),
            candidate=self.write("candidate", candidate),
            store=self.store,
            policy=self.policy,
            **{**rest, **trees},
        )

    def subject(self, spec: TaskSpec, candidate: Files, **more: Any) -> Subject:
        return read_subject(self.request(spec, candidate, **more))

    def evidence(self, spec: TaskSpec, subject: Subject) -> GateEvidence:
        return observe(spec, subject, self.policy, self.store)

    def check(self, spec: TaskSpec, candidate: Files, **more: Any) -> GateVerdict:
        subject = self.subject(spec, candidate, **more)
        return judge(spec, subject, self.evidence(spec, subject))


@pytest.fixture
def gate(tmp_path: Path) -> Gate:
    return Gate(tmp_path, SandboxPolicy())


@pytest.fixture
def task() -> Callable[..., TaskSpec]:
    def make(*checks: dict[str, Any], **more: Any) -> TaskSpec:
        named = [{"name": f"check-{number}", "timeout_s": 30, **item} for number, item in enumerate(checks)]
        return TaskSpec.model_validate({"brief": "mend it", "checks": named or [{"name": "a", "run": "true"}], **more})

    return make

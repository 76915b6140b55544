"""Models under the Prefect engine: the same calls in the record, also those of a stage that fails."""

from __future__ import annotations

from typing import Any

import pytest

from contracts.evidence import EntryKind
from contracts.modelling import ModelChoice, ModelSettings, RoleSettings
from contracts.verdict import FailureSignature, TerminalStatus
from flows.listening import Silent
from tasks.models import client
from tests.tasks.models.servers import Body, answering, hanging_up, serving

pytest.importorskip("prefect")
pytestmark = [pytest.mark.slow, pytest.mark.usefixtures("prefect_api")]


def test_every_call_is_sealed_also_those_of_a_stage_that_fails(line: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    from flows.flow import build_with_prefect
    from flows.parameters import BuildParameters

    monkeypatch.setattr(client, "pause", lambda _seconds: None)
    answers: list[Any] = ["print(0)", "print(0)", "print(1)", hanging_up]

    def write(_asked: Body) -> Any:
        answer = answers.pop(0) if len(answers) > 1 else answers[0]
        return answer if callable(answer) else f"main.py\n```python\n{answer}\n```\n"

    def run(url: str) -> Any:
        roles = [
            RoleSettings(models=(ModelChoice(provider="openai", model=name, base_url=url),)) for name in ("w", "r")
        ]
        models = ModelSettings(coder=roles[0], reader=roles[1], retries=1)
        parameters = BuildParameters(requirement=line.request().requirement, store=line.store, models=models)
        return build_with_prefect(parameters, Silent(), lambda _name: None)

    with serving(answering(write)) as server:
        first = run(server.url)
        line.broken = {0}
        answers[:] = ["print(2)", hanging_up]
        second = run(server.url)
    assert first.status is TerminalStatus.VERIFIED
    assert (first.usage.calls, first.usage.failed) == (3, 0)
    assert second.failures[-1].signature is FailureSignature.MODEL_UNAVAILABLE
    assert (second.usage.calls, second.usage.failed) == (5, 2)
    found = [entry.kind for entry in line.record(second.run).entries]
    assert found.count(EntryKind.MODEL_CALL) == 5

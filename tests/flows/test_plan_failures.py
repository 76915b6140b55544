"""A plan that carries failures is the end of a build: nobody is paid to write code, and the record says why."""

from __future__ import annotations

from typing import Any

import pytest

from contracts.plan import FeasiblePlan
from contracts.requirement import BuildSpec, Requirement, Span
from contracts.verdict import Failure, FailureSignature, Fault, TerminalStatus
from flows.build import build


@pytest.mark.parametrize(
    ("signature", "fault"),
    [
        (FailureSignature.INFEASIBILITY_UNPROVEN, Fault.NONE),
        (FailureSignature.CONTRADICTORY_REQUIREMENT, Fault.REQUIREMENT),
        (FailureSignature.UNPROVEN_REQUIREMENT, Fault.NONE),
    ],
)
def test_no_stage_follows_a_plan_with_failures(line: Any, signature: FailureSignature, fault: Fault) -> None:
    """Law 3: no checker, no `infeasible_proven`; and no pass either."""
    failure = Failure(signature=signature, spans=(Span(start=0, end=1),), detail="seem not to hold together")

    def plan(build_spec: BuildSpec, _requirement: Requirement) -> FeasiblePlan:
        return FeasiblePlan(
            build_spec=build_spec.seal(), steps=(), hints=(), lenses=(), unlowered=(), failures=(failure,)
        )

    line.act["plan"] = plan
    report = build(line.request())
    assert (report.status, report.fault) == (TerminalStatus.VALIDATION_FAILED, fault)
    assert report.failures == (failure,)
    assert line.calls == ["compile", "plan"]
    assert not any(layer.executed for layer in report.layers)

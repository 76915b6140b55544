"""What `forge build` tells a person: clause, input, expected, observed, question, proof (law 8)."""

from __future__ import annotations

from typing import Any

import pytest

from contracts.calls import Usage
from contracts.evidence import BuildReport
from contracts.requirement import Span
from contracts.verdict import (
    LAYERS,
    Failure,
    FailureSignature,
    Fault,
    LayerResult,
    TerminalStatus,
    Witness,
)
from flows.cli.summary import exit_status, spent, summary

TEXT = "# Title\n\nIf the file is empty, print\nexactly EMPTY.\n"
CLAUSE = Span(start=TEXT.index("If"), end=TEXT.index(".\n"))


def report(status: TerminalStatus, fault: Fault, *failures: Failure, **changes: Any) -> BuildReport:
    layers = tuple(LayerResult(layer=layer, executed=False, passed=False, not_executed="x") for layer in LAYERS)
    return BuildReport(
        status=status, fault=fault, failures=failures, layers=layers, record="/r/record.json", package=None,
        strength=None, assumptions={"print.newline": "optional"}, engine="inline", sandbox="bubblewrap", run="r-1",
        stage_ms={}, notices=("a key was made",),
    ).model_copy(update=changes)  # fmt: skip


def lines(told: BuildReport) -> list[str]:
    return [" ".join(line.split()) for line in summary(told, TEXT)]


def test_a_broken_clause_with_its_witness() -> None:
    witness = Witness(
        probe="p",
        command="python3 main.py a.csv",
        files={"a.csv": b"x\x1b\n"},
        expected='stdout "EMPTY"',
        observed="exit 0",
    )
    failure = Failure(
        signature=FailureSignature.CONDITIONAL_VIOLATION, spans=(CLAUSE,), detail="stdout differs", witness=witness
    )
    told = lines(report(TerminalStatus.VALIDATION_FAILED, Fault.CANDIDATE, failure))
    assert told[0] == "validation_failed (fault: candidate)"
    for line in (
        "conditional_violation stdout differs",
        "clause If the file is empty, print exactly EMPTY",
        "input python3 main.py a.csv",
        'with a.csv "x\\x1b\\n"',
        'expected stdout "EMPTY"',
        "observed exit 0",
        "record /r/record.json",
        "assumed print.newline=optional",
        "note a key was made",
        "layers runtime not executed, obligations not executed, adversarial not executed",
    ):
        assert line in told


def test_an_open_decision_is_a_question() -> None:
    failure = Failure(signature=FailureSignature.UNDERSPECIFIED_REQUIREMENT, spans=(CLAUSE,), detail="Which ones?")
    told = lines(report(TerminalStatus.VALIDATION_FAILED, Fault.REQUIREMENT, failure))
    assert told[1:3] == ["question Which ones?", "clause If the file is empty, print exactly EMPTY"]


def test_many_failures_are_counted_not_shown() -> None:
    failures = [Failure(signature=FailureSignature.EXAMPLE_MISMATCH, detail=str(number)) for number in range(11)]
    assert "and 3 more failures in the record" in lines(
        report(TerminalStatus.VALIDATION_FAILED, Fault.CANDIDATE, *failures)
    )


@pytest.mark.parametrize(
    ("status", "fault", "expected"),
    [
        (TerminalStatus.VERIFIED, Fault.NONE, 0),
        (TerminalStatus.VALIDATION_FAILED, Fault.CANDIDATE, 1),
        (TerminalStatus.VALIDATION_FAILED, Fault.REQUIREMENT, 1),
        (TerminalStatus.VALIDATION_FAILED, Fault.NONE, 1),
        (TerminalStatus.INFEASIBLE_PROVEN, Fault.REQUIREMENT, 3),
        (TerminalStatus.VALIDATION_FAILED, Fault.INFRASTRUCTURE, 4),
    ],
)
def test_exit_statuses(status: TerminalStatus, fault: Fault, expected: int) -> None:
    """DEC-02."""
    assert exit_status(report(status, fault)) == expected


def test_what_models_cost_is_said_as_far_as_it_is_known():
    usage = Usage(
        calls=3, failed=1, untold=1, unpriced=1, tokens_in=300, tokens_out=60, tokens_cached=None,
        tokens_reasoning=None, duration_ms=5, cost="0.02",
    )  # fmt: skip
    assert spent(usage) == "3 calls (1 failed); 300 tokens in, 60 tokens out; cost 0.02 (1 calls unpriced)"
    nothing = usage.model_copy(update={"tokens_in": None, "tokens_out": None, "cost": None})
    assert spent(nothing) == "3 calls (1 failed); cost unknown"

"""The page says what there is."""

from __future__ import annotations

from pathlib import Path

from contracts.patch import RejectionCode
from contracts.repair import StopReason

PAGE = (Path(__file__).parents[3] / "docs" / "repair.md").read_text()


def test_every_code_and_reason_has_a_line() -> None:
    """PAT-36, VER-07."""
    rows = [line.split("`")[1] for line in PAGE.splitlines() if line.startswith("| `")]
    assert sorted(rows) == sorted([*(code.value for code in RejectionCode), *(reason.value for reason in StopReason)])

"""A small bundle, written by hand for the tests."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

REVIEWS = [
    {"reviewer": "first", "label": "verified", "reason": "every clause can be met"},
    {"reviewer": "second", "label": "verified", "reason": "there is a program"},
]
ORACLE = """\
from shout.cli import main


def test_loud(capsys):
    assert main(["a"]) == 0
    assert capsys.readouterr().out.strip() == "A"


def test_none(capsys):
    assert main([]) == 2


def test_words(capsys):
    main(["a b"])
    assert "A B" in capsys.readouterr().out
"""


def case(**changes: Any) -> dict[str, Any]:
    return {
        "case_id": "S-1",
        "requirement": "Print the argument in capitals; exit with status 2 without one.",
        "expected_terminal_status": "verified",
        "public_contract": {"kind": "cli_entrypoint", "module": "shout.cli", "symbol": "main"},
        "reviews": REVIEWS,
        **changes,
    }


def provenance() -> dict[str, Any]:
    part = {"part": ".", "producer": "hand", "made": "2026-01-02", "tools": "an editor", "having_seen": "nothing"}
    return {"parts": [part]}


@pytest.fixture
def unfrozen(tmp_path: Path) -> Path:
    """The directory of a bundle with one case, not frozen."""
    root = tmp_path / "bundle"
    (root / "oracles" / "S-1").mkdir(parents=True)
    (root / "cases.json").write_text(json.dumps({"cases": [case()]}))
    (root / "provenance.json").write_text(json.dumps(provenance()))
    (root / "oracles" / "S-1" / "oracle.py").write_text(ORACLE)
    return root

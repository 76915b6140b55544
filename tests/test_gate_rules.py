"""The table of the gate's rules is the one that the tests give."""

from __future__ import annotations

import importlib.util
from pathlib import Path
from types import ModuleType

import pytest

ROOT = Path(__file__).resolve().parents[1]
OPEN = {"SMP-03"}
"""No record of a real model is there yet."""


@pytest.fixture(scope="module")
def rules() -> ModuleType:
    spec = importlib.util.spec_from_file_location("gate_rules", ROOT / "tests" / "gate_rules.py")
    assert spec is not None
    assert spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


def rows(page: str) -> dict[str, tuple[str, set[str]]]:
    found = [[cell.strip() for cell in line.split("|")[1:4]] for line in page.splitlines() if line.startswith("| ")]
    return {rule: (words, set(filter(None, tests.split(", ")))) for rule, words, tests in found[1:]}


def test_the_page_says_what_the_tests_say(rules: ModuleType) -> None:
    """``python tests/gate_rules.py > docs/gate-rules.md`` makes it; a test that it does not list yet is no lie."""
    said, held = rows((ROOT / "docs" / "gate-rules.md").read_text(encoding="utf-8")), rows(rules.page())
    assert list(said) == list(held)
    for rule, (words, tests) in said.items():
        assert words == held[rule][0]
        assert tests <= held[rule][1], f"{rule}: make the page again"
        assert bool(tests) is bool(held[rule][1]), f"{rule}: make the page again"


def test_every_rule_is_held_or_said_to_be_open(rules: ModuleType) -> None:
    found = rows(rules.page())
    assert {rule for rule, (words, tests) in found.items() if not tests and not words.startswith("replaced")} == OPEN


def test_names_and_ranges_are_read(rules: ModuleType) -> None:
    """Planted: what looks like a rule and is none."""
    assert list(rules.named("test_pat_07_sbx_21_x PAT-01 to 03, CLI-05; SPEC-10 to SPEC-11 and XPAT-07 PAT-123")) == [
        "PAT-07",
        "SBX-21",
        "PAT-01",
        "PAT-02",
        "PAT-03",
        "CLI-05",
        "SPEC-10",
        "SPEC-11",
    ]

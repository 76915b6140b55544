"""Known texts by other people: all compile, every character is accounted for, contradictions are found."""

from __future__ import annotations

import gzip
import json
from pathlib import Path

import pytest

from contracts.requirement import Requirement
from tasks.requirement.compiler import compile_requirement
from tasks.requirement.consistency import contradictions

pytestmark = pytest.mark.corpora
CONFLICTS = 120


def texts(folder: Path) -> list[str]:
    found = []
    for path in sorted((folder / "requirements").glob("*.json*")):
        lines = path.read_text(encoding="utf-8")
        cases = json.loads(lines) if path.suffix == ".json" else [json.loads(line) for line in lines.splitlines()]
        found += [case.get("requirement") or case["text"] for case in cases]
    return found


def test_every_text_compiles_and_every_character_is_in_one_fragment(corpora: Path) -> None:
    found = texts(corpora)
    assert len(found) > 80
    for text in found:
        spec = compile_requirement(Requirement(text=text), {})
        place = 0
        for fragment in spec.fragments:
            assert not text[place : fragment.span.start].strip()
            place = fragment.span.end
        assert not text[place:].strip()


def stated(case: dict[str, object], key: str) -> str:
    examples = case[key]
    assert isinstance(examples, list)
    return f"{case['requirement']}\n\n" + "\n".join(f"- {call} returns {value}" for call, value in examples)


def test_conflicting_examples_are_found_and_agreeing_ones_are_not(corpora: Path) -> None:
    path = corpora / "infeasible" / "conflicting-examples.jsonl.gz"
    cases = [json.loads(line) for line in gzip.decompress(path.read_bytes()).splitlines()][:CONFLICTS]
    missed = 0
    for case in cases:
        good, bad = (Requirement(text=stated(case, f"examples_{kind}")) for kind in ("ok", "conflicting"))
        assert not contradictions(compile_requirement(good, {})), case["id"]
        missed += not contradictions(compile_requirement(bad, {}))
    assert missed <= 0.05 * len(cases)

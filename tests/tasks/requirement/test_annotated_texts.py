"""The annotated texts of benchmarks/compile: what the issue asks to reach, held."""

from __future__ import annotations

import sys
from collections import Counter
from pathlib import Path

sys.path.insert(0, str(Path(__file__).parents[3]))

from benchmarks.compile.annotated import measure, texts


def test_conditionals_examples_and_kinds_of_the_annotated_texts() -> None:
    total: Counter[str] = Counter()
    failures: list[str] = []
    for case in texts():
        figures, found = measure(case)
        total.update(figures)
        failures += found
    assert total["texts"] >= 60
    assert total["conditionals_whole"] >= 0.98 * total["conditionals"], failures
    assert total["conditionals_wrong"] == total["expectations_not_stated"] == total["examples_wrong"] == 0, failures
    assert total["examples_found"] == total["examples"], failures
    assert total["artefact_right"] == total["texts"], failures

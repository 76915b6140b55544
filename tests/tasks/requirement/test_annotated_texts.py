"""The annotated texts of benchmarks/compile: what the issue asks to reach, held on the texts that were looked at.

`fresh.toml` and `last.toml` have a floor of their own: the grammar was hardly, or not, extended on them.
`bystanders.toml` must bind nothing.
"""

from __future__ import annotations

import sys
from collections import Counter
from pathlib import Path

sys.path.insert(0, str(Path(__file__).parents[3]))

from benchmarks.compile.annotated import measure, texts


def measured(*, fresh: bool) -> tuple[Counter[str], list[str]]:
    total: Counter[str] = Counter()
    failures: list[str] = []
    for case in texts():
        if case["id"].startswith(("fr-", "ls-")) == fresh:
            figures, found = measure(case)
            total.update(figures)
            failures += found
    return total, failures


def test_conditionals_examples_and_kinds_of_the_annotated_texts() -> None:
    total, failures = measured(fresh=False)
    assert total["texts"] >= 120
    assert total["conditionals_whole"] >= 0.98 * total["conditionals"], failures
    assert total["conditionals_wrong"] == total["expectations_not_stated"] == total["examples_wrong"] == 0, failures
    assert total["examples_found"] == total["examples"], failures
    assert total["artefact_right"] == total["texts"], failures


def test_texts_that_the_grammar_was_not_extended_on() -> None:
    """What is not read is left out and listed; what is read is right."""
    total, failures = measured(fresh=True)
    assert total["conditionals_whole"] >= 0.75 * total["conditionals"], failures
    assert total["conditionals_wrong"] == total["expectations_not_stated"] == total["examples_wrong"] == 0, failures
    assert total["examples_found"] == total["examples"], failures

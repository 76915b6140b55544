"""Known cases against git's outcome: no false apply, no false reject that no rule explains."""

from __future__ import annotations

import importlib.util
import json
import shutil
from pathlib import Path
from types import ModuleType

import pytest

MEASURE = Path(__file__).parents[4] / "benchmarks" / "patches" / "measure.py"


@pytest.fixture(scope="module")
def measure() -> ModuleType:
    specification = importlib.util.spec_from_file_location("measure_patches", MEASURE)
    assert specification
    assert specification.loader
    module = importlib.util.module_from_spec(specification)
    specification.loader.exec_module(module)
    return module


@pytest.mark.corpora
def test_corpus(corpora: Path, measure: ModuleType) -> None:
    """PAT-01 to PAT-39 on what people, models and tools wrote."""
    result = measure.measure(corpora, quick=False)
    assert result["cases"] == 264
    assert result["wrong"] == result["false_reject"] == 0
    assert result["agree"] >= 246
    assert result["rescued"] <= 10


def test_the_measure_sees_a_false_apply(tmp_path: Path, measure: ModuleType) -> None:
    """Law 7: a case that must be refused, and one whose tree is wrong."""
    base = tmp_path / "case" / "base"
    base.mkdir(parents=True)
    (base / "f").write_bytes(b"a\nb\nc\n")
    patch = tmp_path / "case" / "patch.diff"
    patch.write_bytes(b"--- a/f\n+++ b/f\n@@ -1,3 +1,3 @@\n a\n-b\n+x\n c\n")
    after = tmp_path / "after"
    shutil.copytree(base, after)
    (after / "f").write_bytes(b"a\nx\nc\n")

    def judged(outcome: str, tree: Path) -> str:
        expected = {"outcome": outcome, "files_after": measure.manifest(tree)}
        (tmp_path / "case" / "expect.json").write_text(json.dumps(expected))
        return str(measure.judge(tmp_path / "case")[0])

    assert judged("apply", after) == "agree"
    assert judged("apply", base) == "wrong_tree"
    assert judged("reject", base) == "false_apply"
    patch.write_bytes(patch.read_bytes().replace(b"-b", b"-y"))
    assert judged("apply", after) == "false_reject"
    assert judged("reject", base) == "agree"

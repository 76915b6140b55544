"""What the prompt teaches is what the applier reads (REP-16)."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from tasks.models.prompts import prompt
from tasks.repair.patch import PatchError, apply_patch

TEXT = prompt("patch")
EXAMPLES = re.findall(r"(?m)^((?:diff --git |--- a/).*\n(?:.+\n)+)", TEXT + "\n")


def test_it_orders_silent_thought_and_teaches_creation_deletion_and_modes() -> None:
    """REP-16."""
    for words in ("silently", "/dev/null", "old mode 100644", "new mode 100755"):
        assert words in TEXT


def test_its_examples_apply(tmp_path: Path) -> None:
    (tmp_path / "pkg").mkdir()
    (tmp_path / "pkg/tool.py").write_text("a line of context\nthe line to remove\n")
    (tmp_path / "run.sh").write_text("x\n")
    assert len(EXAMPLES) == 2
    for example in EXAMPLES:
        apply_patch(tmp_path, example)
    assert (tmp_path / "pkg/tool.py").read_text() == "a line of context\nthe line to put there\n"
    assert (tmp_path / "run.sh").stat().st_mode & 0o100


def test_an_example_that_does_not_apply_would_be_seen(tmp_path: Path) -> None:
    """Law 7."""
    with pytest.raises(PatchError):
        apply_patch(tmp_path, EXAMPLES[0])

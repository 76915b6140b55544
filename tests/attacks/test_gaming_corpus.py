"""The known corpus of candidates that game their graders: none is accepted, and no right one is rejected."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[2]


@pytest.mark.slow
@pytest.mark.corpora
@pytest.mark.parametrize("channel", ["apart", "expectations"])
def test_one_function_of_the_corpus(corpora: Path, channel: str) -> None:
    """All of it takes minutes: ``benchmarks/gate/gaming.py``."""
    command = [sys.executable, str(ROOT / "benchmarks" / "gate" / "gaming.py"), "--quick", "--channel", channel]
    environment = {**os.environ, "FORGE_CORPORA": str(corpora)}
    done = subprocess.run(command, env=environment, capture_output=True, text=True, check=False)
    told = json.loads(done.stdout.splitlines()[-1])
    assert told[channel] == {"candidates": 15, "wrong_accepted": 0, "right_rejected": 0}, done.stderr

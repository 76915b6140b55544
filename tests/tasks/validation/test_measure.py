"""The two error rates on a few programs of every sample: no wrong one accepted, no right one rejected."""

from __future__ import annotations

import json
import subprocess
import sys
from pathlib import Path

import pytest

import tasks

SCRIPT = Path(tasks.__file__).parents[1] / "benchmarks" / "judgement" / "measure.py"


@pytest.mark.slow
@pytest.mark.timeout(1_800)
def test_the_quick_measure_finds_no_error_of_either_kind():
    done = subprocess.run([sys.executable, str(SCRIPT), "--quick"], capture_output=True, text=True, check=False)
    result = json.loads(done.stdout.splitlines()[-1])
    assert result["rejected"] == []
    assert result["accepted"] == []
    assert (result["right"], result["wrong"]) == (3, 12)
    assert result["other_signature"] == []
    assert done.returncode == 0

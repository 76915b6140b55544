"""Orchestrators killed at random, and what is left of them: ``python benchmarks/perf/leaks.py [--quick] [--kills N]``.

Runs the leak test of the slow suite so many times over (DEC-15). The last line is one JSON object.
"""

from __future__ import annotations

import argparse
import json
import os
import subprocess
import sys
import time
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
TEST = "tests/sandbox/test_leaks.py::test_a_killed_orchestrator_leaves_nothing_however_often"


def main() -> None:
    """Run, print; exit status 1 if something was left."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--quick", action="store_true", help="200 kills, under a minute")
    parser.add_argument("--kills", type=int, default=20_000)
    chosen = parser.parse_args()
    kills = 200 if chosen.quick else chosen.kills
    started = time.monotonic()
    command = [sys.executable, "-m", "pytest", "-q", "-m", "slow", TEST]
    environment = {**os.environ, "FORGE_KILLS": str(kills)}
    status = subprocess.run(command, check=False, cwd=ROOT, env=environment, stdout=sys.stderr).returncode
    seconds = round(time.monotonic() - started, 1)
    print(json.dumps({"kills": kills, "left_nothing": status == 0, "seconds": seconds}))
    sys.exit(status != 0)


if __name__ == "__main__":
    main()

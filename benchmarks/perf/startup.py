"""How long ``forge --help`` takes, and what light commands import. The last line is one JSON object.

Times depend on the machine, so the help is also given as a ratio to an interpreter that does nothing.

    python benchmarks/perf/startup.py [--quick]
"""

from __future__ import annotations

import json
import os
import statistics
import subprocess
import sys
import tempfile
import time
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
FORGE = str(ROOT / "forge.py")
HEAVY = ("prefect", "z3", "docker", "boto3")
RUNS, QUICK_RUNS = 21, 5
TEXT = "Write a program that prints 3."


def main() -> int:
    """Measure, print, and return 1 where the audit finds an import that a light command must not make."""
    runs = QUICK_RUNS if "--quick" in sys.argv[1:] else RUNS
    with tempfile.TemporaryDirectory() as scratch:
        environment = {**os.environ, **{f"XDG_{kind}_HOME": scratch for kind in ("CONFIG", "DATA", "STATE")}}
        help_ms = _median_ms([sys.executable, FORGE, "--help"], runs, environment)
        bare_ms = _median_ms([sys.executable, "-c", "pass"], runs, environment)
        commands = {
            "--help": ["--help"],
            "verify": ["verify", f"{scratch}/none.json"],
            "view": ["view", f"{scratch}/none.json"],
            "compile": ["compile", TEXT],
        }
        imported = {name: _heavy_imports(arguments, environment) for name, arguments in commands.items()}
    print(f"forge --help {help_ms:.0f} ms, python -c pass {bare_ms:.0f} ms, {runs} runs, medians")
    for name, found in imported.items():
        print(f"{name}: {', '.join(found) or 'imports none of ' + ', '.join(HEAVY)}")
    result = {
        "help_ms_p50": round(help_ms, 1),
        "bare_ms_p50": round(bare_ms, 1),
        "help_ratio": round(help_ms / bare_ms, 2),
        "heavy_imports": imported,
        "runs": runs,
    }
    print(json.dumps(result))
    return 1 if any(imported.values()) else 0


def _median_ms(command: list[str], runs: int, environment: dict[str, str]) -> float:
    times = []
    for _ in range(runs + 1):
        begun = time.perf_counter()
        subprocess.run(command, check=True, stdout=subprocess.DEVNULL, env=environment)
        times.append((time.perf_counter() - begun) * 1000)
    return statistics.median(times[1:])  # the first one fills the caches


def _heavy_imports(arguments: list[str], environment: dict[str, str]) -> list[str]:
    """Which of `HEAVY` a command imports, as the interpreter itself tells."""
    command = [sys.executable, "-X", "importtime", FORGE, *arguments]
    told = subprocess.run(command, check=False, capture_output=True, text=True, env=environment).stderr
    names = {line.rpartition("|")[2].strip() for line in told.splitlines() if line.startswith("import time:")}
    if "typer" not in names:
        raise SystemExit("the audit saw no import of ours")
    return [name for name in HEAVY if name in names]


if __name__ == "__main__":
    sys.exit(main())

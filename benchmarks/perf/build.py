"""Wall time of the main job on the in-process engine, by stage, and what of it is not sandboxed runs.

The baseline is the same program started bare, as often as the build starts one in a sandbox (DEC-10). One JSON object
is the last line; `--quick` builds once instead of five times.
"""

from __future__ import annotations

import argparse
import json
import statistics
import subprocess
import sys
import tempfile
import time
from pathlib import Path
from typing import Any

sys.path.insert(0, str(Path(__file__).resolve().parents[2]))  # before this directory, whose sandbox.py hides the room

from contracts.evidence import BuildRequest
from contracts.isolation import SandboxPolicy
from contracts.settings import BuildSettings
from flows.build import build
from sandbox.session import Session

ROOT = Path(__file__).resolve().parents[2]
SAMPLE = ROOT / "examples" / "contracts"


class Meter:
    """Counts the exchanges with supervisors and the time spent waiting for them."""

    def __init__(self) -> None:
        self.seconds, self.runs = 0.0, 0
        exchange, opened = Session._exchange, Session.open

        def metered(session: Session, channel: Any, frame: Any, seconds: float) -> Any:
            self.runs += "argv" in frame
            return self._timed(exchange, session, channel, frame, seconds)

        Session._exchange = metered  # type: ignore[assignment, method-assign]  # the one place where waiting happens
        Session.open = lambda session: self._outer(opened, session)  # type: ignore[assignment, method-assign]
        self._depth = 0

    def _timed(self, function: Any, *args: Any) -> Any:
        if self._depth:
            return function(*args)
        return self._outer(function, *args)

    def _outer(self, function: Any, *args: Any) -> Any:
        begun = time.monotonic()
        self._depth += 1
        try:
            return function(*args)
        finally:
            self._depth -= 1
            if not self._depth:
                self.seconds += time.monotonic() - begun


def one_build(meter: Meter, backend: str) -> dict[str, Any]:
    """Build the sample once into a store of its own."""
    with tempfile.TemporaryDirectory() as directory:
        settings = BuildSettings(store=f"{directory}/store", policy=SandboxPolicy.model_validate({"backend": backend}))
        request = BuildRequest(
            requirement=SAMPLE.joinpath("requirement.md").read_text(encoding="utf-8"), settings=settings
        )
        meter.seconds, meter.runs = 0.0, 0
        begun = time.monotonic()
        report = build(request, out=Path(directory, "out"))
        wall = time.monotonic() - begun
    if report.status.value != "verified":
        raise SystemExit(f"the sample ended as {report.status.value}: {report.failures[:1]}")
    return {"wall_s": wall, "sandboxed_s": meter.seconds, "runs": meter.runs, "stages": dict(report.stage_ms)}


def bare_seconds(times: int) -> float:
    """Median wall time of one bare start of the sample's program, which ships with Forge and is trusted."""
    program = SAMPLE / "answers" / "1" / "main.py"
    with tempfile.TemporaryDirectory() as directory:
        Path(directory, "in.csv").write_text("contract_id,expiration_date\na,2030-01-01\n", encoding="utf-8")
        taken = []
        for _ in range(times):
            begun = time.monotonic()
            subprocess.run(
                [sys.executable, "-B", str(program), "in.csv", "out.csv", "--today", "2029-12-01"],
                cwd=directory, check=True, capture_output=True,
            )  # fmt: skip
            taken.append(time.monotonic() - begun)
    return statistics.median(taken)


def main() -> None:
    """Measure and print."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--quick", action="store_true")
    parser.add_argument("--sandbox", default="bubblewrap")
    options = parser.parse_args()
    meter = Meter()
    one_build(meter, options.sandbox)
    bare = bare_seconds(10 if options.quick else 30)
    builds = [one_build(meter, options.sandbox) for _ in range(1 if options.quick else 5)]
    wall = statistics.median(item["wall_s"] for item in builds)
    runs = builds[0]["runs"]
    stages = {name: round(statistics.median(item["stages"][name] for item in builds)) for name in builds[0]["stages"]}
    for name, spent in stages.items():
        print(f"{name:24} {spent:7} ms  {spent / wall / 10:5.1f} %")
    result = {
        "sandbox": options.sandbox,
        "wall_s": round(wall, 2),
        "not_sandboxed_s": round(statistics.median(item["wall_s"] - item["sandboxed_s"] for item in builds), 2),
        "runs": runs,
        "bare_ms_p50": round(bare * 1000, 1),
        "ratio_to_bare_runs": round(wall / (runs * bare), 2),
        "stage_ms": stages,
    }
    print(json.dumps(result))


if __name__ == "__main__":
    main()

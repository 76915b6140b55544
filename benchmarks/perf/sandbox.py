"""What a probe costs above a bare process, on each backend: ``python benchmarks/perf/sandbox.py [--quick]``.

Bare and sandboxed runs of the same trivial program take turns, so that a busy machine slows both alike. The last
line is one JSON object; a backend that does not work here has null.
"""

from __future__ import annotations

import argparse
import json
import statistics
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parents[2]))

from contracts.isolation import SandboxPolicy
from contracts.probe import CallProbe, CommandProbe
from sandbox.base import Sandbox, SandboxError
from sandbox.bubblewrap import binary, interpreter
from sandbox.opening import open_sandbox
from sandbox.session import Session
from sandbox.toolbox import toolbox

CODE = "pass"
PROBE = CommandProbe(id="p", argv=("python3", "-I", "-S", "-c", CODE))
MODULE = "import csv, dataclasses, datetime, decimal, json, re\ndef double(number): return number * 2\n"
BARE = [str(interpreter()), "-I", "-S", "-c", CODE]
BWRAP = [
    *("--unshare-all", "--die-with-parent", "--new-session", "--cap-drop", "ALL", "--clearenv"),
    *("--ro-bind", "/", "/", "--proc", "/proc", "--dev", "/dev", "--tmpfs", "/tmp"),
]


def main() -> None:
    """Measure, print."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--quick", action="store_true", help="fewer runs, under a minute")
    parser.add_argument("--runs", type=int, default=200)
    chosen = parser.parse_args()
    runs = min(40, chosen.runs) if chosen.quick else chosen.runs
    result: dict[str, float | int | None] = {"runs": runs}
    with tempfile.TemporaryDirectory() as name:
        tree = Path(name)
        tree.chmod(0o755)
        (tree / "module.py").write_text(MODULE, encoding="utf-8")
        for backend in ("bubblewrap", "docker"):
            policy = SandboxPolicy.model_validate({"backend": backend})
            try:
                result |= {f"{backend}_{key}": value for key, value in measure(policy, tree, runs).items()}
            except SandboxError as error:
                print(f"{backend}: {error}", file=sys.stderr)
                result |= {f"{backend}_overhead_ms_p50": None}
        result["throughput_two_workers_to_raw_bwrap"] = round(throughput(tree, runs), 2)
    print(json.dumps(result))


def measure(policy: SandboxPolicy, tree: Path, runs: int) -> dict[str, float]:
    """Times in ms of one opening, of probes one by one against bare runs, and of a batch."""
    with open_sandbox(policy, tree, toolbox()):
        pass  # the self-test is behind us
    started = time.perf_counter()
    with open_sandbox(policy, tree, toolbox()) as sandbox:
        opened = time.perf_counter() - started
        batch = timed(lambda: consume(sandbox, runs))
        per_probe = (opened * 1000 + batch) / runs
        pairs = [(timed(bare), timed(lambda: consume(sandbox, 1))) for _ in range(runs)]
    bare_ms, boxed_ms = sorted(pair[0] for pair in pairs), sorted(pair[1] for pair in pairs)
    overhead = sorted(boxed - plain for plain, boxed in pairs)
    result = {
        "open_ms": opened * 1000,
        "bare_ms_p50": statistics.median(bare_ms),
        "probe_ms_p50": statistics.median(boxed_ms),
        "overhead_ms_p50": statistics.median(boxed_ms) - statistics.median(bare_ms),
        "overhead_ms_p95": overhead[int(len(overhead) * 0.95)],
        "batch_overhead_ms_per_probe": per_probe - statistics.median(bare_ms),
        **calls(policy, tree, runs),
    }
    return {key: round(value, 1) for key, value in result.items()}


def calls(policy: SandboxPolicy, tree: Path, runs: int) -> dict[str, float]:
    """Times in ms of a call by a copy of an interpreter (DEC-10) and by one of its own, in turns."""
    with open_sandbox(policy, tree, toolbox()) as copying, open_sandbox(policy, tree, toolbox()) as starting:
        if not isinstance(copying, Session) or not isinstance(starting, Session):
            raise SystemExit("not the sandbox that is measured here")
        starting.warm = False
        times: dict[bool, list[float]] = {True: [], False: []}
        for number in range(runs + 1):
            probe = CallProbe(id="p", module="module", function="double", arguments=(number,))
            for sandbox in (copying, starting):
                times[sandbox.warm].append(timed(lambda sandbox=sandbox, probe=probe: list(sandbox.run([probe]))))  # type: ignore[misc]  # bound now
        warm, cold = (statistics.median(times[kind][1:]) for kind in (True, False))
    return {"call_warm_ms_p50": warm, "call_cold_ms_p50": cold, "call_cold_to_warm": cold / warm}


def throughput(tree: Path, runs: int) -> float:
    """Probes per second of two sandboxes side by side, as a share of what two loops over raw bwrap reach."""

    def boxed(_: int) -> None:
        with open_sandbox(SandboxPolicy(), tree, toolbox()) as sandbox:
            consume(sandbox, runs // 2)

    def raw(_: int) -> None:
        for _number in range(runs // 2):
            subprocess.run([str(binary()), *BWRAP, "--", *BARE], check=True)

    try:
        return timed(lambda: two(raw)) / timed(lambda: two(boxed))
    except (SandboxError, OSError, subprocess.CalledProcessError) as error:
        print(f"throughput: {error}", file=sys.stderr)
        return 0.0


def two(work: Callable[[int], None]) -> None:
    """The same work on two threads at once."""
    with ThreadPoolExecutor(2) as pool:
        list(pool.map(work, range(2)))


def consume(sandbox: Sandbox, count: int) -> None:
    """Run so many probes."""
    probes: Iterator[CommandProbe] = (PROBE for _ in range(count))
    for observation in sandbox.run(probes):
        if observation.exit_code != 0:
            raise SystemExit(f"a probe failed: {observation}")


def bare() -> None:
    """The same program without a sandbox."""
    subprocess.run(BARE, check=True, stdin=subprocess.DEVNULL, capture_output=True)


def timed(action: Callable[[], object]) -> float:
    """Milliseconds of one call."""
    started = time.perf_counter()
    action()
    return (time.perf_counter() - started) * 1000


if __name__ == "__main__":
    main()

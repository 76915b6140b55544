"""What evidence costs: sealing, signing, keeping and verifying, as ratios to SHA-256 of the same bytes.

Times depend on the machine and its load, so each is measured beside a baseline in the same run. The last line is one
JSON object.

    python -P benchmarks/perf/evidence.py [--quick]   (-P: a script beside this one is called as a room of ours)
"""

from __future__ import annotations

import argparse
import hashlib
import json
import os
import statistics
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable
from pathlib import Path

from contracts.canonical import Json
from contracts.evidence import BuildRequest, Entry, EntryKind, append
from contracts.settings import BuildSettings
from flows.build import build
from tasks.evidence import dsse
from tasks.evidence.signing import new_key
from tasks.evidence.store import DirectoryStore
from tasks.evidence.verify import verify_record

ROOT = Path(__file__).resolve().parents[2]
SAMPLE = ROOT / "examples" / "words" / "requirement.md"
QUICK_SAMPLE = ROOT / "examples" / "infeasible" / "requirement.md"
ENTRIES = 200
MEGABYTE = 1024 * 1024


def main() -> None:
    """Measure and print."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--quick", action="store_true", help="a record without a sandboxed run, fewer rounds")
    quick = parser.parse_args().quick
    rounds = 3 if quick else 15
    with tempfile.TemporaryDirectory() as name:
        scratch = Path(name)
        os.environ |= {f"XDG_{kind}_HOME": f"{scratch}/{kind}" for kind in ("CONFIG", "DATA", "STATE")}
        result = _sealing(scratch, rounds) | _storing(scratch, rounds, 4 if quick else 16)
        result |= _verifying(scratch, rounds, QUICK_SAMPLE if quick else SAMPLE)
    for key, value in result.items():
        print(f"{key:34} {value}")
    print(json.dumps(result))


def _sealing(scratch: Path, rounds: int) -> dict[str, float]:
    """A chain of 200 entries of a kilobyte, sealed and signed."""
    key = new_key(scratch / "key.pem")
    bodies: list[dict[str, Json]] = [{"number": number, "text": "x" * 1_000} for number in range(ENTRIES)]
    whole = json.dumps(bodies).encode()

    def seal() -> None:
        entries: tuple[Entry, ...] = ()
        for body in bodies:
            entry, _ = append(entries, EntryKind.FAULT, dict(body))
            entries = (*entries, entry)
        dsse.sign(entries[-1].digest.encode(), key)

    seconds, raw = _median(seal, rounds), _median(lambda: hashlib.sha256(whole).digest(), rounds)
    return {"seal_200_entries_ms_p50": _ms(seconds), "seal_ratio_to_sha256": round(seconds / raw, 1)}


def _storing(scratch: Path, rounds: int, megabytes: int) -> dict[str, float]:
    """One blob kept and read back, against hashing it once for each, and against writing and reading a plain file."""
    blob = os.urandom(megabytes * MEGABYTE)
    store, plain = DirectoryStore(scratch / "blobs"), scratch / "plain"
    written: list[float] = []
    for number in range(rounds):
        data = number.to_bytes(8, "big") + blob
        written.append(_once(lambda data=data: store.put(data)))  # type: ignore[misc] # bound now
    name = store.put(blob)
    read, raw = _median(lambda: store.get(name), rounds), _median(lambda: hashlib.sha256(blob).digest(), rounds)

    def durable() -> None:
        with plain.open("wb") as file:
            file.write(blob)
            os.fsync(file.fileno())

    writing, reading = _median(durable, rounds), _median(plain.read_bytes, rounds)
    put = statistics.median(written)
    return {
        "put_ms_per_mb_p50": _ms(put / megabytes),
        "put_ratio_to_sha256_and_write": round(put / (raw + writing), 2),
        "get_ms_per_mb_p50": _ms(read / megabytes),
        "get_ratio_to_sha256_and_read": round(read / (raw + reading), 2),
    }


def _verifying(scratch: Path, rounds: int, sample: Path) -> dict[str, float]:
    """A real record: verified by the library, and by the command against an interpreter that does nothing."""
    settings = BuildSettings(store=str(scratch / "store"))
    report = build(BuildRequest(requirement=sample.read_text("utf-8"), settings=settings), out=scratch / "out")
    file = Path(str(report.record))
    files = [path.read_bytes() for path in file.parent.rglob("*") if path.is_file()]
    raw = _median(lambda: [hashlib.sha256(data).digest() for data in files], rounds)
    library = _median(lambda: verify_record(file, integrity_only=True), rounds)
    environment = {name: value for name, value in os.environ.items() if name != "PYTHONDONTWRITEBYTECODE"}
    environment["PYTHONPYCACHEPREFIX"] = str(scratch / "compiled")  # as an installed Forge is

    def run(*words: str) -> float:
        call = [sys.executable, *words]
        return _median(lambda: subprocess.run(call, check=True, env=environment, stdout=subprocess.DEVNULL), rounds)

    whole, bare = run(str(ROOT / "forge.py"), "verify", str(file)), run("-c", "pass")
    return {
        "record_bytes": sum(map(len, files)),
        "verify_ms_p50": _ms(library),
        "verify_ratio_to_sha256": round(library / raw, 1),
        "verify_command_ms_p50": _ms(whole),
        "bare_ms_p50": _ms(bare),
        "verify_command_ratio_to_bare": round(whole / bare, 1),
    }


def _once(function: Callable[[], object]) -> float:
    begun = time.perf_counter()
    function()
    return time.perf_counter() - begun


def _median(function: Callable[[], object], rounds: int) -> float:
    function()  # fills the caches
    return statistics.median(_once(function) for _ in range(rounds))


def _ms(seconds: float) -> float:
    return round(seconds * 1000, 2)


if __name__ == "__main__":
    main()

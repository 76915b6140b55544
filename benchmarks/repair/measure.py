"""The samples that fail, mended by their scripted proposals: rounds, verdicts, and what judging costs.

``python benchmarks/repair/measure.py [--quick] [--records]`` repairs the failing candidate of each sample whose task
has scripted proposals (``--quick``: the first sample). ``--records`` puts the records where the tests verify them,
signed by a key that is thrown away; its public half stands beside them. The last line is one JSON object.
"""

from __future__ import annotations

import argparse
import json
import shutil
import sys
import tempfile
import time
from pathlib import Path
from typing import Any

ROOT = Path(__file__).parents[2]
sys.path.insert(0, str(ROOT))

from contracts.gate import CheckRequest
from contracts.repair import RepairRequest
from flows.repair import repair
from tasks.evidence.signing import SigningKey, new_key, public_pem
from tasks.gate.spec import read_task
from tasks.repair.scripted import Scripted

RECORDS = "records/repaired"


def measure(sample: Path, scratch: Path, key: SigningKey, *, keep: bool) -> dict[str, Any]:
    """Repair one sample; with ``keep`` its record takes the place of the one that is checked in."""
    task, overlay = read_task(sample / "task.yaml")
    request = CheckRequest(
        task=task,
        overlay=str(overlay) if overlay is not None else None,
        candidate=str(sample / "fail"),
        base=str(sample / "base"),
        store=str(scratch / "store"),
    )
    out = scratch / sample.name
    begun = time.monotonic()
    report = repair(RepairRequest(check=request), Scripted(task.spec), out=out, key=key)
    spent = time.monotonic() - begun
    if keep:
        shutil.rmtree(sample / RECORDS, ignore_errors=True)
        shutil.copytree(out, sample / RECORDS)
        (sample / RECORDS / "signer.pem").write_bytes(public_pem(key.public))
    return {
        "sample": sample.name,
        "status": report.status.value,
        "stopped": report.stopped.value,
        "rounds": report.rounds,
        "refused": sum(bool(proposal.rejections) for proposal in report.proposals),
        "attempts": 1 + sum(proposal.attempt is not None for proposal in report.proposals),
        "seconds": round(spent, 1),
        "stage_ms": report.stage_ms,
    }


def main() -> int:
    """Status 0 iff every sample was mended."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--quick", action="store_true", help="the first sample only")
    parser.add_argument("--records", action="store_true", help="replace the records that are checked in")
    options = parser.parse_args()
    samples = sorted(path.parent for path in (ROOT / "examples").glob("*/proposals"))
    with tempfile.TemporaryDirectory() as name:
        key = new_key(Path(name) / "key")
        rows = [
            measure(sample, Path(name), key, keep=options.records) for sample in samples[: 1 if options.quick else None]
        ]
    for row in rows:
        print(f"{row['sample']}: {row['status']} after {row['rounds']} rounds, {row['seconds']} s", flush=True)
    print(json.dumps({"samples": rows, "quick": options.quick}))
    return 0 if all(row["status"] == "PASS" for row in rows) else 1


if __name__ == "__main__":
    sys.exit(main())

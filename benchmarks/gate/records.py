"""Makes the records of the gate's samples again, after a change of what a judgement says.

``python benchmarks/gate/records.py [SAMPLE...]``. Each is signed by a key that is kept nowhere; its public half lies
beside the record. The last line is one JSON object.
"""

from __future__ import annotations

import json
import shutil
import sys
import tempfile
from pathlib import Path

ROOT = Path(__file__).parents[2]
sys.path.insert(0, str(ROOT))

from contracts.gate import CheckRequest
from flows.check import check
from tasks.evidence.signing import new_key, public_pem
from tasks.gate.spec import read_task

SAMPLES = ("gate-python", "gate-javascript")
CHANGES = ("pass", "fail")


def main() -> int:
    """Make them, and say how each ended."""
    ended = {}
    for name in sys.argv[1:] or SAMPLES:
        for change in CHANGES:
            ended[f"{name}/{change}"] = _make(ROOT / "examples" / name, change)
    print(json.dumps(ended))
    return 0


def _make(sample: Path, change: str) -> str:
    task, overlay = read_task(sample / "task.yaml")
    out = sample / "records" / change
    shutil.rmtree(out, ignore_errors=True)
    out.parent.mkdir(exist_ok=True)
    with tempfile.TemporaryDirectory() as scratch:
        key = new_key(Path(scratch, "key"))
        request = CheckRequest(
            task=task,
            overlay=str(overlay),
            candidate=str(sample / change),
            base=str(sample / "base"),
            store=str(Path(scratch, "store")),
        )
        report = check(request, out=out, name=f"{sample.name}-{change}", key=key)
        (out / "signer.pem").write_bytes(public_pem(key.public))
    return report.status.value


if __name__ == "__main__":
    sys.exit(main())

"""How often the judge errs: wrong programs accepted, right programs rejected (law 7).

``python benchmarks/judgement/measure.py [--quick] [--sample NAME]`` judges the programs of ``programs.toml`` as a
build would, one line each, and prints one JSON object at the end.
"""

from __future__ import annotations

import argparse
import json
import sys
import tempfile
import time
import tomllib
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

ROOT = Path(__file__).parents[2]
sys.path.insert(0, str(ROOT))

from benchmarks.judgement.court import Court, court
from contracts.verdict import ValidationArtifact

QUICK_WRONG = 4


@dataclass
class Program:
    """A program of the table, as the sample's last answer with changes."""

    sample: str
    name: str
    right: bool = False
    signature: str | None = None
    slow: bool = False
    edits: list[list[str]] = field(default_factory=list)
    files: dict[str, str] = field(default_factory=dict)
    remove: list[str] = field(default_factory=list)
    rename: dict[str, str] = field(default_factory=dict)

    def write(self, tree: Path) -> None:
        """Write the program's files below ``tree``."""
        base = max((ROOT / "examples" / self.sample / "answers").iterdir())
        content = {str(path.relative_to(base)): path.read_text() for path in base.rglob("*") if path.is_file()}
        for path, old, new in self.edits:
            if old not in content[path]:
                raise ValueError(f"{self.sample}, {self.name}: {path} does not hold {old!r}")
            content[path] = content[path].replace(old, new)
        content = {self.rename.get(path, path): text for path, text in (content | self.files).items()}
        for path, text in content.items():
            if path not in self.remove:
                (tree / path).parent.mkdir(parents=True, exist_ok=True)
                (tree / path).write_text(text)


def programs() -> list[Program]:
    """All programs of the table."""
    table = tomllib.loads((Path(__file__).parent / "programs.toml").read_text())
    return [Program(**item) for item in table["program"]]


def judged(hall: Court, program: Program) -> ValidationArtifact:
    """The artifact of ``program``."""
    with tempfile.TemporaryDirectory() as name:
        program.write(Path(name))
        return hall.judge(Path(name))


def chosen(sample: str, quick: bool) -> list[Program]:
    """The programs of a sample; quick: the first right one and a few wrong ones spread over the table."""
    own = [item for item in programs() if item.sample == sample]
    if not quick:
        return own
    right, wrong = [item for item in own if item.right], [item for item in own if not item.right and not item.slow]
    return right[:1] + wrong[:: max(1, len(wrong) // QUICK_WRONG)][:QUICK_WRONG]


def measure(samples: Sequence[str], quick: bool) -> dict[str, Any]:
    """Judge, report each program on a line, and count."""
    started, counts = time.monotonic(), Counter[str]()
    accepted, rejected, other, caught = [], [], [], Counter[str]()
    with tempfile.TemporaryDirectory() as store:
        for sample in samples:
            hall = court((ROOT / "examples" / sample / "requirement.md").read_text(), store)
            for program in chosen(sample, quick):
                artifact = judged(hall, program)
                first = artifact.failures[0] if artifact.failures else None
                name = f"{sample}: {program.name}"
                counts["right" if program.right else "wrong"] += 1
                if program.right and first:
                    rejected.append({"program": name, "signature": first.signature, "detail": first.detail})
                if not program.right and not first:
                    accepted.append(name)
                if not program.right and first:
                    caught[artifact.layers[-1].layer] += 1
                    if first.signature != program.signature:
                        other.append({"program": name, "expected": program.signature, "got": first.signature})
                print(f"{name}: {first.signature if first else 'accepted'}", flush=True)
    return {
        "right": counts["right"],
        "wrong": counts["wrong"],
        "wrong_accepted": len(accepted),
        "right_rejected": len(rejected),
        "accepted": accepted,
        "rejected": rejected,
        "other_signature": other,
        "caught_by_layer": dict(caught),
        "quick": quick,
        "seconds": round(time.monotonic() - started, 1),
    }


def main() -> int:
    """Status 0 iff no wrong program was accepted and no right one rejected."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--quick", action="store_true", help="a few programs of each sample, under a minute")
    parser.add_argument("--sample", action="append", choices=("contracts", "empty", "words"))
    options = parser.parse_args()
    result = measure(options.sample or ("words", "empty", "contracts"), options.quick)
    print(json.dumps(result))
    return 1 if result["wrong_accepted"] or result["right_rejected"] else 0


if __name__ == "__main__":
    sys.exit(main())

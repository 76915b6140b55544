"""How often the judge errs on programs of other people: HumanEval, QuixBugs, Exercism (law 7, DEC-15).

``python benchmarks/judgement/corpora.py [--quick] [--suite NAME] [--tasks N] [--right N] [--wrong N] [--seed N]``
reads the folder that FORGE_CORPORA names, takes two other right programs of a task as readings where there are three,
judges a sample of right and wrong ones with and without readings, and prints one JSON object at the end.
"""

from __future__ import annotations

import argparse
import gzip
import json
import os
import random
import sys
import tempfile
import time
from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

sys.path.insert(0, str(Path(__file__).parents[2]))

from benchmarks.judgement.court import Court, court
from contracts.verdict import Failure, FailureSignature, ValidationArtifact

SUITES = ("humaneval", "quixbugs", "exercism")
QUICK = {"tasks": 1, "right": 1, "wrong": 2}
Z = 1.96


@dataclass
class Task:
    """A requirement, and programs by whether they are right."""

    name: str
    text: str
    right: list[str] = field(default_factory=list)
    wrong: list[str] = field(default_factory=list)


def tasks_of(folder: Path, suite: str) -> list[Task]:
    """The tasks of a suite, in its order; a program that stands there twice counts once."""
    lines = (folder / f"{suite}-tasks.jsonl").read_text().splitlines()
    found = {item["task"]: Task(item["task"], item["requirement"]) for item in map(json.loads, lines)}
    for label in ("right", "wrong"):
        with gzip.open(folder / f"{suite}-{label}.jsonl.gz", "rt") as file:
            for item in map(json.loads, file):
                programs = getattr(found[item["task"]], label)
                if item["source"] not in programs:
                    programs.append(item["source"])
    return list(found.values())


def outcome(artifact: ValidationArtifact) -> str:
    """``verified``, ``undecided`` where nobody is at fault, or ``failed``."""
    if artifact.passed:
        return "verified"
    weak = {FailureSignature.INSUFFICIENT_EVIDENCE, FailureSignature.UNPROVEN_REQUIREMENT}
    return "undecided" if all(item.signature in weak for item in artifact.failures) else "failed"


@dataclass
class Sitting:
    """What became of the programs judged: outcomes by how many readings there were and by the truth."""

    folder: Path
    counts: Counter[tuple[str, str, str]] = field(default_factory=Counter)
    notes: list[dict[str, str]] = field(default_factory=list)
    ambiguous: int = 0
    unjudged: int = 0

    def task(self, task: Task, right: int, wrong: int, rng: random.Random) -> None:
        """Judge a sample of the programs of ``task``, each with two readings where there are so many, and without."""
        own = rng.sample(task.right, len(task.right))
        readings = own[1:3] if len(own) > 2 else []
        judged = {"right": [own[0], *own[3:]][:right], "wrong": rng.sample(task.wrong, min(wrong, len(task.wrong)))}
        with tempfile.TemporaryDirectory(dir=self.folder) as name:
            base = Path(name)
            places = [_written(base / f"reading{number}", text) for number, text in enumerate(readings)]
            for some in [places, []] if places else [[]]:
                hall = court(task.text, str(base / "store"), some)
                if not hall.spec.functions:
                    self.unjudged += 1
                    print(f"{task.name}: its text names no function")
                    return
                if hall.readings.failures:
                    self.ambiguous += 1
                    self._note(task, "readings", "ambiguous", hall.readings.failures)
                    continue
                self._judge(task, hall, judged if some else {label: few[:1] for label, few in judged.items()}, base)

    def _judge(self, task: Task, hall: Court, judged: dict[str, list[str]], base: Path) -> None:
        admitted = str(hall.readings.admitted)
        for truth, programs in judged.items():
            for number, text in enumerate(programs):
                artifact = hall.judge(_written(base / f"{truth}{number}-{admitted}", text))
                found = outcome(artifact)
                self.counts[admitted, truth, found] += 1
                print(f"{task.name}: {truth} with {admitted} readings: {found}", flush=True)
                wanted = {"right": "verified" if admitted == "2" else "undecided", "wrong": "failed"}[truth]
                if found != wanted:
                    self._note(task, truth, found, artifact.failures)

    def _note(self, task: Task, what: str, found: str, failures: Sequence[Failure]) -> None:
        details = [
            f"{item.signature}: {item.detail} ({item.witness.command}: {item.witness.observed})"
            if item.witness
            else f"{item.signature}: {item.detail}"
            for item in failures[:1]
        ]
        self.notes.append({"task": task.name, "program": what, "outcome": found, "detail": "".join(details)[:600]})


def _written(directory: Path, text: str) -> Path:
    directory.mkdir(exist_ok=True)
    (directory / "solution.py").write_text(text)
    return directory


def _rates(counts: Counter[tuple[str, str, str]]) -> Iterator[dict[str, Any]]:
    """By readings and truth: how many ended how, and the interval of the share that is an error (Wilson, 95 %)."""
    for admitted, truth in sorted({key[:2] for key in counts}):
        ended = {found: counts[admitted, truth, found] for found in ("verified", "undecided", "failed")}
        errors, total = ended["verified" if truth == "wrong" else "failed"], sum(ended.values())
        yield {"readings": int(admitted), "truth": truth, **ended, "error_interval": _interval(errors, total)}


def _interval(errors: int, total: int) -> list[float]:
    share, square = errors / total, Z * Z / total
    middle = (share + square / 2) / (1 + square)
    half = Z / (1 + square) * (share * (1 - share) / total + square / (4 * total)) ** 0.5
    return [round(max(0.0, middle - half), 4), round(min(1.0, middle + half), 4)]


def measure(folder: Path, suites: Sequence[str], options: argparse.Namespace) -> dict[str, Any]:
    """Judge a sample of each suite."""
    started, rng = time.monotonic(), random.Random(options.seed)
    with tempfile.TemporaryDirectory() as name:
        sitting = Sitting(Path(name))
        for suite in suites:
            tasks = tasks_of(folder / "programs", suite)
            for task in rng.sample(tasks, min(options.tasks, len(tasks))):
                sitting.task(task, options.right, options.wrong, rng)
    counts = sitting.counts
    errors = Counter[tuple[str, str]]()
    for (_, truth, found), count in counts.items():
        errors[truth, found] += count
    return {
        "wrong_accepted": errors["wrong", "verified"],
        "right_rejected": errors["right", "failed"],
        "rates": list(_rates(counts)),
        "ambiguous": sitting.ambiguous,
        "without_a_function": sitting.unjudged,
        "notes": sitting.notes,
        "quick": options.quick,
        "seconds": round(time.monotonic() - started, 1),
    }


def main() -> int:
    """Status 0 iff no wrong program was accepted; without the corpora it says so."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--quick", action="store_true", help="one task of HumanEval and QuixBugs each, under a minute")
    parser.add_argument("--suite", action="append", choices=SUITES)
    parser.add_argument("--tasks", type=int, default=12)
    parser.add_argument("--right", type=int, default=3)
    parser.add_argument("--wrong", type=int, default=6)
    parser.add_argument("--seed", type=int, default=1)
    options = parser.parse_args()
    folder = Path(os.environ.get("FORGE_CORPORA", ""))
    if not (folder / "programs").is_dir():
        print(json.dumps({"skipped": "FORGE_CORPORA names no folder with programs"}))
        return 0
    if options.quick:
        vars(options).update(QUICK)
    result = measure(folder, options.suite or SUITES[:2], options)
    print(json.dumps(result))
    return 1 if result["wrong_accepted"] else 0


if __name__ == "__main__":
    sys.exit(main())

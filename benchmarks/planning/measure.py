"""Measure planning: ``[FORGE_CORPORA=DIR] python benchmarks/planning/measure.py [--quick]``.

Of requirements that nothing can satisfy: how many are proven so, by family, and in words that were not written for the
prover. Of those that something can satisfy: how many are wrongly proven or refused, which must be none. Every
certificate is checked again from its text, must have been found within a second, and each of its relaxations must make
the rest satisfiable. Prints a line for each miss and, as its last line, one JSON object. ``--quick`` leaves out most of
the known corpora.
"""

from __future__ import annotations

import argparse
import gzip
import json
import os
import statistics
import sys
import time
import tomllib
from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

sys.path.insert(0, str(Path(__file__).parents[2]))

from contracts.plan import FeasiblePlan, InfeasibilityCertificate
from contracts.requirement import Requirement
from tasks.planning import lenses
from tasks.planning.bounds import settled
from tasks.planning.planner import check_claim, plan
from tasks.planning.solving import refuted
from tasks.requirement.compiler import compile_requirement

CASES = Path(__file__).with_name("cases.toml")
BLIND = Path(__file__).with_name("blind.toml")


@dataclass
class Tally:
    """What was seen so far."""

    there: Counter[str] = field(default_factory=Counter)
    proven: Counter[str] = field(default_factory=Counter)
    refused: int = 0
    wrong: list[str] = field(default_factory=list)
    faults: list[str] = field(default_factory=list)
    seconds: list[float] = field(default_factory=list)
    checkers: Counter[str] = field(default_factory=Counter)
    found_by: Counter[str] = field(default_factory=Counter)
    feasible: int = 0

    def never(self, family: str, text: str) -> None:
        """A text that nothing satisfies: proven, refused as a contradiction, or missed."""
        self.there[family] += 1
        found, seconds = planned(text)
        if isinstance(found, FeasiblePlan):
            self.refused += bool(found.failures)
            print(f"not proven ({family}{', but refused' if found.failures else ''}): {text}")
            return
        self.proven[family] += 1
        self.seconds.append(seconds)
        self.checkers[found.checker] += 1
        self.found_by[found.lens] += 1
        fault = useless(found) or ("it took more than a second" if seconds > 1 else None)
        self.faults += [f"{text}: {fault}"] if fault else []

    def possible(self, text: str) -> None:
        """A text that something satisfies."""
        self.feasible += 1
        found, _ = planned(text)
        if not isinstance(found, FeasiblePlan) or found.failures:
            self.wrong.append(text)
            print(f"WRONG: {text}")

    def figures(self) -> dict[str, Any]:
        """The figures as JSON."""
        total = max(1, sum(self.there.values()))
        return {
            "infeasible": total,
            "infeasible_proven": sum(self.proven.values()),
            "infeasible_proven_percent": round(100 * sum(self.proven.values()) / total, 1),
            "infeasible_refused_otherwise": self.refused,
            "families": {family: f"{self.proven[family]} of {count}" for family, count in self.there.items()},
            "feasible": self.feasible,
            "feasible_wrong": len(self.wrong),
            "certificate_faults": self.faults,
            "certificate_seconds_p50": round(statistics.median(self.seconds or [0]), 3),
            "certificate_seconds_max": round(max(self.seconds, default=0), 2),
            "checkers": dict(self.checkers),
            "lenses": dict(self.found_by),
        }


def planned(text: str) -> tuple[FeasiblePlan | InfeasibilityCertificate, float]:
    """Plan, and its processor time; a certificate must hold against the text."""
    requirement = Requirement(text=text)
    spec = compile_requirement(requirement, {})
    started = time.process_time()
    found = plan(spec, requirement)
    seconds = time.process_time() - started
    if isinstance(found, InfeasibilityCertificate) and (problem := check_claim(found, spec, requirement)):
        raise AssertionError(f"{text}: {problem}")
    return found, seconds


def useless(found: InfeasibilityCertificate) -> str | None:
    """A relaxation, a constraint dropped included, that leaves a contradiction: by the solver, not by the checker."""
    for weaker in found.relaxations:
        kept = [item for item in found.constraints if item.id != weaker.constraint]
        if weaker.expression is not None:
            (old,) = (item for item in found.constraints if item.id == weaker.constraint)
            kept.append(old.model_copy(update={"expression": weaker.expression}))
        if refuted(settled((*kept, *found.implied), found.given), found.continuous):
            return f"the relaxation of {weaker.constraint} does not help"
    return None


def known(folder: Path, step: int) -> Iterator[tuple[str, str]]:
    """Name and text of the known requirements: what people wrote, and examples that agree with each other."""
    for path in sorted([*(folder / "requirements").glob("*.json*"), *(folder / "programs").glob("*-tasks.jsonl")]):
        content = path.read_text(encoding="utf-8")
        cases = json.loads(content) if path.suffix == ".json" else [json.loads(line) for line in content.splitlines()]
        for case in cases[::step]:
            name = case.get("case_id") or case.get("id") or case["task"]
            yield f"{path.stem}/{name}", case.get("requirement") or case["text"]
    data = gzip.decompress((folder / "infeasible" / "conflicting-examples.jsonl.gz").read_bytes())
    for case in map(json.loads, data.splitlines()[::step]):
        stated = "\n".join(f"- {call} returns {value}" for call, value in case["examples_ok"])
        yield case["id"], f"{case['requirement']}\n\n{stated}"


def main() -> int:
    """Measure all cases; 1 if a feasible one is proven infeasible or refused, or a certificate has a fault."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--quick", action="store_true")
    quick = parser.parse_args().quick
    for name in lenses.NAMES:
        lenses.load(name).unavailable()
    planned("Write a program that chooses two integers x and y. x < y. y < x. The wait is 3 s.")  # libraries are loaded
    own, blind = Tally(), Tally()
    cases = tomllib.loads(CASES.read_text(encoding="utf-8"))
    for tally, pairs in ((own, cases["pair"]), (blind, tomllib.loads(BLIND.read_text(encoding="utf-8"))["pair"])):
        for pair in pairs:
            tally.never(pair["family"], pair["never"])
            tally.possible(pair["possible"])
    for text in (text for group in cases["feasible"] for text in group["texts"]):
        own.possible(text)
    figures = {**own.figures(), "other_words": blind.figures()}
    corpora = os.environ.get("FORGE_CORPORA")
    if corpora and Path(corpora).is_dir():
        texts = list(known(Path(corpora), 10 if quick else 1))
        ends = {name: planned(text)[0] for name, text in texts}
        figures["known"] = len(texts)
        figures["known_claims"] = [name for name, end in ends.items() if not isinstance(end, FeasiblePlan)]
        figures["known_refused"] = [
            name for name, end in ends.items() if isinstance(end, FeasiblePlan) and end.failures
        ]
    print(json.dumps(figures))
    return 1 if own.wrong or blind.wrong or own.faults or blind.faults else 0


if __name__ == "__main__":
    raise SystemExit(main())

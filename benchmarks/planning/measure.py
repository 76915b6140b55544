"""Measure planning: ``[FORGE_CORPORA=DIR] python benchmarks/planning/measure.py [--quick]``.

Of requirements that nothing can satisfy: how many are proven so. Of those that something can satisfy: how many are
wrongly proven, which must be none. Every certificate is checked again from its text, must have been found within a
second, and each of its relaxations must make the rest satisfiable. Prints a line for each miss and, as its last line,
one JSON object. ``--quick`` leaves out most of the known corpora.
"""

from __future__ import annotations

import argparse
import json
import os
import sys
import time
import tomllib
from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

sys.path.insert(0, str(Path(__file__).parents[2]))

from contracts.plan import Constraint, InfeasibilityCertificate
from contracts.requirement import Requirement
from tasks.planning.lenses.formal import at_input, refuted
from tasks.planning.planner import check_claim, plan
from tasks.requirement.compiler import compile_requirement

CASES = Path(__file__).with_name("cases.toml")


@dataclass(frozen=True, slots=True)
class Answer:
    """A certificate, if one was issued, what is wrong with it, and how long it took."""

    certificate: InfeasibilityCertificate | None
    fault: str | None
    seconds: float


def answer(text: str) -> Answer:
    """Plan one text, and hold a certificate against the text again."""
    requirement = Requirement(text=text)
    spec = compile_requirement(requirement, {})
    started = time.process_time()
    found = plan(spec, requirement)
    seconds = time.process_time() - started
    if not isinstance(found, InfeasibilityCertificate):
        return Answer(None, None, seconds)
    return Answer(found, check_claim(found, spec, requirement) or useless(found), seconds)


def useless(found: InfeasibilityCertificate) -> str | None:
    """A relaxation, or a constraint dropped, that leaves a contradiction: by the solver, not by the checker."""
    given = {item.variable: item.value for item in found.given}
    for item in found.constraints:
        if refuted(at_input([other for other in found.constraints if other is not item], given)):
            return f"without {item.text!r} the rest still contradicts itself"
    for weaker in found.relaxations:
        instead = [_put(item, weaker.constraint, weaker.expression) for item in found.constraints]
        if refuted(at_input(instead, given)):
            return f"the relaxation of {weaker.constraint} does not help"
    return None


def _put(item: Constraint, name: str, expression: object) -> Constraint:
    return item.model_copy(update={"expression": expression}) if item.id == name else item


def known(folder: Path, step: int) -> Iterator[tuple[str, str, str | None]]:
    """Name, text and label of the known requirements; the labels are questions, not truth."""
    for path in sorted((folder / "requirements").glob("*.json*")):
        content = path.read_text(encoding="utf-8")
        cases = json.loads(content) if path.suffix == ".json" else [json.loads(line) for line in content.splitlines()]
        for case in cases[::step]:
            text = case.get("requirement") or case["text"]
            yield case.get("case_id") or case["id"], text, case.get("expected_terminal_status")


def main() -> int:
    """Measure all cases; 1 if a feasible one is proven infeasible or a certificate has a fault."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--quick", action="store_true")
    quick = parser.parse_args().quick
    cases = tomllib.loads(CASES.read_text(encoding="utf-8"))
    proven, there, wrong, faults, slowest = Counter[str](), Counter[str](), [], [], 0.0
    feasible = [pair["possible"] for pair in cases["pair"]]
    feasible += [text for group in cases["feasible"] for text in group["texts"]]
    for pair in cases["pair"]:
        found = answer(pair["never"])
        there[pair["family"]] += 1
        proven[pair["family"]] += found.certificate is not None
        faults += [f"{pair['never']}: {found.fault}"] if found.fault else []
        slowest = max(slowest, found.seconds)
        if found.certificate is None:
            print(f"not proven ({pair['family']}): {pair['never']}")
    for text in feasible:
        if answer(text).certificate is not None:
            wrong.append(text)
            print(f"WRONGLY PROVEN: {text}")
    claims: dict[str, str | None] = {}
    corpora = os.environ.get("FORGE_CORPORA")
    if corpora and Path(corpora).is_dir():
        texts = known(Path(corpora), 5 if quick else 1)
        claims = {name: label for name, text, label in texts if answer(text).certificate is not None}
    lowered = [family for family in there if proven[family]]
    print(
        json.dumps(
            {
                "infeasible": sum(there.values()),
                "infeasible_proven": sum(proven.values()),
                "infeasible_proven_percent": round(100 * sum(proven.values()) / sum(there.values()), 1),
                "families": {family: f"{proven[family]} of {count}" for family, count in there.items()},
                "lowered_families_percent": round(
                    100 * sum(proven[item] for item in lowered) / max(1, sum(there[item] for item in lowered)), 1
                ),
                "feasible": len(feasible),
                "feasible_wrongly_proven": len(wrong),
                "certificate_faults": faults,
                "slowest_certificate_seconds": round(slowest, 2),
                "known_claims": claims,
            }
        )
    )
    return 1 if wrong or faults else 0


if __name__ == "__main__":
    raise SystemExit(main())

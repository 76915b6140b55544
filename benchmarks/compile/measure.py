"""Measure the compiler on texts it was not written for: ``FORGE_CORPORA=DIR python benchmarks/compile/measure.py``.

Prints one line for each text and, as its last line, one JSON object. Times are of the processor; ``two_pages`` is the
best of five for 6,000 characters of annotated texts. ``--quick`` takes every fifth text.
"""

from __future__ import annotations

import argparse
import gzip
import json
import os
import re
import sys
import time
from collections import Counter
from collections.abc import Iterator
from pathlib import Path
from typing import Any

sys.path.insert(0, str(Path(__file__).parents[2]))

from benchmarks.compile.annotated import texts as annotated
from contracts.requirement import BuildSpec, Requirement
from tasks.planning.planner import plan
from tasks.requirement.compiler import compile_requirement
from tasks.requirement.consistency import contradictions, open_questions

TWO_PAGES = 6_000
_CONDITION = re.compile(r"\b(?:if|when|whenever|unless|otherwise)\b", re.IGNORECASE)


def texts(folder: Path) -> Iterator[tuple[str, str, str | None]]:
    """Name, text and expected terminal status of every known requirement."""
    for path in sorted((folder / "requirements").glob("*.json*")):
        content = path.read_text(encoding="utf-8")
        cases = json.loads(content) if path.suffix == ".json" else [json.loads(line) for line in content.splitlines()]
        for case in cases:
            name = case.get("case_id") or case["id"]
            yield name, case.get("requirement") or case["text"], case.get("expected_terminal_status")


def visible(text: str) -> int:
    """Characters that are not white space."""
    return len("".join(text.split()))


def measure(text: str) -> dict[str, Any]:
    """Figures of one text."""
    requirement = Requirement(text=text)
    started = time.process_time()
    spec = compile_requirement(requirement, {})
    elapsed = time.process_time() - started
    found = plan(spec, requirement)
    triggers = Counter(item.kind.value for known in spec.conditional_obligations for item in known.triggers)
    return {
        "characters": visible(text),
        "bound": visible(text) - sum(visible(text[span.start : span.end]) for span in spec.unbound),
        "condition_words": len(_CONDITION.findall(text)),
        "condition_words_read": _read_words(text, spec),
        "conditionals": len(spec.conditional_obligations),
        "conditionals_whole": sum(not known.unparsed for known in spec.conditional_obligations),
        "triggers": dict(triggers),
        "consequences": sum(len(known.consequences) for known in spec.conditional_obligations),
        "examples_stated": sum(atom.category == "example" for atom in spec.requirement_atoms),
        "examples_run": len(spec.examples),
        "open_questions": len(open_questions(spec)),
        "infeasible": found.kind == "certificate",
        "milliseconds": round(elapsed * 1000, 1),
    }


def _read_words(text: str, spec: BuildSpec) -> int:
    """Words that open a condition and lie in a conditional, its other branch, or an example."""
    spans = [known.span for known in spec.conditional_obligations]
    spans += [known.otherwise for known in spec.conditional_obligations if known.otherwise is not None]
    spans += [atom.span for atom in spec.requirement_atoms if atom.category == "example"]
    places = [match.start() for match in _CONDITION.finditer(text)]
    return sum(any(span.start <= place < span.end for span in spans) for place in places)


def two_pages() -> float:
    """Milliseconds of the processor for a text of two pages, dense with conditions: the best of five."""
    words = "\n\n".join(case["words"] for case in annotated())[:TWO_PAGES]
    return min(float(measure(words)["milliseconds"]) for _ in range(5))


def conflicts(folder: Path, step: int) -> dict[str, int]:
    """How often conflicting examples are found, and agreeing ones wrongly taken for conflicting."""
    data = gzip.decompress((folder / "infeasible" / "conflicting-examples.jsonl.gz").read_bytes())
    found: Counter[str] = Counter()
    for line in data.splitlines()[::step]:
        case = json.loads(line)
        for key in ("examples_ok", "examples_conflicting"):
            stated = "\n".join(f"- {call} returns {value}" for call, value in case[key])
            spec = compile_requirement(Requirement(text=f"{case['requirement']}\n\n{stated}"), {})
            found[f"{key}_reported"] += bool(contradictions(spec))
        found["cases"] += 1
    return dict(found)


def main() -> int:
    """Measure all texts and print the figures."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--quick", action="store_true")
    quick = parser.parse_args().quick
    corpora = os.environ.get("FORGE_CORPORA")
    if not corpora or not Path(corpora).is_dir():
        print("FORGE_CORPORA names no folder", file=sys.stderr)
        return 2
    total: Counter[str] = Counter()
    triggers: Counter[str] = Counter()
    times: list[float] = []
    statuses: Counter[str] = Counter()
    claims: list[str] = []
    for name, text, status in list(texts(Path(corpora)))[:: 5 if quick else 1]:
        figures = measure(text)
        print(f"{name}: {json.dumps(figures)}")
        triggers.update(figures.pop("triggers"))
        times.append(figures.pop("milliseconds"))
        claims += [name] if figures.pop("infeasible") else []
        statuses[f"asked where {status}"] += bool(figures["open_questions"])
        total.update(figures)
    print(
        json.dumps(
            {
                "texts": len(times),
                "bound_percent": round(100 * total["bound"] / total["characters"], 1),
                "condition_words_read_percent": round(
                    100 * total["condition_words_read"] / max(1, total["condition_words"]), 1
                ),
                **{key: total[key] for key in sorted(total) if key not in {"bound", "characters"}},
                "triggers": dict(triggers),
                "open_questions_by_label": dict(statuses),
                "conflicts": conflicts(Path(corpora), 40 if quick else 4),
                "infeasible_claims": claims,
                "milliseconds_p50": sorted(times)[len(times) // 2],
                "milliseconds_max": max(times),
                "milliseconds_two_pages": two_pages(),
            }
        )
    )
    return 0


if __name__ == "__main__":
    raise SystemExit(main())

"""Run the witnesses of conditionals against right programs: ``python benchmarks/compile/witnesses.py``.

`programs/` holds a right program, written by hand, for texts whose conditions have witnesses. A witness has fired iff
the run shows every effect of its conditional. What did not fire is printed, then one JSON object.
"""

from __future__ import annotations

import json
import sys
import tempfile
from collections import Counter
from pathlib import Path

sys.path.insert(0, str(Path(__file__).parents[2]))

from benchmarks.compile.annotated import texts
from contracts.isolation import SandboxPolicy
from contracts.probe import ProbeCase
from contracts.requirement import Requirement
from sandbox import open_sandbox, toolbox
from tasks.reading.generators import stated_cases
from tasks.requirement.compiler import compile_requirement
from tasks.validation.check import check

PROGRAMS = Path(__file__).parent / "programs"


def witnesses(text: str) -> list[ProbeCase]:
    """All cases of the conditionals of a text."""
    cases = stated_cases(compile_requirement(Requirement(text=text), {}))
    return [case for case in cases if case.origin == "conditional"]


def run(program: bytes, entry: str, cases: list[ProbeCase]) -> dict[str, list[str]]:
    """For every witness that did not fire, what the run lacks."""
    with tempfile.TemporaryDirectory() as folder:
        tree = Path(folder)
        tree.chmod(0o755)
        (tree / entry).write_bytes(program)
        (tree / entry).chmod(0o644)
        silent: dict[str, list[str]] = {}
        with open_sandbox(SandboxPolicy(), tree, toolbox()) as sandbox:
            seen = {item.probe: item for item in sandbox.run([case.probe for case in cases])}
        for case in cases:
            lacking = [fault for item in case.expectations if (fault := check(item, seen[case.probe.id], {}))]
            if lacking:
                silent[case.probe.id] = [str(item) for item in lacking]
        return silent


def main() -> int:
    """Run all witnesses for which a program is there."""
    total: Counter[str] = Counter()
    for case in texts():
        cases = witnesses(case["words"])
        program = PROGRAMS / f"{case['id']}.py"
        total["texts_with_witnesses"] += bool(cases)
        if not cases or not program.exists():
            total["witnesses_without_program"] += len(cases)
            continue
        spec = compile_requirement(Requirement(text=case["words"]), {})
        silent = run(program.read_bytes(), spec.interface.entry, cases)
        total.update(witnesses=len(cases), fired=len(cases) - len(silent), programs=1)
        for name, lacking in silent.items():
            print(f"{case['id']} {name}: {lacking}")
    print(json.dumps(dict(sorted(total.items()))))
    return 0


if __name__ == "__main__":
    raise SystemExit(main())

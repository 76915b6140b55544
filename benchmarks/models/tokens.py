"""Measure what models are sent: ``python benchmarks/models/tokens.py [--quick]``.

For the samples and the requirements of benchmarks/compile that have a right program, written by hand: the tokens of
each role and round. Prompts are those that a build would send, measured offline; answers are the hand-written programs,
in the form that models answer in (``scripted``: no model was asked). No tokenizer is at hand: the table reckons a token
as three bytes, as budgets do, which is high; the bounds are held against four, the providers' rule of thumb. A repair
round is given two failures with inputs of a hundred bytes. Prints the table and, as its last line, one JSON object;
exit status 1 where a prompt exceeds its bound.
"""

from __future__ import annotations

import json
import statistics
import sys
import tempfile
from collections.abc import Iterator
from dataclasses import astuple, dataclass
from pathlib import Path

sys.path.insert(0, str(Path(__file__).parents[2]))

from benchmarks.compile.annotated import texts
from contracts.candidate import Provenance
from contracts.canonical import digest
from contracts.modelling import ModelChoice, ModelSettings, RoleSettings
from contracts.plan import FeasiblePlan
from contracts.repair import RepairDirective, RepairItem
from contracts.requirement import BuildSpec, Requirement
from contracts.settings import BuildSettings
from contracts.verdict import FailureSignature
from tasks.coding.answers import texts as files_of
from tasks.coding.model import question
from tasks.coding.samples import EXAMPLES
from tasks.evidence.store import DirectoryStore
from tasks.models.base import Question
from tasks.models.contract_text import contract_text
from tasks.models.fences import fenced
from tasks.models.meter import BYTES_PER_TOKEN, tokens
from tasks.planning.planner import plan
from tasks.reading.written import reading_question
from tasks.requirement.compiler import compile_requirement
from tasks.trees import ingest

PROGRAMS = Path(__file__).parents[1] / "compile" / "programs"
SAMPLES = ("contracts", "empty", "words")
FIRST, REPAIR = 3_000, 2_000
COMMON = 4
"""Bytes of a token, by the providers' rule of thumb."""
ROLE = RoleSettings(models=(ModelChoice(provider="openai", model="none", base_url="http://127.0.0.1:9/v1"),))
MODELS = ModelSettings(coder=ROLE, reader=ROLE)


@dataclass(frozen=True)
class Row:
    """Tokens of one requirement. ``total`` is a build that is right at once, ``repaired`` one with a repair round."""

    name: str
    contract: int
    coder_in: int
    coder_out: int
    repair_in: int
    reader_in: int
    reader_out: int
    total: int
    repaired: int


def cases() -> Iterator[tuple[str, str, Path]]:
    """Name, text and folder or file of the program."""
    for name in SAMPLES:
        yield name, (EXAMPLES / name / "requirement.md").read_text(encoding="utf-8"), EXAMPLES / name / "answers" / "1"
    for case in texts():
        program = PROGRAMS / f"{case['id']}.py"
        if program.exists():
            yield case["id"], case["words"], program


def measure(name: str, text: str, program: Path, folder: Path) -> Row | None:
    """The row of one requirement; None where it has no plan."""
    requirement = Requirement(text=text)
    spec = compile_requirement(requirement, {})
    feasible = plan(spec, requirement)
    if not isinstance(feasible, FeasiblePlan):
        return None
    tree = folder / name
    if program.is_file():
        tree.mkdir()
        (tree / spec.interface.entry).write_bytes(program.read_bytes())
    store = DirectoryStore(folder / "store")
    base = ingest(program if program.is_dir() else tree, store, Provenance(source="scripted", label=name), 0)
    settings = BuildSettings(store=str(folder / "store"), models=MODELS)
    first = _size(question(spec, feasible, requirement, settings, 0, None, None))
    repair = _size(question(spec, feasible, requirement, settings, 1, _directive(spec), base))
    reader = _size(reading_question(spec, requirement, MODELS, ROLE, 1))
    files = files_of(base, store)
    answer = tokens(fenced(files))
    reading = tokens(fenced({path: content for path, content in files.items() if not path.startswith("tests/")}))
    once = first + answer + 2 * (reader + reading)
    return Row(
        name,
        tokens(contract_text(spec, requirement)),
        first,
        answer,
        repair,
        reader,
        reading,
        once,
        once + repair + reading,
    )


def _size(asked: Question) -> int:
    return tokens(asked.system + asked.prompt)


def _directive(spec: BuildSpec) -> RepairDirective:
    nothing = digest(b"")
    item = RepairItem(
        signature=FailureSignature.READING_MISMATCH,
        requirement_ids=(),
        spans=tuple(criterion.span for criterion in spec.acceptance_criteria[:1]),
        input=f'python3 main.py INPUT OUTPUT\nINPUT: "{"x" * 100}"',
        observed='exit status 0; stdout "1\\n"',
    )
    return RepairDirective(build_spec=nothing, artifact=nothing, attempt=1, items=(item, item))


def main() -> int:
    """Print the table and the totals."""
    quick = "--quick" in sys.argv[1:]
    with tempfile.TemporaryDirectory() as folder:
        chosen = list(cases())[: 8 if quick else None]
        rows = [row for name, text, program in chosen if (row := measure(name, text, program, Path(folder)))]
    names = list(Row.__dataclass_fields__)
    print(" ".join(f"{name:>10}" for name in names))
    for row in rows:
        print(" ".join(f"{value:>10}" for value in astuple(row)))
    scale = BYTES_PER_TOKEN / COMMON
    over = [row.name for row in rows if scale * row.coder_in >= FIRST or scale * row.repair_in >= REPAIR]
    numbers = {name: [getattr(row, name) for row in rows] for name in names[1:]}
    print(
        json.dumps(
            {
                "requirements": len(rows),
                "answers": "scripted",
                "bytes_per_token": BYTES_PER_TOKEN,
                "median": {name: round(statistics.median(values)) for name, values in numbers.items()},
                "most": {name: max(values) for name, values in numbers.items()},
                "most_by_rule_of_thumb": {
                    name: round(scale * max(numbers[name])) for name in ("coder_in", "repair_in", "reader_in")
                },
                "over_their_bound": over,
            }
        )
    )
    return 1 if over else 0


if __name__ == "__main__":
    raise SystemExit(main())

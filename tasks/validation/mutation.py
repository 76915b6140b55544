"""Mutants of the candidate, run against the plan's own cases: what no check notices, no check protects (DEC-17)."""

from __future__ import annotations

import os
import random
import shutil
import tempfile
from collections.abc import Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import TypeVar

from pydantic import TypeAdapter, ValidationError

from contracts.candidate import Candidate
from contracts.model import Count, Model
from contracts.probe import CommandProbe, Observation, ProbeCase, ProbePlan
from contracts.requirement import BuildSpec
from contracts.settings import BuildSettings
from contracts.verdict import MutantRun
from sandbox import open_sandbox, toolbox
from sandbox.base import Sandbox
from tasks.errors import InfrastructureError
from tasks.evidence.store import open_store
from tasks.trees import materialise
from tasks.validation.cases import run_failures
from tasks.validation.running import run_probes
from tasks.validation.strength import behaviour_cases

SAMPLE = 24
"""How many mutants are run, where there are so many; twice the default policy's least, and a few more."""
TRACED = 12
WALL_MS = 4_000
RICH_BYTES = 4_096
SANDBOXES_AT_ONCE = 2
REACHED = ".reached-lines"


class Edit(Model):
    """A mutant: bytes ``start`` to ``end`` of the file ``path`` become ``text``."""

    path: str
    line: Count
    start: Count
    end: Count
    text: str
    change: str


Notes = dict[str, tuple[str, ...]]
T = TypeVar("T")


def run_mutants(
    spec: BuildSpec, plan: ProbePlan, candidate: Candidate, settings: BuildSettings
) -> tuple[tuple[MutantRun, ...], Notes]:
    """Run a sample of the candidate's mutants, each until the first case that it fails.

    Returns:
        The runs, and notes: ``mutants_possible`` in lines that were reached, and the share of lines that was not.

    Raises:
        SandboxError: the infrastructure failed.
    """
    cases = _telling_first(plan)
    edits, notes = _edits(spec, candidate, cases, settings)
    generator = random.Random(plan.seed)  # noqa: S311 - reproducible on purpose, no secret
    size = max(SAMPLE, settings.floor.mutants_at_least)
    chosen = sorted(generator.sample(range(len(edits)), min(size, len(edits))))
    notes["mutants_possible"] = (str(len(edits)),)
    return tuple(_run_all(spec, candidate, [edits[place] for place in chosen], cases, settings)), notes


def _telling_first(plan: ProbePlan) -> list[ProbeCase]:
    """The behaviour cases, rich inputs and one of each origin first: they kill most mutants soonest."""
    cases = behaviour_cases(plan)
    by_size = sorted(cases, key=lambda case: -_size(case) if _size(case) <= RICH_BYTES else 0)
    firsts = {case.origin: case for case in reversed(cases)}
    ordered = {case.probe.id: case for case in (*by_size[:2], *firsts.values(), *by_size)}
    return list(ordered.values())


def _size(case: ProbeCase) -> int:
    return len(case.probe.stdin or b"") + sum(len(file.content) for file in case.probe.files)


def _edits(
    spec: BuildSpec, candidate: Candidate, cases: Sequence[ProbeCase], settings: BuildSettings
) -> tuple[list[Edit], Notes]:
    """All edits in lines that the first cases reach. Helpers of ours find them, inside the sandbox."""
    listing = CommandProbe(id="mutate", argv=("python3", "-I", "/opt/forge/mutate.py", "/candidate"))
    traces = [_traced(spec, case.probe) for case in cases[:TRACED]]
    listed, *traced = run_probes(candidate, [listing, *traces], settings)
    edits = _parse(list[Edit], listed.stdout.head) if listed.exit_code == 0 else None
    if edits is None or listed.stdout.truncated:
        raise InfrastructureError("the mutants of the candidate could not be listed")
    reached: dict[str, set[int]] = {}
    for observation in traced:
        for path, lines in _reached(observation).items():
            reached.setdefault(path, set()).update(lines)
    if not reached:
        return edits, {}
    inside = [edit for edit in edits if edit.line in reached.get(edit.path, ())]
    unreached = sorted({(edit.path, edit.line) for edit in edits} - {(edit.path, edit.line) for edit in inside})
    notes = {"unreached": tuple(f"{path}:{line}" for path, line in unreached[:50])} if unreached else {}
    return inside, notes


def _traced(spec: BuildSpec, probe: CommandProbe) -> CommandProbe:
    argv = ("python3", "/opt/forge/trace_lines.py", REACHED, "/candidate", spec.interface.entry, *probe.argv[2:])
    return probe.model_copy(update={"id": f"trace-{probe.id}", "argv": argv})


def _reached(observation: Observation) -> dict[str, list[int]]:
    """What a traced run says of itself; nonsense counts as nothing."""
    content = next((file.content for file in observation.files if file.path == REACHED), None)
    return _parse(dict[str, list[int]], content or b"{}") or {}


def _parse(kind: type[T], content: bytes) -> T | None:
    try:
        return TypeAdapter(kind).validate_json(content)
    except ValidationError:
        return None


def _run_all(
    spec: BuildSpec, candidate: Candidate, edits: Sequence[Edit], cases: Sequence[ProbeCase], settings: BuildSettings
) -> Iterator[MutantRun]:
    with tempfile.TemporaryDirectory(prefix="forge-mutants-") as name:
        trees = Path(name)
        trees.chmod(0o755)
        with materialise(candidate, open_store(settings.store)) as original:
            for number, edit in enumerate(edits):
                _plant(original, trees / f"m{number:03}", edit)

        def run(part: int) -> dict[int, MutantRun]:
            with open_sandbox(settings.policy, trees, toolbox()) as sandbox:
                numbers = range(part, len(edits), SANDBOXES_AT_ONCE)
                return {number: _run(spec, sandbox, number, edits[number], cases) for number in numbers}

        with ThreadPoolExecutor(SANDBOXES_AT_ONCE) as pool:
            runs = {number: item for part in pool.map(run, range(SANDBOXES_AT_ONCE)) for number, item in part.items()}
    yield from (runs[number] for number in range(len(edits)))


def _plant(original: Path, tree: Path, edit: Edit) -> None:
    """A copy of the tree with one edit; unchanged files are shared."""
    shutil.copytree(original, tree, symlinks=True, copy_function=os.link)
    target = tree / edit.path
    source = target.read_bytes()
    target.unlink()
    target.write_bytes(source[: edit.start] + edit.text.encode() + source[edit.end :])
    target.chmod(0o644)


def _run(spec: BuildSpec, sandbox: Sandbox, number: int, edit: Edit, cases: Sequence[ProbeCase]) -> MutantRun:
    """Run one mutant case by case; the first that fails ends it."""
    observations: list[Observation] = []
    for case in cases:
        argv = tuple(word.replace("/candidate/", f"/candidate/m{number:03}/", 1) for word in case.probe.argv)
        probe = case.probe.model_copy(update={"argv": argv, "wall_ms": WALL_MS})
        observation = next(iter(sandbox.run([probe])))
        observations.append(observation)
        if next(run_failures(spec, case, {case.probe.id: observation}), None):
            break
    return MutantRun(path=edit.path, line=edit.line, change=edit.change, observations=tuple(observations))

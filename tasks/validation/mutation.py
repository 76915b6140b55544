"""Mutants of the candidate, run against the plan's own cases: what no check notices, no check protects (DEC-17)."""

from __future__ import annotations

import json
import os
import shutil
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from functools import partial
from pathlib import Path
from typing import TypeVar

from pydantic import TypeAdapter, ValidationError

from contracts.candidate import Candidate
from contracts.model import Count, Model
from contracts.probe import CallProbe, CommandProbe, InputFile, Observation, Probe, ProbeCase, ProbePlan
from contracts.requirement import BuildSpec
from contracts.settings import BuildSettings
from contracts.verdict import MutantRun
from sandbox.base import Sandbox
from sandbox.owner import run_directory
from tasks.evidence.store import open_store
from tasks.reading.generators import further_probes
from tasks.reading.libraries import further_calls
from tasks.reading.services import further_exchanges
from tasks.reading.standing import input_size
from tasks.trees import materialise
from tasks.validation.cases import run_failures
from tasks.validation.placing import placed
from tasks.validation.running import SANDBOXES_AT_ONCE, Once, run_probes, sandboxes, spread
from tasks.validation.strength import UNCHANGED, behaviour_cases, fixed_by_readings, is_killed

SAMPLE = 20
"""How many mutants are run, where there are so many; twice the default policy's least."""
TRACED = 12
WALL_MS = 4_000
RICH_BYTES = 4_096
REACHED = ".reached-lines"
CALLS = ".calls"


class Edit(Model):
    """A mutant: bytes ``start`` to ``end`` of the file ``path`` become ``text``."""

    path: str
    line: Count
    start: Count
    end: Count
    text: str
    change: str


class Mutations(Model):
    """A sample of the ``possible`` edits, and the lines with edits that no traced run reached."""

    possible: Count
    edits: tuple[Edit, ...]
    unreached: tuple[str, ...]


Notes = dict[str, tuple[str, ...]]
T = TypeVar("T")


def run_mutants(
    spec: BuildSpec, plan: ProbePlan, candidate: Candidate, settings: BuildSettings
) -> tuple[tuple[MutantRun, ...], Notes]:
    """Run a sample of the candidate's mutants, each until the first case that it fails.

    One that fails none is run on further inputs from the sealed generator (DEC-14), as is the candidate itself: only
    where both behave alike there too does it count as equivalent.

    Returns:
        The runs, and notes: ``mutants_possible`` in lines that were reached, and the lines that were not.

    Raises:
        SandboxError: the infrastructure failed.
    """
    found = _mutations(spec, candidate, plan, settings)
    notes = {"mutants_possible": (str(found.possible),), "unreached": found.unreached}
    runs = _run_all(spec, candidate, found.edits, plan, settings)
    return runs, {name: facts for name, facts in notes.items() if facts}


def _telling_first(plan: ProbePlan) -> list[ProbeCase]:
    """The behaviour cases, rich inputs and one of each origin first: they kill most mutants soonest."""
    cases = behaviour_cases(plan)
    by_size = sorted(cases, key=lambda case: -size if (size := input_size(case.probe)) <= RICH_BYTES else 0)
    firsts = {case.origin: case for case in reversed(cases)}
    ordered = {case.probe.id: case for case in (*by_size[:2], *firsts.values(), *by_size)}
    return list(ordered.values())


def _mutations(spec: BuildSpec, candidate: Candidate, plan: ProbePlan, settings: BuildSettings) -> Mutations:
    """A sample of the edits in lines that the telling cases reach. Helpers of ours find them, inside the sandbox."""
    telling = placed([case.probe for case in _telling_first(plan)], candidate, open_store(settings.store))
    traces = [_traced(spec, probe) for probe in telling[:TRACED] if isinstance(probe, CommandProbe)]
    traces += _traced_calls([probe for probe in telling if isinstance(probe, CallProbe)])
    reached: dict[str, list[int]] = {}
    for observation in run_probes(candidate, traces, settings):
        for path, lines in _reached(observation).items():
            reached[path] = sorted({*reached.get(path, ()), *lines})
    size = max(SAMPLE, settings.floor.mutants_at_least)
    kind = ("library",) if spec.functions else ()
    listing = CommandProbe(
        id="mutate",
        argv=("python3", "-I", "/opt/forge/mutate.py", "/candidate", REACHED, str(size), str(plan.seed), *kind),
        files=(InputFile(path=REACHED, content=json.dumps(reached).encode()),),
    )
    (listed,) = run_probes(candidate, [listing], settings)
    return _parse(Mutations, listed.stdout.head) or Mutations(possible=0, edits=(), unreached=())


def _traced(spec: BuildSpec, probe: CommandProbe) -> CommandProbe:
    argv = ("python3", "/opt/forge/trace_lines.py", REACHED, "/candidate", spec.interface.entry, *probe.argv[2:])
    return probe.model_copy(update={"id": f"trace-{probe.id}", "argv": argv})


def _traced_calls(probes: Sequence[CallProbe]) -> list[CommandProbe]:
    """All calls in one run; none where there is none."""
    told = {"root", "module", "function", "arguments", "keywords"}
    calls = json.dumps([probe.model_dump(mode="json", include=told) for probe in probes]).encode()
    argv = ("python3", "/opt/forge/trace_lines.py", REACHED, "/candidate", "--calls", CALLS)
    return [CommandProbe(id="trace", argv=argv, files=(InputFile(path=CALLS, content=calls),))] if probes else []


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
    spec: BuildSpec, candidate: Candidate, edits: Sequence[Edit], plan: ProbePlan, settings: BuildSettings
) -> tuple[MutantRun, ...]:
    """One run for each edit, after that of the candidate itself, which is number 0, where it was needed."""
    with (
        _planted(candidate, edits, settings) as trees,
        sandboxes(settings.policy, trees, SANDBOXES_AT_ONCE) as opened,
    ):
        seen = _observe(spec, _at(plan, candidate, settings), range(1, len(edits) + 1), opened)
    every = (Edit(path=spec.interface.entry, line=0, start=0, end=0, text="", change=UNCHANGED), *edits)
    return tuple(
        MutantRun(path=edit.path, line=edit.line, change=edit.change, observations=tuple(seen[number]))
        for number, edit in enumerate(every)
        if number in seen
    )


def _at(plan: ProbePlan, candidate: Candidate, settings: BuildSettings) -> ProbePlan:
    """The plan with its calls directed to where the candidate has their functions."""
    probes = placed([case.probe for case in plan.cases], candidate, open_store(settings.store))
    cases = (case.model_copy(update={"probe": probe}) for case, probe in zip(plan.cases, probes, strict=True))
    return plan.model_copy(update={"cases": tuple(cases)})


@contextmanager
def _planted(candidate: Candidate, edits: Sequence[Edit], settings: BuildSettings) -> Iterator[Path]:
    """A directory with the candidate's tree and one for each edit, in folders by number."""
    with run_directory() as directory:
        trees = directory / "mutants"
        trees.mkdir()
        trees.chmod(0o755)
        with materialise(candidate, open_store(settings.store)) as original:
            for number, edit in enumerate((None, *edits)):
                _plant(original, trees / _folder(number), edit)
        yield trees


def _observe(
    spec: BuildSpec, plan: ProbePlan, mutants: Sequence[int], opened: Sequence[Sandbox]
) -> dict[int, list[Observation]]:
    """Every mutant until it is killed; then the survivors and the candidate on what they are compared on."""
    cases, further = _telling_first(plan), _further(spec, plan)
    by_id = {case.probe.id: case for case in cases}
    found = dict(zip(mutants, spread(opened, mutants, partial(_until_killed, spec, cases)), strict=True))
    alive = [number for number in mutants if not is_killed(spec, by_id, found[number])]
    if alive:
        compared = [] if fixed_by_readings(cases) else [case.probe for case in cases]
        jobs = [(0, (*compared, *further)), *((number, further) for number in alive)]
        more = spread(opened, jobs, lambda once, job: [_run(once, job[0], probe) for probe in job[1]])
        for (number, _), seen in zip(jobs, more, strict=True):
            found[number] = [*found.get(number, ()), *seen]
    return found


def _further(spec: BuildSpec, plan: ProbePlan) -> tuple[Probe, ...]:
    """Fresh inputs; calls go where those of the plan go."""
    if spec.exchanges:
        return further_exchanges(spec, plan)
    if not spec.functions:
        return further_probes(spec, plan)
    known = {case.probe.function: case.probe for case in plan.cases if isinstance(case.probe, CallProbe)}
    return tuple(
        probe.model_copy(update={"root": known[probe.function].root, "module": known[probe.function].module})
        for probe in further_calls(spec, plan)
        if probe.function in known
    )


def _until_killed(spec: BuildSpec, cases: Sequence[ProbeCase], once: Once, number: int) -> list[Observation]:
    """The runs of a mutant up to the first that fails its case."""
    seen: list[Observation] = []
    for case in cases:
        seen.append(_run(once, number, case.probe))
        if next(run_failures(spec, case, {case.probe.id: seen[-1]}), None):
            break
    return seen


def _run(once: Once, number: int, probe: Probe) -> Observation:
    folder = _folder(number)
    if isinstance(probe, CallProbe):
        return once(probe.model_copy(update={"root": f"{folder}/{probe.root}".rstrip("/"), "wall_ms": WALL_MS}))
    argv = tuple(word.replace("/candidate/", f"/candidate/{folder}/", 1) for word in probe.argv)
    return once(probe.model_copy(update={"argv": argv, "wall_ms": WALL_MS}))


def _folder(number: int) -> str:
    return f"m{number:03}"


def _plant(original: Path, tree: Path, edit: Edit | None) -> None:
    """A copy of the tree with one edit, or none; unchanged files are shared."""
    shutil.copytree(original, tree, symlinks=True, copy_function=os.link)
    if edit is not None:
        target = tree / edit.path
        source = target.read_bytes()
        target.unlink()
        target.write_bytes(source[: edit.start] + edit.text.encode() + source[edit.end :])
        target.chmod(0o644)

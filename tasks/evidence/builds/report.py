"""What a person reads of a build: clauses, attempts, strength, and every run of the last attempt."""

from __future__ import annotations

from collections.abc import Iterator

from contracts.requirement import BuildSpec, Category
from contracts.verdict import Failure, LayerEvidence, LayerResult
from tasks.evidence.builds.contents import Attempt, BuildContents
from tasks.evidence.commands import script
from tasks.evidence.report import Line, Mark, Section, anchor, failure_line, printable, words
from tasks.validation.readable import witness

LINKS = 12


def sections(contents: BuildContents) -> Iterator[Section]:
    """The sections of a build's report."""
    yield Section("Requirement", lambda: _requirement(contents))
    yield Section("Assumptions", lambda: _assumptions(contents))
    yield Section("Attempts", lambda: _attempts(contents), "timeline")
    yield Section("Strength", lambda: _strength(contents))
    yield Section("Outside the verdict", lambda: _outside(contents))
    yield Section("Runs of the last attempt", lambda: _runs(contents), "long")


def _requirement(contents: BuildContents) -> Iterator[Line]:
    spec, text = contents.spec, contents.text
    if spec is None:
        yield Line("plain", printable(text))
        return
    for fragment in spec.fragments:
        yield _standing(spec, contents, fragment.atoms, words(text, fragment.span))


def _standing(spec: BuildSpec, contents: BuildContents, atoms: tuple[str, ...], said: str) -> Line:
    """How a clause stands: broken, proven by how many runs, or not proven at all (law 8)."""
    criteria = [criterion for criterion in spec.acceptance_criteria if set(criterion.atoms) & set(atoms)]
    ids = {*atoms, *(criterion.id for criterion in criteria)}
    broken = _broken(contents, ids)
    runs = {criterion.id: tuple(_bearing(contents, criterion.id)) for criterion in criteria}
    links = _links(contents, [name for names in runs.values() for name in names])
    if broken:
        reasons = dict.fromkeys(f"{item.signature.value}: {printable(item.detail)}" for item in broken)
        cited = [item.witness.probe for item in broken if item.witness is not None]
        return Line("bad", said, tuple(reasons), links=_links(contents, cited) or links)
    if not atoms:
        return Line("open", said, ("nothing was read from these words",))
    if not criteria:
        interface = {atom.id for atom in spec.requirement_atoms if atom.category is Category.INTERFACE}
        if interface.issuperset(atoms):
            return Line("plain", said, ("the interface: every run relies on it",))
        return Line("open", said, ("no check proves these words",))
    proven = contents.artifact is not None and all(runs.values())
    told = tuple(f"{item.method}, runs: {len(runs[item.id])}" for item in criteria)
    return Line("good" if proven else "open", said, told, links=links)


def _broken(contents: BuildContents, ids: set[str]) -> list[Failure]:
    failures = contents.outcome.failures if contents.outcome is not None else ()
    return [failure for failure in failures if ids & set(failure.requirement_ids)]


def _decisive(contents: BuildContents) -> tuple[LayerEvidence, ...]:
    return contents.decided.evidence if contents.decided is not None else ()


def _bearing(contents: BuildContents, criterion: str) -> Iterator[str]:
    """The observed runs of the decisive attempt that bear on a criterion, by probe."""
    for evidence in _decisive(contents):
        seen = {observation.probe for observation in evidence.observations}
        cases = (case for case in evidence.cases if criterion in case.obligations)
        yield from (case.probe.id for case in cases if case.probe.id in seen)


def _links(contents: BuildContents, probes: list[str]) -> tuple[tuple[str, str], ...]:
    there = {case.probe.id for evidence in _decisive(contents) for case in evidence.cases}
    named = [probe for probe in dict.fromkeys(probes) if probe in there]
    return tuple((anchor("run", probe), printable(probe)) for probe in named[:LINKS])


def _assumptions(contents: BuildContents) -> Iterator[Line]:
    for item in contents.spec.conventions if contents.spec is not None else ():
        yield Line("plain", printable(f"{item.key} = {item.value} ({item.source})"), (printable(item.meaning),))


def _attempts(contents: BuildContents) -> Iterator[Line]:
    for attempt in contents.attempts:
        candidate, artifact = attempt.candidate, attempt.artifact
        passed = artifact is not None and artifact.passed
        mark: Mark = "good" if passed else "open" if artifact is None else "bad"
        source = f"{candidate.provenance.source}, {candidate.provenance.label}"
        text = printable(f"attempt {candidate.attempt}: {source}, {len(candidate.files)} files")
        yield Line(mark, text, (candidate.tree,), tuple(_events(attempt, contents)))


def _events(attempt: Attempt, contents: BuildContents) -> Iterator[Line]:
    """What became of an attempt, layer by layer, and what was asked for next."""
    artifact, decided = attempt.artifact, attempt is contents.decided
    for layer in artifact.layers if artifact is not None else ():
        mark: Mark = "good" if layer.passed else "bad" if layer.executed else "open"
        yield Line(mark, printable(f"{layer.layer}: {_layer(layer)}"))
        for failure in layer.failures:
            cited = [failure.witness.probe] if decided and failure.witness is not None else []
            yield failure_line(failure, contents.text, _links(contents, cited))
    if artifact is None:
        yield Line("open", "the run ended before it was judged")
    if attempt.directive is not None:
        asked = (f"{item.signature.value}: {', '.join(item.requirement_ids)}" for item in attempt.directive.items)
        yield Line("plain", "a directive for the next attempt", tuple(printable(item) for item in asked))


def _layer(layer: LayerResult) -> str:
    if not layer.executed:
        return f"not executed: {layer.not_executed}"
    return "passed" if layer.passed else "failed"


def _strength(contents: BuildContents) -> Iterator[Line]:
    strength = contents.outcome.strength if contents.outcome is not None else None
    if strength is not None:
        floor = strength.floor
        yield Line("plain", f"{strength.obligations_covered} of {strength.obligations} obligations covered")
        yield Line("plain", f"{strength.probes} runs, {strength.output_classes} kinds of output told apart")
        yield Line("plain", f"{strength.readings} independent readings admitted")
        counted = f"{strength.mutants_killed} of {strength.mutants} mutants caught, {strength.mutants_equivalent} alike"
        yield Line("plain", counted, (f"the policy asks for {floor.mutants_killed_percent} percent",))
    if contents.isolation is not None:
        held = sum(check.held for check in contents.isolation.checks)
        text = f"{contents.isolation.backend}: {held} of {len(contents.isolation.checks)} promises of isolation held"
        broken = (f"{check.name}: {check.observed}" for check in contents.isolation.checks if not check.held)
        yield Line("good" if contents.isolation.isolated else "bad", text, tuple(printable(item) for item in broken))


def _outside(contents: BuildContents) -> Iterator[Line]:
    """What the record itself says that it does not show (law 8)."""
    strength = contents.outcome.strength if contents.outcome is not None else None
    for item in strength.not_checked if strength is not None else ():
        yield Line("open", printable(item))


def _runs(contents: BuildContents) -> Iterator[Line]:
    """Each run once, though several layers may use it."""
    artifact = contents.artifact
    failures = artifact.failures if artifact is not None else ()
    cited = {failure.witness.probe for failure in failures if failure.witness is not None}
    shown: set[str] = set()
    for evidence in _decisive(contents):
        observations = {observation.probe: observation for observation in evidence.observations}
        for case in evidence.cases:
            name = case.probe.id
            if name in shown or name not in observations:
                continue
            shown.add(name)
            told = witness(case, observations[name], case.expectations)
            details = (
                *(printable(f"bears on {item}") for item in case.obligations),
                printable(f"expected: {told.expected}"),
                printable(f"observed: {told.observed}"),
            )
            commands = tuple(item for item in (script(case.probe),) if item is not None)
            text = printable(f"{name} ({case.origin}): {told.command}")
            mark: Mark = "bad" if name in cited else "plain"
            yield Line(mark, text, details, commands=commands, anchor=anchor("run", name))

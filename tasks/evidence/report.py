"""What a person reads of a record, as sections of marked lines; the renderers only draw them."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Literal

from contracts.evidence import Record
from contracts.loading import DocumentError
from contracts.model import Model
from contracts.requirement import BuildSpec, Category, Span
from contracts.verdict import Failure, LayerResult, TerminalStatus
from tasks.evidence.contents import Attempt, Contents, arrange, read_body
from tasks.evidence.store import Store
from tasks.evidence.trust import NOBODY, Trust
from tasks.evidence.verify import UntrustedSigner, Verification, VerificationError, verify_bytes
from tasks.validation.readable import plain, quoted

Mark = Literal["good", "bad", "open", "plain"]
LONGEST = 2_000


@dataclass(frozen=True)
class Line:
    """One statement; the texts are printable and on one line. ``details`` stand below it."""

    mark: Mark
    text: str
    details: tuple[str, ...] = ()


@dataclass(frozen=True)
class Section:
    """Lines under a heading."""

    title: str
    lines: tuple[Line, ...]


@dataclass(frozen=True)
class Report:
    """The banner says whether the record is intact; it stands above whatever the record says of itself."""

    banner: Line
    sections: tuple[Section, ...]


def report(record: Record, store: Store, trusted: Trust = NOBODY, beside: Path | None = None) -> Report:
    """Verify a record and tell what is in it. A tampered one is told as far as it can be read (VIEW-02, VIEW-03).

    ``beside`` is the directory that its file lies in, where it is one.
    """
    banner, verification = _banner(record, store, trusted, beside)
    contents = _readable_contents(record, store)
    if contents is None:
        kinds = (Line("plain", printable(f"{entry.index} {entry.kind}")) for entry in record.entries)
        return Report(banner, (Section("Entries", tuple(kinds)),))
    parts: dict[str, Callable[[], Iterator[Line]]] = {
        "Result": lambda: _result(contents),
        "Requirement": lambda: _requirement(contents),
        "Assumptions": lambda: _assumptions(contents),
        "Attempts": lambda: _attempts(contents),
        "Faults of the infrastructure": lambda: _faults(contents),
        "Strength": lambda: _strength(contents),
        "Not checked": lambda: _not_checked(contents, verification),
    }
    sections = (Section(title, _guarded(part)) for title, part in parts.items())
    return Report(banner, tuple(section for section in sections if section.lines))


def told(record: Record, store: Store, trusted: Trust, beside: Path | None) -> tuple[Line, Contents | None]:
    """As `report`, for who draws the contents himself; None where they cannot be put in order."""
    return _banner(record, store, trusted, beside)[0], _readable_contents(record, store)


def _banner(record: Record, store: Store, trusted: Trust, beside: Path | None) -> tuple[Line, Verification | None]:
    try:
        verification = verify_bytes(record.canonical(), store, trusted=trusted, beside=beside)
    except UntrustedSigner as error:
        return Line("open", f"intact, but signed by a key that is not trusted: {error.key}"), None
    except (VerificationError, DocumentError) as error:
        return Line("bad", printable(f"NOT INTACT: {error}")), None
    return Line("good", f"intact, signed by {verification.signed_by}"), verification


def _readable(record: Record, index: int, store: Store) -> Model | None:
    try:
        return read_body(record.entries[index], store)
    except Exception:  # noqa: BLE001 - hostile data; the banner has said it; what cannot be read is left out
        return None


def _readable_contents(record: Record, store: Store) -> Contents | None:
    models = [model for model in (_readable(record, index, store) for index in range(len(record.entries))) if model]
    try:
        return arrange(models)
    except ValueError:
        return None


def _guarded(part: Callable[[], Iterator[Line]]) -> tuple[Line, ...]:
    try:
        return tuple(part())
    except Exception as error:  # noqa: BLE001 - hostile data may break one section; the others are still shown
        return (Line("bad", printable(f"cannot be shown: {error}")),)


def _result(contents: Contents) -> Iterator[Line]:
    outcome, run = contents.outcome, contents.run
    if outcome is not None:
        mark: Mark = "good" if outcome.status is TerminalStatus.VERIFIED else "bad"
        yield Line(mark, outcome.status.value.upper(), (f"fault: {outcome.fault.value}",))
        told = contents.artifact.failures if contents.artifact is not None else ()
        for failure in outcome.failures:
            line = _failure(failure, contents)
            yield Line(line.mark, line.text, () if failure in told else line.details)
        yield Line("plain", printable(f"run {run.run}, {run.started} to {outcome.finished}"))
    yield Line("plain", printable(f"forge {run.forge}, engine {run.engine}, Python {run.python}, {run.platform}"))
    if contents.package is not None:
        package = contents.package
        yield Line(
            "good", printable(f"package {package.filename}"), (f"command: {printable(package.command)}", package.wheel)
        )


def _requirement(contents: Contents) -> Iterator[Line]:
    spec, text = contents.spec, contents.requirement.text
    if spec is None:
        yield Line("plain", printable(text))
        return
    for fragment in spec.fragments:
        yield Line(*_standing(spec, contents, fragment.atoms, _words(text, fragment.span)))


def _standing(
    spec: BuildSpec, contents: Contents, atoms: tuple[str, ...], words: str
) -> tuple[Mark, str, tuple[str, ...]]:
    """How a clause stands: broken, proven by how many runs, or not proven at all (law 8)."""
    criteria = [criterion for criterion in spec.acceptance_criteria if set(criterion.atoms) & set(atoms)]
    ids = {*atoms, *(criterion.id for criterion in criteria)}
    outcome = contents.outcome
    broken = [item for item in (outcome.failures if outcome is not None else ()) if ids & set(item.requirement_ids)]
    if broken:
        return (
            "bad",
            words,
            tuple(dict.fromkeys(f"{item.signature.value}: {printable(item.detail)}" for item in broken)),
        )
    if not atoms:
        return "open", words, ("nothing was read from these words",)
    if not criteria:
        interface = {atom.id for atom in spec.requirement_atoms if atom.category is Category.INTERFACE}
        if interface.issuperset(atoms):
            return "plain", words, ("the interface: every run relies on it",)
        return "open", words, ("no check proves these words",)
    runs = {criterion.id: _runs(contents, criterion.id) for criterion in criteria}
    proven = contents.artifact is not None and all(runs.values())
    return "good" if proven else "open", words, tuple(f"{item.method}, runs: {runs[item.id]}" for item in criteria)


def _runs(contents: Contents, criterion: str) -> int:
    """Observed runs of the last attempt that bear on a criterion."""
    evidence = contents.attempts[-1].evidence if contents.attempts else ()
    seen = {observation.probe for item in evidence for observation in item.observations}
    cases = [case for item in evidence for case in item.cases]
    return sum(criterion in case.obligations and case.probe.id in seen for case in cases)


def _assumptions(contents: Contents) -> Iterator[Line]:
    for item in contents.spec.conventions if contents.spec is not None else ():
        yield Line("plain", printable(f"{item.key} = {item.value} ({item.source})"), (printable(item.meaning),))


def _attempts(contents: Contents) -> Iterator[Line]:
    for attempt in contents.attempts:
        candidate, artifact = attempt.candidate, attempt.artifact
        passed = artifact is not None and artifact.passed
        mark: Mark = "good" if passed else "open" if artifact is None else "bad"
        source = f"{candidate.provenance.source}, {candidate.provenance.label}"
        yield Line(
            mark, printable(f"attempt {candidate.attempt}: {source}, {len(candidate.files)} files"), _layers(attempt)
        )
        for failure in artifact.failures if artifact is not None else ():
            yield _failure(failure, contents)


def _layers(attempt: Attempt) -> tuple[str, ...]:
    layers = attempt.artifact.layers if attempt.artifact is not None else ()
    return (attempt.candidate.tree, *(printable(f"{layer.layer}: {_layer(layer)}") for layer in layers))


def _layer(layer: LayerResult) -> str:
    if not layer.executed:
        return f"not executed: {layer.not_executed}"
    return "passed" if layer.passed else "failed"


def _failure(failure: Failure, contents: Contents) -> Line:
    details = [f"asked for: {_words(contents.requirement.text, span)}" for span in failure.spans]
    witness = failure.witness
    if witness is not None:
        details.append(f"run: {printable(witness.command)}")
        details += [f"with {printable(name)}: {quoted(data)}" for name, data in witness.files.items()]
        details += [f"expected: {printable(witness.expected)}", f"observed: {printable(witness.observed)}"]
    return Line("bad", f"{failure.signature.value}: {printable(failure.detail)}", tuple(details))


def _faults(contents: Contents) -> Iterator[Line]:
    for note in contents.faults:
        text = f"{note.stage}, attempt {note.attempt}: {note.failure.signature.value}: {note.failure.detail}"
        yield Line("open", printable(text))


def _strength(contents: Contents) -> Iterator[Line]:
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


def _not_checked(contents: Contents, verification: Verification | None) -> Iterator[Line]:
    strength = contents.outcome.strength if contents.outcome is not None else None
    sealed = strength.not_checked if strength is not None else ()
    for item in (*sealed, *(verification.not_checked if verification is not None else ())):
        yield Line("open", printable(item))


def _words(text: str, span: Span) -> str:
    return printable(text[span.start : span.end])


def printable(text: str) -> str:
    """Printable, on one line, bounded; whatever a candidate wrote."""
    shown = plain(" ".join(text.split()))
    return shown if len(shown) <= LONGEST else shown[:LONGEST] + " ..."

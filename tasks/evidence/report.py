"""What a person reads of a record, as sections of marked lines; the renderers only draw them."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Literal

from contracts.evidence import Record
from contracts.model import Model
from contracts.requirement import Span
from contracts.verdict import Failure
from tasks.evidence.arrangement import arrange
from tasks.evidence.commands import shell
from tasks.evidence.contents import Contents
from tasks.evidence.kinds import read_body
from tasks.evidence.store import Store
from tasks.evidence.trust import NOBODY, Trust
from tasks.evidence.verify import UntrustedSigner, Verification, VerificationError, verify_bytes
from tasks.validation.readable import plain, quoted

Mark = Literal["good", "bad", "open", "plain"]
Shape = Literal["list", "timeline", "long"]
"""How a section may be drawn: as a list, as events in order, or folded away (and left out where nothing folds)."""

LONGEST = 2_000


@dataclass(frozen=True)
class Line:
    """One statement; the texts are printable and on one line. ``details`` and ``inner`` stand below it.

    ``commands`` can be copied and run as they are; ``links`` are anchors of other lines, with words for them.
    """

    mark: Mark
    text: str
    details: tuple[str, ...] = ()
    inner: tuple[Line, ...] = ()
    commands: tuple[str, ...] = ()
    links: tuple[tuple[str, str], ...] = ()
    anchor: str = ""


@dataclass(frozen=True)
class Section:
    """A heading, and what makes the lines under it; that may raise, since a record may say anything."""

    title: str
    lines: Callable[[], Iterable[Line]]
    shape: Shape = "list"


@dataclass(frozen=True)
class Drawn:
    """The lines under a heading."""

    title: str
    lines: tuple[Line, ...]
    shape: Shape = "list"


@dataclass(frozen=True)
class Report:
    """The banner says whether the record is intact; it stands above whatever the record says of itself."""

    banner: Line
    sections: tuple[Drawn, ...]


def report(record: Record, store: Store, trusted: Trust = NOBODY, beside: Path | None = None) -> Report:
    """Verify a record and tell what is in it. A tampered one is told as far as it can be read (VIEW-02, VIEW-03).

    ``beside`` is the directory that its file lies in, where it is one.
    """
    banner, verification = _banner(record, store, trusted, beside)
    contents = _readable_contents(record, store)
    if contents is None:
        kinds = tuple(Line("plain", printable(f"{entry.index} {entry.kind}")) for entry in record.entries)
        return Report(banner, (Drawn("Entries", kinds),))
    parts = (
        Section("Result", lambda: _result(contents)),
        *contents.sections(),
        Section("Explanation", lambda: _explanations(contents)),
        Section("Calls of models", lambda: _calls(contents)),
        Section("Faults of the infrastructure", lambda: _faults(contents)),
        Section("Not checked", lambda: _not_checked(verification)),
        Section("Repeat it", lambda: _commands(contents, beside)),
    )
    drawn = (Drawn(part.title, _lines(part), part.shape) for part in parts)
    return Report(banner, tuple(section for section in drawn if section.lines))


def told(record: Record, store: Store, trusted: Trust, beside: Path | None) -> tuple[Line, Contents | None]:
    """As `report`, for who draws the contents himself; None where they cannot be put in order."""
    return _banner(record, store, trusted, beside)[0], _readable_contents(record, store)


def failure_line(failure: Failure, text: str, links: tuple[tuple[str, str], ...] = ()) -> Line:
    """A failure with the words of ``text`` that it concerns, and its witness."""
    details = [f"asked for: {words(text, span)}" for span in failure.spans]
    witness = failure.witness
    if witness is not None:
        details.append(f"run: {printable(witness.command)}")
        details += [f"with {printable(name)}: {quoted(data)}" for name, data in witness.files.items()]
        details += [f"expected: {printable(witness.expected)}", f"observed: {printable(witness.observed)}"]
    line = f"{failure.signature.value}: {printable(failure.detail)}"
    return Line("bad", line, tuple(details), links=links)


def words(text: str, span: Span) -> str:
    """The words of ``text`` at ``span``, printable."""
    return printable(text[span.start : span.end])


def printable(text: str) -> str:
    """Printable, on one line, bounded; whatever a candidate wrote."""
    shown = plain(" ".join(text.split()))
    return shown if len(shown) <= LONGEST else shown[:LONGEST] + " ..."


def anchor(*parts: object) -> str:
    """A name for a place on a page, from whatever names it."""
    return "-".join(re.sub(r"[^A-Za-z0-9]+", "_", str(part))[:80] for part in parts)


def _banner(record: Record, store: Store, trusted: Trust, beside: Path | None) -> tuple[Line, Verification | None]:
    try:
        verification = verify_bytes(record.canonical(), store, trusted=trusted, beside=beside)
    except UntrustedSigner as error:
        return Line("open", f"intact, but signed by a key that is not trusted: {error.key}"), None
    except (VerificationError, ValueError) as error:  # ValueError: it cannot even be written as a document
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


def _lines(part: Section) -> tuple[Line, ...]:
    try:
        return tuple(part.lines())
    except Exception as error:  # noqa: BLE001 - hostile data may break one section; the others are still shown
        return (Line("bad", printable(f"cannot be shown: {error}")),)


def _result(contents: Contents) -> Iterator[Line]:
    outcome, run = contents.outcome, contents.run
    if outcome is not None:
        yield Line("good" if outcome.passed else "bad", outcome.status.upper(), (f"fault: {outcome.fault.value}",))
        for failure in outcome.failures:
            yield Line("bad", f"{failure.signature.value}: {printable(failure.detail)}")
        yield Line("plain", printable(f"run {run.run}, {run.started} to {outcome.finished}"))
    yield Line("plain", printable(f"forge {run.forge}, engine {run.engine}, Python {run.python}, {run.platform}"))
    package = contents.package
    if package is not None:
        details = (f"command: {printable(package.command)}", package.wheel)
        yield Line("good", printable(f"package {package.filename}"), details)


def _explanations(contents: Contents) -> Iterator[Line]:
    for item in contents.explanations:
        lines = tuple(printable(line) for line in item.text.splitlines() if line.strip())
        pages = tuple(printable(f"see {page.title}: {page.url}") for page in item.references)
        failed = (printable(f"a model's words failed: {item.error}"),) if item.error is not None else ()
        author = printable(f"attempt {item.attempt}, by {item.author}: words for people; no verdict rests on them")
        yield Line("plain", author, (*lines, *pages, *failed))


def _calls(contents: Contents) -> Iterator[Line]:
    outcome = contents.outcome
    usage = outcome.usage if outcome is not None else None
    if usage is not None:
        yield Line("plain", f"{usage.calls} calls, {_tokens(usage.tokens_in, usage.tokens_out)}, {_cost(usage.cost)}")
    for call in contents.calls:
        text = f"{call.role}, attempt {call.attempt}, {call.purpose}: {call.name}"
        details = (
            f"{_tokens(call.tokens_in, call.tokens_out)}, {_cost(call.cost)}, {call.duration_ms} ms",
            printable(call.error or f"ended: {call.finish_reason or 'the provider does not say how'}"),
        )
        yield Line("plain" if call.error is None else "open", printable(text), details)


def _tokens(read: int | None, written: int | None) -> str:
    return f"{'unknown' if read is None else read} tokens in, {'unknown' if written is None else written} out"


def _cost(cost: str | None) -> str:
    return "cost unknown" if cost is None else f"cost {cost}"


def _faults(contents: Contents) -> Iterator[Line]:
    for note in contents.faults:
        text = f"{note.stage}, attempt {note.attempt}: {note.failure.signature.value}: {note.failure.detail}"
        yield Line("open", printable(text))


def _not_checked(verification: Verification | None) -> Iterator[Line]:
    for item in verification.not_checked if verification is not None else ():
        yield Line("open", printable(item))


def _commands(contents: Contents, beside: Path | None) -> Iterator[Line]:
    name = "record.json" if beside is not None else shell(contents.run.run)
    yield Line("plain", "is the record intact, and signed by whom?", commands=(f"forge verify {name}",))
    yield Line("plain", "does it come out the same again?", commands=(f"forge replay {name}",))

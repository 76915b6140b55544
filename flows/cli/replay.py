"""``forge replay``: does a record come out the same again, here and now (RPL)?"""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from flows.cli.common import Json, StoreOption, directory, named, print_document, say
from flows.cli.verify import RecordArgument, located

if TYPE_CHECKING:
    from contracts.replay import ReplayReport


def replay(
    record: RecordArgument,
    spec: Annotated[
        str | None, typer.Option("--spec", metavar="F", help="Another requirement than the record's is refused.")
    ] = None,
    candidate: Annotated[
        str | None,
        typer.Option("--candidate", metavar="DIR", help="Another tree than the last candidate is refused."),
    ] = None,
    store: StoreOption = None,
    json: Json = False,
) -> int:
    """Run a record's stages again and compare the verdicts.

    Exit status: 0 reproduced, 1 not, or the record is not intact, 2 it cannot be read, 4 it cannot be run here.
    """
    from contracts.evidence import Record
    from contracts.loading import RECORD_BYTES, load_document
    from flows.replay import replay as run_again
    from tasks.evidence.bindings import read_bindings
    from tasks.evidence.verify import NotIntact, open_record, verify_bytes

    source, kept = located(record, store)
    tree = Path(directory("--candidate", candidate)) if candidate is not None else None
    bindings = read_bindings(named("--spec", spec) if spec is not None else None, tree, None)
    data, kept, beside = open_record(source, kept)
    try:
        verify_bytes(data, kept, integrity_only=True, bindings=bindings, beside=beside)
    except NotIntact as error:
        return _refused(str(error), json)
    report = run_again(load_document(Record, data, RECORD_BYTES), kept)
    if json:
        print_document(report.document())
    else:
        for line in _lines(report):
            say(line)
    return 0 if report.reproduced else 1


def _refused(reason: str, json: bool) -> int:
    if json:
        print_document({"reproduced": False, "reason": reason})
    else:
        say(f"NOT REPRODUCED: {reason}")
    return 1


def _lines(report: ReplayReport) -> Iterator[str]:
    first = next(iter(report.differences), None)
    yield "reproduced" if first is None else f"NOT REPRODUCED: {first.step} differs first"
    yield f"  {report.run}: {len(report.steps)} steps run again"
    for item in report.differences:
        yield f"  {item.step}: sealed as {item.sealed}; now {item.now}"
        if item.flaky:
            yield f"  {item.step}: flaky: two runs here differ from each other as well"
    yield from (f"  note: {note}" for note in report.notes)
    for item in report.environment:
        yield f"  environment: {item.step} was {item.sealed}, is {item.now}"

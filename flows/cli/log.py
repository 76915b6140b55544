"""``forge log``: which runs there were, and the proof of it (EVI-07)."""

from __future__ import annotations

from typing import Annotated

import typer

from flows.cli.common import (
    Json,
    StoreOption,
    named,
    print_document,
    print_json,
    read_file,
    say,
    store_location,
    write_new,
)
from flows.cli.verify import TrustOption, trust_from

_NOTE_BYTES = 64 * 1024


def show(store: StoreOption = None, json: Json = False) -> int:
    """List the runs of the store's log, from the first."""
    from tasks.evidence.log.runs import entries
    from tasks.evidence.log.tree import Log
    from tasks.evidence.store import open_store

    log = Log(open_store(store_location(store), read_only=True))
    found = [(index, entry.leaf) for index, entry in entries(log)]
    if json:
        runs = [{"index": index, **leaf.document()} for index, leaf in found]
        print_document({"origin": log.origin(), "size": len(found), "runs": runs})
        return 0
    for index, leaf in found:
        say(f"{index} {leaf.status} {leaf.run} {leaf.payload}")
    say(f"{len(found)} runs in {log.origin() or 'no log'}")
    return 0


def prove(
    run: Annotated[str, typer.Argument(metavar="RUN", help="The name of a run.")],
    out: Annotated[
        str | None,
        typer.Option("--output", "-o", metavar="FILE", help="Write the proof here: log.json beside a record."),
    ] = None,
    store: StoreOption = None,
) -> int:
    """Prove that a run is logged, under the newest signed state of the log.

    Exit status: 0 proven, 1 not, 4 the store does not answer.
    """
    from tasks.evidence.log.runs import prove as proof_of
    from tasks.evidence.log.tree import LogError
    from tasks.evidence.store import open_store

    destination = named("--output", out) if out is not None else None
    try:
        proof = proof_of(open_store(store_location(store), read_only=True), run)
    except LogError as error:
        say(f"NOT PROVEN: {error}")
        return 1
    if destination is None:
        print_json(proof)
    else:
        write_new("--output", destination, proof.canonical())
        say(f"{run} is number {proof.index} of the log; the proof is in {destination}")
    return 0


def audit(
    known: Annotated[
        list[str] | None,
        typer.Option("--known", metavar="FILE", help="A log.json or a signed checkpoint that you hold; repeatable."),
    ] = None,
    trust: TrustOption = None,
    store: StoreOption = None,
    json: Json = False,
) -> int:
    """Recompute the whole log and hold it against what was known before.

    Exit status: 0 nothing fails, 1 something does, 4 the store does not answer.
    """
    from tasks.evidence.log.audit import audit as recompute
    from tasks.evidence.store import open_store

    notes = [_note(path) for path in known or []]
    found = recompute(open_store(store_location(store), read_only=True), trust_from(trust).logs, notes)
    if json:
        print_document({"intact": found.intact, **found.document()})
    else:
        say(f"{'intact' if found.intact else 'NOT INTACT'}: {found.size} entries, root {found.root}")
        for fault in found.faults:
            say(f"  {fault}")
        for note in found.notes:
            say(f"  not judged: {note}")
    return 0 if found.intact else 1


def _note(path: str) -> str:
    """The signed checkpoint in a file, by itself or in a proof."""
    from contracts.loading import DocumentError, load_document
    from contracts.log import Inclusion

    data = read_file(named("--known", path), _NOTE_BYTES)
    try:
        return load_document(Inclusion, data, _NOTE_BYTES).checkpoint
    except DocumentError:
        return data.decode("utf-8", "replace")

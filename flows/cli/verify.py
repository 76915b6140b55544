"""``forge verify``: is a record intact, who signed it, and does its verdict follow from its evidence?"""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from flows.cli.common import Json, StoreOption, directory, named, print_document, say, store_location

if TYPE_CHECKING:
    from tasks.evidence.store import Store

RecordArgument = Annotated[
    str, typer.Argument(metavar="RECORD", help="A record file, the directory it lies in, or the name of a run.")
]


def verify(
    record: RecordArgument,
    candidate: Annotated[
        str | None, typer.Option("--candidate", metavar="DIR", help="Hold this directory against the record.")
    ] = None,
    integrity_only: Annotated[
        bool, typer.Option("--integrity-only", help="Do not ask who signed; says what that does not prove.")
    ] = False,
    store: StoreOption = None,
    json: Json = False,
) -> int:
    """Is a record intact, and signed by whom?

    Exit status: 0 intact and trusted, 1 not, 2 it cannot be read.
    """
    from tasks.evidence.bindings import read_bindings
    from tasks.evidence.signing import trusted_keys
    from tasks.evidence.verify import UntrustedSigner, VerificationError, verify_record

    source, kept = located(record, store)
    tree = Path(directory("--candidate", candidate)) if candidate is not None else None
    bindings = read_bindings(None, tree, None)
    trusted = trusted_keys() if not integrity_only else ()
    try:
        found = verify_record(source, kept, trusted=trusted, integrity_only=integrity_only, bindings=bindings)
    except VerificationError as error:
        words = str(error)
        told: dict[str, Any] = {"intact": isinstance(error, UntrustedSigner), "trusted": False, "reason": words}
        lines = [f"{'intact, but' if told['intact'] else 'NOT INTACT:'} {words}"]
        status = 1
    else:
        told = {"intact": True, "trusted": not integrity_only, **found.document()}
        lines = [f"intact, signed by {found.signed_by}", f"  {found.run}: {found.status.value}"]
        lines += [f"  not checked: {item}" for item in found.not_checked]
        status = 0
    if json:
        print_document(told)
    else:
        for line in lines:
            say(line)
    return status


def located(record: str, store: str | None) -> tuple[Path | str, Store | None]:
    """What RECORD names, and the store to look in: a file, else a run of the store.

    A store that is not named is the user's own; it never fills in for blobs that should lie beside a record file.
    """
    from tasks.evidence.store import open_store

    path = named("RECORD", record)
    if path.is_dir():
        path /= "record.json"
    given = open_store(store_location(store)) if store is not None else None
    if path.exists() or "/" in record:
        return path, given
    return record, given or open_store(store_location(None))

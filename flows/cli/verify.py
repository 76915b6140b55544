"""``forge verify``: is a record intact, who signed it, and does its verdict follow from its evidence?"""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from flows.cli.common import Json, StoreOption, directory, named, print_document, say, store_location

if TYPE_CHECKING:
    from contracts.log import Inclusion
    from tasks.evidence.store import Store
    from tasks.evidence.trust import Trust

RecordArgument = Annotated[
    str, typer.Argument(metavar="RECORD", help="A record file, the directory it lies in, or the name of a run.")
]
TrustOption = Annotated[
    str | None,
    typer.Option("--trust", metavar="POLICY", help="Trust the keys of this policy only; by default your own policy."),
]


def verify(  # noqa: PLR0917 - Typer calls it by keyword
    record: RecordArgument,
    spec: Annotated[
        str | None, typer.Option("--spec", metavar="F", help="Hold this requirement's file against the record.")
    ] = None,
    candidate: Annotated[
        str | None, typer.Option("--candidate", metavar="DIR", help="Hold this directory against the record.")
    ] = None,
    package: Annotated[
        str | None, typer.Option("--package", metavar="F", help="Hold this wheel against the record.")
    ] = None,
    trust: TrustOption = None,
    log: Annotated[
        bool,
        typer.Option("--log", help="Demand proof that the run is logged: log.json, or the store's log."),
    ] = False,
    integrity_only: Annotated[
        bool, typer.Option("--integrity-only", help="Do not ask who signed; says what that does not prove.")
    ] = False,
    store: StoreOption = None,
    json: Json = False,
) -> int:
    """Is a record intact, and signed by whom? RECORD may be a bundle of its own, which shows less.

    Exit status: 0 intact and trusted, 1 not, 2 it cannot be read, 4 the store does not answer.
    """
    from tasks.evidence.bindings import read_bindings
    from tasks.evidence.lone import verify_bundle
    from tasks.evidence.trust import NOBODY
    from tasks.evidence.verify import NotIntact, UntrustedSigner, VerificationError, verify_record

    source, kept = located(record, store)
    bindings = read_bindings(
        named("--spec", spec) if spec is not None else None,
        Path(directory("--candidate", candidate)) if candidate is not None else None,
        named("--package", package) if package is not None else None,
    )
    trusted = trust_from(trust) if not integrity_only else NOBODY
    try:
        bundle = _bundle(source)
        if bundle is not None:
            found = verify_bundle(bundle, trusted=trusted, integrity_only=integrity_only, bindings=bindings)
        else:
            inclusion = _logged(source, kept) if log else None
            found = verify_record(
                source, kept, trusted=trusted, integrity_only=integrity_only, bindings=bindings, inclusion=inclusion
            )
        if log and "log" not in found.checked:
            raise NotIntact("log", "there is no proof that the run is logged")
    except VerificationError as error:
        words = str(error)
        told: dict[str, Any] = {"intact": isinstance(error, UntrustedSigner), "trusted": False, "reason": words}
        lines = [f"{'intact, but' if told['intact'] else 'NOT INTACT:'} {words}"]
        status = 1
    else:
        told = {"intact": True, "trusted": not integrity_only, **found.document()}
        lines = [f"intact, signed by {', '.join((found.signed_by, *found.cosigned_by))}"]
        lines += [f"  {found.run}: {found.status}", f"  checked: {', '.join(found.checked)}"]
        lines += [f"  not checked: {item}" for item in found.not_checked]
        status = 0
    if json:
        print_document(told)
    else:
        for line in lines:
            say(line)
    return status


def trust_from(policy: str | None) -> Trust:
    """What the named policy says now, or the user's own."""
    from tasks.evidence.trust import own_trust, read_trust

    return read_trust(named("--trust", policy)) if policy is not None else own_trust()


def located(record: str, store: str | None) -> tuple[Path | str, Store | None]:
    """What RECORD names, and the store to look in: a file, else a run of the store.

    A store that is not named is the user's own; it never fills in for blobs that should lie beside a record file.
    """
    from tasks.evidence.store import open_store

    path = named("RECORD", record)
    if path.is_dir():
        path /= "record.json"
    given = open_store(store_location(store), read_only=True) if store is not None else None
    if path.exists() or "/" in record:
        return path, given
    return record, given or open_store(store_location(None), read_only=True)


def _bundle(source: Path | str) -> bytes | None:
    """The bytes of a file that is a bundle and no record."""
    from contracts.loading import RECORD_BYTES
    from flows.cli.common import read_file
    from tasks.evidence.lone import is_bundle

    if not isinstance(source, Path):
        return None
    data = read_file(source, RECORD_BYTES)
    return data if is_bundle(data) else None


def _logged(source: Path | str, store: Store | None) -> Inclusion | None:
    """The proof out of the store's own log, for a run that was named."""
    from tasks.evidence.log.runs import prove
    from tasks.evidence.log.tree import LogError
    from tasks.evidence.verify import NotIntact

    if store is None or isinstance(source, Path):
        return None
    try:
        return prove(store, source)
    except LogError as error:
        raise NotIntact("log", str(error)) from error

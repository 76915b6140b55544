"""Further cryptographic signatures over one record, for policies that ask for several (EVI-08)."""

from __future__ import annotations

from pathlib import Path
from typing import Any

from contracts.canonical import canonical_bytes
from contracts.evidence import Ending, Record
from contracts.loading import RECORD_BYTES, load_document, load_json
from tasks.evidence import dsse
from tasks.evidence.arrangement import read_contents
from tasks.evidence.contents import Contents
from tasks.evidence.files import read_regular
from tasks.evidence.signing import PublicKey, SigningKey
from tasks.evidence.statement import signer_of, statement
from tasks.evidence.store import Store

FOLDER = "cosigned"
MOST = 100


def cosign_record(source: Path, store: Store | None, key: SigningKey) -> bytes:
    """A bundle over the statement that names ``key`` as its signer, for a file in `FOLDER` beside the record.

    All of the record is verified before, but for who else signed it.

    Raises:
        DocumentError, NotIntact, StoreUnavailable: as `tasks.evidence.verify.verify_record`.
    """
    from tasks.evidence.verify import open_record, verify_record

    verify_record(source, store, integrity_only=True)
    data, kept, _ = open_record(source, store)
    record = load_document(Record, data, RECORD_BYTES)
    contents = read_contents(record, kept)
    if contents.outcome is None:  # then it would not be intact
        raise ValueError("there is no outcome")
    payload = statement(contents, contents.outcome, record.head, kept, key.public)
    return canonical_bytes(dsse.sign(payload, key))


def cosigners(
    contents: Contents, outcome: Ending, head: str, store: Store, beside: Path | None
) -> frozenset[PublicKey]:
    """Who else signed the record, by the files in `FOLDER` beside it; one key in several files is one key.

    Raises:
        ValueError: a file there is not a bundle over the statement of this record.
        OSError: one cannot be read.
    """
    folder = beside / FOLDER if beside is not None else None
    if folder is None or not folder.exists():
        return frozenset()
    files = sorted(folder.iterdir())
    if len(files) > MOST:
        raise ValueError(f"there are more than {MOST} files in {FOLDER}/")
    return frozenset(_cosigner(file, contents, outcome, head, store) for file in files)


def _cosigner(file: Path, contents: Contents, outcome: Ending, head: str, store: Store) -> PublicKey:
    bundle: Any = load_json(read_regular(file, RECORD_BYTES), RECORD_BYTES)
    payload, _ = dsse.open_bundle(bundle)
    key = signer_of(load_json(payload, RECORD_BYTES))
    if not dsse.verifies(bundle, key) or payload != statement(contents, outcome, head, store, key):
        raise ValueError(f"{FOLDER}/{file.name} is not signed for this record")
    return key

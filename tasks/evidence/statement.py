"""The statement that is signed: an in-toto Statement v1 with a predicate of our own (EVI-05)."""

from __future__ import annotations

import base64
from typing import Any

from contracts.canonical import Digest, canonical_bytes, digest
from contracts.evidence import FORMAT, Ending
from tasks.evidence.contents import Contents
from tasks.evidence.signing import KeyFileError, PublicKey
from tasks.evidence.store import Store
from tasks.trees import git_tree

STATEMENT_TYPE = "https://in-toto.io/Statement/v1"
PREDICATE_TYPE = "urn:forge-verdict:predicate:{}:v1"
"""For each type of record (`Contents.TYPE`) one of its own."""


def statement(contents: Contents, outcome: Ending, head: Digest, store: Store, signer: PublicKey) -> bytes:
    """The canonical bytes of the one statement about a record; verification writes it again and compares.

    Raises:
        StoreError: a file of the last candidate is not in the store.
    """
    return canonical_bytes(
        {
            "_type": STATEMENT_TYPE,
            "subject": subjects(contents, store),
            "predicateType": PREDICATE_TYPE.format(contents.TYPE),
            "predicate": contents.predicate()
            | {
                "record": {"format": FORMAT, "head": head},
                "run": contents.run.run,
                "status": str(outcome.status),
                "fault": outcome.fault.value,
                "signer": {"publicKey": base64.b64encode(signer.raw).decode("ascii")},
            },
        }
    )


def signer_of(document: object) -> PublicKey:
    """The key that a statement names as its signer; a claim until its cryptographic signature is checked.

    Raises:
        KeyFileError: it names none.
    """
    try:
        raw = base64.b64decode(document["predicate"]["signer"]["publicKey"], validate=True)  # type: ignore[index] # caught
    except (KeyError, TypeError, ValueError, IndexError):
        raise KeyFileError("the statement names no signer") from None
    return PublicKey(raw)


def subjects(contents: Contents, store: Store) -> list[dict[str, Any]]:
    """The candidate and the package, or where no candidate exists what the user wrote; raises StoreError (EVI-05)."""
    candidate, package = contents.candidate, contents.package
    if candidate is None:
        return [_subject(contents.SUBJECT, sha256=text_digest(contents))]
    found = [_subject("candidate", sha256=candidate.tree, git=git_tree(candidate, store))]
    if package is not None:
        found.append(_subject(package.filename, sha256=package.wheel))
    return found


def _subject(name: str, sha256: Digest, git: str | None = None) -> dict[str, Any]:
    named = {"sha256": sha256.removeprefix("sha256:")}
    return {"name": name, "digest": named | ({"gitTree": git} if git is not None else {})}


def text_digest(contents: Contents) -> Digest:
    """Of the text's UTF-8 bytes: what ``sha256sum`` says of the file that the user wrote."""
    return digest(contents.text.encode("utf-8"))

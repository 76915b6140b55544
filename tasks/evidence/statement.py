"""The statement that is signed: an in-toto Statement v1 with a predicate of our own (EVI-05)."""

from __future__ import annotations

import base64
from typing import Any

from contracts.canonical import Digest, canonical_bytes, digest
from contracts.evidence import FORMAT, Outcome
from tasks.evidence.contents import Contents
from tasks.evidence.signing import KeyFileError, PublicKey
from tasks.evidence.store import Store
from tasks.trees import git_tree

STATEMENT_TYPE = "https://in-toto.io/Statement/v1"
PREDICATE_TYPE = "urn:forge-verdict:predicate:build:v1"
REDERIVED = ("order", "seals", "layers", "artifacts", "certificate", "outcome")


def statement(contents: Contents, outcome: Outcome, head: Digest, store: Store, signer: PublicKey) -> bytes:
    """The canonical bytes of the one statement about a record; verification writes it again and compares.

    Raises:
        StoreError: a file of the last candidate is not in the store.
    """
    spec = contents.spec
    return canonical_bytes(
        {
            "_type": STATEMENT_TYPE,
            "subject": subjects(contents, store),
            "predicateType": PREDICATE_TYPE,
            "predicate": {
                "record": {"format": FORMAT, "head": head},
                "run": contents.run.run,
                "requirement": _text_digest(contents),
                "buildSpec": spec.seal() if spec is not None else None,
                "status": outcome.status.value,
                "fault": outcome.fault.value,
                "rederived": list(REDERIVED),
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
    """The candidate and the package, or where no candidate exists the requirement; raises StoreError (EVI-05)."""
    candidate, package = contents.candidate, contents.package
    if candidate is None:
        return [_subject("requirement", sha256=_text_digest(contents))]
    found = [_subject("candidate", sha256=candidate.tree, git=git_tree(candidate, store))]
    if package is not None:
        found.append(_subject(package.filename, sha256=package.wheel))
    return found


def _subject(name: str, sha256: Digest, git: str | None = None) -> dict[str, Any]:
    named = {"sha256": sha256.removeprefix("sha256:")}
    return {"name": name, "digest": named | ({"gitTree": git} if git is not None else {})}


def _text_digest(contents: Contents) -> Digest:
    """Of the text's UTF-8 bytes: what ``sha256sum`` says of the requirement's file."""
    return digest(contents.requirement.text.encode("utf-8"))

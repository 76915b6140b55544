"""A record in the words of other tools: in-toto predicates test-result v0.1 and, for a pass, SVR v0.2 (EVI-05).

Each is a signed file of its own beside the record. They summarise; what proves the verdict is the record alone.
"""

from __future__ import annotations

import os
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from contracts.canonical import canonical_bytes
from contracts.evidence import Ending, Record
from contracts.loading import load_json
from tasks.evidence import dsse
from tasks.evidence.arrangement import read_contents
from tasks.evidence.contents import Contents
from tasks.evidence.files import read_regular
from tasks.evidence.signing import PublicKey, SigningKey
from tasks.evidence.statement import STATEMENT_TYPE, subjects
from tasks.evidence.store import Store

SUMMARY_FILE = "summary.intoto.json"
RESULT_FILE = "svr.intoto.json"
TEST_RESULT = "https://in-toto.io/attestation/test-result/v0.1"
VERIFICATION_RESULT = "https://in-toto.io/attestation/svr/v0.2"
VERIFIER = "urn:forge-verdict:verifier:v1"
BYTES = 4 * 1024 * 1024


def summaries(record: Record, store: Store, key: SigningKey) -> dict[str, bytes]:
    """The signed files by name; raises StoreError where the store lacks a blob, ValueError for no whole record."""
    contents = read_contents(record, store)
    return {
        name: canonical_bytes(dsse.sign(canonical_bytes(document), key))
        for name, document in documents(contents, record.head, store).items()
    }


def documents(contents: Contents, head: str, store: Store) -> dict[str, dict[str, Any]]:
    """The statements, unsigned, by the name of their file: a record gives them, so they can be compared with it.

    Raises:
        StoreError: a file of the last candidate is not in the store.
        ValueError: there is no outcome.
    """
    outcome = contents.outcome
    if outcome is None:
        raise ValueError("a record without an outcome has no summary")
    bound = {"_type": STATEMENT_TYPE, "subject": subjects(contents, store)}
    found = {SUMMARY_FILE: bound | {"predicateType": TEST_RESULT, "predicate": _test_result(contents, outcome, head)}}
    if outcome.passed:
        result = _verification_result(contents, outcome, head)
        found[RESULT_FILE] = bound | {"predicateType": VERIFICATION_RESULT, "predicate": result}
    return found


def summary_faults(
    contents: Contents, head: str, store: Store, signer: PublicKey, beside: Path | None
) -> Iterator[str]:
    """Whatever lies beside a record as its summary and is not what the record gives and its signer signed."""
    if beside is None:
        return
    present = [name for name in (SUMMARY_FILE, RESULT_FILE) if os.path.lexists(beside / name)]
    given = documents(contents, head, store) if present else {}
    for name in present:
        data = read_regular(beside / name, BYTES)
        bundle: Any = load_json(data)
        written = canonical_bytes(bundle) == data and dsse.verifies(bundle, signer)
        if not written or dsse.open_bundle(bundle)[0] != canonical_bytes(given.get(name)):
            yield f"{name} is not the summary of this record"


def _test_result(contents: Contents, outcome: Ending, head: str) -> dict[str, Any]:
    """All that decides, by name. What was not executed has not passed, and so counts as failed (law 3)."""
    results = contents.results()
    return {
        "result": "PASSED" if outcome.passed else "FAILED",
        "configuration": list(_configuration(contents, head)),
        "passedTests": [name for name, held in results.items() if held],
        "warnedTests": [],
        "failedTests": [name for name, held in results.items() if not held],
    }


def _configuration(contents: Contents, head: str) -> Iterator[dict[str, Any]]:
    yield _resource("forge-record", head)
    for name, digest in contents.materials():
        yield _resource(name, digest)


def _verification_result(contents: Contents, outcome: Ending, head: str) -> dict[str, Any]:
    return {
        "verifier": {"id": VERIFIER},
        "timeCreated": outcome.finished,
        "policy": _resource("forge-record", head),
        "properties": [f"FORGE_{contents.TYPE.upper()}_{outcome.status.upper()}"],
    }


def _resource(name: str, digest: str) -> dict[str, Any]:
    return {"name": name, "digest": {"sha256": digest.removeprefix("sha256:")}}

"""Small signed records of runs: enough for a log, which looks at nothing but the payload."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest

from contracts.canonical import canonical_bytes, digest
from contracts.evidence import FORMAT, Record
from contracts.verdict import TerminalStatus
from tasks.evidence import dsse
from tasks.evidence.signing import SigningKey, load_key
from tasks.evidence.store import DirectoryStore

RecordMaker = Callable[..., Record]


@pytest.fixture
def key() -> SigningKey:
    return load_key()


@pytest.fixture
def store(tmp_path: Path) -> DirectoryStore:
    return DirectoryStore(tmp_path / "store")


@pytest.fixture
def make_record(key: SigningKey) -> RecordMaker:
    def make(run: str, status: TerminalStatus = TerminalStatus.VERIFIED) -> Record:
        payload = canonical_bytes({"predicate": {"run": run, "status": str(status)}})
        return Record(format=FORMAT, entries=(), head=digest(run.encode()), bundle=dsse.sign(payload, key))

    return make

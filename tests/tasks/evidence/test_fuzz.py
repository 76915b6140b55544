"""Falsified records of every kind: both verifiers refuse each, and neither breaks (EVI, VER-11, VER-13).

``FORGE_MUTATIONS=10000 pytest -m slow tests/tasks/evidence/test_fuzz.py`` tries as many as one likes.
"""

from __future__ import annotations

import base64
import copy
import json
import os
import runpy
import shutil
from pathlib import Path
from random import Random
from typing import Any

import pytest

from contracts.loading import DocumentError
from tasks.evidence.export import export
from tasks.evidence.signing import PublicKey, SigningKey, public_pem
from tasks.evidence.statement import signer_of
from tasks.evidence.store import DirectoryStore
from tasks.evidence.trust import Trust
from tasks.evidence.verify import VerificationError, verify_record
from tests.tasks.evidence.mutations import CHANGES, flipped, resealed, spelled

ROOT = Path(__file__).parents[3]
MADE = ("verified", "failed", "infeasible", "underspecified", "unavailable", "interrupted", "gave_up")
SHIPPED = sorted(path.parent for path in ROOT.glob("examples/*/records/*/record.json"))
FEW, MANY = 8, int(os.environ.get("FORGE_MUTATIONS", "1300"))


class Fuzz:
    """One exported record, the key that signed it, and both verifiers."""

    def __init__(self, folder: Path, key: PublicKey, other: SigningKey) -> None:
        self.file, self.key, self.other = folder / "record.json", key, other
        self.data = self.file.read_bytes()
        self.document = json.loads(self.data)
        self.blobs = {f"sha256:{path.name}": path.read_bytes() for path in folder.glob("blobs/sha256/*")}
        self.stranger = runpy.run_path(str(Path(__file__).with_name("independent.py")))

    def accepted(self) -> tuple[bool, bool]:
        """What Forge says, and what the stranger says."""
        return self._ours(), self._theirs()

    def _ours(self) -> bool:
        try:
            verify_record(self.file, trusted=Trust.of(self.key))
        except (VerificationError, DocumentError):
            return False
        return True

    def _theirs(self) -> bool:
        try:
            self.stranger["check"](self.file, public_pem(self.key))
        except self.stranger["RefusalError"]:
            return False
        return True

    def write(self, data: bytes) -> None:
        self.file.chmod(0o644)
        self.file.write_bytes(data)

    def mutate(self, source: Random) -> str:
        """Falsify the record; the name of what was done."""
        way = source.randrange(4)
        if way == 0:
            self.write(flipped(self.data, source))
            return "flipped"
        if way == 1:
            document, added = resealed(self.document, self.blobs, self.other, source)
            for data in added.values():
                DirectoryStore(self.file.parent / "blobs").put(data)
            self.write(spelled(document))
            return "resealed"
        change = source.choice(CHANGES)
        document = copy.deepcopy(self.document)
        change(document if way == 2 else source.choice(document["entries"]), source)
        self.write(spelled(document))
        return change.__name__


def try_many(fuzz: Fuzz, count: int, seed: int) -> None:
    assert fuzz.accepted() == (True, True)
    source = Random(seed)
    for number in range(count):
        how = fuzz.mutate(source)
        if fuzz.file.read_bytes() != fuzz.data:
            assert fuzz.accepted() == (False, False), f"mutation {number} of seed {seed}: {how}"
    fuzz.write(fuzz.data)


COUNTS = [pytest.param(FEW, id="few"), pytest.param(0, id="many", marks=[pytest.mark.slow, pytest.mark.timeout(3_600)])]


@pytest.mark.parametrize("count", COUNTS)
@pytest.mark.parametrize("kind", MADE)
def test_no_falsified_build_is_accepted(
    maker: Any, tmp_path: Path, other_key: SigningKey, kind: str, count: int
) -> None:
    file = export(maker.record(kind), maker.store, tmp_path / "out")
    share = count or MANY // (len(MADE) + len(SHIPPED))
    try_many(Fuzz(file.parent, maker.key.public, other_key), share, MADE.index(kind))


@pytest.mark.parametrize("count", COUNTS)
@pytest.mark.parametrize("folder", SHIPPED, ids=lambda folder: f"{folder.parts[-3]}-{folder.name}")
def test_no_falsified_check_is_accepted(tmp_path: Path, other_key: SigningKey, folder: Path, count: int) -> None:
    """The records that ship with the samples of the gate."""
    shutil.copytree(folder, tmp_path / "out")
    record = json.loads((folder / "record.json").read_bytes())
    signer = signer_of(json.loads(base64.b64decode(record["bundle"]["dsseEnvelope"]["payload"])))
    share = count or MANY // (len(MADE) + len(SHIPPED))
    try_many(Fuzz(tmp_path / "out", signer, other_key), share, 100 + SHIPPED.index(folder))

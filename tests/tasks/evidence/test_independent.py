"""A stranger's verifier, which shares no line with Forge, agrees on every record and on every tampering."""

from __future__ import annotations

import random
import runpy
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

from contracts.canonical import canonical_bytes
from contracts.loading import DocumentError
from tasks.evidence.export import export
from tasks.evidence.signing import SigningKey, public_pem
from tasks.evidence.trust import Trust
from tasks.evidence.verify import VerificationError, verify_record

SCRIPT = Path(__file__).with_name("independent.py")
KINDS = ("verified", "failed", "infeasible", "underspecified", "unavailable", "interrupted", "gave_up")


def ours(maker: Any, file: Path) -> bool:
    try:
        verify_record(file, trusted=Trust.of(maker.key.public))
    except (VerificationError, DocumentError):
        return False
    return True


@pytest.fixture(scope="module")
def stranger() -> dict[str, Any]:
    return runpy.run_path(str(SCRIPT))


def theirs(maker: Any, stranger: dict[str, Any], file: Path) -> bool:
    try:
        stranger["check"](file, public_pem(maker.key.public))
    except stranger["RefusalError"]:
        return False
    return True


def test_it_stands_alone_and_is_short() -> None:
    text = SCRIPT.read_text()
    imported = {line.split()[1].split(".")[0] for line in text.splitlines() if line.startswith(("import ", "from "))}
    assert imported - set(sys.stdlib_module_names) == {"cryptography"}
    assert len(text.splitlines()) <= 300


@pytest.mark.parametrize("kind", KINDS)
def test_both_accept_every_kind_of_record(
    maker: Any, stranger: dict[str, Any], tmp_path: Path, kind: str, other_key: SigningKey
) -> None:
    file = export(maker.record(kind), maker.store, tmp_path / "out")
    assert ours(maker, file)
    assert theirs(maker, stranger, file)
    foreign = export(maker.seal(maker.all_models(kind), other_key), maker.store, tmp_path / "foreign")
    assert not ours(maker, foreign)
    assert not theirs(maker, stranger, foreign)


def test_it_runs_as_a_program(maker: Any, tmp_path: Path) -> None:
    file = export(maker.record("failed"), maker.store, tmp_path / "out")
    (tmp_path / "key.pem").write_bytes(public_pem(maker.key.public))
    command = [sys.executable, "-I", str(SCRIPT), str(file), str(tmp_path / "key.pem")]
    done = subprocess.run(command, capture_output=True, check=False, cwd=tmp_path)
    assert (done.returncode, done.stdout) == (0, b"intact: validation_failed\n")
    file.chmod(0o644)
    file.write_bytes(file.read_bytes().replace(b"candidate", b"Candidate", 1))
    assert subprocess.run(command, capture_output=True, check=False, cwd=tmp_path).returncode == 1


@pytest.mark.parametrize(
    "count",
    [pytest.param(60, id="some"), pytest.param(6_000, id="many", marks=[pytest.mark.slow, pytest.mark.timeout(1_800)])],
)
def test_both_refuse_every_flipped_byte(maker: Any, stranger: dict[str, Any], tmp_path: Path, count: int) -> None:
    file = export(maker.record("verified"), maker.store, tmp_path / "out")
    source = random.Random(7)
    files = [path for path in file.parent.rglob("*") if path.is_file()]
    for path in files:
        path.chmod(0o644)
        data = path.read_bytes()
        for _ in range(count // len(files)):
            place = source.randrange(len(data))
            path.write_bytes(data[:place] + bytes([data[place] ^ source.randrange(1, 256)]) + data[place + 1 :])
            assert not ours(maker, file)
            assert not theirs(maker, stranger, file)
        path.write_bytes(data)


def mutants(document: dict[str, Any], source: random.Random) -> dict[str, Any]:
    """Drop, repeat, swap or empty something in the list of entries, or in an entry, or in the bundle."""
    entries = list(document["entries"])
    place = source.randrange(len(entries))
    choice = source.randrange(6)
    if choice == 0:
        del entries[place]
    elif choice == 1:
        entries.insert(place, entries[place])
    elif choice == 2:
        other = (place + 1) % len(entries)
        entries[place], entries[other] = entries[other], entries[place]
    elif choice == 3:
        field = source.choice(sorted(entries[place]))
        entries[place] = {key: value for key, value in entries[place].items() if key != field}
    elif choice == 4:
        entries[place] = {**entries[place], "extra": None}
    else:
        field = source.choice(sorted(document["bundle"]))
        return {**document, "bundle": {key: value for key, value in document["bundle"].items() if key != field}}
    return {**document, "entries": entries}


@pytest.mark.parametrize(
    "count",
    [pytest.param(40, id="some"), pytest.param(4_000, id="many", marks=[pytest.mark.slow, pytest.mark.timeout(1_800)])],
)
def test_both_refuse_every_rearrangement(maker: Any, stranger: dict[str, Any], tmp_path: Path, count: int) -> None:
    """REC-03: dropped, repeated, swapped, and fields added to an entry."""
    source = random.Random(count)
    for kind in ("verified", "interrupted"):
        record = maker.record(kind)
        file = export(record, maker.store, tmp_path / kind)
        file.chmod(0o644)
        for _ in range(count // 2):
            file.write_bytes(canonical_bytes(mutants(record.document(), source)))
            assert not ours(maker, file)
            assert not theirs(maker, stranger, file)

"""EVI-07: every run gets its place in the log, provably, once, and however many write at a time."""

from __future__ import annotations

import subprocess
import sys
from collections.abc import Callable, Iterable, Iterator
from pathlib import Path

import pytest
from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey

from contracts import merkle
from contracts.canonical import digest
from contracts.evidence import Record
from contracts.loading import load_json
from contracts.log import Consistency, Inclusion, LogLeaf
from contracts.verdict import TerminalStatus
from tasks.errors import StoreError
from tasks.evidence import dsse
from tasks.evidence.log import tree
from tasks.evidence.log.audit import audit
from tasks.evidence.log.note import read_checkpoint, sign_checkpoint
from tasks.evidence.log.proofs import ProofError, check_consistency, check_inclusion
from tasks.evidence.log.runs import leaf_of, log_run, prove, prove_consistency, resume
from tasks.evidence.log.seen import remember
from tasks.evidence.log.tree import Log, LogError, checkpoint_key, entry_key, named
from tasks.evidence.signing import SigningKey
from tasks.evidence.store import DirectoryStore
from tests.tasks.evidence.log.conftest import RecordMaker

ROOT = Path(__file__).parents[4]


def payload_of(record: Record) -> bytes:
    return dsse.open_bundle(record.bundle)[0]


def fill(store: DirectoryStore, key: SigningKey, make: RecordMaker, count: int) -> list[Inclusion]:
    done = []
    for number in range(count):
        record = make(f"run-{number}", list(TerminalStatus)[number % 3])
        store.put_record(f"run-{number}", record.canonical())
        done.append(log_run(store, record, key))
    return done


def test_evi_07_runs_of_every_status_are_logged(
    store: DirectoryStore, key: SigningKey, make_record: RecordMaker
) -> None:
    done = fill(store, key, make_record, 9)
    assert [item.index for item in done] == list(range(9))
    for number, item in enumerate(done):
        record = make_record(f"run-{number}", item.leaf.status)
        assert check_inclusion(item, payload_of(record), [key.public]).size == number + 1
        later = prove(store, f"run-{number}")
        assert check_inclusion(later, payload_of(record), [key.public]).size == 9
    report = audit(store, [key.public])
    assert report.intact
    assert (report.size, report.notes) == (9, ())
    assert report.root == read_checkpoint(done[-1].checkpoint).root


def test_evi_07_every_state_is_the_beginning_of_the_last(
    store: DirectoryStore, key: SigningKey, make_record: RecordMaker
) -> None:
    done = fill(store, key, make_record, 9)
    for number, item in enumerate(done):
        shown = prove_consistency(store, item.checkpoint)
        older, newer = check_consistency(shown, [key.public])
        assert (older.size, newer.size) == (number + 1, 9)


def test_the_stored_nodes_give_the_same_roots_as_the_leaves(
    store: DirectoryStore, key: SigningKey, make_record: RecordMaker
) -> None:
    log = Log(store)
    leaves = [leaf_of(make_record(f"run-{number}")) for number in range(70)]
    for number, leaf in enumerate(leaves):
        assert log.append(leaf) == number
    for size in range(1, 71):
        hashes = [merkle.leaf_hash(leaf.canonical()) for leaf in leaves[:size]]
        while len(hashes) > 1:
            pairs = [merkle.node_hash(*hashes[at : at + 2]) for at in range(0, len(hashes) - 1, 2)]
            hashes = pairs + hashes[len(pairs) * 2 :]
        assert Log(store).state(size).root == named(hashes[0])
    assert Log(store).size() == 70


def test_keys_are_zero_padded_and_the_leaf_covers_no_envelope(
    store: DirectoryStore, key: SigningKey, make_record: RecordMaker
) -> None:
    record = make_record("run-1", TerminalStatus.VALIDATION_FAILED)
    done = log_run(store, record, key)
    assert done.leaf == LogLeaf(
        run="run-1", status=TerminalStatus.VALIDATION_FAILED, payload=digest(payload_of(record))
    )
    assert entry_key(7) == "log/entries/00000000000000000007"
    assert (store.root / entry_key(0)).is_file()
    assert (store.root / checkpoint_key(1)).read_text() == done.checkpoint


def test_evi_pitfall_13_a_log_entry_of_another_record(
    store: DirectoryStore, key: SigningKey, make_record: RecordMaker
) -> None:
    done = fill(store, key, make_record, 3)
    with pytest.raises(ProofError, match="another record"):
        check_inclusion(done[0], payload_of(make_record("run-1")), [key.public])
    lent = done[0].model_copy(update={"leaf": done[1].leaf})
    with pytest.raises(ProofError, match="does not lead to"):
        check_inclusion(lent, payload_of(make_record("run-1", done[1].leaf.status)), [key.public])
    luckier = done[1].leaf.model_copy(update={"status": TerminalStatus.VERIFIED})
    with pytest.raises(ProofError, match="does not lead to"):
        check_inclusion(
            done[1].model_copy(update={"leaf": luckier}),
            payload_of(make_record("run-1", done[1].leaf.status)),
            [key.public],
        )


def test_evi_pitfall_14_another_tree_size_a_stale_checkpoint_another_number(
    store: DirectoryStore, key: SigningKey, make_record: RecordMaker
) -> None:
    done = fill(store, key, make_record, 6)
    payload = payload_of(make_record("run-2", done[2].leaf.status))
    for change in (
        {"checkpoint": done[1].checkpoint},  # stale: before the run
        {"checkpoint": done[4].checkpoint},  # another size
        {"index": 1},
        {"index": 3},
        {"proof": ()},
        {"proof": done[3].proof},
    ):
        with pytest.raises(ProofError, match="does not lead to"):
            check_inclusion(done[2].model_copy(update=change), payload, [key.public])
    stale = Consistency(older=done[4].checkpoint, newer=done[2].checkpoint, proof=())
    with pytest.raises(ProofError, match="not shown to begin"):
        check_consistency(stale, [key.public])


def test_evi_pitfall_14_a_rollback_is_seen(store: DirectoryStore, key: SigningKey, make_record: RecordMaker) -> None:
    """The end is removed with all that stood in the store about it: only what was seen before can tell."""
    done = fill(store, key, make_record, 5)
    (store.root / entry_key(4)).unlink()
    (store.root / checkpoint_key(5)).unlink()
    (store.root / "runs" / "run-4.json").unlink()
    with pytest.raises(LogError, match="rolled back: it had 5 entries, and has 4"):
        log_run(store, make_record("luckier"), key)
    assert not audit(store, [key.public]).intact
    with pytest.raises(LogError, match="rolled back"):
        prove_consistency(store, done[4].checkpoint)


def test_evi_pitfall_14_a_stranger_sees_the_rollback_by_the_checkpoint_that_he_holds(
    store: DirectoryStore, key: SigningKey, make_record: RecordMaker, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    done = fill(store, key, make_record, 5)
    (store.root / entry_key(4)).unlink()
    (store.root / checkpoint_key(5)).unlink()
    (store.root / "runs" / "run-4.json").unlink()
    monkeypatch.setenv("XDG_STATE_HOME", str(tmp_path / "stranger"))
    assert audit(store, [key.public]).intact, "the store alone cannot tell"
    report = audit(store, [key.public], known=[done[4].checkpoint])
    assert report.faults == ("checkpoint given: the log had 5 entries, and has 4: it was rolled back",)


def test_evi_pitfall_14_a_split_view_is_seen(
    store: DirectoryStore, key: SigningKey, make_record: RecordMaker, tmp_path: Path
) -> None:
    """Two people are shown two logs of one name: the one that holds the other's checkpoint finds out."""
    fill(store, key, make_record, 3)
    other = DirectoryStore(tmp_path / "other")
    other.create("log/origin", store.read("log/origin", 100) or b"")
    for number in range(4):
        record = make_record(f"other-{number}")
        other.put_record(f"other-{number}", record.canonical())
        done = log_run(other, record, key)
    report = audit(other, [key.public], known=[prove(store, "run-0").checkpoint])
    assert report.faults == ("checkpoint given: another history was signed at 3 entries: the log was forked",)
    forged = Consistency(older=prove(store, "run-0").checkpoint, newer=done.checkpoint, proof=done.proof)
    with pytest.raises(ProofError, match="not shown to begin"):
        check_consistency(forged, [key.public])


def test_a_replaced_log_is_seen(store: DirectoryStore, key: SigningKey, make_record: RecordMaker) -> None:
    fill(store, key, make_record, 2)
    (store.root / "log").rename(store.root / "old-log")
    with pytest.raises(LogError, match="the log was replaced"):
        log_run(store, make_record("luckier"), key)


def remove(paths: Iterable[Path]) -> None:
    for path in paths:
        path.unlink()


def rewrite(path: Path, data: bytes) -> None:
    path.unlink()
    path.write_bytes(data)


def test_evi_07_an_audit_names_every_planted_fault(
    store: DirectoryStore, key: SigningKey, make_record: RecordMaker, tmp_path: Path
) -> None:
    """Law 7: each kind of damage, one at a time, on a log that is intact without it."""
    done = fill(store, key, make_record, 6)
    good = {path: path.read_bytes() for path in store.root.rglob("*") if path.is_file()}
    entry, run = store.root / entry_key(2), store.root / "runs" / "run-2.json"
    other_leaf = entry.read_bytes().replace(b"run-2", b"run-9")
    other_node = (store.root / entry_key(3)).read_bytes().replace(b'"nodes":["sha256:', b'"nodes":["sha256:0', 1)
    forked = sign_checkpoint(read_checkpoint(done[3].checkpoint).model_copy(update={"root": digest(b"fork")}), key)
    planted: dict[str, Callable[[], object]] = {
        "entry 2 of the log is none": lambda: rewrite(entry, b"{}"),
        "another history was signed": lambda: rewrite(entry, other_leaf),
        "entry 3 of the log is none": lambda: rewrite(store.root / entry_key(3), other_node),
        "the log ends with entry 1, and yet log/entries": entry.unlink,
        "yet log/checkpoints/00000000000000000007": lambda: (store.root / checkpoint_key(7)).write_bytes(b"x"),
        "it was rolled back": lambda: remove([store.root / entry_key(number) for number in range(3, 6)]),
        "the log was forked": lambda: rewrite(store.root / checkpoint_key(4), forked.encode()),
        "is of another size": lambda: rewrite(store.root / checkpoint_key(4), done[2].checkpoint.encode()),
        "not a checkpoint": lambda: rewrite(store.root / checkpoint_key(4), b"\xff"),
        "its record is not there": run.unlink,
        "with another record": lambda: rewrite(run, make_record("run-2").canonical()),
        "its record cannot be read": lambda: rewrite(run, b"{}"),
        "the log's name is not one": lambda: rewrite(store.root / "log" / "origin", b"mine"),
    }
    assert audit(store, [key.public]).intact
    for fault, plant in planted.items():
        plant()
        report = audit(store, [key.public])
        assert any(fault in line for line in report.faults), (fault, report.faults)
        assert not report.intact
        remove([path for path in store.root.rglob("*") if path.is_file()])
        for path, data in good.items():
            path.write_bytes(data)
    assert audit(store, [key.public]).intact


def test_an_audit_finds_wrong_nodes_of_the_right_form(
    store: DirectoryStore, key: SigningKey, make_record: RecordMaker
) -> None:
    fill(store, key, make_record, 4)
    entry = Log(store).entry(3)
    assert entry is not None
    wrong = entry.model_copy(update={"nodes": (digest(b"wrong"), *entry.nodes[1:])})
    rewrite(store.root / entry_key(3), wrong.canonical())
    assert "entry 3 does not hold the hashes of its subtrees" in audit(store, [key.public]).faults


def test_an_audit_says_what_it_could_not_judge(
    store: DirectoryStore, key: SigningKey, make_record: RecordMaker
) -> None:
    fill(store, key, make_record, 1)
    store.put_record("killed", make_record("killed").canonical())
    report = audit(store, [])
    assert report.intact
    assert any("no trusted key" in note for note in report.notes)
    assert any("killed.json" in note for note in report.notes)


def test_an_empty_store_has_no_log(store: DirectoryStore, key: SigningKey) -> None:
    report = audit(store, [key.public])
    assert (report.origin, report.size, report.intact) == (None, 0, True)
    with pytest.raises(LogError, match="not in the log"):
        prove(store, "run-1")
    with pytest.raises(LogError, match="no signed state"):
        prove_consistency(store, "")
    assert resume(store, key) == ()


def test_evi_pitfall_3_a_proof_by_an_untrusted_key(
    store: DirectoryStore, key: SigningKey, make_record: RecordMaker
) -> None:
    record = make_record("run-1")
    done = log_run(store, record, SigningKey(Ed25519PrivateKey.generate(), "test"))
    with pytest.raises(ProofError, match="no trusted key"):
        check_inclusion(done, payload_of(record), [key.public])


def test_a_lost_answer_does_not_log_a_run_twice(
    store: DirectoryStore, key: SigningKey, make_record: RecordMaker, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The store kept the entry and the client was told that another one stands there."""
    leaf, create = leaf_of(make_record("run-1")), store.create
    monkeypatch.setattr(store, "create", lambda name, data: create(name, data) and False)
    assert Log(store).append(leaf) == 0
    assert Log(store).size() == 1


def test_a_writer_that_always_loses_gives_up(
    store: DirectoryStore, make_record: RecordMaker, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(store, "create", lambda name, data: False)
    monkeypatch.setattr(tree, "ATTEMPTS", 3)
    with pytest.raises(LogError, match="grew 3 times"):
        Log(store).append(leaf_of(make_record("run-1")))


def test_the_newest_note_is_kept_when_runs_close_in_another_order(
    store: DirectoryStore, key: SigningKey, make_record: RecordMaker
) -> None:
    done = fill(store, key, make_record, 2)
    remember(store, done[0].checkpoint)
    log_run(store, make_record("run-9"), key)
    with pytest.raises(StoreError, match="remembered checkpoint"):
        remember(store, "not a note")
        log_run(store, make_record("run-8"), key)


WRITER = """
import sys
from pathlib import Path
from contracts.canonical import digest
from contracts.log import LogLeaf
from tasks.evidence.log.tree import Log
from tasks.evidence.store import DirectoryStore
log = Log(DirectoryStore(Path(sys.argv[1])))
for number in range(int(sys.argv[3])):
    run = f"{sys.argv[2]}-{number}"
    print(log.append(LogLeaf(run=run, status="verified", payload=digest(run.encode()))), flush=True)
"""


def writer(root: Path, name: str, count: int) -> subprocess.Popen[bytes]:
    command = [sys.executable, "-c", WRITER, str(root), name, str(count)]
    return subprocess.Popen(command, stdout=subprocess.PIPE, cwd=ROOT)


def test_evi_07_concurrent_writers_leave_no_gap_and_lose_nothing(store: DirectoryStore) -> None:
    writers = [writer(store.root, f"writer{number}", 12) for number in range(3)]
    numbers = [int(line) for process in writers for line in process.communicate(timeout=60)[0].split()]
    assert sorted(numbers) == list(range(36))
    report = audit(store, [])
    assert (report.size, len({line.split()[1] for line in report.faults})) == (36, 36)
    assert all("its record is not there" in line for line in report.faults), "nothing but the records is missing"


@pytest.mark.slow
def test_evi_07_writers_killed_at_any_moment_leave_a_log(store: DirectoryStore) -> None:
    for delay in range(20):
        process = writer(store.root, f"writer{delay}", 10_000)
        with process:
            assert process.stdout is not None
            process.stdout.readline()
            try:
                process.wait(delay / 100)
            except subprocess.TimeoutExpired:
                process.kill()
    report = audit(store, [])
    assert report.size >= 20
    assert all("its record is not there" in line for line in report.faults)


def test_every_changed_byte_of_a_carried_proof_is_refused(
    store: DirectoryStore, key: SigningKey, make_record: RecordMaker
) -> None:
    """``log.json`` beside a record, and a consistency proof: no byte of either is ignored."""
    done = fill(store, key, make_record, 6)
    payload = payload_of(make_record("run-2", done[2].leaf.status))
    shown, carried = prove_consistency(store, done[2].checkpoint), prove(store, "run-2")
    for data in corruptions(carried.canonical()):
        with pytest.raises(ValueError):
            check_inclusion(Inclusion.model_validate(load_json(data)), payload, [key.public])
    for data in corruptions(shown.canonical()):
        with pytest.raises(ValueError):
            check_consistency(Consistency.model_validate(load_json(data)), [key.public])


def corruptions(data: bytes) -> Iterator[bytes]:
    for at in range(len(data)):
        yield data[:at] + bytes([data[at] ^ 1 << at % 7]) + data[at + 1 :]
        yield data[:at] + data[at + 1 :]

"""Runs in the log: each is logged when it is closed, and can be proven to be (EVI-07)."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from contracts import merkle
from contracts.canonical import digest
from contracts.evidence import Record
from contracts.loading import RECORD_BYTES, load_document, load_json
from contracts.log import Checkpoint, Consistency, Inclusion, LogEntry, LogLeaf
from tasks.evidence import dsse
from tasks.evidence.log.note import NoteError, read_checkpoint, sign_checkpoint
from tasks.evidence.log.seen import check_extends, remember, seen_note
from tasks.evidence.log.tree import Log, LogError, checkpoint_key, named
from tasks.evidence.signing import SigningKey
from tasks.evidence.spool import SpooledStore
from tasks.evidence.store import Store


def log_run(store: Store, record: Record, key: SigningKey) -> Inclusion:
    """Log a record that the store keeps, and sign the state of the log; what waited for the store is logged first.

    Raises:
        LogError: the log was rolled back or replaced since this user last saw it.
        StoreError: the store does not serve; a waiting record is logged by a later run or by `resume` (EVI-24).
    """
    done, leaf = _resume(store, key), leaf_of(record)
    return done[leaf] if leaf in done else _log(store, leaf, key)


def resume(store: Store, key: SigningKey) -> tuple[str, ...]:
    """Upload and log what an outage left waiting; the runs whose records that were.

    Raises:
        StoreError: the store still does not serve, or has another record of such a run.
    """
    return tuple(leaf.run for leaf in _resume(store, key))


def prove(store: Store, run: str) -> Inclusion:
    """The proof that ``run`` is logged, under the newest signed state of the log.

    Raises:
        LogError: it is not logged, or no signed state covers it.
        StoreError: the store does not serve.
    """
    log = Log(store)
    index = next((index for index, entry in entries(log) if entry.leaf.run == run), None)
    if index is None:
        raise LogError(f"the run is not in the log: {run}")
    note, state = newest(log)
    if index >= state.size:
        raise LogError(f"no signed state of the log covers the run yet: {run}")
    return _inclusion(log, index, state.size, note)


def prove_consistency(store: Store, older: str) -> Consistency:
    """The proof that the log still begins as ``older``, a signed note, says.

    Raises:
        LogError: it does not, or ``older`` is no such note.
        StoreError: the store does not serve.
    """
    log = Log(store)
    note, state = newest(log)
    try:
        known = read_checkpoint(older)
    except NoteError as error:
        raise LogError(str(error)) from error
    check_extends(log, older)
    if not 0 < known.size <= state.size:
        raise LogError(f"there is no proof from {known.size} to {state.size} entries")
    proof = merkle.prove_consistency(log.node, known.size, state.size)
    return Consistency(older=older, newer=note, proof=tuple(map(named, proof)))


def newest(log: Log) -> tuple[str, Checkpoint]:
    """The signed note of the newest state that has one, and what it says, unchecked. Raises StoreError."""
    for size in range(log.size(), 0, -1):
        note = log.note(size)
        if note is not None:
            try:
                return note, read_checkpoint(note)
            except NoteError as error:
                raise LogError(f"the checkpoint of {size} entries: {error}") from error
    raise LogError("there is no signed state of a log in this store yet")


def entries(log: Log) -> Iterator[tuple[int, LogEntry]]:
    """The entries of a log from the first, with their numbers. Raises StoreError."""
    index = 0
    while (entry := log.entry(index)) is not None:
        yield index, entry
        index += 1


def leaf_of(record: Record) -> LogLeaf:
    """The leaf of a record: run and status as its signed statement gives them.

    Raises:
        ValueError: it carries no such statement.
    """
    payload, _ = dsse.open_bundle(record.bundle)
    document: Any = load_json(payload, RECORD_BYTES)
    try:
        predicate = document["predicate"]
        return LogLeaf(run=predicate["run"], status=predicate["status"], payload=digest(payload))
    except (KeyError, TypeError) as error:
        raise ValueError("the record carries no statement about a run") from error


def _resume(store: Store, key: SigningKey) -> dict[LogLeaf, Inclusion]:
    if not isinstance(store, SpooledStore):
        return {}
    store.upload_blobs()
    done: dict[LogLeaf, Inclusion] = {}
    for run in store.waiting_runs():
        data = store.upload_record(run)
        if data is not None:
            # Logged before it stops waiting: killed between the two, it is logged once more, by the same leaf.
            leaf = leaf_of(load_document(Record, data, RECORD_BYTES))
            done[leaf] = _log(store, leaf, key)
            store.settle_record(run)
    return done


def _log(store: Store, leaf: LogLeaf, key: SigningKey) -> Inclusion:
    log = Log(store)
    known = seen_note(store)
    if known is not None:
        check_extends(log, known)
    index = log.append(leaf)
    size = index + 1
    note = sign_checkpoint(log.state(size), key)
    store.create(checkpoint_key(size), note.encode("utf-8"))
    if known is None or read_checkpoint(known).size < size:
        remember(store, note)
    return _inclusion(log, index, size, note)


def _inclusion(log: Log, index: int, size: int, note: str) -> Inclusion:
    entry = log.entry(index)
    if entry is None:
        raise LogError(f"entry {index} of the log is missing")
    proof = merkle.prove_inclusion(log.node, index, size)
    return Inclusion(leaf=entry.leaf, index=index, proof=tuple(map(named, proof)), checkpoint=note)

"""The whole log recomputed: every hash, every kept checkpoint, every record, against what was known before (EVI-07)."""

from __future__ import annotations

from collections.abc import Collection, Iterator, Sequence

from contracts import merkle
from contracts.evidence import Record
from contracts.loading import RECORD_BYTES, DocumentError, load_document
from contracts.log import Checkpoint, LogAudit, LogEntry
from tasks.errors import StoreError, StoreUnavailable
from tasks.evidence.log.note import NoteError, open_checkpoint, read_checkpoint
from tasks.evidence.log.runs import leaf_of
from tasks.evidence.log.seen import seen_note
from tasks.evidence.log.tree import CHECKPOINTS, ENTRIES, Log, LogError, checkpoint_key, entry_key, named
from tasks.evidence.signing import PublicKey
from tasks.evidence.store import Store


def audit(store: Store, keys: Collection[PublicKey], known: Sequence[str] = ()) -> LogAudit:
    """Recompute the log of a store.

    ``known`` are signed notes from elsewhere: of exported records, of other people. They, and what this user saw
    last, show what the store alone cannot: that the log was rolled back, replaced, or shown in two versions.

    Raises:
        StoreError: the store does not serve.
    """
    log = Log(store)
    found = _Recomputed(log)
    faults = [*found.faults, *_beyond(store, found.size)]
    notes: list[str] = []
    for key, note in _checkpoints(log, found.size):
        faults += _checkpoint_faults(found, keys, key, note, notes)
    remembered = seen_note(store)
    before = [("seen before", remembered)] if remembered is not None else []
    for source, note in [*before, *(("given", note) for note in known)]:
        faults += _checkpoint_faults(found, keys, source, note, notes)
    faults += _records(store, found.entries)
    notes += _unlogged(store, found.entries)
    return LogAudit(
        origin=found.origin,
        size=found.size,
        root=named(found.roots[-1]),
        faults=tuple(faults),
        notes=tuple(notes),
    )


class _Recomputed:
    """A log read from its first entry to its last; ``roots[n]`` is over the first n leaves, from the leaves alone."""

    def __init__(self, log: Log) -> None:
        self.entries: list[LogEntry] = []
        self.roots = [merkle.EMPTY]
        self.faults: list[str] = []
        self.origin = self._origin(log)
        frontier: list[tuple[int, bytes]] = []
        try:
            while (entry := log.entry(len(self.entries))) is not None:
                completed = _grow(frontier, merkle.leaf_hash(entry.leaf.canonical()))
                if entry.nodes != tuple(map(named, completed)):
                    self.faults.append(f"entry {len(self.entries)} does not hold the hashes of its subtrees")
                self.entries.append(entry)
                self.roots.append(_fold(frontier))
        except LogError as error:
            self.faults.append(str(error))
        if self.entries and self.origin is None:
            self.faults.append("the log has entries and no name")

    def _origin(self, log: Log) -> str | None:
        try:
            return log.origin()
        except LogError as error:
            self.faults.append(str(error))
            return None

    @property
    def size(self) -> int:
        """How many entries are there without a gap."""
        return len(self.entries)


def _grow(frontier: list[tuple[int, bytes]], leaf: bytes) -> list[bytes]:
    """Add a leaf to the full subtrees of a tree, the widest first; the hashes of those that it completes."""
    height, found, completed = 0, leaf, []
    while frontier and frontier[-1][0] == height:
        found = merkle.node_hash(frontier.pop()[1], found)
        height += 1
        completed.append(found)
    frontier.append((height, found))
    return completed


def _fold(frontier: list[tuple[int, bytes]]) -> bytes:
    found = frontier[-1][1]
    for _, left in frontier[-2::-1]:
        found = merkle.node_hash(left, found)
    return found


def _beyond(store: Store, size: int) -> Iterator[str]:
    """What stands past the end: an entry was removed, or the whole end was (a listing adds, it is not relied on)."""
    for folder, key, end in ((ENTRIES, entry_key, size), (CHECKPOINTS, checkpoint_key, size + 1)):
        expected = {key(number).rpartition("/")[2] for number in range(end)}
        for name in sorted(store.names(folder) - expected):
            yield f"the log ends with entry {size - 1}, and yet {folder}/{name[:80]} is there"


def _checkpoints(log: Log, size: int) -> Iterator[tuple[str, str]]:
    for number in range(1, size + 1):
        note = log.note(number)
        if note is not None:
            yield checkpoint_key(number), note


def _checkpoint_faults(
    found: _Recomputed, keys: Collection[PublicKey], source: str, note: str, notes: list[str]
) -> Iterator[str]:
    try:
        state = read_checkpoint(note)
    except NoteError as error:
        yield f"checkpoint {source}: {error}"
        return
    try:
        open_checkpoint(note, keys)
    except NoteError as error:
        notes.append(f"checkpoint {source}: {error}")
    if source.startswith(CHECKPOINTS) and source != checkpoint_key(state.size):
        yield f"checkpoint {source} is of another size"
    fault = _state_fault(found, state)
    if fault is not None:
        yield f"checkpoint {source}: {fault}"


def _state_fault(found: _Recomputed, state: Checkpoint) -> str | None:
    if state.origin != found.origin:
        return f"it is of another log, {state.origin}"
    if state.size > found.size:
        return f"the log had {state.size} entries, and has {found.size}: it was rolled back"
    if state.root != named(found.roots[state.size]):
        return f"another history was signed at {state.size} entries: the log was forked"
    return None


def _records(store: Store, entries: Sequence[LogEntry]) -> Iterator[str]:
    """Logged runs whose record is withheld, or is another one; one run with two payloads is a replacement."""
    for leaf in dict.fromkeys(entry.leaf for entry in entries):
        try:
            record = load_document(Record, store.get_record(leaf.run), RECORD_BYTES)
            same = leaf_of(record) == leaf
        except StoreUnavailable:  # nothing was seen that could be wrong (law 3)
            raise
        except StoreError as error:
            yield f"run {leaf.run} is logged, and its record is not there: {error}"
        except (DocumentError, ValueError) as error:
            yield f"run {leaf.run} is logged, and its record cannot be read: {error}"
        else:
            if not same:
                yield f"run {leaf.run} is logged as {leaf.status} with another record"


def _unlogged(store: Store, entries: Sequence[LogEntry]) -> Iterator[str]:
    logged = {f"{entry.leaf.run}.json" for entry in entries}
    for name in sorted(store.names("runs") - logged):
        yield f"the record {name[:120]} is in the store and not in the log: its run was stopped before, or it waits"

"""The log in a store: numbered entries, each created once, and from them any root and any proof."""

from __future__ import annotations

import random
import re
import secrets
import time

from contracts import merkle
from contracts.loading import load_json
from contracts.log import Checkpoint, LogEntry, LogLeaf
from tasks.errors import StoreError
from tasks.evidence.store import Store

ENTRIES = "log/entries"
CHECKPOINTS = "log/checkpoints"
ATTEMPTS = 100
_ORIGIN = "log/origin"
_ORIGIN_FORM = re.compile(rb"forge-log/[0-9a-f]{32}")
_BYTES = 64 * 1024


class LogError(StoreError):
    """The log in the store is not what it was, or cannot be read as one."""


class Log:
    """A log of runs. Entries never change, so what was read once is kept.

    Hashes of full subtrees are taken as they stand in the entries; `audit` computes them again.
    """

    def __init__(self, store: Store) -> None:
        self.store = store
        self._entries: dict[int, LogEntry] = {}

    def origin(self) -> str | None:
        """The name of this log, drawn at random for its first entry; None while it has none. Raises StoreError."""
        data = self.store.read(_ORIGIN, _BYTES)
        if data is None:
            return None
        if _ORIGIN_FORM.fullmatch(data) is None:
            raise LogError("the log's name is not one")
        return data.decode("ascii")

    def entry(self, index: int) -> LogEntry | None:
        """Entry ``index``, or None past the end.

        Raises:
            LogError: what stands there is none.
            StoreError: it cannot be read.
        """
        if index not in self._entries:
            data = self.store.read(entry_key(index), _BYTES)
            if data is None:
                return None
            self._entries[index] = _parsed(data, index)
        return self._entries[index]

    def size(self) -> int:
        """How many entries there are, found by reading: no listing is relied on (EVI-20). Raises StoreError."""
        low, step = max(self._entries, default=-1), 1
        while self.entry(low + step) is not None:
            low, step = low + step, step * 2
        high = low + step
        while high - low > 1:
            middle = (low + high) // 2
            low, high = (middle, high) if self.entry(middle) is not None else (low, middle)
        return high

    def append(self, leaf: LogLeaf) -> int:
        """Add ``leaf`` at the end; its number. Of several writers at once each gets a number of its own.

        Raises:
            StoreError: the store does not serve, or others were faster for `ATTEMPTS` times.
        """
        self.store.create(_ORIGIN, f"forge-log/{secrets.token_hex(16)}".encode())
        for attempt in range(ATTEMPTS):
            index = self.size()
            if self.store.create(entry_key(index), self._completed(leaf, index).canonical()):
                return index
            found = self.entry(index)
            if found is not None and found.leaf == leaf:  # ours: the answer to a first request got lost
                return index
            time.sleep(random.uniform(0, 0.002) * attempt)  # noqa: S311 - no secret
        raise LogError(f"the log grew {ATTEMPTS} times while this run waited for its turn")

    def node(self, height: int, number: int) -> bytes:
        """The hash of a full subtree, as `merkle.Node`. Raises StoreError."""
        last = ((number + 1) << height) - 1
        entry = self.entry(last)
        if entry is None or len(entry.nodes) < height:
            raise LogError(f"entry {last} of the log is missing or incomplete")
        return bytes.fromhex(entry.nodes[height - 1][7:]) if height else merkle.leaf_hash(entry.leaf.canonical())

    def state(self, size: int) -> Checkpoint:
        """The log's state at ``size`` entries. Raises StoreError; LogError while there is no log."""
        origin = self.origin()
        if origin is None:
            raise LogError("there is no log in this store yet")
        return Checkpoint(origin=origin, size=size, root=named(merkle.root(self.node, size)))

    def note(self, size: int) -> str | None:
        """The signed checkpoint that is kept for ``size`` entries, unchecked; a killed writer leaves none."""
        data = self.store.read(checkpoint_key(size), _BYTES)
        return data.decode("utf-8", "replace") if data is not None else None

    def _completed(self, leaf: LogLeaf, index: int) -> LogEntry:
        """The entry of ``leaf``: as many subtrees end with leaf ``index`` as its number ends with ones in binary."""
        found, nodes = merkle.leaf_hash(leaf.canonical()), []
        height = 0
        while index >> height & 1:
            found = merkle.node_hash(self.node(height, (index >> height) - 1), found)
            nodes.append(named(found))
            height += 1
        return LogEntry(leaf=leaf, nodes=tuple(nodes))


def entry_key(index: int) -> str:
    """Where entry ``index`` stands."""
    return f"{ENTRIES}/{index:020d}"


def checkpoint_key(size: int) -> str:
    """Where the signed checkpoint of ``size`` entries stands."""
    return f"{CHECKPOINTS}/{size:020d}"


def named(value: bytes) -> str:
    """A hash as the contracts write it."""
    return f"sha256:{value.hex()}"


def _parsed(data: bytes, index: int) -> LogEntry:
    try:
        entry = LogEntry.model_validate(load_json(data, _BYTES))
    except ValueError as error:
        raise LogError(f"entry {index} of the log is none") from error
    if entry.canonical() != data:
        raise LogError(f"entry {index} of the log is not in canonical form")
    return entry

"""Writes a record: entries as they come, the outcome derived, the whole signed and kept (EVI-01, law 6)."""

from __future__ import annotations

from contracts.evidence import FORMAT, Ending, Entry, EntryKind, Record, append
from contracts.model import Model
from tasks.evidence import dsse
from tasks.evidence.arrangement import arrange, may_follow
from tasks.evidence.contents import OrderError
from tasks.evidence.kinds import NOTES, kind_of, model_of
from tasks.evidence.signing import SigningKey
from tasks.evidence.statement import statement
from tasks.evidence.store import Store


class Recorder:
    """One run's record in the making. Entries are only ever added; nothing out of order is."""

    def __init__(self, store: Store) -> None:
        self.entries: tuple[Entry, ...] = ()
        self._models: list[Model] = []
        self._store = store
        self._about: EntryKind | None = None
        self._last: EntryKind | None = None

    def add(self, kind: EntryKind, model: Model) -> Entry:
        """Append ``model``; a long body goes into the store.

        Raises:
            OrderError: the kind may not stand here, or the model is of another.
            StoreError: the store cannot keep the body.
        """
        if type(model) is not model_of(kind) or not may_follow(self._about, self._last, kind):
            raise OrderError(f"{type(model).__name__} as {kind} may not stand after {self._last or 'nothing'}")
        entry, blob = append(self.entries, kind, model.document())
        if blob is not None:
            self._store.put(blob)
        self.entries = (*self.entries, entry)
        self._models.append(model)
        if entry.index == 1:
            self._about = kind
        if kind not in NOTES:
            self._last = kind
        return entry

    def conclude(self, finished: str, stage_ms: dict[str, int]) -> Ending:
        """Derive how the run ended from what was added, append it as the last entry, and return it.

        Raises:
            OrderError: the run is about nothing yet.
            NoConclusion: the entries give neither a verdict nor a cause.
        """
        ending = arrange(self._models).conclude(finished, stage_ms)
        self.add(kind_of(type(ending)), ending)
        return ending

    def finish(self, key: SigningKey) -> Record:
        """Sign the concluded record and keep it in the store under the name of its run.

        Raises:
            OrderError: there is no outcome yet.
            StoreError: the store cannot keep it, or has another record of that run.
        """
        contents = arrange(self._models)
        if contents.outcome is None:
            raise OrderError("a record without an outcome is not signed")
        head = self.entries[-1].digest
        payload = statement(contents, contents.outcome, head, self._store, key.public)
        record = Record(format=FORMAT, entries=self.entries, head=head, bundle=dsse.sign(payload, key))
        self._store.put_record(contents.run.run, record.canonical())
        return record

"""The types of record, and how the entries of one become its contents."""

from __future__ import annotations

from collections.abc import Sequence

from contracts.evidence import EntryKind, Record
from contracts.model import Model
from tasks.evidence.benches.contents import BenchContents
from tasks.evidence.builds.contents import BuildContents
from tasks.evidence.checks.contents import CheckContents
from tasks.evidence.contents import Contents, OrderError
from tasks.evidence.kinds import KINDS, NOTES, read_body
from tasks.evidence.repairs.contents import RepairContents
from tasks.evidence.store import Store

TYPES: dict[EntryKind, type[Contents]] = {
    EntryKind.REQUIREMENT: BuildContents,
    EntryKind.TASK: CheckContents,
    EntryKind.BUNDLE: BenchContents,
    EntryKind.REPAIR_PLAN: RepairContents,
}
"""By the kind of the second entry: what the run is about. The first is the run itself."""


def may_follow(about: EntryKind | None, previous: EntryKind | None, kind: EntryKind) -> bool:
    """True iff ``kind`` may come after ``previous``, the last entry that is no note, in a record ``about`` that.

    None: there is no such entry yet.
    """
    if previous is None:
        return kind is EntryKind.RUN
    if about is None:
        return kind in TYPES
    follows = TYPES[about].FOLLOWS.get(previous, set())
    return (TYPES[about].ENDING if kind in NOTES else kind) in follows


def arrange(models: Sequence[Model]) -> Contents:
    """The models of a record's entries as the contents of its type.

    Raises:
        OrderError: an entry stands where it may not, or what every run has is missing.
    """
    about: EntryKind | None = None
    previous: EntryKind | None = None
    for index, model in enumerate(models):
        kind = KINDS[type(model)]
        if not may_follow(about, previous, kind):
            raise OrderError(f"entry {index}: {kind} may not stand after {previous or 'nothing'}")
        about = kind if index == 1 else about
        previous = previous if kind in NOTES else kind
    if about is None:
        raise OrderError("the record is about nothing")
    return TYPES[about].of(models)


def read_contents(record: Record, store: Store) -> Contents:
    """The contents of a record that is taken to be whole; raises as `read_body` and `arrange`."""
    return arrange([read_body(entry, store) for entry in record.entries])

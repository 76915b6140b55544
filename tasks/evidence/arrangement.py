"""The types of record, and how the entries of one become its contents."""

from __future__ import annotations

from collections.abc import Sequence
from functools import cache
from importlib import import_module

from contracts.evidence import EntryKind, Record
from contracts.model import Model
from tasks.evidence.contents import Contents, OrderError
from tasks.evidence.kinds import NOTES, kind_of, read_body
from tasks.evidence.store import Store

TYPES: dict[EntryKind, str] = {
    EntryKind.REQUIREMENT: "tasks.evidence.builds.contents:BuildContents",
    EntryKind.TASK: "tasks.evidence.checks.contents:CheckContents",
    EntryKind.BUNDLE: "tasks.evidence.benches.contents:BenchContents",
    EntryKind.REPAIR_PLAN: "tasks.evidence.repairs.contents:RepairContents",
}
"""By the kind of the second entry: what the run is about. The first is the run itself. Imported as models are."""


@cache
def type_of(about: EntryKind) -> type[Contents]:
    """The type of a record whose second entry is of the kind ``about``."""
    module, _, name = TYPES[about].partition(":")
    found: type[Contents] = getattr(import_module(module), name)
    return found


def may_follow(about: EntryKind | None, previous: EntryKind | None, kind: EntryKind) -> bool:
    """True iff ``kind`` may come after ``previous``, the last entry that is no note, in a record ``about`` that.

    None: there is no such entry yet.
    """
    if previous is None:
        return kind is EntryKind.RUN
    if about is None:
        return kind in TYPES
    known = type_of(about)
    return (known.ENDING if kind in NOTES else kind) in known.FOLLOWS.get(previous, set())


def arrange(models: Sequence[Model]) -> Contents:
    """The models of a record's entries as the contents of its type.

    Raises:
        OrderError: an entry stands where it may not, or what every run has is missing.
    """
    about: EntryKind | None = None
    previous: EntryKind | None = None
    for index, model in enumerate(models):
        kind = kind_of(type(model))
        if not may_follow(about, previous, kind):
            raise OrderError(f"entry {index}: {kind} may not stand after {previous or 'nothing'}")
        about = kind if index == 1 else about
        previous = previous if kind in NOTES else kind
    if about is None:
        raise OrderError("the record is about nothing")
    return type_of(about).of(models)


def read_contents(record: Record, store: Store) -> Contents:
    """The contents of a record that is taken to be whole; raises as `read_body` and `arrange`."""
    return arrange([read_body(entry, store) for entry in record.entries])

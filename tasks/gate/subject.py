"""What a check is about: candidate, overlay and base in the store, a patch applied to a copy (SBX-01, REP-01)."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from contracts.candidate import Candidate, Provenance
from contracts.canonical import digest
from contracts.gate import CheckRequest, Subject
from contracts.patch import Rejection
from contracts.taskspec import SuiteCheck, TaskSpec
from tasks.errors import UsageError
from tasks.evidence.store import Store, open_store
from tasks.gate.git import read_revision
from tasks.gate.trees import trusted
from tasks.repair.patch import PatchError, apply_patch
from tasks.trees import ingest, materialise


def read_subject(request: CheckRequest) -> Subject:
    """Read everything that the check is about.

    Raises:
        UsageError: a directory or revision cannot be read or is out of bounds, or the task needs what is not given.
        StoreError: the store cannot keep a file.
    """
    task, store = request.task.spec, open_store(request.store)
    before = _read(request, request.candidate, store)
    after, rejections = patched(before, request.patch, store) if request.patch is not None else (before, ())
    base = _read(request, request.base, store) if request.base is not None else None
    subject = Subject(
        task=task.seal(),
        text=digest(request.task.text.encode()),
        candidate=after,
        overlay=_directory(request.overlay, store) if request.overlay is not None else None,
        base=before if request.patch is not None and base is None else base,
        patch=digest(request.patch) if request.patch is not None else None,
        rejections=rejections,
    )
    _require(task, subject)
    return subject


def patched(before: Candidate, patch: bytes, store: Store) -> tuple[Candidate, tuple[Rejection, ...]]:
    """A copy of a candidate with a patch applied; where it is refused, the candidate itself and why.

    Raises:
        StoreError: the store cannot give or keep a file.
        InfrastructureError: the copy cannot be written.
    """
    store.put(patch)
    with materialise(before, store) as tree:
        try:
            apply_patch(tree, patch)
        except PatchError as error:
            return before, error.reasons
        return ingest(tree, store, before.provenance, before.attempt), ()


def _read(request: CheckRequest, place: str, store: Store) -> Candidate:
    if request.git is not None:
        return read_revision(Path(request.git), place, store)
    return _directory(place, store)


def _directory(place: str, store: Store) -> Candidate:
    path = Path(place)
    with _readable(place):
        label = path.name.encode("ascii", "backslashreplace").decode() or "directory"
        return ingest(path, store, Provenance(source="directory", label=label), 0)


@contextmanager
def _readable(place: str) -> Iterator[None]:
    try:
        yield
    except (ValueError, OSError) as error:
        raise UsageError(f"{place} cannot be read: {error}") from error


def _require(task: TaskSpec, subject: Subject) -> None:
    """What the task needs beside the candidate is there (SPEC-01)."""
    if task.needs_base and subject.base is None:
        raise UsageError("the task speaks of the state before the change (scope, must_fail_before): --base, or --patch")
    if (task.overlay is not None) != (subject.overlay is not None):
        raise UsageError("the task's overlay is not the one that was given")
    owned = [entry.path for entry in trusted(task, subject)]
    for check in task.checks:
        for path in check.tests.paths if isinstance(check, SuiteCheck) else ():
            if not any(name == path or name.startswith(f"{path}/") for name in owned):
                raise UsageError(f"check {check.name}: {path} is neither in the overlay nor protected in the base")

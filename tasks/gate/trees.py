"""The trees that checks run on, made of entries alone: what the task owns stands over what the candidate brought. Pure.

Trusted are the files of the overlay and, where there is a base, the base's own at protected paths (SCN-04, GAME-22).
"""

from __future__ import annotations

from collections.abc import Iterable

from contracts.candidate import Candidate, FileEntry, tree_digest
from contracts.gate import Subject, Tree
from contracts.paths import path_bytes
from contracts.taskspec import TaskSpec
from tasks.gate.globs import matches

RUNNER_FILES = {"pytest": ("conftest.py",), "unittest": (), "node": ()}
"""What a runner would load from the tree by its name alone; only a trusted one may (GAME-11, GAME-13)."""


def trusted(task: TaskSpec, subject: Subject) -> tuple[FileEntry, ...]:
    """The files that the task answers for."""
    base = subject.base.files if subject.base else ()
    return _over((entry for entry in base if matches(entry.path, task.protected)), _overlay(subject))


def checked(task: TaskSpec, subject: Subject, tree: Tree, runner: str | None = None) -> tuple[FileEntry, ...]:
    """The tree of a check: all of the candidate or the base, with the trusted files laid over it."""
    source = subject.base if tree == "base" and subject.base else subject.candidate
    own = [entry for entry in source.files if not matches(entry.path, task.protected)]
    if runner is not None:
        own = [entry for entry in own if entry.path.rpartition("/")[2] not in RUNNER_FILES[runner]]
    return _over(own, trusted(task, subject))


def alone(task: TaskSpec, subject: Subject, tree: Tree, *, tested: bool) -> tuple[FileEntry, ...]:
    """The tree of a program that is judged from outside, without what may hold answers: the overlay, the task's file.

    They are known by path and by content: a task may lie within what it judges. ``tested``: by tests that are
    elsewhere, so that no protected file is there either.
    """
    source = subject.base if tree == "base" and subject.base else subject.candidate
    hidden = task.protected if tested else ()
    answers = {entry.digest for entry in _overlay(subject) if entry.size} | {subject.text}
    own = (entry for entry in source.files if not matches(entry.path, hidden) and entry.digest not in answers)
    return _without(own, _overlay(subject))


def as_candidate(files: tuple[FileEntry, ...], subject: Subject) -> Candidate:
    """Entries as a tree that can be written (`tasks.trees.materialise`)."""
    return subject.candidate.model_copy(update={"files": files, "tree": tree_digest(files), "dropped": ()})


def protected_changes(task: TaskSpec, subject: Subject) -> tuple[str, ...]:
    """Protected paths at which the candidate differs from the trusted copy.

    Without a base the overlay is that copy, and a file that only the overlay has was never the candidate's to bring.
    """
    own = {entry.path: entry for entry in subject.candidate.files if matches(entry.path, task.protected)}
    if subject.base is not None:
        copy = {entry.path: entry for entry in subject.base.files if matches(entry.path, task.protected)}
        return tuple(path for path in sorted({*own, *copy}) if own.get(path) != copy.get(path))
    copy = {entry.path: entry for entry in _overlay(subject)}
    return tuple(path for path in sorted(own) if own[path] != copy.get(path))


def missing_artifacts(task: TaskSpec, subject: Subject) -> tuple[str, ...]:
    """The files that the candidate was to hold and does not."""
    there = {entry.path for entry in subject.candidate.files}
    return tuple(path for path in task.artifacts if path not in there)


def _overlay(subject: Subject) -> tuple[FileEntry, ...]:
    return subject.overlay.files if subject.overlay else ()


def _over(below: Iterable[FileEntry], above: Iterable[FileEntry]) -> tuple[FileEntry, ...]:
    top = tuple(above)
    entries = {entry.path: entry for entry in (*_without(below, top), *top)}
    return tuple(sorted(entries.values(), key=lambda entry: path_bytes(entry.path)))


def _without(files: Iterable[FileEntry], gone: Iterable[FileEntry]) -> tuple[FileEntry, ...]:
    """Without what stands at, above or below the paths of ``gone``, whatever its kind."""
    paths = {entry.path for entry in gone}
    directories = {directory for path in paths for directory in _directories(path)}
    return tuple(
        entry
        for entry in files
        if entry.path not in paths | directories and not any(above in paths for above in _directories(entry.path))
    )


def _directories(path: str) -> list[str]:
    parts = path.split("/")
    return ["/".join(parts[:count]) for count in range(1, len(parts))]

"""From a model's answer to a tree: all of it or nothing, allowed paths only, digests ours, claims unread."""

from __future__ import annotations

import re

from contracts.candidate import Candidate, Provenance
from contracts.paths import path_bytes
from sandbox.owner import run_directory
from tasks.evidence.store import Store
from tasks.models.fences import fenced
from tasks.repair.patch import PatchError, apply_patch
from tasks.trees import ingest, materialise

ALLOWED = re.compile(r"(?:[A-Za-z0-9_][A-Za-z0-9_-]*/){0,4}[A-Za-z0-9_][A-Za-z0-9_-]*\.(?:py|md|txt|json|csv|tsv)")
MOST_FILES = 50

_FENCE = re.compile(r"```[ \t]*(?:python3?|py)?[ \t]*")
_PATH = re.compile(r"[\w/-]+\.[a-z]{1,4}\b")


class Refused(ValueError):  # noqa: N818 - it is the answer that is
    """An answer that gives no tree, in words for whoever wrote it."""


def tree_of(
    text: str, base: Candidate | None, *, entry: str, store: Store, provenance: Provenance, attempt: int
) -> Candidate:
    """The tree that ``text`` gives: files whole, or changes to ``base``; ``entry`` must be one of its files.

    Raises:
        Refused: it holds no files, cannot be applied, or leads outside of what is allowed.
        StoreError: the store cannot keep it.
    """
    with run_directory() if base is None else materialise(base, store) as root:
        try:
            apply_patch(root, text if base is not None else _named(text, entry))
        except PatchError as error:
            raise Refused(str(error)) from error
        tree = ingest(root, store, provenance, attempt)
    _check(tree, entry)
    return tree


def _named(text: str, entry: str) -> str:
    """``text``, or where all that it holds is one fence that names no other file, what is in it as ``entry``."""
    lines = text.splitlines(keepends=True)
    marks = [number for number, line in enumerate(lines) if line.startswith("```")]
    if len(marks) != 2 or not all(_FENCE.fullmatch(lines[number].rstrip()) for number in marks):
        return text
    above = next((line for line in reversed(lines[: marks[0]]) if line.strip()), "")
    if set(_PATH.findall(above)) - {entry}:
        return text
    return fenced({entry: "".join(lines[marks[0] + 1 : marks[1]])})


def texts(tree: Candidate, store: Store) -> dict[str, str]:
    """The text files of a tree by path; others are left out."""
    found: dict[str, str] = {}
    for file in tree.files:
        if file.kind == "file":
            try:
                found[path_bytes(file.path).decode()] = store.get(file.digest).decode()
            except UnicodeDecodeError:
                continue
    return found


def is_material(tree: Candidate, other: Candidate, store: Store) -> bool:
    """Whether two trees differ in more than comments and blank lines."""
    return _essence(tree, store) != _essence(other, store)


def _check(tree: Candidate, entry: str) -> None:
    for file in tree.files:
        if file.kind != "file" or ALLOWED.fullmatch(file.path) is None:
            raise Refused(f"{file.path} is not allowed: relative paths of .py, .md, .txt, .json, .csv, .tsv files are")
    if len(tree.files) > MOST_FILES:
        raise Refused(f"{len(tree.files)} files are more than {MOST_FILES}")
    if all(file.path != entry for file in tree.files):
        raise Refused(f"there is no file {entry}")


def _essence(tree: Candidate, store: Store) -> dict[str, tuple[bytes, ...]]:
    return {
        file.path: tuple(
            line.rstrip()
            for line in store.get(file.digest).splitlines()
            if line.strip() and not (file.path.endswith(".py") and line.lstrip().startswith(b"#"))
        )
        for file in tree.files
    }

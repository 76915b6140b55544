"""Candidate trees: from a directory into the store and back, identity recomputed at every door (law 5)."""

from __future__ import annotations

import hashlib
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING

from contracts.candidate import Candidate, FileEntry, Provenance, tree_digest
from contracts.paths import path_bytes
from sandbox.owner import run_directory
from sandbox.workspace import populate, scan
from tasks.errors import InfrastructureError, SealMismatch

if TYPE_CHECKING:
    from tasks.evidence.store import Store


def ingest(directory: Path, store: Store, provenance: Provenance, attempt: int) -> Candidate:
    """Read a directory into the store.

    Raises:
        ValueError: no path, or out of bounds (BND-01, BND-02).
        OSError: it is no directory, or cannot be read.
        StoreError: the store cannot keep a file.
    """
    scanned, dropped = scan(directory)
    for file in scanned:
        store.put(file.data)
    files = tuple(file.entry for file in scanned)
    return Candidate(
        files=files, tree=tree_digest(files), dropped=tuple(dropped), provenance=provenance, attempt=attempt
    )


@contextmanager
def materialise(candidate: Candidate, store: Store) -> Iterator[Path]:
    """A fresh directory with the candidate's files, gone afterwards whatever its depth (SBX-15).

    It lies below a directory that only its owner can list; whoever is given the path may read.

    Raises:
        SealMismatch: the candidate's digest is not that of its entries, or what was written is not what was sealed.
        StoreError: a file is not in the store.
        InfrastructureError: the tree cannot be written.
    """
    if tree_digest(candidate.files) != candidate.tree:
        raise SealMismatch("the candidate's tree digest is not that of its entries")
    with run_directory() as parent:
        tree = parent / "tree"
        _write(tree, candidate, store)
        yield tree


def git_tree(candidate: Candidate, store: Store) -> str:
    """Git's name for the tree (SHA-1 object format), so that plain git can recompute it (EVI-05).

    Raises:
        StoreError: a file is not in the store.
    """
    directories: dict[bytes, dict[bytes, tuple[bytes, bytes]]] = {b"": {}}
    for entry in candidate.files:
        directory, _, name = path_bytes(entry.path).rpartition(b"/")
        directories.setdefault(directory, {})[name] = (_git_mode(entry), _git_object(b"blob", store.get(entry.digest)))
        while directory:
            directory = directory.rpartition(b"/")[0]
            directories.setdefault(directory, {})
    for path in sorted(directories, key=lambda path: path.count(b"/"), reverse=True):
        if path:
            parent, _, name = path.rpartition(b"/")
            directories[parent][name] = (b"40000", _git_directory(directories[path]))
    return _git_directory(directories[b""]).hex()


def _write(tree: Path, candidate: Candidate, store: Store) -> None:
    try:
        tree.mkdir(mode=0o755)
        tree.chmod(0o755)
        populate(tree, ((entry, store.get(entry.digest)) for entry in candidate.files))
        written = tree_digest(tuple(file.entry for file in scan(tree)[0]))
    except ValueError as error:
        raise SealMismatch(f"the candidate cannot be restored: {error}") from error
    except OSError as error:
        raise InfrastructureError(f"the candidate's tree cannot be written: {error.strerror}") from error
    if written != candidate.tree:
        raise SealMismatch("the tree that was written is not the one that was sealed")


def _git_mode(entry: FileEntry) -> bytes:
    if entry.kind == "link":
        return b"120000"
    return b"100755" if entry.executable else b"100644"


def _git_directory(children: dict[bytes, tuple[bytes, bytes]]) -> bytes:
    """Git sorts a directory as if its name ended with a slash."""
    ordered = sorted(children.items(), key=lambda item: item[0] + (b"/" if item[1][0] == b"40000" else b""))
    return _git_object(b"tree", b"".join(b"%b %b\0%b" % (mode, name, sha) for name, (mode, sha) in ordered))


def _git_object(kind: bytes, data: bytes) -> bytes:
    return hashlib.sha1(b"%b %d\0%b" % (kind, len(data), data), usedforsecurity=False).digest()

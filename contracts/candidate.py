"""A candidate: files by digest, and where they came from."""

from __future__ import annotations

from typing import Annotated, Literal

from pydantic import Field

from contracts.canonical import digest_of
from contracts.model import Count, Model, Sha256, is_default


class FileEntry(Model):
    """One entry of a tree, in sorted order of raw paths. A link's bytes are its target, relative to it."""

    path: str
    kind: Literal["file", "link"]
    executable: bool
    size: Count
    digest: Sha256


class Provenance(Model):
    """Who made it. ``scripted`` answers are written by hand and ship with the samples.

    ``parent`` is the tree that a revision was made from.
    """

    source: Literal["scripted", "directory", "model"]
    label: str
    parent: Annotated[Sha256 | None, Field(exclude_if=is_default)] = None


class Dropped(Model):
    """An entry that is not part of the tree: what it was and why it was left out (SBX-12)."""

    path: str
    reason: str


class Candidate(Model):
    """A tree of files; the bytes lie in the store under their digests."""

    files: tuple[FileEntry, ...]
    tree: Sha256
    dropped: tuple[Dropped, ...]
    provenance: Provenance
    attempt: Count


def tree_digest(files: tuple[FileEntry, ...]) -> Sha256:
    """Digest of a tree: over the canonical list of its entries (REC-11)."""
    return digest_of([entry.document() for entry in files])

"""Proofs about the log, checked with nothing but the proof itself, the record and the keys that are trusted."""

from __future__ import annotations

from collections.abc import Collection

from contracts import merkle
from contracts.canonical import digest
from contracts.log import Checkpoint, Consistency, Inclusion
from tasks.evidence.log.note import NoteError, open_checkpoint, root_of
from tasks.evidence.signing import PublicKey


class ProofError(ValueError):
    """A proof does not show what it is to show: one line for a person."""


def check_inclusion(inclusion: Inclusion, payload: bytes, keys: Collection[PublicKey]) -> Checkpoint:
    """Check that the run whose record's envelope carries ``payload`` is logged; the signed state that says so.

    Raises:
        ProofError: another record's, another tree's or number's, or by no trusted key.
    """
    if inclusion.leaf.payload != digest(payload):
        raise ProofError("the log's entry is that of another record")
    state = _opened(inclusion.checkpoint, keys)
    leaf = merkle.leaf_hash(inclusion.leaf.canonical())
    if not merkle.includes(leaf, inclusion.index, state.size, _raw(inclusion.proof), root_of(state)):
        raise ProofError(f"the proof does not lead to the root of the log at {state.size} entries")
    return state


def check_consistency(consistency: Consistency, keys: Collection[PublicKey]) -> tuple[Checkpoint, Checkpoint]:
    """Check that one state of a log begins another; both states.

    Raises:
        ProofError: states of two logs or histories, in the wrong order, or signed by no trusted key.
    """
    older, newer = _opened(consistency.older, keys), _opened(consistency.newer, keys)
    if older.origin != newer.origin:
        raise ProofError("the checkpoints are of two logs")
    proof = _raw(consistency.proof)
    if not merkle.extends(older.size, root_of(older), newer.size, root_of(newer), proof):
        raise ProofError(f"the log at {newer.size} entries is not shown to begin as the one at {older.size}")
    return older, newer


def _opened(note: str, keys: Collection[PublicKey]) -> Checkpoint:
    try:
        return open_checkpoint(note, keys)
    except NoteError as error:
        raise ProofError(str(error)) from error


def _raw(proof: tuple[str, ...]) -> list[bytes]:
    return [bytes.fromhex(item.removeprefix("sha256:")) for item in proof]

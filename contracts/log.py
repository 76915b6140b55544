"""What the log of runs holds, and what a record can carry of it (EVI-07)."""

from __future__ import annotations

from typing import Annotated

from pydantic import Field

from contracts.model import Count, Model, Sha256

MAX_PROOF = 64
"""Hashes in a proof: a log has fewer than 2^53 leaves."""

Proof = Annotated[tuple[Sha256, ...], Field(max_length=MAX_PROOF)]


class LogLeaf(Model):
    """One closed run, however it ended. ``payload`` is the digest of the bytes that its record's envelope carries.

    Never of the envelope's JSON: whoever spells the envelope in another way must not get another leaf. The hash of a
    leaf is that of RFC 6962 over its canonical bytes.
    """

    run: str
    status: Annotated[str, Field(pattern=r"^[A-Za-z_]{1,40}$")]
    payload: Sha256


class LogEntry(Model):
    """A leaf as it is stored, with the hashes of the full subtrees that it completes, from height 1 upwards.

    So each node of the tree stands in one place, beside the last leaf below it.
    """

    leaf: LogLeaf
    nodes: Proof


class Checkpoint(Model):
    """A state of the log ``origin``: the root over its first ``size`` leaves (C2SP tlog-checkpoint)."""

    origin: str
    size: Count
    root: Sha256


class Inclusion(Model):
    """That ``leaf`` has the number ``index`` in the state that ``checkpoint``, a signed note, states (RFC 6962)."""

    leaf: LogLeaf
    index: Count
    proof: Proof
    checkpoint: Annotated[str, Field(max_length=4_096)]


class Consistency(Model):
    """That the log of the state ``older`` is the beginning of the log of the state ``newer``; both signed notes."""

    older: Annotated[str, Field(max_length=4_096)]
    newer: Annotated[str, Field(max_length=4_096)]
    proof: Proof


class LogAudit(Model):
    """What an audit recomputed: size and root, what does not hold, and what it could not judge."""

    origin: str | None
    size: Count
    root: Sha256
    faults: tuple[str, ...]
    notes: tuple[str, ...]

    @property
    def intact(self) -> bool:
        """True iff nothing fails."""
        return not self.faults

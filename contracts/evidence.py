"""The record: a hash chain of typed entries (EVI-01, EVI-03). The rules of the chain are here, the I/O is not."""

from __future__ import annotations

from enum import StrEnum
from typing import Annotated, Any

from pydantic import Field

from contracts.calls import Usage
from contracts.canonical import Json, canonical_bytes, digest, digest_of
from contracts.model import Count, Model, Sha256, is_default
from contracts.settings import BuildSettings
from contracts.verdict import Failure, Fault, LayerResult, Strength, TerminalStatus

FORMAT = "forge-record/1"
INLINE_BYTES = 4_096
GENESIS = digest(b"forge-record/1 genesis")


class EntryKind(StrEnum):
    """What an entry holds; `tasks.evidence.kinds` maps each to its model."""

    RUN = "run"
    REQUIREMENT = "requirement"
    SETTINGS = "settings"
    BUILD_SPEC = "build_spec"
    PLAN = "plan"
    CERTIFICATE = "certificate"
    ISOLATION = "isolation"
    READINGS = "readings"
    CANDIDATE = "candidate"
    LAYER_EVIDENCE = "layer_evidence"
    ARTIFACT = "artifact"
    DIRECTIVE = "directive"
    PACKAGE = "package"
    TASK = "task"
    CHECK_SETTINGS = "check_settings"
    SUBJECT = "subject"
    CHECK_EVIDENCE = "check_evidence"
    CHECK_VERDICT = "check_verdict"
    CHECK_OUTCOME = "check_outcome"
    REPAIR_PLAN = "repair_plan"
    PROPOSAL = "proposal"
    REPAIR_OUTCOME = "repair_outcome"
    BUNDLE = "bundle"
    BENCH_SETTINGS = "bench_settings"
    CASE_RESULT = "case_result"
    BENCH_OUTCOME = "bench_outcome"
    FAULT = "fault"
    MODEL_CALL = "model_call"
    EXPLANATION = "explanation"
    OUTCOME = "outcome"


class RunInfo(Model):
    """Where and by what a run was made. Ids, engine and times live here and in `Ending` only.

    ``generators`` is the identity of what makes probes (`tasks.evidence.generators`).
    """

    run: str
    engine: str
    forge: str
    python: str
    platform: str
    started: str
    generators: Annotated[Sha256 | None, Field(exclude_if=is_default)] = None


class FaultNote(Model):
    """A stage that failed for reasons of the infrastructure, or was interrupted; kept across a retry (law 6)."""

    stage: str
    attempt: Count
    failure: Failure


class Ending(Model):
    """How a run ended. ``stage_ms`` is the wall time of each stage; a type of record narrows ``status``.

    ``usage`` is what the sealed `ModelCall` entries add up to; None where no model was called.
    """

    status: str
    fault: Fault
    failures: tuple[Failure, ...]
    finished: str
    stage_ms: dict[str, Count]
    usage: Annotated[Usage | None, Field(exclude_if=is_default)] = None

    @property
    def passed(self) -> bool:
        """True iff the run ended as its user wished."""
        return False


class Outcome(Ending):
    """How a build ended, every layer named, executed or not."""

    status: TerminalStatus
    layers: tuple[LayerResult, ...]
    strength: Strength | None

    @property
    def passed(self) -> bool:
        """True iff verified."""
        return self.status is TerminalStatus.VERIFIED


class Entry(Model):
    """One link. ``content`` is the digest of the canonical body; a body above `INLINE_BYTES` is a blob of that name."""

    index: Count
    kind: EntryKind
    previous: Sha256
    content: Sha256
    length: Count
    body: dict[str, Any] | None
    digest: Sha256


class Record(Model):
    """The chain, its head, and a Sigstore bundle over a statement that binds the head (EVI-04)."""

    format: str
    entries: tuple[Entry, ...]
    head: Sha256
    bundle: dict[str, Any]


class BuildReport(Model):
    """What ``forge build --json`` prints (DEC-01)."""

    status: TerminalStatus
    fault: Fault
    failures: tuple[Failure, ...]
    layers: tuple[LayerResult, ...]
    record: str | None
    package: str | None
    strength: Strength | None
    assumptions: dict[str, str]
    engine: str
    sandbox: str
    run: str
    stage_ms: dict[str, Count]
    usage: Usage | None = None
    notices: tuple[str, ...] = ()


class BuildRequest(Model):
    """A requirement with the settings to build it under."""

    requirement: str
    settings: BuildSettings


def entry_digest(index: int, kind: EntryKind, previous: str, content: str, length: int) -> str:
    """The hash of a link: over all of its fields but the body, which ``content`` stands for."""
    return digest_of({"content": content, "index": index, "kind": kind, "length": length, "previous": previous})


def append(entries: tuple[Entry, ...], kind: EntryKind, body: Json) -> tuple[Entry, bytes | None]:
    """The next link after ``entries``, and the bytes of its blob where the body is too long to stand inline."""
    data = canonical_bytes(body)
    previous = entries[-1].digest if entries else GENESIS
    content, index, length = digest(data), len(entries), len(data)
    inline = length <= INLINE_BYTES
    entry = Entry(
        index=index,
        kind=kind,
        previous=previous,
        content=content,
        length=length,
        body=body if inline else None,  # bodies are objects
        digest=entry_digest(index, kind, previous, content, length),
    )
    return entry, None if inline else data


def chain_fault(record: Record) -> str | None:
    """The first break of the chain, in words, or None: order, links, hashes, inline bodies, head, format."""
    if record.format != FORMAT or not record.entries:
        return "not a record of this format"
    previous = GENESIS
    for index, entry in enumerate(record.entries):
        if entry.index != index or entry.previous != previous:
            return f"entry {index} does not follow the one before it"
        if entry.digest != entry_digest(index, entry.kind, previous, entry.content, entry.length):
            return f"entry {index} was changed"
        if entry.body is not None:
            data = canonical_bytes(entry.body)
            if digest(data) != entry.content or len(data) != entry.length:
                return f"the body of entry {index} was changed"
        previous = entry.digest
    return None if record.head == previous else "the head is not that of the last entry"

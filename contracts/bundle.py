"""Blind bundles: frozen cases with outside oracles, and the facts of a run over them, each kept apart (laws 6, 7)."""

from __future__ import annotations

from typing import Annotated, Literal

from pydantic import Field, model_validator

from contracts.model import Count, Model, Sha256
from contracts.verdict import FailureSignature, Fault, TerminalStatus

Name = Annotated[str, Field(pattern=r"^[A-Za-z0-9][A-Za-z0-9._-]{0,79}$")]
"""A name that is one part of a path."""

Text = Annotated[str, Field(min_length=1, max_length=1_000)]


class PublicContract(Model):
    """What an oracle imports: ``symbol`` of ``module``. A command's takes its arguments; None are the process's own."""

    kind: Literal["cli_entrypoint", "function", "service"] = "cli_entrypoint"
    module: Annotated[str, Field(pattern=r"^[A-Za-z_]\w*(\.[A-Za-z_]\w*)*$", max_length=200)]
    symbol: Annotated[str, Field(pattern=r"^[A-Za-z_]\w*$", max_length=100)]


class Review(Model):
    """One person's or model's judgement of the label, made without seeing the others'."""

    reviewer: Text
    label: TerminalStatus
    reason: Text


class Case(Model):
    """One requirement and how a build of it should end. ``conventions`` are what the text leaves unsaid, settled."""

    case_id: Name
    requirement: Annotated[str, Field(min_length=1, max_length=200_000)]
    expected_terminal_status: TerminalStatus
    tags: tuple[Text, ...] = ()
    public_contract: PublicContract | None = None
    conventions: dict[str, str] = {}
    formal_obligation: str | None = None
    reviews: tuple[Review, ...] = ()


class Cases(Model):
    """The document ``cases.json``."""

    cases: Annotated[tuple[Case, ...], Field(min_length=1, max_length=10_000)]

    @model_validator(mode="after")
    def _once_each(self) -> Cases:
        names = [case.case_id.lower() for case in self.cases]
        twice = sorted({name for name in names if names.count(name) > 1})
        if twice:
            raise ValueError(f"a case stands twice: {', '.join(twice)}")
        return self


class PartProvenance(Model):
    """Who made a part of the bundle (a path, or a folder), when and with what tools or models, having seen what."""

    part: Text
    producer: Text
    made: Annotated[str, Field(pattern=r"^\d{4}-\d{2}-\d{2}$")]
    tools: Text
    having_seen: Text


class BundleProvenance(Model):
    """The document ``provenance.json``."""

    parts: Annotated[tuple[PartProvenance, ...], Field(min_length=1)]


class BundleFile(Model):
    """One file. ``path`` is path text."""

    path: Annotated[str, Field(min_length=1, max_length=1_000)]
    digest: Sha256
    size: Count


class Manifest(Model):
    """Every file of a bundle but the manifest and its envelope, in the order of their paths.

    ``root`` is the Merkle root (RFC 6962) over the canonical bytes of ``files``. The digest of a bundle is this
    document's seal. ``regression``: a bundle that its Forge has seen from birth; never a blind measure.
    """

    format: Literal["forge-bundle/1"] = "forge-bundle/1"
    name: Name
    version: Name
    regression: bool
    provenance: Annotated[tuple[PartProvenance, ...], Field(min_length=1)]
    files: tuple[BundleFile, ...]
    root: Sha256


OracleState = Literal["accepted", "rejected", "invalid", "not_run"]
RunKind = Literal["blind_baseline", "post_fix_replay"]


class OracleResult(Model):
    """What the outside oracle said of a program, and why it is not to be believed where it is not."""

    state: OracleState
    detail: str = ""


class Usage(Model):
    """What models were paid for. A cost that is not known is None, never zero."""

    calls: Count = 0
    tokens: Count = 0
    cost: Annotated[str, Field(pattern=r"^\d+(\.\d+)?$")] | None = None


class CaseResult(Model):
    """The facts of one case. ``status`` is Forge's own; the oracle was asked after it was sealed, and fed nothing back.

    ``attempts`` counts candidates; ``error`` names an exception that took the place of a verdict.
    """

    case_id: Name
    status: TerminalStatus | None
    fault: Fault
    signatures: tuple[FailureSignature, ...] = ()
    attempts: Count
    oracle: OracleResult
    record: str | None
    usage: Usage = Usage()
    wall_ms: Count
    error: str | None = None


class Subject(Model):
    """Which Forge ran, on what: digests of its code, its lock file, its sandbox policy, and the providers asked."""

    code: Sha256
    lock: Sha256
    policy: Sha256
    providers: tuple[str, ...]


class BenchRun(Model):
    """A whole run over a bundle. ``log`` and ``log_size`` are the log that was searched for an earlier run (DEC-22)."""

    bundle: Sha256
    kind: RunKind
    reason: str
    forge: Subject
    log: str | None
    log_size: Count
    started: str
    results: tuple[CaseResult, ...]


class Metric(Model):
    """``numerator`` of ``denominator``, with Wilson's 95 % interval, in 1/10,000; None on an empty denominator."""

    numerator: Count
    denominator: Count
    share: Count | None
    low: Count | None
    high: Count | None


class Score(Model):
    """The metrics of a run. ``excluded`` are cases whose label two reviewers do not share, with the reason.

    Amounts are per artefact that the oracle accepted; times in milliseconds.
    """

    bundle: Sha256
    kind: RunKind
    metrics: dict[str, Metric]
    tokens_per_accepted: Count | None
    cost_per_accepted: str | None
    wall_ms_p50: Count | None
    wall_ms_p95: Count | None
    excluded: dict[str, str]

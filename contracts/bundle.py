"""Blind bundles: frozen cases with outside oracles, and the facts of a run over them, each kept apart (laws 6, 7)."""

from __future__ import annotations

from typing import Annotated, Literal

from pydantic import Field, model_validator

from contracts import merkle
from contracts.calls import Usage
from contracts.canonical import digest
from contracts.evidence import Ending
from contracts.isolation import SandboxPolicy
from contracts.loading import load_document
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


def root_of(files: tuple[BundleFile, ...]) -> str:
    """The Merkle root (RFC 6962) over the canonical bytes of the files, in order."""
    leaves = [merkle.leaf_hash(file.canonical()) for file in files]

    def node(height: int, number: int) -> bytes:
        if height == 0:
            return leaves[number]
        return merkle.node_hash(node(height - 1, 2 * number), node(height - 1, 2 * number + 1))

    return "sha256:" + merkle.root(node, len(leaves)).hex()


OracleState = Literal["accepted", "rejected", "invalid", "not_run"]
RunKind = Literal["blind_baseline", "post_fix_replay"]


class OracleResult(Model):
    """What the outside oracle said of a program, and why it is not to be believed where it is not."""

    state: OracleState
    detail: str = ""


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
    usage: Usage | None = None
    wall_ms: Count
    error: str | None = None


class ForgeIdentity(Model):
    """Which Forge ran: digests of its code and its lock file, and the providers that were asked."""

    code: Sha256
    lock: Sha256
    providers: tuple[str, ...]


class FrozenBundle(Model):
    """The bundle that a run is about: its manifest, and the text of its ``cases.json``."""

    manifest: Manifest
    cases_text: str

    @property
    def cases(self) -> tuple[Case, ...]:
        """The cases. Raises DocumentError where the text holds none."""
        return load_document(Cases, self.cases_text.encode("utf-8")).cases

    @property
    def is_whole(self) -> bool:
        """True iff the text is the one that the manifest lists."""
        listed = {file.path: file.digest for file in self.manifest.files}
        return listed.get("cases.json") == digest(self.cases_text.encode("utf-8"))


class BenchSettings(Model):
    """Of which kind a run is, and why; how it was run. ``only`` are the cases asked for, all where it is empty.

    ``log`` and ``log_size`` are the log that was searched for an earlier run of the bundle (DEC-22).
    """

    bundle: Sha256
    kind: RunKind
    reason: str
    forge: ForgeIdentity
    policy: SandboxPolicy
    quality: Name | None
    only: tuple[Name, ...] = ()
    log: str | None
    log_size: Count


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

    metrics: dict[str, Metric]
    tokens_per_accepted: Count | None
    cost_per_accepted: str | None
    wall_ms_p50: Count | None
    wall_ms_p95: Count | None
    excluded: dict[str, str]


class BenchOutcome(Ending):
    """How a run over a bundle ended: ``completed`` iff every case that was asked for has a result."""

    status: Literal["completed", "incomplete"]
    score: Score

    @property
    def passed(self) -> bool:
        """True iff completed; what the cases gave is for the score to say."""
        return self.status == "completed"


class BenchRun(Model):
    """A whole run, as its record holds it."""

    settings: BenchSettings
    started: str
    results: tuple[CaseResult, ...]

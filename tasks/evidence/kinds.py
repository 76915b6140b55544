"""What each kind of entry holds."""

from __future__ import annotations

from functools import cache
from importlib import import_module

from contracts.canonical import canonical_bytes
from contracts.evidence import Entry, EntryKind
from contracts.loading import DocumentError, load_canonical
from contracts.model import Model
from tasks.evidence.store import BLOB_BYTES, Store

_PLACES: dict[EntryKind, str] = {
    EntryKind.RUN: "contracts.evidence:RunInfo",
    EntryKind.REQUIREMENT: "contracts.requirement:Requirement",
    EntryKind.SETTINGS: "contracts.settings:BuildSettings",
    EntryKind.BUILD_SPEC: "contracts.requirement:BuildSpec",
    EntryKind.PLAN: "contracts.plan:FeasiblePlan",
    EntryKind.CERTIFICATE: "contracts.plan:InfeasibilityCertificate",
    EntryKind.ISOLATION: "contracts.isolation:IsolationReport",
    EntryKind.READINGS: "contracts.reading:ReadingSet",
    EntryKind.CANDIDATE: "contracts.candidate:Candidate",
    EntryKind.LAYER_EVIDENCE: "contracts.verdict:LayerEvidence",
    EntryKind.ARTIFACT: "contracts.verdict:ValidationArtifact",
    EntryKind.DIRECTIVE: "contracts.repair:RepairDirective",
    EntryKind.PACKAGE: "contracts.package:PackageManifest",
    EntryKind.TASK: "contracts.gate:Task",
    EntryKind.CHECK_SETTINGS: "contracts.gate:CheckSettings",
    EntryKind.SUBJECT: "contracts.gate:Subject",
    EntryKind.CHECK_EVIDENCE: "contracts.gate:GateEvidence",
    EntryKind.CHECK_VERDICT: "contracts.gate:GateVerdict",
    EntryKind.CHECK_OUTCOME: "contracts.gate:CheckOutcome",
    EntryKind.REPAIR_PLAN: "contracts.repair:RepairPlan",
    EntryKind.PROPOSAL: "contracts.repair:Proposal",
    EntryKind.REPAIR_OUTCOME: "contracts.repair:RepairOutcome",
    EntryKind.BUNDLE: "contracts.bundle:FrozenBundle",
    EntryKind.BENCH_SETTINGS: "contracts.bundle:BenchSettings",
    EntryKind.CASE_RESULT: "contracts.bundle:CaseResult",
    EntryKind.BENCH_OUTCOME: "contracts.bundle:BenchOutcome",
    EntryKind.FAULT: "contracts.evidence:FaultNote",
    EntryKind.MODEL_CALL: "contracts.calls:ModelCall",
    EntryKind.EXPLANATION: "contracts.calls:Explanation",
    EntryKind.OUTCOME: "contracts.evidence:Outcome",
}
"""Model by kind; imported when the first entry of its kind is met, since building models costs most of a start."""

_KINDS = {place: kind for kind, place in _PLACES.items()}

NOTES = {EntryKind.FAULT, EntryKind.MODEL_CALL, EntryKind.EXPLANATION}
"""What may stand wherever the run may end, in every type of record, and changes nothing of what may follow."""


@cache
def model_of(kind: EntryKind) -> type[Model]:
    """The model of a kind of entry."""
    module, _, name = _PLACES[kind].partition(":")
    model: type[Model] = getattr(import_module(module), name)
    return model


def kind_of(model: type[Model]) -> EntryKind:
    """The kind of entry that holds ``model``; raises KeyError where none does."""
    return _KINDS[f"{model.__module__}:{model.__name__}"]


def read_body(entry: Entry, store: Store) -> Model:
    """The model in an entry.

    Raises:
        StoreError: its blob is missing or has other bytes.
        ValueError: it is not the canonical form of a model of its kind.
    """
    data = canonical_bytes(entry.body) if entry.body is not None else store.get(entry.content)
    if len(data) != entry.length:
        raise ValueError(f"entry {entry.index} has another length")
    try:
        return load_canonical(model_of(entry.kind), data, BLOB_BYTES)
    except DocumentError as error:
        raise ValueError(f"entry {entry.index}, {entry.kind}: {error}") from error

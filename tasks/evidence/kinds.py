"""What each kind of entry holds."""

from __future__ import annotations

from contracts.bundle import BenchOutcome, BenchSettings, CaseResult, FrozenBundle
from contracts.calls import Explanation, ModelCall
from contracts.candidate import Candidate
from contracts.canonical import canonical_bytes
from contracts.evidence import Entry, EntryKind, FaultNote, Outcome, RunInfo
from contracts.gate import CheckOutcome, CheckSettings, GateEvidence, GateVerdict, Subject, Task
from contracts.isolation import IsolationReport
from contracts.model import Model
from contracts.package import PackageManifest
from contracts.plan import FeasiblePlan, InfeasibilityCertificate
from contracts.reading import ReadingSet
from contracts.repair import Proposal, RepairDirective, RepairOutcome, RepairPlan
from contracts.requirement import BuildSpec, Requirement
from contracts.settings import BuildSettings
from contracts.verdict import LayerEvidence, ValidationArtifact
from tasks.evidence.store import Store

MODELS: dict[EntryKind, type[Model]] = {
    EntryKind.RUN: RunInfo,
    EntryKind.REQUIREMENT: Requirement,
    EntryKind.SETTINGS: BuildSettings,
    EntryKind.BUILD_SPEC: BuildSpec,
    EntryKind.PLAN: FeasiblePlan,
    EntryKind.CERTIFICATE: InfeasibilityCertificate,
    EntryKind.ISOLATION: IsolationReport,
    EntryKind.READINGS: ReadingSet,
    EntryKind.CANDIDATE: Candidate,
    EntryKind.LAYER_EVIDENCE: LayerEvidence,
    EntryKind.ARTIFACT: ValidationArtifact,
    EntryKind.DIRECTIVE: RepairDirective,
    EntryKind.PACKAGE: PackageManifest,
    EntryKind.TASK: Task,
    EntryKind.CHECK_SETTINGS: CheckSettings,
    EntryKind.SUBJECT: Subject,
    EntryKind.CHECK_EVIDENCE: GateEvidence,
    EntryKind.CHECK_VERDICT: GateVerdict,
    EntryKind.CHECK_OUTCOME: CheckOutcome,
    EntryKind.REPAIR_PLAN: RepairPlan,
    EntryKind.PROPOSAL: Proposal,
    EntryKind.REPAIR_OUTCOME: RepairOutcome,
    EntryKind.BUNDLE: FrozenBundle,
    EntryKind.BENCH_SETTINGS: BenchSettings,
    EntryKind.CASE_RESULT: CaseResult,
    EntryKind.BENCH_OUTCOME: BenchOutcome,
    EntryKind.FAULT: FaultNote,
    EntryKind.MODEL_CALL: ModelCall,
    EntryKind.EXPLANATION: Explanation,
    EntryKind.OUTCOME: Outcome,
}
KINDS: dict[type[Model], EntryKind] = {model: kind for kind, model in MODELS.items()}

NOTES = {EntryKind.FAULT, EntryKind.MODEL_CALL, EntryKind.EXPLANATION}
"""What may stand wherever the run may end, in every type of record, and changes nothing of what may follow."""


def read_body(entry: Entry, store: Store) -> Model:
    """The model in an entry.

    Raises:
        StoreError: its blob is missing or has other bytes.
        ValueError: it is not the canonical form of a model of its kind.
    """
    data = canonical_bytes(entry.body) if entry.body is not None else store.get(entry.content)
    model = MODELS[entry.kind].model_validate_json(data)
    if len(data) != entry.length or model.canonical() != data:  # and so: no repeated key, no other spelling
        raise ValueError(f"entry {entry.index} is not the canonical form of a {entry.kind}")
    return model

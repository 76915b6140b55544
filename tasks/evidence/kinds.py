"""What each kind of entry holds, and which may follow which (law 2)."""

from __future__ import annotations

from contracts.calls import Explanation, ModelCall
from contracts.candidate import Candidate
from contracts.evidence import EntryKind, FaultNote, Outcome, RunInfo
from contracts.isolation import IsolationReport
from contracts.model import Model
from contracts.package import PackageManifest
from contracts.plan import FeasiblePlan, InfeasibilityCertificate
from contracts.reading import ReadingSet
from contracts.repair import RepairDirective
from contracts.requirement import BuildSpec, Requirement
from contracts.settings import BuildSettings
from contracts.verdict import LayerEvidence, ValidationArtifact

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
    EntryKind.FAULT: FaultNote,
    EntryKind.MODEL_CALL: ModelCall,
    EntryKind.EXPLANATION: Explanation,
    EntryKind.OUTCOME: Outcome,
}

NOTES = {EntryKind.FAULT, EntryKind.MODEL_CALL, EntryKind.EXPLANATION}
"""What may stand wherever the run may end, and changes nothing of what may follow."""

_K = EntryKind
_FOLLOWS: dict[EntryKind | None, set[EntryKind]] = {
    None: {_K.RUN},
    _K.RUN: {_K.REQUIREMENT},
    _K.REQUIREMENT: {_K.SETTINGS},
    _K.SETTINGS: {_K.BUILD_SPEC, _K.OUTCOME},
    _K.BUILD_SPEC: {_K.PLAN, _K.CERTIFICATE, _K.OUTCOME},
    _K.PLAN: {_K.ISOLATION, _K.OUTCOME},
    _K.CERTIFICATE: {_K.OUTCOME},
    _K.ISOLATION: {_K.READINGS, _K.OUTCOME},
    _K.READINGS: {_K.CANDIDATE, _K.OUTCOME},
    _K.CANDIDATE: {_K.LAYER_EVIDENCE, _K.ARTIFACT, _K.OUTCOME},
    _K.LAYER_EVIDENCE: {_K.LAYER_EVIDENCE, _K.ARTIFACT, _K.OUTCOME},
    _K.ARTIFACT: {_K.DIRECTIVE, _K.PACKAGE, _K.OUTCOME},
    _K.DIRECTIVE: {_K.CANDIDATE, _K.OUTCOME},
    _K.PACKAGE: {_K.OUTCOME},
    _K.OUTCOME: set(),
}
"""The contract comes before the code: no path leads to a candidate but through spec, plan, isolation and readings."""


def may_follow(previous: EntryKind | None, kind: EntryKind) -> bool:
    """True iff ``kind`` may come after ``previous``, the last entry that is no note (None: no entry yet)."""
    return (EntryKind.OUTCOME if kind in NOTES else kind) in _FOLLOWS[previous]

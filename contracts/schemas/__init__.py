"""The JSON Schemas that Forge publishes: generated from the models, checked in, compared by a test.

``python -m contracts.schemas DIRECTORY`` writes them.
"""

from __future__ import annotations

import json

from contracts.bundle import BenchOutcome, BenchSettings, BundleProvenance, CaseResult, Cases, FrozenBundle, Manifest
from contracts.calls import Explanation, ModelCall
from contracts.candidate import Candidate
from contracts.evidence import BuildReport, FaultNote, Outcome, Record, RunInfo
from contracts.formalisation import Admission, Formalisation
from contracts.gate import CheckOutcome, CheckReport, CheckSettings, GateEvidence, GateVerdict, Subject, Task
from contracts.isolation import IsolationReport, SandboxPolicy
from contracts.log import Consistency, Inclusion, LogAudit, LogEntry
from contracts.model import Model
from contracts.overrides import Overrides
from contracts.package import PackageManifest
from contracts.plan import FeasiblePlan, InfeasibilityCertificate
from contracts.probe import Observation, ProbePlan
from contracts.reading import ReadingSet
from contracts.repair import Proposal, RepairDirective, RepairOutcome, RepairPlan, RepairReport
from contracts.replay import ReplayReport
from contracts.requirement import BuildSpec, Requirement
from contracts.settings import BuildSettings
from contracts.taskspec import TaskSpec
from contracts.trust import TrustPolicy
from contracts.verdict import LayerEvidence, ValidationArtifact

PUBLISHED: tuple[type[Model], ...] = (
    Admission,
    BenchOutcome,
    BenchSettings,
    BuildReport,
    BuildSettings,
    BuildSpec,
    BundleProvenance,
    Candidate,
    CaseResult,
    Cases,
    CheckOutcome,
    CheckReport,
    CheckSettings,
    Consistency,
    Explanation,
    FaultNote,
    FeasiblePlan,
    Formalisation,
    FrozenBundle,
    GateEvidence,
    GateVerdict,
    Inclusion,
    InfeasibilityCertificate,
    IsolationReport,
    LayerEvidence,
    LogAudit,
    LogEntry,
    Manifest,
    ModelCall,
    Observation,
    Outcome,
    Overrides,
    PackageManifest,
    ProbePlan,
    Proposal,
    ReadingSet,
    Record,
    RepairDirective,
    RepairOutcome,
    RepairPlan,
    RepairReport,
    ReplayReport,
    Requirement,
    RunInfo,
    SandboxPolicy,
    Subject,
    Task,
    TaskSpec,
    TrustPolicy,
    ValidationArtifact,
)


def schema_text(model: type[Model]) -> str:
    """The schema of ``model`` as it is checked in: JSON Schema 2020-12, indented, keys in the model's order."""
    schema = {"$schema": "https://json-schema.org/draft/2020-12/schema", **model.model_json_schema()}
    return json.dumps(schema, indent=2) + "\n"

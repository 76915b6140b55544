"""What a record holds, put in order: the singletons of a run and its attempts."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import pairwise
from typing import TypeVar

from contracts.calls import Explanation, ModelCall
from contracts.candidate import Candidate
from contracts.canonical import Digest, canonical_bytes
from contracts.evidence import Entry, EntryKind, FaultNote, Outcome, RunInfo
from contracts.isolation import IsolationReport
from contracts.model import Model
from contracts.package import PackageManifest
from contracts.plan import FeasiblePlan, InfeasibilityCertificate
from contracts.reading import ReadingSet
from contracts.repair import RepairDirective
from contracts.requirement import BuildSpec, Requirement
from contracts.settings import BuildSettings
from contracts.verdict import LAYERS, LayerEvidence, ValidationArtifact
from tasks.evidence.kinds import MODELS, NOTES, may_follow
from tasks.evidence.store import Store

M = TypeVar("M", bound=Model)
_KINDS = {model: kind for kind, model in MODELS.items()}


class OrderError(ValueError):
    """Entries do not stand in the order of a run (law 2)."""


@dataclass(frozen=True)
class Attempt:
    """One candidate, what was observed of it, and the judgement; None where the run ended before."""

    candidate: Candidate
    evidence: tuple[LayerEvidence, ...]
    artifact: ValidationArtifact | None
    directive: RepairDirective | None


@dataclass(frozen=True)
class Contents:
    """The models of a record. ``stopped`` is the fault after which the run did nothing but end."""

    run: RunInfo
    requirement: Requirement
    settings: BuildSettings
    spec: BuildSpec | None
    plan: FeasiblePlan | None
    certificate: InfeasibilityCertificate | None
    isolation: IsolationReport | None
    readings: ReadingSet | None
    attempts: tuple[Attempt, ...]
    package: PackageManifest | None
    faults: tuple[FaultNote, ...]
    calls: tuple[ModelCall, ...]
    explanations: tuple[Explanation, ...]
    stopped: FaultNote | None
    outcome: Outcome | None

    @property
    def candidate(self) -> Candidate | None:
        """The last candidate."""
        return self.attempts[-1].candidate if self.attempts else None

    @property
    def artifact(self) -> ValidationArtifact | None:
        """The judgement of the last candidate."""
        return self.attempts[-1].artifact if self.attempts else None

    def trees(self) -> Iterator[Candidate]:
        """Every tree whose files the record names: readings and candidates."""
        if self.readings is not None:
            yield from (reading.tree for reading in self.readings.readings)
        yield from (attempt.candidate for attempt in self.attempts)

    def blobs(self) -> Iterator[tuple[Digest, int]]:
        """Digest and size of each file that the record names, and of the package."""
        for tree in self.trees():
            yield from ((entry.digest, entry.size) for entry in tree.files)
        if self.package is not None:
            yield self.package.wheel, self.package.size


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


def arrange(models: Sequence[Model]) -> Contents:
    """The models of a record's entries as its contents.

    Raises:
        OrderError: an entry stands where it may not, or what every run has is missing.
    """
    _check_order(models)
    steps = [model for model in models if not isinstance(model, (Outcome, ModelCall, Explanation))]
    return Contents(
        run=_required(models, RunInfo),
        requirement=_required(models, Requirement),
        settings=_required(models, BuildSettings),
        spec=_one(models, BuildSpec),
        plan=_one(models, FeasiblePlan),
        certificate=_one(models, InfeasibilityCertificate),
        isolation=_one(models, IsolationReport),
        readings=_one(models, ReadingSet),
        attempts=tuple(_attempts(models)),
        package=_one(models, PackageManifest),
        faults=tuple(model for model in models if isinstance(model, FaultNote)),
        calls=tuple(model for model in models if isinstance(model, ModelCall)),
        explanations=tuple(model for model in models if isinstance(model, Explanation)),
        stopped=steps[-1] if isinstance(steps[-1], FaultNote) else None,
        outcome=_one(models, Outcome),
    )


def _check_order(models: Sequence[Model]) -> None:
    previous: EntryKind | None = None
    passed: set[EntryKind] = set()
    for index, model in enumerate(models):
        kind = _KINDS[type(model)]
        if not may_follow(previous, kind):
            raise OrderError(f"entry {index}: {kind} may not stand after {previous or 'nothing'}")
        if isinstance(model, ModelCall) and model.role == "coder" and EntryKind.READINGS not in passed:
            raise OrderError(f"entry {index}: a coder was called before the contract was sealed")
        if kind not in NOTES:
            previous = kind
            passed.add(kind)


def _attempts(models: Sequence[Model]) -> Iterator[Attempt]:
    starts = [index for index, model in enumerate(models) if isinstance(model, Candidate)]
    for number, (start, end) in enumerate(pairwise([*starts, len(models)])):
        part = models[start:end]
        candidate = _required(part, Candidate)
        evidence = tuple(model for model in part if isinstance(model, LayerEvidence))
        if candidate.attempt != number:
            raise OrderError(f"attempt {number} is numbered {candidate.attempt}")
        layers = [item.layer for item in evidence]
        if layers != [layer for layer in LAYERS if layer in layers]:
            raise OrderError(f"the layers of attempt {number} are repeated or out of order")
        yield Attempt(candidate, evidence, _one(part, ValidationArtifact), _one(part, RepairDirective))


def _one(models: Sequence[Model], kind: type[M]) -> M | None:
    return next((model for model in models if isinstance(model, kind)), None)


def _required(models: Sequence[Model], kind: type[M]) -> M:
    found = _one(models, kind)
    if found is None:
        raise OrderError(f"there is no {_KINDS[kind]}")
    return found

"""What the record of a build holds: the singletons of the run, and its attempts."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from collections.abc import Set as AbstractSet
from dataclasses import dataclass
from itertools import pairwise
from typing import TYPE_CHECKING, ClassVar

from contracts.calls import ModelCall
from contracts.candidate import Candidate
from contracts.canonical import Digest, Json, digest
from contracts.evidence import EntryKind, Outcome
from contracts.isolation import IsolationReport
from contracts.model import Model
from contracts.package import PackageManifest
from contracts.plan import FeasiblePlan, InfeasibilityCertificate
from contracts.reading import ReadingSet
from contracts.repair import RepairDirective
from contracts.requirement import BuildSpec, Requirement
from contracts.settings import BuildSettings
from contracts.verdict import LAYERS, Fault, LayerEvidence, ValidationArtifact
from tasks.evidence.conclusion import blame
from tasks.evidence.contents import Contents, OrderError, Tested, every, one, required, shared
from tasks.evidence.generators import generators
from tasks.repair.best import best

if TYPE_CHECKING:
    from tasks.evidence.report import Section

REDERIVED = ("order", "seals", "layers", "artifacts", "certificate", "outcome")

_K = EntryKind
_FOLLOWS: dict[EntryKind, AbstractSet[EntryKind]] = {
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
}
"""The contract comes before the code: no path leads to a candidate but through spec, plan, isolation and readings."""


@dataclass(frozen=True)
class Attempt:
    """One candidate, what was observed of it, and the judgement; None where the run ended before."""

    candidate: Candidate
    evidence: tuple[LayerEvidence, ...]
    artifact: ValidationArtifact | None
    directive: RepairDirective | None


@dataclass(frozen=True)
class BuildContents(Contents):
    """The models of a build's record."""

    TYPE: ClassVar = "build"
    SUBJECT: ClassVar = "requirement"
    ENDING: ClassVar = EntryKind.OUTCOME
    FOLLOWS: ClassVar = _FOLLOWS

    outcome: Outcome | None
    requirement: Requirement
    settings: BuildSettings
    spec: BuildSpec | None
    plan: FeasiblePlan | None
    certificate: InfeasibilityCertificate | None
    isolation: IsolationReport | None
    readings: ReadingSet | None
    attempts: tuple[Attempt, ...]
    packaged: PackageManifest | None

    @classmethod
    def of(cls, models: Sequence[Model]) -> BuildContents:
        """As `Contents.of`."""
        _check_calls(models)
        return cls(
            **shared(models),
            requirement=required(models, Requirement),
            settings=required(models, BuildSettings),
            spec=one(models, BuildSpec),
            plan=one(models, FeasiblePlan),
            certificate=one(models, InfeasibilityCertificate),
            isolation=one(models, IsolationReport),
            readings=one(models, ReadingSet),
            attempts=tuple(_attempts(models)),
            packaged=one(models, PackageManifest),
        )

    @property
    def text(self) -> str:
        """The requirement."""
        return self.requirement.text

    @property
    def decided(self) -> Attempt | None:
        """The attempt that the verdict is about: the last, or the furthest one where only code is at fault."""
        last = self.attempts[-1] if self.attempts else None
        if last is None or last.artifact is None or blame(last.artifact.failures) is not Fault.CANDIDATE:
            return last
        chosen = best([attempt.artifact for attempt in self.attempts if attempt.artifact is not None])
        return next(attempt for attempt in self.attempts if attempt.artifact == chosen)

    @property
    def candidate(self) -> Candidate | None:
        """The candidate that the verdict is about."""
        return self.decided.candidate if self.decided is not None else None

    @property
    def artifact(self) -> ValidationArtifact | None:
        """Its judgement."""
        return self.decided.artifact if self.decided is not None else None

    @property
    def package(self) -> PackageManifest | None:
        """The wheel of the last candidate."""
        return self.packaged

    def trees(self) -> Iterator[Candidate]:
        """Readings and candidates."""
        if self.readings is not None:
            yield from (reading.tree for reading in self.readings.readings)
        yield from (attempt.candidate for attempt in self.attempts)

    def seal_faults(self) -> Iterator[str]:
        """As `Contents.seal_faults`."""
        from tasks.evidence.builds.seals import seal_faults

        return seal_faults(self)

    def verdict_faults(self) -> Iterator[str]:
        """As `Contents.verdict_faults`."""
        from tasks.evidence.builds.rederive import verdict_faults

        return verdict_faults(self)

    def not_rederived(self) -> Iterator[str]:
        """What the readings agreed on, where other generators made their probes."""
        if self.readings is not None and not self.same_generators:
            made = self.run.generators or "unknown generators"
            yield f"that readings are admitted and agree as their observations give: made by {made}"

    @property
    def same_generators(self) -> bool:
        """Whether the probes can be made again here."""
        return self.run.generators is not None and self.run.generators == generators()

    def conclude(self, finished: str, stage_ms: Mapping[str, int]) -> Outcome:
        """As `Contents.conclude`."""
        from tasks.evidence.builds.conclusion import conclude

        return conclude(self, finished, stage_ms)

    def predicate(self) -> dict[str, Json]:
        """Requirement and contract by digest, and what verification derives again."""
        return {
            "requirement": digest(self.text.encode("utf-8")),
            "buildSpec": self.spec.seal() if self.spec is not None else None,
            "rederived": list(REDERIVED),
        }

    def materials(self) -> Iterator[tuple[str, Digest]]:
        """The contract and the probes."""
        if self.spec is not None:
            yield "build-spec", self.spec.seal()
        if self.readings is not None:
            yield "probe-plan", self.readings.plan.seal()

    def results(self) -> dict[str, bool]:
        """Layers and clauses; where a layer was not executed, nothing is known of the single clauses."""
        outcome = self.outcome
        if outcome is None:
            return {}
        found: dict[str, bool] = {layer.layer: layer.passed for layer in outcome.layers}
        if all(layer.executed for layer in outcome.layers):
            broken = {name for failure in outcome.failures for name in failure.requirement_ids}
            criteria = self.spec.acceptance_criteria if self.spec is not None else ()
            found |= {item.id: not broken & {item.id, *item.atoms} for item in criteria}
        return found

    def tested(self) -> Iterator[Tested]:
        """Each layer of each attempt."""
        for attempt in self.attempts:
            for layer in attempt.artifact.layers if attempt.artifact is not None else ():
                skipped = None if layer.executed else layer.not_executed or "no reason is given"
                group = f"attempt-{attempt.candidate.attempt}"
                yield Tested(group, layer.layer, layer.passed, skipped, layer.failures)

    def sections(self) -> Iterator[Section]:
        """As `Contents.sections`."""
        from tasks.evidence.builds.report import sections

        return sections(self)


def _check_calls(models: Sequence[Model]) -> None:
    """Law 2 for models: nobody was asked for code before the contract stood."""
    for index, model in enumerate(models):
        if isinstance(model, ReadingSet):
            return
        if isinstance(model, ModelCall) and model.role == "coder":
            raise OrderError(f"entry {index}: a coder was called before the contract was sealed")


def _attempts(models: Sequence[Model]) -> Iterator[Attempt]:
    starts = [index for index, model in enumerate(models) if isinstance(model, Candidate)]
    for number, (start, end) in enumerate(pairwise([*starts, len(models)])):
        part = models[start:end]
        candidate = required(part, Candidate)
        evidence = every(part, LayerEvidence)
        if candidate.attempt != number:
            raise OrderError(f"attempt {number} is numbered {candidate.attempt}")
        layers = [item.layer for item in evidence]
        if layers != [layer for layer in LAYERS if layer in layers]:
            raise OrderError(f"the layers of attempt {number} are repeated or out of order")
        yield Attempt(candidate, evidence, one(part, ValidationArtifact), one(part, RepairDirective))

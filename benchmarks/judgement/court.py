"""A contract with its readings, ready to judge directories as a build would: shared by the scripts of this folder."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path

from contracts.candidate import Candidate, Provenance
from contracts.reading import ReadingSet
from contracts.requirement import BuildSpec, Requirement
from contracts.settings import BuildSettings
from contracts.verdict import LayerEvidence, LayerResult, ValidationArtifact
from tasks.evidence.store import open_store
from tasks.reading.reader import read
from tasks.requirement.compiler import compile_requirement
from tasks.stages import VALIDATE
from tasks.trees import ingest
from tasks.validation.judge import assemble, judge_layer


@dataclass
class Court:
    """One requirement's contract and readings."""

    settings: BuildSettings
    spec: BuildSpec
    readings: ReadingSet

    def judge(self, directory: Path) -> ValidationArtifact:
        """The artifact of the program in ``directory``, through the layers in order, up to the first that fails."""
        provenance = Provenance(source="directory", label=directory.name)
        candidate = ingest(directory, open_store(self.settings.store), provenance, 0)
        layers = list(self._layers(candidate))
        return assemble(self.spec, self.readings, candidate, layers, self.settings.floor)

    def _layers(self, candidate: Candidate) -> Iterator[tuple[LayerEvidence, LayerResult]]:
        for stage in VALIDATE.values():
            evidence = stage.load()(self.spec, self.readings, candidate, self.settings)
            result = judge_layer(self.spec, self.readings.plan, evidence, self.settings.floor)
            yield evidence, result
            if not result.passed:
                return


def court(text: str, store: str, readings: Sequence[Path] = ()) -> Court:
    """Compile ``text`` and run the readings: the directories given, or those that ship with the sample."""
    requirement = Requirement(text=text)
    settings = BuildSettings(store=store, readings=tuple(map(str, readings)))
    spec = compile_requirement(requirement, {})
    return Court(settings, spec, read(spec, requirement, settings))

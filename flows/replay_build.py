"""A build's stages run again from its own parts, and what came out differently (RPL-01 to RPL-06).

The contract is compiled and planned again, the readings and every attempt run in a fresh sandbox from the sealed bytes,
and each layer is judged by the sealed expectations. What the record says is never taken for what happens now.
"""

from __future__ import annotations

import tempfile
from contextlib import ExitStack
from pathlib import Path

from contracts.reading import ReadingSet
from contracts.replay import Difference, ReplayReport
from contracts.requirement import BuildSpec
from contracts.settings import BuildSettings
from contracts.verdict import LayerEvidence, LayerResult
from flows.replay_environment import differing
from tasks import stages
from tasks.evidence.builds.contents import Attempt, BuildContents
from tasks.evidence.store import DirectoryStore, Store
from tasks.trees import materialise


def replay_build(contents: BuildContents, store: Store, scratch: Path) -> ReplayReport:
    """Run a build's stages again below ``scratch``; raises as `flows.replay.replay`."""
    return _Replay(contents, store, scratch).report()


class _Replay:
    """One replay: differences and notes as they are found. The record's own store is only read."""

    def __init__(self, contents: BuildContents, kept: Store, scratch: Path) -> None:
        self._contents = contents
        self._store = DirectoryStore(scratch / "store")
        for tree in contents.trees():
            for entry in tree.files:
                self._store.put(kept.get(entry.digest))
        changes = {"store": str(self._store.root), "candidate": None, "readings": ()}
        self._settings = contents.settings.model_copy(update=changes)
        self._steps: list[str] = []
        self._notes: list[str] = []
        self._differences: list[Difference] = []

    def report(self) -> ReplayReport:
        """All steps that the record has, and the report."""
        spec = self._contents.spec
        if spec is not None:
            self._contract(spec)
        isolation = self._contents.isolation
        now = stages.ISOLATE.load()(self._settings) if isolation is not None else None
        environment = list(differing(self._contents.run, isolation, now))
        if spec is not None and self._contents.readings is not None:
            self._readings(spec, self._contents.readings)
            for attempt in self._contents.attempts:
                for sealed in attempt.evidence:
                    self._layer(spec, self._contents.readings, attempt, sealed)
        return ReplayReport(
            run=self._contents.run.run,
            reproduced=not self._differences,
            steps=tuple(self._steps),
            differences=tuple(self._differences),
            environment=tuple(environment),
            notes=tuple(self._notes),
        )

    def _contract(self, spec: BuildSpec) -> None:
        """The text gives the same contract, and the contract the same plan or proof."""
        requirement = self._contents.requirement
        again = stages.COMPILE.load()(requirement, self._settings.assumptions)
        self._compare("contract", spec.seal(), again.seal())
        sealed = self._contents.plan or self._contents.certificate
        if sealed is not None:
            planned = stages.PLAN.load()(spec, requirement)
            self._compare("plan", f"{sealed.kind} {sealed.seal()}", f"{planned.kind} {planned.seal()}")

    def _readings(self, spec: BuildSpec, sealed: ReadingSet) -> None:
        """The sealed readings, run again, are admitted alike and agree on the same expectations."""
        with ExitStack() as stack:
            folder = Path(stack.enter_context(tempfile.TemporaryDirectory(prefix="forge-readings-")))
            for reading in sealed.readings:
                tree = stack.enter_context(materialise(reading.tree, self._store))
                tree.rename(folder / reading.label)
            names = tuple(str(folder / reading.label) for reading in sealed.readings)
            again = stages.READ.load()(
                spec, self._contents.requirement, self._settings.model_copy(update={"readings": names})
            )
        self._compare("readings", _agreement(sealed), _agreement(again))

    def _layer(self, spec: BuildSpec, readings: ReadingSet, attempt: Attempt, sealed: LayerEvidence) -> None:
        step = f"attempt {attempt.candidate.attempt}, {sealed.layer}"
        before = _verdict(spec, readings, sealed, self._settings)
        runs = [self._observe(spec, readings, attempt, sealed)]
        verdicts = [_verdict(spec, readings, runs[0], self._settings)]
        if verdicts[0] != before:  # once more: do the runs here agree with each other?
            runs.append(self._observe(spec, readings, attempt, sealed))
            verdicts.append(_verdict(spec, readings, runs[1], self._settings))
        self._compare(step, before, verdicts[0], flaky=len(set(verdicts)) > 1)
        changed = _changed(sealed, runs[0])
        if changed is not None and verdicts[0] == before:
            self._notes.append(f"{step}: probe {changed} was observed otherwise, and judged alike")

    def _observe(self, spec: BuildSpec, readings: ReadingSet, attempt: Attempt, sealed: LayerEvidence) -> LayerEvidence:
        return stages.VALIDATE[sealed.layer].load()(spec, readings, attempt.candidate, self._settings)

    def _compare(self, step: str, sealed: str, now: str, *, flaky: bool = False) -> None:
        self._steps.append(step)
        if sealed != now:
            self._differences.append(Difference(step=step, sealed=sealed, now=now, flaky=flaky))


def _agreement(readings: ReadingSet) -> str:
    admitted = ", ".join(f"{item.label} {'admitted' if item.admitted else 'refused'}" for item in readings.readings)
    ambiguous = f", {len(readings.failures)} ambiguities" if readings.failures else ""
    return f"probes {readings.plan.seal()}; {admitted or 'no readings'}{ambiguous}"


def _verdict(spec: BuildSpec, readings: ReadingSet, evidence: LayerEvidence, settings: BuildSettings) -> str:
    """The judgement of a layer, without what is measured or only an example."""
    from tasks.validation.judge import judge_layer

    return _words(judge_layer(spec, readings.plan, evidence, settings.floor))


def _words(result: LayerResult) -> str:
    if result.passed:
        return "passed"
    kinds = sorted({" ".join((item.signature.value, *item.requirement_ids)) for item in result.failures})
    return f"failed: {', '.join(kinds)}"


def _changed(sealed: LayerEvidence, now: LayerEvidence) -> str | None:
    """The first probe that was observed otherwise, times apart."""
    again = {observation.probe: observation for observation in now.observations}
    for observation in sealed.observations:
        other = again.get(observation.probe)
        if other is None or other.model_copy(update={"timing": observation.timing}) != observation:
            return observation.probe
    return None

"""What the record of a blind run holds: the bundle, how it was run, one result for each case, the score."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from collections.abc import Set as AbstractSet
from dataclasses import dataclass
from typing import TYPE_CHECKING, ClassVar

from contracts.bundle import BenchOutcome, BenchRun, BenchSettings, CaseResult, FrozenBundle, root_of
from contracts.candidate import Candidate
from contracts.canonical import Digest, Json
from contracts.evidence import EntryKind
from contracts.model import Model
from contracts.score import is_right, score
from tasks.evidence.conclusion import NoConclusion, blame
from tasks.evidence.contents import Contents, Tested, every, required, shared

if TYPE_CHECKING:
    from tasks.evidence.report import Section

_K = EntryKind
_FOLLOWS: dict[EntryKind, AbstractSet[EntryKind]] = {
    _K.BUNDLE: {_K.BENCH_SETTINGS},
    _K.BENCH_SETTINGS: {_K.CASE_RESULT, _K.BENCH_OUTCOME},
    _K.CASE_RESULT: {_K.CASE_RESULT, _K.BENCH_OUTCOME},
}
"""The bundle, and of which kind the run is, stand before the first result (law 6)."""


@dataclass(frozen=True)
class BenchContents(Contents):
    """The models of a bench run's record."""

    TYPE: ClassVar = "bench"
    SUBJECT: ClassVar = "cases"
    ENDING: ClassVar = EntryKind.BENCH_OUTCOME
    FOLLOWS: ClassVar = _FOLLOWS

    outcome: BenchOutcome | None
    bundle: FrozenBundle
    settings: BenchSettings
    case_results: tuple[CaseResult, ...]

    @classmethod
    def of(cls, models: Sequence[Model]) -> BenchContents:
        """As `Contents.of`."""
        return cls(
            **shared(models),
            bundle=required(models, FrozenBundle),
            settings=required(models, BenchSettings),
            case_results=every(models, CaseResult),
        )

    @property
    def bench_run(self) -> BenchRun:
        """The run, as comparisons and the ledger take it."""
        return BenchRun(settings=self.settings, started=self.run.started, results=self.case_results)

    @property
    def text(self) -> str:
        """The cases, as they were frozen."""
        return self.bundle.cases_text

    @property
    def candidate(self) -> Candidate | None:
        """None: each case has a record of its own."""
        return None

    def trees(self) -> Iterator[Candidate]:
        """None of its own."""
        yield from ()

    def seal_faults(self) -> Iterator[str]:
        """As `Contents.seal_faults`."""
        manifest, settings = self.bundle.manifest, self.settings
        if not self.bundle.is_whole or root_of(manifest.files) != manifest.root:
            yield "the cases are not those of the manifest"
        if settings.bundle != manifest.seal():
            yield "the settings are those of another bundle"
        if settings.kind == "blind_baseline" and manifest.regression:
            yield "a bundle that Forge has seen from birth has no blind baseline"
        names = [result.case_id for result in self.case_results]
        if len(set(names)) != len(names):
            yield "a case has two results"
        if not set(names) <= set(_asked(self)):
            yield "a result of a case that was not asked for"

    def verdict_faults(self) -> Iterator[str]:
        """None: the verdict of each case is in a record of its own, named by its result."""
        yield from ()

    def conclude(self, finished: str, stage_ms: Mapping[str, int]) -> BenchOutcome:
        """As `Contents.conclude`."""
        failures = (self.stopped.failure,) if self.stopped is not None else ()
        done = {result.case_id for result in self.case_results} == set(_asked(self))
        if not done and not failures:
            raise NoConclusion("the run ends before its last case and without a cause")
        return BenchOutcome(
            status="completed" if done else "incomplete",
            fault=blame(failures),
            failures=failures,
            score=score(self.case_results, self.bundle.cases),
            finished=finished,
            stage_ms=dict(stage_ms),
        )

    def predicate(self) -> dict[str, Json]:
        """The bundle, and of which kind the run is."""
        return {"bundle": self.settings.bundle, "kind": self.settings.kind, "rederived": ["order", "seals", "outcome"]}

    def materials(self) -> Iterator[tuple[str, Digest]]:
        """The bundle, and this Forge."""
        yield "bundle", self.settings.bundle
        yield "forge-code", self.settings.forge.code
        yield "forge-lock", self.settings.forge.lock

    def results(self) -> dict[str, bool]:
        """Whether each case that was asked for has a result."""
        done = {result.case_id for result in self.case_results}
        return {f"case {name}": name in done for name in _asked(self)}

    def tested(self) -> Iterator[Tested]:
        """Each case against its label and its oracle."""
        cases = {case.case_id: case for case in self.bundle.cases}
        found = {result.case_id: result for result in self.case_results}
        for name in _asked(self):
            result = found.get(name)
            if result is None:
                yield Tested("cases", name, False, "the run ended before")
            else:
                yield Tested("cases", name, is_right(result, cases[name]))

    def sections(self) -> Iterator[Section]:
        """As `Contents.sections`."""
        from tasks.evidence.benches.report import sections

        return sections(self)


def _asked(contents: BenchContents) -> tuple[str, ...]:
    return contents.settings.only or tuple(case.case_id for case in contents.bundle.cases)

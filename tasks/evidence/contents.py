"""What a record holds, put in order: what all types of record have, and what each says for itself.

One subclass for each type of record; everything else in this package serves them all (docs/evidence.md).
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Iterator, Mapping, Sequence
from collections.abc import Set as AbstractSet
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, ClassVar, Self, TypeVar

from contracts.calls import Explanation, ModelCall
from contracts.candidate import Candidate
from contracts.canonical import Digest, Json
from contracts.evidence import Ending, EntryKind, FaultNote, RunInfo
from contracts.model import Model
from contracts.package import PackageManifest
from contracts.verdict import Failure

if TYPE_CHECKING:
    from tasks.evidence.report import Section

M = TypeVar("M", bound=Model)


class OrderError(ValueError):
    """Entries do not stand in the order of a run (law 2)."""


@dataclass(frozen=True)
class Tested:
    """One thing that was judged, as CI systems list it; ``skipped`` says why it was not executed."""

    group: str
    name: str
    passed: bool
    skipped: str | None = None
    failures: tuple[Failure, ...] = ()


@dataclass(frozen=True)
class Contents(ABC):
    """The models of a record. ``stopped`` is the fault after which the run did nothing but end."""

    TYPE: ClassVar[str]
    """The name of the type; it stands in the predicate that is signed."""
    SUBJECT: ClassVar[str]
    """What ``text`` is: the subject of the statement where there is no candidate."""
    ENDING: ClassVar[EntryKind]
    """The kind of the last entry: a model that is an `Ending`."""
    FOLLOWS: ClassVar[Mapping[EntryKind, AbstractSet[EntryKind]]]
    """What may come after an entry, from the second one on; notes aside (`tasks.evidence.kinds.NOTES`)."""

    run: RunInfo
    faults: tuple[FaultNote, ...]
    calls: tuple[ModelCall, ...]
    explanations: tuple[Explanation, ...]
    stopped: FaultNote | None
    outcome: Ending | None

    @classmethod
    @abstractmethod
    def of(cls, models: Sequence[Model]) -> Self:
        """The contents of a record whose entries stand in order; raises OrderError where something is missing."""

    @property
    @abstractmethod
    def text(self) -> str:
        """What the user wrote and everything is judged by; spans of failures are places in it."""

    @property
    @abstractmethod
    def candidate(self) -> Candidate | None:
        """The tree that the verdict is about."""

    @property
    def package(self) -> PackageManifest | None:
        """What was delivered."""
        return None

    @abstractmethod
    def trees(self) -> Iterator[Candidate]:
        """Every tree whose files belong to the record."""

    def blobs(self) -> Iterator[tuple[Digest, int]]:
        """Digest and size of each file that belongs to the record, and of the package."""
        for tree in self.trees():
            yield from ((entry.digest, entry.size) for entry in tree.files)
        if self.package is not None:
            yield self.package.wheel, self.package.size

    @abstractmethod
    def seal_faults(self) -> Iterator[str]:
        """What an entry says it rests on, and is not what stands before it (law 5); caps that are passed (VER-09)."""

    @abstractmethod
    def verdict_faults(self) -> Iterator[str]:
        """Every judgement that the evidence for it does not give (EVI-06)."""

    def not_rederived(self) -> Iterator[str]:
        """Conclusions that this version cannot derive again, in words: verification says that they were not checked."""
        yield from ()

    @abstractmethod
    def conclude(self, finished: str, stage_ms: Mapping[str, int]) -> Ending:
        """The one end that the contents allow; raises NoConclusion. Writing and verification both call it (VER-04)."""

    @abstractmethod
    def predicate(self) -> dict[str, Json]:
        """What the signed predicate says beside record, run, status, fault and signer."""

    @abstractmethod
    def materials(self) -> Iterator[tuple[str, Digest]]:
        """What the verdict was reached with, by name: the configuration of a test-result predicate."""

    @abstractmethod
    def results(self) -> Mapping[str, bool]:
        """Whether each thing that decides held, by name; what was not executed did not."""

    @abstractmethod
    def tested(self) -> Iterator[Tested]:
        """Everything that was judged, in all attempts."""

    @abstractmethod
    def sections(self) -> Iterator[Section]:
        """What a person reads of it; making the lines of a section may raise, listing the sections may not."""


def shared(models: Sequence[Model]) -> dict[str, Any]:
    """The fields that all types of record have.

    Raises:
        OrderError: there is no `RunInfo`.
    """
    steps = [model for model in models if not isinstance(model, (Ending, ModelCall, Explanation))]
    return {
        "run": required(models, RunInfo),
        "faults": every(models, FaultNote),
        "calls": every(models, ModelCall),
        "explanations": every(models, Explanation),
        "stopped": steps[-1] if isinstance(steps[-1], FaultNote) else None,
        "outcome": one(models, Ending),
    }


def one(models: Sequence[Model], kind: type[M]) -> M | None:
    """The first model of a kind."""
    return next((model for model in models if isinstance(model, kind)), None)


def every(models: Sequence[Model], kind: type[M]) -> tuple[M, ...]:
    """All models of a kind."""
    return tuple(model for model in models if isinstance(model, kind))


def required(models: Sequence[Model], kind: type[M]) -> M:
    """As `one`; raises OrderError where there is none."""
    found = one(models, kind)
    if found is None:
        raise OrderError(f"there is no {kind.__name__}")
    return found

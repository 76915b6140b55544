"""One run while it goes on: its record, its times, its watcher, and how it is closed."""

from __future__ import annotations

import platform
import secrets
import time
from collections import Counter
from collections.abc import Iterable
from datetime import UTC, datetime
from typing import ParamSpec, TypeVar

from contracts.calls import ModelCall
from contracts.evidence import BuildRequest, Ending, EntryKind, FaultNote, Record, RunInfo
from contracts.log import Inclusion
from contracts.model import Model
from contracts.package import PackageManifest
from contracts.paths import slug
from contracts.requirement import MAX_TEXT, BuildSpec, Requirement
from contracts.verdict import Failure, FailureSignature
from flows.engine import Engine
from flows.listening import Listener
from flows.version import forge_version
from sandbox.base import SandboxError
from tasks.errors import InfrastructureError, StoreError, UsageError, signature_of
from tasks.evidence.generators import generators
from tasks.evidence.log.runs import log_run
from tasks.evidence.recorder import Recorder
from tasks.evidence.signing import SigningKey, load_key
from tasks.evidence.store import open_store
from tasks.models.base import calls_of
from tasks.stages import Stage

P = ParamSpec("P")
R = TypeVar("R")
E = TypeVar("E", bound=Ending)


class Running:
    """A run of any kind: what its composition works with. ``attempt`` counts candidates, from 0.

    Raises:
        UsageError: the store or the signing key cannot be used.
    """

    def __init__(self, store: str, engine: Engine, listener: Listener, name: str, key: SigningKey | None) -> None:
        """Open the record. Without a ``key`` the user's own signs."""
        self.name, self.engine, self.listener = name, engine, listener
        self.store = open_store(store)
        self.key = key or load_key()
        self.attempt = 0
        self.calls: tuple[ModelCall, ...] = ()
        self.stage_ms: Counter[str] = Counter()
        self._not_logged: tuple[str, ...] = ()
        self._noted: BaseException | None = None
        self._recorder = Recorder(self.store)
        self.add(EntryKind.RUN, _info(name, engine.name))

    def add(self, kind: EntryKind, body: Model) -> None:
        """Append an entry to the record."""
        self._recorder.add(kind, body)

    def account(self, calls: Iterable[ModelCall]) -> None:
        """Append calls of models to the record; the next ones are reckoned with them (ADP-02)."""
        for call in calls:
            self.add(EntryKind.MODEL_CALL, call)
            self.calls = (*self.calls, call)

    def stage(self, stage: Stage[P, R], *args: P.args, **kwargs: P.kwargs) -> R:
        """Run a stage on the engine, timed and watched. Every attempt of it that raises is an entry (law 6)."""
        self.listener.started(stage.name, self.attempt)
        begun = time.monotonic()
        try:
            value = self.engine.run(stage, lambda error: self.fault(error, stage.name), *args, **kwargs)
        except BaseException as error:
            self.fault(error, stage.name)
            raise
        finally:
            spent = int((time.monotonic() - begun) * 1000)
            self.stage_ms[stage.name] += spent
        self.listener.finished(stage.name, spent)
        return value

    def fault(self, error: BaseException, stage: str = "build") -> None:
        """Record an exception, once. A call that cannot be carried out is the caller's and is not recorded."""
        if error is self._noted or isinstance(error, UsageError):
            return
        self._noted = error
        self.account(calls_of(error))
        failure = failure_of(error)
        self.add(EntryKind.FAULT, FaultNote(stage=stage, attempt=self.attempt, failure=failure))
        self.listener.faulted(stage, failure)

    def seal(self, kind: type[E]) -> tuple[E, Record, Inclusion | None]:
        """Derive the end from what was recorded, sign, keep the record in the store, and log the run (EVI-07).

        Where it cannot be logged the record stands all the same, and a notice says so.
        """
        outcome = self._recorder.conclude(_now(), dict(self.stage_ms))
        if not isinstance(outcome, kind):
            raise TypeError(f"the record does not end with a {kind.__name__}")
        record = self._recorder.finish(self.key)
        try:
            return outcome, record, log_run(self.store, record, self.key)
        except StoreError as error:
            self._not_logged = (f"the run is not in the log: {error}",)
            return outcome, record, None

    @property
    def notices(self) -> tuple[str, ...]:
        """What a person must be told about this run beside its outcome."""
        made = (f"a signing key of your own was made: {self.key.source}",) if self.key.created else ()
        return (*made, *self._not_logged, *self.store.notices)


class Run(Running):
    """The run of a build. ``spec`` and ``package`` are what is known so far.

    Raises:
        UsageError: the text, the store or the signing key cannot be used.
    """

    def __init__(
        self, request: BuildRequest, engine: Engine, listener: Listener, name: str, key: SigningKey | None
    ) -> None:
        """Open the record: run, requirement, settings."""
        self.settings = request.settings
        self.requirement = requirement_of(request.requirement)
        super().__init__(request.settings.store, engine, listener, name, key)
        self.spec: BuildSpec | None = None
        self.package: PackageManifest | None = None
        self.add(EntryKind.REQUIREMENT, self.requirement)
        self.add(EntryKind.SETTINGS, self.settings)


def failure_of(error: BaseException) -> Failure:
    """What stands in the record of an exception: its class of faults, and one line."""
    if not isinstance(error, Exception):
        return Failure(signature=FailureSignature.INTERRUPTED, detail="the run was interrupted")
    words = " ".join(str(error).split()).encode("utf-8", "replace").decode()
    named = isinstance(error, (InfrastructureError, SandboxError)) and words
    return Failure(signature=signature_of(error), detail=words if named else f"{type(error).__name__}: {words}")


def run_name(text: str) -> str:
    """A name for a run that a person understands: the requirement's first words and a short id."""
    return f"{title_slug(text)}-{secrets.token_hex(4)}"


def title_slug(text: str) -> str:
    """The requirement's first line of words, as a slug."""
    lines = (line.strip("# \t") for line in text.splitlines())
    return slug(next((line for line in lines if line), ""), "build")


def requirement_of(text: str) -> Requirement:
    """The text, untouched.

    Raises:
        UsageError: it is empty or too long.
    """
    if not text.strip() or len(text) > MAX_TEXT:
        raise UsageError(f"a requirement has between 1 and {MAX_TEXT} characters, and words among them")
    return Requirement(text=text)


def _info(name: str, engine: str) -> RunInfo:
    return RunInfo(
        run=name,
        engine=engine,
        forge=forge_version(),
        python=platform.python_version(),
        platform=platform.platform(),
        started=_now(),
        generators=generators(),
    )


def _now() -> str:
    return datetime.now(UTC).isoformat(timespec="milliseconds")

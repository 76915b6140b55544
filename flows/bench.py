"""A run over a bundle: blind once, a replay ever after (law 6, DEC-22).

What a run has settled of a case is kept in the store, created once, so that a run that was stopped goes on where it was
and judges no case twice.
"""

from __future__ import annotations

import secrets
from collections.abc import Callable, Iterator, Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass

from benchmarks.blind.layout import CASES, Bundle, BundleError
from contracts.bundle import BenchOutcome, BenchSettings, Case, CaseResult, FrozenBundle
from contracts.evidence import EntryKind, Record
from contracts.isolation import SandboxPolicy
from contracts.loading import RECORD_BYTES, load_document
from flows.bench_case import RESULT_BYTES, BenchRequest, settled
from flows.bench_kind import settings_of
from flows.engine import InlineEngine
from flows.identity import identity
from flows.listening import Silent
from flows.oracles import OracleRoom, Preflight, preflight
from flows.run import Running
from tasks.evidence.signing import SigningKey
from tasks.evidence.store import open_store, record_key


@dataclass(frozen=True)
class BenchReport:
    """The sealed run. ``notices`` is what a person must be told beside it."""

    run: str
    settings: BenchSettings
    results: tuple[CaseResult, ...]
    outcome: BenchOutcome
    record: Record
    notices: tuple[str, ...]


def run_bench(
    request: BenchRequest,
    name: str,
    key: SigningKey | None = None,
    on_case: Callable[[CaseResult], None] | None = None,
) -> BenchReport:
    """Run a bundle under ``name``; a run of that name that was stopped goes on.

    A fault of the infrastructure ends the run with a record that says so; the same name resumes it.

    Raises:
        BundleError: a case that is asked for is not in the bundle, or the run was begun with another one.
        StoreError: results cannot be kept.
        KeyboardInterrupt: what was done until then is kept, and a record says that it was interrupted.
    """
    _check(request)
    store = open_store(request.store)
    settings = settings_of(request, store, name)
    begun = store.read(record_key(name), RECORD_BYTES) is not None
    title = f"{name}-{secrets.token_hex(2)}" if begun else name  # each going on has a record of its own (law 6)
    run = Running(request.store, InlineEngine(), Silent(), title, key)
    cases = request.bundle.files[CASES].decode("utf-8")
    run.add(EntryKind.BUNDLE, FrozenBundle(manifest=request.bundle.manifest, cases_text=cases))
    run.add(EntryKind.BENCH_SETTINGS, settings)
    results: list[CaseResult] = []
    stopped: BaseException | None = None
    try:
        trials = {
            trial.case_id: trial for trial in trials_of(request.bundle, request.store, request.policy, request.only)
        }
        for result in _results(request, trials, name, run.key):
            run.add(EntryKind.CASE_RESULT, result)
            results.append(result)
            if on_case is not None:
                on_case(result)
    except BaseException as error:  # noqa: BLE001 - whatever it is, the record says so (law 3)
        run.fault(error, "bench")
        stopped = error
    outcome, record, _ = run.seal(BenchOutcome)
    if stopped is not None and not isinstance(stopped, Exception):
        raise stopped
    return BenchReport(title, settings, tuple(results), outcome, record, run.notices)


def trials_of(bundle: Bundle, location: str, policy: SandboxPolicy, only: Sequence[str] = ()) -> Iterator[Preflight]:
    """The trial of each oracle, or of those cases ``only``, from the store where this Forge has held it already.

    Raises:
        SandboxError, InfrastructureError: an oracle could not be asked.
    """
    store, room, forge = open_store(location), OracleRoom(policy, location), identity(())
    trial_of = "-".join(part.removeprefix("sha256:")[:32] for part in (bundle.seal, forge.code, policy.seal()))
    for case in bundle.cases:
        if not bundle.oracle(case.case_id) or (only and case.case_id not in only):
            continue
        key = f"preflight/{trial_of}/{case.case_id}.json"
        kept = store.read(key, RESULT_BYTES)
        trial = load_document(Preflight, kept) if kept is not None else preflight(bundle, case, room)
        if kept is None:
            store.create(key, trial.canonical())
        yield trial


def _check(request: BenchRequest) -> None:
    known = {case.case_id for case in request.bundle.cases}
    for name in request.only:
        if name not in known:
            raise BundleError(f"the bundle has no case {name}")
    qualities = {name for case in known for name in request.bundle.trees("candidates", case)}
    if request.quality is not None and request.quality not in qualities:
        there = ", ".join(sorted(qualities)) or "none"
        raise BundleError(f"the bundle has no candidates {request.quality!r}; there are {there}")


def _results(
    request: BenchRequest, trials: Mapping[str, Preflight], name: str, key: SigningKey
) -> Iterator[CaseResult]:
    """The results in the order of the cases."""
    cases = [case for case in request.bundle.cases if not request.only or case.case_id in request.only]

    def one(case: Case) -> CaseResult:
        return settled(request, case, trials.get(case.case_id), name, key)

    if request.jobs == 1:  # in this thread, so that an interruption reaches the build
        yield from map(one, cases)
        return
    with ThreadPoolExecutor(max_workers=request.jobs) as pool:
        waiting = [pool.submit(one, case) for case in cases]
        try:
            for future in waiting:
                yield future.result()
        finally:
            for future in waiting:
                future.cancel()

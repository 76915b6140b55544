"""One case of a bundle: built, its record sealed, and only then the outside oracle asked (law 1, law 6)."""

from __future__ import annotations

from contextlib import ExitStack
from dataclasses import dataclass, field
from itertools import count

from benchmarks.blind.layout import Bundle
from contracts.bundle import Case, CaseResult, OracleResult
from contracts.candidate import Candidate
from contracts.canonical import digest
from contracts.evidence import BuildRequest, Outcome, Record
from contracts.isolation import SandboxPolicy
from contracts.loading import RECORD_BYTES, load_document
from contracts.modelling import ModelSettings
from contracts.settings import BuildSettings
from contracts.verdict import FailureSignature, Fault
from flows.build import build
from flows.oracles import OracleRoom, Preflight, written
from sandbox.base import SandboxError
from tasks.errors import InfrastructureError, StoreError
from tasks.evidence.arrangement import read_contents
from tasks.evidence.builds.contents import BuildContents
from tasks.evidence.signing import SigningKey
from tasks.evidence.store import Store, open_store, record_key

RESULT_BYTES = 1024 * 1024


@dataclass(frozen=True)
class BenchRequest:
    """What is to be run. ``quality`` names the scripted candidates of the bundle; without it ``models`` write.

    ``only`` are the cases asked for, all where it is empty; ``jobs`` of them are in work at once.
    """

    bundle: Bundle
    store: str
    policy: SandboxPolicy = field(default_factory=SandboxPolicy)
    quality: str | None = None
    models: ModelSettings | None = None
    rounds: int = 1
    only: tuple[str, ...] = ()
    jobs: int = 1
    replay: bool = False


def settled(request: BenchRequest, case: Case, trial: Preflight | None, name: str, key: SigningKey) -> CaseResult:
    """The result that the store keeps of the case under the run's name, or a new one, kept before it is told.

    Raises:
        InfrastructureError, SandboxError: nothing was judged, or the oracle could not be asked; the case is left for
            another time, and a verdict that is sealed already stands then (DEC-22).
    """
    store, place = open_store(request.store), f"bench/{name}/{case.case_id}.json"
    kept = store.read(place, RESULT_BYTES)
    if kept is None:
        result = _judged(request, case, trial, f"{name}-{case.case_id.lower()}", key)
        store.create(place, result.canonical())
        kept = required(store, place)
    return load_document(CaseResult, kept)


def required(store: Store, key: str) -> bytes:
    """What the store keeps under a key that was just created there. Raises StoreError."""
    data = store.read(key, RESULT_BYTES)
    if data is None:
        raise StoreError(f"the store does not keep {key}")
    return data


def _judged(request: BenchRequest, case: Case, trial: Preflight | None, name: str, key: SigningKey) -> CaseResult:
    """Drawn from the sealed record of the build; the oracle is asked last."""
    store = open_store(request.store)
    try:
        seal, contents = _sealed(request, case, store, name, key)
    except (InfrastructureError, SandboxError):
        raise
    except Exception as error:  # noqa: BLE001 - an exception is a result too, with its name
        return _without_verdict(case, f"{type(error).__name__}: {error}"[:1_000])
    outcome = contents.outcome
    assert outcome is not None  # noqa: S101 - for the type checker: a sealed record has one
    return CaseResult(
        case_id=case.case_id,
        status=outcome.status,
        fault=outcome.fault,
        signatures=tuple(sorted({failure.signature for failure in outcome.failures})),
        attempts=len(contents.attempts),
        oracle=_oracle(request, case, trial, contents.candidate),
        record=seal,
        usage=outcome.usage,
        wall_ms=sum(outcome.stage_ms.values()),
        error=outcome.failures[0].detail if outcome.fault is Fault.INFRASTRUCTURE else None,
    )


def _sealed(request: BenchRequest, case: Case, store: Store, name: str, key: SigningKey) -> tuple[str, BuildContents]:
    """The record in which the case was judged, found in the store or made now, and its digest.

    A record that the infrastructure ended judged nothing: it stands, and the next one has the next number.
    """
    for number in count(1):
        run = name if number == 1 else f"{name}-{number}"
        found = store.read(record_key(run), RECORD_BYTES) is not None
        if not found:
            with ExitStack() as stack:
                asked = BuildRequest(requirement=case.requirement, settings=_settings(request, case, stack))
                build(asked, name=run, key=key)
        data = store.get_record(run)
        contents = read_contents(load_document(Record, data, RECORD_BYTES), store)
        if not isinstance(contents, BuildContents) or contents.outcome is None:
            raise StoreError(f"the record of {run} is not that of a build")
        if _has_verdict(contents.outcome):
            return digest(data), contents
        if not found:
            raise InfrastructureError(f"{case.case_id}: {contents.outcome.failures[0].detail}")
    raise AssertionError  # the numbers do not end


def _has_verdict(outcome: Outcome) -> bool:
    """False where only the infrastructure ended it; that nobody wrote a program is a result."""
    signatures = {failure.signature for failure in outcome.failures}
    return outcome.fault is not Fault.INFRASTRUCTURE or FailureSignature.NO_CANDIDATE in signatures


def _without_verdict(case: Case, error: str) -> CaseResult:
    return CaseResult(
        case_id=case.case_id,
        status=None,
        fault=Fault.NONE,
        attempts=0,
        oracle=OracleResult(state="not_run", detail="no verdict was reached"),
        record=None,
        wall_ms=0,
        error=error,
    )


def _settings(request: BenchRequest, case: Case, stack: ExitStack) -> BuildSettings:
    """The case's own conventions, readings and scripted answers; the oracle is nowhere near."""

    def trees(found: dict[str, dict[str, bytes]]) -> tuple[str, ...]:
        return tuple(str(stack.enter_context(written(files))) for _, files in sorted(found.items()))

    scripted = request.quality is not None
    candidates = request.bundle.trees("candidates", case.case_id)
    return BuildSettings(
        store=request.store,
        policy=request.policy,
        assumptions=_assumptions(case),
        answers=trees(_below(candidates.get(request.quality, {}))) if request.quality is not None else (),
        readings=trees(request.bundle.trees("readings", case.case_id)) if scripted else (),
        rounds=request.rounds,
        models=None if scripted else request.models,
    )


def _assumptions(case: Case) -> dict[str, str]:
    """What the case settles, as `forge build --assume` takes it: where the program has to stand, among others."""
    contract = case.public_contract
    if contract is None or contract.kind != "cli_entrypoint" or contract.module == "main":
        return dict(case.conventions)
    return {"python.entry": contract.module.replace(".", "/") + ".py", **case.conventions}


def _below(files: dict[str, bytes]) -> dict[str, dict[str, bytes]]:
    """The trees below a tree, by the first part of each path."""
    found: dict[str, dict[str, bytes]] = {}
    for path, data in files.items():
        name, _, rest = path.partition("/")
        found.setdefault(name, {})[rest] = data
    return found


def _oracle(request: BenchRequest, case: Case, trial: Preflight | None, candidate: Candidate | None) -> OracleResult:
    if trial is None:
        return OracleResult(state="not_run", detail="the case has no oracle")
    if not trial.valid:
        first = trial.flaws[0]
        return OracleResult(state="invalid", detail=f"{first.kind}: {first.reason}"[:1_000])
    if candidate is None:
        return OracleResult(state="not_run", detail="there is no program")
    return OracleRoom(request.policy, request.store).ask(request.bundle.oracle(case.case_id), candidate)

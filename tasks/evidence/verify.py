"""Is this record what was signed, by whom, and does its verdict follow from its evidence? No network, no re-run."""

from __future__ import annotations

import os
from collections.abc import Callable, Iterable, Iterator
from pathlib import Path
from typing import ParamSpec, TypeVar

from contracts.evidence import INLINE_BYTES, Ending, Record, chain_fault
from contracts.loading import RECORD_BYTES, DocumentError, load_canonical, load_json
from contracts.log import Checkpoint, Inclusion
from contracts.model import Model
from tasks.errors import StoreError, StoreUnavailable
from tasks.evidence import dsse
from tasks.evidence.arrangement import arrange
from tasks.evidence.bindings import Bindings, binding_faults, package_folder
from tasks.evidence.contents import Contents, OrderError
from tasks.evidence.cosigning import cosigners
from tasks.evidence.files import read_regular
from tasks.evidence.kinds import read_body
from tasks.evidence.log.proofs import check_inclusion
from tasks.evidence.seals import shared_faults
from tasks.evidence.signing import PublicKey
from tasks.evidence.statement import signer_of, statement
from tasks.evidence.store import DirectoryStore, Store, record_key
from tasks.evidence.summary import summary_faults
from tasks.evidence.trust import NOBODY, Trust
from tasks.packaging.wheel import wheel_fault
from tasks.validation.readable import plain

P = ParamSpec("P")
R = TypeVar("R")


class VerificationError(Exception):
    """A record is not to be believed (exit 1)."""


class NotIntact(VerificationError):  # noqa: N818 - the verdict's own words
    """A step of verification failed: ``step`` names it, ``reason`` says why in one printable line."""

    def __init__(self, step: str, reason: str) -> None:
        self.step = step
        self.reason = plain(" ".join(reason.split()))[:300]
        super().__init__(f"{step}: {self.reason}")


class UntrustedSigner(VerificationError):  # noqa: N818
    """The record is intact, and signed by a key that is not trusted, or by too few that are (DEC-11, EVI-08)."""

    def __init__(self, key: str, reason: str) -> None:
        super().__init__(f"untrusted signer: {key} ({reason})")
        self.key = key


class Verification(Model):
    """An intact record: who signed it (key ids), what it says, and what was and was not checked (EVI-09)."""

    signed_by: str
    cosigned_by: tuple[str, ...]
    run: str
    status: str
    checked: tuple[str, ...]
    not_checked: tuple[str, ...]


STEPS = (
    "document",
    "form",
    "chain",
    "bodies",
    "order",
    "blobs",
    "seals",
    "verdicts",
    "outcome",
    "signature",
    "statement",
    "bindings",
    "trust",
    "log",
)
"""The steps of verification, by number."""

LOG_FILE = "log.json"
"""The `Inclusion` of a record, beside it: a record cannot hold the proof of its own entry."""

_LOG_BYTES = 64 * 1024


def verify_record(
    source: Path | str,
    store: Store | None = None,
    *,
    trusted: Trust = NOBODY,
    integrity_only: bool = False,
    bindings: Bindings | None = None,
    inclusion: Inclusion | None = None,
) -> Verification:
    """Verify a record file, with whatever lies beside it as part of its export, or a run of ``store`` by its name.

    Args:
        source: the file, or the name of a run.
        store: where the run is, or the blobs of a file without ``blobs/``.
        trusted: whose cryptographic signature is asked for.
        integrity_only: do not ask; the result says what that leaves open.
        bindings: what else the record has to be about.
        inclusion: its proof in the log, where no ``log.json`` lies beside it.

    Raises:
        DocumentError: there is no such record, or it is no JSON document in the canonical profile (exit 2).
        NotIntact: a step failed (exit 1).
        UntrustedSigner: all holds, but for who signed (exit 1).
        StoreUnavailable: the store does not answer (exit 4).
    """
    data, store, beside = open_record(source, store)
    return verify_bytes(
        data,
        store,
        trusted=trusted,
        integrity_only=integrity_only,
        bindings=bindings,
        inclusion=inclusion,
        beside=beside,
    )


def verify_bytes(
    data: bytes,
    store: Store,
    *,
    trusted: Trust = NOBODY,
    integrity_only: bool = False,
    bindings: Bindings | None = None,
    inclusion: Inclusion | None = None,
    beside: Path | None = None,
) -> Verification:
    """As `verify_record`, for a record that was read already; ``beside`` is the directory that it lay in."""
    bindings = bindings or Bindings()
    # 1. Document: bounded, UTF-8, no repeated key, no float (EVI-02).
    load_json(data, RECORD_BYTES)
    # 2. Form: a record, written the one way: the same JSON in other bytes is another file.
    record = _step("form", load_canonical, Record, data, RECORD_BYTES)
    # 3. Chain: order, links, hashes, head; what is long, and only that, is a blob (EVI-01, EVI-03).
    _clean("chain", _chain_faults(record))
    # 4. Bodies: each is its kind's model and nothing more; what is a blob is there and holds the right bytes.
    models = [_step("bodies", read_body, entry, store) for entry in record.entries]
    # 5. Order: the contract stands before the code (law 2), attempts are numbered, one outcome ends a named run.
    contents, outcome = _step("order", _arranged, models)
    # 6. Blobs: every file and the package, by digest and size.
    _clean("blobs", _blob_faults(contents, store))
    # 7. Seals: what each entry says it rests on is what stands before it (law 5); caps are kept (VER-09).
    _clean("seals", shared_faults(contents))
    _clean("seals", contents.seal_faults())
    # 8. Verdicts: each judgement is made again from its evidence, each certificate checked again (EVI-06, VER-03).
    _clean("verdicts", contents.verdict_faults())
    # 9. Outcome: status, fault, failures, strength and totals follow from all that (VER-04, VER-05).
    _clean("outcome", _outcome_faults(contents, outcome))
    # 10. Cryptographic signature: exactly one, in the one form of bundle, by the key that the statement names.
    signer = _step("signature", _signer, record)
    # 11. Statement: the one that this chain gives, byte for byte: types, subjects, head, status (EVI-05).
    _clean("statement", _statement_faults(record, contents, outcome, store, signer))
    # 12. Bindings: what was given, and what lies beside the record (VER-02).
    _clean("bindings", binding_faults(contents, bindings, beside))
    _clean("bindings", summary_faults(contents, record.head, store, signer, beside))
    # 13. Trust: as many distinct keys as the policy asks for; their bytes decide, never their names (DEC-11, EVI-08).
    others = _step("trust", cosigners, contents, outcome, record.head, store, beside)
    if not integrity_only and len(trusted.records & {signer, *others}) < trusted.threshold:
        raise UntrustedSigner(signer.id, trusted.reason(signer.id))
    # 14. Log: where there is a proof, the run is in the log that it speaks of (EVI-07).
    inclusion = _step("log", _inclusion, beside) or inclusion
    state = None
    if inclusion is not None:
        payload, _ = dsse.open_bundle(record.bundle)
        keys = {signer, *others} if integrity_only else trusted.logs
        state = _step("log", check_inclusion, inclusion, payload, keys)
    skipped = {"trust"} if integrity_only else set()
    return Verification(
        signed_by=signer.id,
        cosigned_by=tuple(sorted(key.id for key in others)),
        run=contents.run.run,
        status=str(outcome.status),
        checked=tuple(step for step in STEPS if step not in skipped | ({"log"} if state is None else set())),
        not_checked=tuple(_not_checked(contents, bindings, beside, state, integrity_only)),
    )


def open_record(source: Path | str, store: Store | None) -> tuple[bytes, Store, Path | None]:
    """Bytes of a record file or of a run by name, the store of its blobs, and the directory that the file lies in.

    Raises:
        DocumentError: there is none.
    """
    if isinstance(source, str):
        if store is None:
            raise DocumentError(f"no store is given to look up the run {source!r}")
        try:
            return store.get_record(source), store, None
        except StoreUnavailable:
            raise
        except StoreError as error:
            raise DocumentError(str(error)) from error
    beside = source.absolute().parent
    blobs = beside / "blobs"
    if blobs.is_dir() or store is None:
        store = DirectoryStore(blobs)
    try:
        return read_regular(source, RECORD_BYTES), store, beside
    except (OSError, ValueError) as error:
        raise DocumentError(f"{source}: {getattr(error, 'strerror', error)}") from error


def _step(step: str, function: Callable[P, R], *arguments: P.args, **named: P.kwargs) -> R:
    try:
        return function(*arguments, **named)
    except StoreUnavailable:  # nothing was seen that could be wrong
        raise
    except Exception as error:  # hostile data may break whatever the code relies on; none of it passes
        raise NotIntact(step, str(error) or type(error).__name__) from error


def _clean(step: str, faults: Iterable[str]) -> None:
    fault = _step(step, next, iter(faults), None)
    if fault is not None:
        raise NotIntact(step, fault)


def _chain_faults(record: Record) -> Iterator[str]:
    fault = chain_fault(record)
    if fault is not None:
        yield fault
    for entry in record.entries:
        if (entry.body is not None) != (entry.length <= INLINE_BYTES):
            yield f"the body of entry {entry.index} stands in the wrong place"


def _arranged(models: list[Model]) -> tuple[Contents, Ending]:
    contents = arrange(models)
    if contents.outcome is None:
        raise OrderError("there is no outcome")
    record_key(contents.run.run)
    return contents, contents.outcome


def _blob_faults(contents: Contents, store: Store) -> Iterator[str]:
    for name, size in dict.fromkeys(contents.blobs()):
        if len(store.get(name)) != size:
            yield f"{name} does not have the size that was sealed"
    package = contents.package
    if package is not None and contents.candidate is not None:
        fault = wheel_fault(store.get(package.wheel), contents.candidate)
        if fault is not None:
            yield fault


def _outcome_faults(contents: Contents, outcome: Ending) -> Iterator[str]:
    if contents.conclude(outcome.finished, outcome.stage_ms) != outcome:
        yield "another outcome is stated than the record gives"


def _signer(record: Record) -> PublicKey:
    payload, _ = dsse.open_bundle(record.bundle)
    signer = signer_of(load_json(payload, RECORD_BYTES))
    if not dsse.verifies(record.bundle, signer):
        raise dsse.EnvelopeError("the cryptographic signature does not hold")
    return signer


def _statement_faults(
    record: Record, contents: Contents, outcome: Ending, store: Store, signer: PublicKey
) -> Iterator[str]:
    payload, _ = dsse.open_bundle(record.bundle)
    if payload != statement(contents, outcome, record.head, store, signer):
        yield "what was signed is not the statement of this record"


def _inclusion(beside: Path | None) -> Inclusion | None:
    if beside is None or not os.path.lexists(beside / LOG_FILE):
        return None
    return load_canonical(Inclusion, read_regular(beside / LOG_FILE, _LOG_BYTES), _LOG_BYTES)


def _not_checked(
    contents: Contents, bindings: Bindings, beside: Path | None, state: Checkpoint | None, integrity_only: bool
) -> Iterator[str]:
    if integrity_only:
        yield "who signed: whoever can write the files can sign them with a key of their own"
    if bindings.spec is None:
        yield f"the file of the {contents.SUBJECT}: none was given"
    if bindings.candidate is None and contents.candidate is not None:
        yield "the candidate's directory: none was given"
    if contents.package is not None and bindings.package is None and package_folder(beside) is None:
        yield "the package's file: none was given and none lies beside the record"
    yield from contents.not_rederived()
    yield "that the runs would give the same again: they are sealed, not repeated"
    if state is None:
        yield "that no other run came before: no log is part of the record"
    else:
        yield f"what else is in the log, {state.size} entries when this run was logged: forge log audit does"

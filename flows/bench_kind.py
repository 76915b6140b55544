"""Blind baseline or replay: decided once, before the first case of a run, and never in a run's own favour (DEC-22)."""

from __future__ import annotations

import secrets
from collections.abc import Iterator

from benchmarks.blind.layout import Bundle, BundleError
from contracts.bundle import BenchSettings, RunKind
from contracts.evidence import EntryKind, Record
from contracts.loading import RECORD_BYTES, load_document
from contracts.modelling import ModelSettings
from contracts.paths import slug
from flows.bench_case import RESULT_BYTES, BenchRequest, required
from flows.identity import identity, knows
from tasks.evidence.kinds import read_body
from tasks.evidence.log.runs import entries
from tasks.evidence.log.tree import Log
from tasks.evidence.store import Store, open_store

PREFIX = "bench-"
"""What the names of these runs begin with."""


def new_name(bundle: Bundle) -> str:
    """A name for a new run."""
    return f"{PREFIX}{slug(bundle.manifest.name, 'bundle')}-{secrets.token_hex(4)}"


def was_begun(location: str, name: str) -> bool:
    """True iff the store holds the settings of a run of that name. Raises StoreError."""
    return name.startswith(PREFIX) and open_store(location).read(_settings_key(name), RESULT_BYTES) is not None


def settings_of(request: BenchRequest, store: Store, name: str) -> BenchSettings:
    """The settings under which the run of this name was begun, or now is.

    Raises:
        BundleError: it was begun with another bundle, Forge or settings.
        StoreError: they cannot be kept.
    """
    log = Log(store)
    kind, reason = _kind(request, store, name)
    decided = BenchSettings(
        bundle=request.bundle.seal,
        kind=kind,
        reason=reason,
        forge=identity(_providers(request)),
        policy=request.policy,
        quality=request.quality,
        only=request.only,
        log=log.origin(),
        log_size=log.size(),
    )
    key = _settings_key(name)
    store.create(key, decided.canonical())
    kept = load_document(BenchSettings, required(store, key))
    then = {"kind": kept.kind, "reason": kept.reason, "log": kept.log, "log_size": kept.log_size}
    if decided.model_copy(update=then) != kept:
        raise BundleError(f"the run {name} was begun with another bundle, Forge or settings")
    return kept


def runs_of(store: Store, seal: str | None = None) -> Iterator[tuple[str, Record]]:
    """The runs over bundles, or over the one of that digest, that the log of a store holds, from the first, by name.

    Raises:
        StoreError: the log or a record cannot be read.
    """
    for _, entry in entries(Log(store)):
        if entry.leaf.run.startswith(PREFIX):
            record = load_document(Record, store.get_record(entry.leaf.run), RECORD_BYTES)
            found = [read_body(item, store) for item in record.entries if item.kind is EntryKind.BENCH_SETTINGS]
            if any(isinstance(item, BenchSettings) and seal in (None, item.bundle) for item in found):
                yield entry.leaf.run, record


def _settings_key(name: str) -> str:
    return f"bench/{name}/settings.json"


def _kind(request: BenchRequest, store: Store, name: str) -> tuple[RunKind, str]:
    seal = request.bundle.seal
    if request.bundle.manifest.regression:
        return "post_fix_replay", "the bundle is a regression corpus by birth"
    if request.replay or request.only:
        return "post_fix_replay", "a replay was asked for"
    if knows(seal):
        return "post_fix_replay", "the digest of the bundle occurs in this Forge's own tree"
    if next(runs_of(store, seal), None) is not None:
        return "post_fix_replay", "the log holds an earlier run of the bundle"
    key = f"baselines/{seal.removeprefix('sha256:')}"
    store.create(key, name.encode("utf-8"))
    if required(store, key) != name.encode("utf-8"):
        return "post_fix_replay", "a blind run of the bundle was begun before"
    return "blind_baseline", "the log holds no run of the bundle, and Forge's own tree does not name it"


def _providers(request: BenchRequest) -> tuple[str, ...]:
    if request.quality is not None:
        return (f"scripted ({request.quality})",)
    models: ModelSettings | None = request.models
    roles = (models.coder, models.reader) if models is not None else ()
    return tuple(sorted({f"{model.provider}/{model.model}" for role in roles if role for model in role.models}))

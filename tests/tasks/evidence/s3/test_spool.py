"""EVI-24: an outage in the middle loses nothing that was decided, and the run says so. The outages are real."""

from __future__ import annotations

import os
import time
from collections.abc import Callable
from pathlib import Path
from typing import TYPE_CHECKING

import pytest

from contracts.canonical import digest
from contracts.evidence import Record, RunInfo
from contracts.loading import RECORD_BYTES, load_document
from tasks.errors import StoreError
from tasks.evidence import dsse, spool
from tasks.evidence.log.audit import audit
from tasks.evidence.log.proofs import check_inclusion
from tasks.evidence.log.runs import log_run, resume
from tasks.evidence.s3 import S3Error, S3Store
from tasks.evidence.spool import SpooledStore
from tasks.evidence.store import DirectoryStore, open_store
from tasks.evidence.trust import Trust
from tasks.evidence.verify import verify_record
from tests.tasks.evidence.s3.seaweed import Seaweed

if TYPE_CHECKING:
    from tests.tasks.evidence.conftest import Maker


@pytest.fixture
def spooled(connect: Callable[..., S3Store], location: str, tmp_path: Path) -> Callable[..., SpooledStore]:
    """A client with its spool; each call is as another process would see them."""

    def make(timeout: str = "20") -> SpooledStore:
        remote = connect(location, FORGE_S3_TIMEOUT=timeout)
        return SpooledStore(remote, DirectoryStore(tmp_path / "waiting"), DirectoryStore(tmp_path / "copies"))

    return make


def whole_run(maker: Maker, store: SpooledStore, kind: str = "verified") -> Record:
    """A real record with all its blobs, kept as a run keeps them."""
    record = maker.record(kind)
    for path in (maker.store.root / "sha256").iterdir():
        store.put(path.read_bytes())
    store.put_record("run-1", record.canonical())
    return record


def test_without_an_outage_nothing_waits(spooled: Callable[..., SpooledStore], maker: Maker) -> None:
    store = spooled()
    record = whole_run(maker, store)
    done = log_run(store, record, maker.key)
    assert check_inclusion(done, dsse.open_bundle(record.bundle)[0], [maker.key.public]).size == 1
    assert store.notices == ()
    other = spooled()
    assert verify_record("run-1", other, trusted=Trust.of(maker.key.public)).status == "verified"
    assert audit(other, [maker.key.public]).intact


def test_evi_24_a_frozen_store_in_the_middle_of_a_run(
    spooled: Callable[..., SpooledStore], seaweed: Seaweed, maker: Maker, monkeypatch: pytest.MonkeyPatch
) -> None:
    store = spooled(timeout="1")
    early = store.put(b"before the outage")
    seaweed.freeze()
    try:
        record = whole_run(maker, store)
        begun = time.monotonic()
        late = store.put(b"in the outage")
        assert store.get(early) == b"before the outage"
        assert store.get(late) == b"in the outage"
        assert verify_record("run-1", store, trusted=Trust.of(maker.key.public)).status == "verified"
        with pytest.raises(S3Error):
            store.get(digest(b"never"))
        with pytest.raises(S3Error):
            log_run(store, record, maker.key)
        assert time.monotonic() - begun < 10, "a store that did not answer is not asked each time"
        (notice,) = store.notices
        assert "wait in" in notice
        assert "s3://evidence/" in notice
        assert "read timeout" in notice
    finally:
        seaweed.thaw()
    with pytest.raises(S3Error):
        resume(store, maker.key)
    monkeypatch.setattr(spool, "PAUSE", 0)
    store = spooled()
    assert resume(store, maker.key) == ("run-1",)
    assert store.notices == ()
    assert verify_record("run-1", spooled()._remote, trusted=Trust.of(maker.key.public)).status == "verified"
    report = audit(spooled(), [maker.key.public])
    assert (report.intact, report.size, report.notes) == (True, 1, ())


@pytest.mark.slow
def test_evi_24_a_killed_store_and_the_next_run(
    spooled: Callable[..., SpooledStore], seaweed: Seaweed, maker: Maker
) -> None:
    """What one run had to leave behind, the next one uploads and logs before itself."""
    store = spooled(timeout="1")
    store.put(b"before the outage")
    seaweed.kill()
    try:
        whole_run(maker, store)
        assert "endpoint connection" in store.notices[0] or "connection closed" in store.notices[0]
    finally:
        seaweed.start()
    later = spooled()
    assert later.waiting_runs() == ("run-1",)
    record = load_document(Record, later.get_record("run-1"), RECORD_BYTES)
    models = maker.all_models("failed")
    second = maker.seal(
        [model.model_copy(update={"run": "run-2"}) if isinstance(model, RunInfo) else model for model in models]
    )
    later.put_record("run-2", second.canonical())
    done = log_run(later, second, maker.key)
    assert (done.index, later.notices) == (1, ())
    assert later.get_record("run-1") == record.canonical()
    assert later.get(digest(b"before the outage")) == b"before the outage"


def test_evi_24_the_waiting_run_itself_is_logged_once(spooled: Callable[..., SpooledStore], maker: Maker) -> None:
    """The store comes back between sealing and logging."""
    store, record = spooled(), maker.record("failed")
    store._waiting.put_record("run-1", record.canonical())
    assert log_run(store, record, maker.key).index == 0
    assert (store.notices, audit(store, [maker.key.public]).size) == ((), 1)


def test_another_record_of_the_run_is_refused_and_does_not_wait(
    spooled: Callable[..., SpooledStore], seaweed: Seaweed
) -> None:
    """A conflict is no outage (law 6)."""
    store = spooled()
    store.put_record("run-1", b"{}")
    with pytest.raises(StoreError, match="other bytes"):
        store.put_record("run-1", b"[]")
    assert store.notices == ()


def test_a_waiting_record_that_meets_another_one_goes_on_waiting(
    spooled: Callable[..., SpooledStore], connect: Callable[..., S3Store], location: str, maker: Maker
) -> None:
    """Neither is lost, the notices go on, and the next runs are logged all the same."""
    store, record = spooled(), maker.record("failed")
    store._waiting.put_record("run-1", record.canonical())
    connect(location).put_record("run-1", b"{}")
    assert resume(store, maker.key) == ()
    assert "1 objects wait" in store.notices[0]
    assert log_run(store, record, maker.key).index == 0


def test_a_wrong_blob_in_the_store_is_not_hidden_by_the_copy(
    spooled: Callable[..., SpooledStore], seaweed: Seaweed
) -> None:
    store = spooled()
    name = store.put(b"words")
    key = f"{store._remote.settings.prefix}sha256/{name.removeprefix('sha256:')}"
    seaweed.client().put_object(Bucket="evidence", Key=key, Body=b"wordz")
    with pytest.raises(StoreError, match="other bytes"):
        store.get(name)


def test_copies_are_removed_after_a_day(spooled: Callable[..., SpooledStore]) -> None:
    store = spooled()
    old, new = store.put(b"old"), store.put(b"new")
    path = store._copies.root / "sha256" / old.removeprefix("sha256:")
    os.utime(path, (0, time.time() - spool.KEPT - 60))
    store = spooled()
    assert store._copies.names("sha256") == {new.removeprefix("sha256:")}
    assert store.get(old) == b"old"


def test_the_spool_lies_in_the_users_state_directory(
    seaweed: Seaweed, location: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("FORGE_S3_ENDPOINT", seaweed.endpoint)
    open_store(location).put(b"words")
    folders = [path.relative_to(os.environ["XDG_STATE_HOME"]) for path in Path(os.environ["XDG_STATE_HOME"]).rglob("*")]
    assert any(folder.parts[:2] == ("forge", "spool") for folder in folders)

"""EVI-20 to EVI-22 against a real server: create-once, hashed again on every read, locked where asked for."""

from __future__ import annotations

import logging
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor

import pytest
from botocore.exceptions import ClientError

from contracts.canonical import digest
from tasks.errors import StoreError, UsageError
from tasks.evidence.s3 import S3Error, S3Store
from tasks.evidence.s3_probe import probe
from tasks.evidence.s3_settings import ObjectLock, read_settings
from tasks.evidence.store import open_store
from tests.tasks.evidence.s3.seaweed import ACCESS, SECRET, Seaweed, free_ports

Connect = Callable[..., S3Store]


@pytest.mark.parametrize("data", [b"", b"x", b"\0" * 3_000_000], ids=["empty", "byte", "long"])
def test_evi_20_put_and_get(store: S3Store, data: bytes) -> None:
    name = store.put(data)
    assert name == digest(data)
    assert store.put(data) == name
    assert store.get(name) == data


def test_evi_20_a_key_is_created_once(store: S3Store) -> None:
    assert store.create("folder/name", b"first")
    assert not store.create("folder/name", b"second")
    assert store.read("folder/name", 100) == b"first"
    store.keep("folder/name", b"first")
    for other in (b"", b"first!", b"fir"):
        with pytest.raises(StoreError):
            store.keep("folder/name", other)


def test_evi_20_a_record_is_created_once(store: S3Store) -> None:
    store.put_record("run-1", b"{}")
    store.put_record("run-1", b"{}")
    with pytest.raises(StoreError, match="other bytes"):
        store.put_record("run-1", b"[]")
    assert store.get_record("run-1") == b"{}"
    with pytest.raises(StoreError, match="has no"):
        store.get_record("run-2")


def test_evi_20_of_many_writers_one_wins(store: S3Store) -> None:
    texts = [b"%d" % number * 1_000 for number in range(16)]
    with ThreadPoolExecutor(16) as pool:
        won = list(pool.map(lambda text: store.create("runs/race.json", text), texts))
    assert won.count(True) == 1
    assert store.read("runs/race.json", 10_000) == texts[won.index(True)]


@pytest.mark.parametrize("wrong", [b"wordz", b"word", b"wordss", b""])
def test_evi_pitfall_19_right_name_wrong_bytes(store: S3Store, seaweed: Seaweed, wrong: bytes) -> None:
    name = store.put(b"words")
    key = f"{store.settings.prefix}sha256/{name.removeprefix('sha256:')}"
    seaweed.client().put_object(Bucket="evidence", Key=key, Body=wrong)
    with pytest.raises(StoreError, match="other bytes"):
        store.get(name)
    with pytest.raises(StoreError):
        store.put(b"words")


def test_a_missing_blob_and_a_long_one(store: S3Store) -> None:
    with pytest.raises(StoreError, match="has no"):
        store.get(digest(b"never"))
    store.create("a/b", b"x" * 101)
    assert store.read("a/b", 101) == b"x" * 101
    with pytest.raises(StoreError, match="longer than 100"):
        store.read("a/b", 100)


def test_names_are_those_right_below(store: S3Store) -> None:
    for key in ("a/1", "a/2", "a/b/3", "ab/4"):
        store.create(key, b"x")
    assert store.names("a") == {"1", "2"}
    assert store.names("c") == frozenset()


def test_two_prefixes_of_one_bucket_do_not_meet(connect: Connect, location: str) -> None:
    one, other = connect(f"{location}/one"), connect(f"{location}/other")
    one.put_record("run", b"1")
    other.put_record("run", b"2")
    assert (one.get_record("run"), other.get_record("run")) == (b"1", b"2")


def test_evi_21_a_real_store_passes_and_the_trial_leaves_nothing(store: S3Store) -> None:
    probe(store)
    assert store.names("probe") == frozenset()


def test_open_store_opens_a_bucket(seaweed: Seaweed, location: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("FORGE_S3_ENDPOINT", seaweed.endpoint)
    opened = open_store(location)
    name = opened.put(b"words")
    assert open_store(location) is opened, "one process probes and connects once"
    assert opened.get(name) == b"words"
    assert opened.notices == ()


def test_evi_22_locked_objects_outlive_a_deletion(connect: Connect, seaweed: Seaweed) -> None:
    store = connect("s3://locked/one", FORGE_S3_OBJECT_LOCK="governance:30", FORGE_S3_VERSIONING="required")
    probe(store)
    assert store.create("runs/run-1.json", b"{}")
    assert not store.create("runs/run-1.json", b"[]")
    client = seaweed.client()
    head = client.head_object(Bucket="locked", Key="one/runs/run-1.json")
    assert head["ObjectLockMode"] == "GOVERNANCE"
    assert 29 <= (head["ObjectLockRetainUntilDate"] - head["LastModified"]).days <= 30
    with pytest.raises(ClientError, match="AccessDenied"):
        client.delete_object(Bucket="locked", Key="one/runs/run-1.json", VersionId=head["VersionId"])


@pytest.mark.parametrize(
    ("variables", "words"),
    [
        ({"FORGE_S3_OBJECT_LOCK": "compliance:1"}, "cannot lock objects"),
        ({"FORGE_S3_VERSIONING": "required"}, "does not keep versions"),
    ],
)
def test_evi_22_a_bucket_that_lacks_what_is_asked_for_is_refused(
    connect: Connect, location: str, variables: dict[str, str], words: str
) -> None:
    with pytest.raises(UsageError, match=words):
        probe(connect(location, **variables))


@pytest.mark.parametrize(
    ("location", "variables", "words"),
    [
        ("s3://no-such-bucket/x", {}, "NoSuchBucket"),
        ("s3://evidence/x", {"AWS_ACCESS_KEY_ID": "somebody-else"}, "InvalidAccessKeyId"),
        ("s3://evidence/x", {"AWS_SECRET_ACCESS_KEY": "wrong-secret"}, "SignatureDoesNotMatch"),
        ("s3://evidence/x", {"AWS_ACCESS_KEY_ID": "", "AWS_SECRET_ACCESS_KEY": ""}, "no credentials"),
        ("s3://evidence/x", {"FORGE_S3_ENDPOINT": ""}, "FORGE_S3_ENDPOINT"),
    ],
)
def test_a_store_that_cannot_be_used_is_one_line_without_a_key(
    seaweed: Seaweed, location: str, variables: dict[str, str], words: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("FORGE_S3_ENDPOINT", seaweed.endpoint)
    for name, value in variables.items():
        monkeypatch.setenv(name, value)
    with pytest.raises((StoreError, UsageError), match=words) as caught:
        open_store(location)
    text = str(caught.value)
    assert "\n" not in text
    assert not {ACCESS, SECRET, "somebody-else", "wrong-secret"} & set(text.replace(":", " ").split())


def test_a_store_that_is_not_there_is_one_line_at_once(location: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("FORGE_S3_ENDPOINT", f"http://127.0.0.1:{free_ports(1)[0]}")
    with pytest.raises(StoreError, match="endpoint connection"):
        open_store(location)


def test_the_secret_is_never_logged(store: S3Store, caplog: pytest.LogCaptureFixture) -> None:
    """Not even by the client library, with everything logged that can be."""
    with caplog.at_level(logging.DEBUG):
        store.put(b"words")
        with pytest.raises(S3Error):
            store.ask("read", lambda: store.client.get_object(Bucket="no-such-bucket", Key="x"))
    assert caplog.records
    assert SECRET not in caplog.text


@pytest.mark.parametrize(
    "location",
    [
        "s3://",
        "s3:///x",
        "s3://b",
        "s3://Bucket/x",
        "s3://bucket/../x",
        "s3://bucket/a//b",
        "s3://bucket/a b",
        "s3://key:secret@bucket/x",
        "s3://bucket/x?y=z",
        "s3://bucket/.hidden",
        "s3://bucket/x\n",
    ],
)
def test_a_location_of_another_form_is_a_usage_error(location: str) -> None:
    with pytest.raises(UsageError, match="s3://bucket/prefix"):
        open_store(location)


@pytest.mark.parametrize(
    ("name", "value"),
    [
        ("FORGE_S3_ENDPOINT", "ftp://host"),
        ("FORGE_S3_ENDPOINT", "http://user:secret@host"),
        ("FORGE_S3_ENDPOINT", "host:9000"),
        ("FORGE_S3_OBJECT_LOCK", "governance"),
        ("FORGE_S3_OBJECT_LOCK", "compliance:0"),
        ("FORGE_S3_VERSIONING", "yes"),
        ("FORGE_S3_TIMEOUT", "0"),
        ("FORGE_S3_TIMEOUT", "1.5"),
    ],
)
def test_a_variable_of_another_form_is_a_usage_error(name: str, value: str) -> None:
    with pytest.raises(UsageError, match=name) as caught:
        read_settings("s3://bucket/prefix", {name: value})
    assert "secret" not in str(caught.value)


def test_settings_are_read_from_location_and_environment() -> None:
    found = read_settings("s3://bucket/a/b/", {"AWS_REGION": "eu-central-1", "FORGE_S3_OBJECT_LOCK": "compliance:365"})
    assert (found.bucket, found.prefix, found.region) == ("bucket", "a/b/", "eu-central-1")
    assert found.lock == ObjectLock("COMPLIANCE", 365)
    assert (found.location, found.timeout, found.versioned, found.endpoint) == ("s3://bucket/a/b", 10, False, None)
    assert read_settings("s3://bucket", {}).prefix == ""

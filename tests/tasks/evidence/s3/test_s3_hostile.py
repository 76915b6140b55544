"""EVI-21 and pitfall 20: stores that break their promises are refused, and broken answers are bounded."""

from __future__ import annotations

import base64
import hashlib
import socket
import time

import pytest

from tasks.errors import StoreError, UsageError
from tasks.evidence import s3
from tasks.evidence.s3 import S3Error, S3Store
from tasks.evidence.s3_probe import RACERS, probe
from tasks.evidence.s3_settings import read_settings
from tasks.evidence.store import open_store
from tests.tasks.evidence.s3.hostile import hostile
from tests.tasks.evidence.s3.seaweed import ACCESS, SECRET

LOCATION = "s3://bucket/prefix"


def connect(endpoint: str, timeout: str = "5") -> S3Store:
    return S3Store(read_settings(LOCATION, {"FORGE_S3_ENDPOINT": endpoint, "FORGE_S3_TIMEOUT": timeout}))


def test_law_7_an_honest_store_passes() -> None:
    """Else the refusals below would prove nothing."""
    with hostile("honest") as server:
        probe(connect(server.endpoint))
        assert server.objects == {}


@pytest.mark.parametrize(
    ("vice", "words"),
    [
        ("ignores conditions", "ignores conditions, so that an object can be replaced"),
        ("refuses and replaces", "ignores conditions, so that an object can be replaced"),
        ("checks and then writes", rf"of {RACERS} writers at once \d were told"),
    ],
)
def test_evi_pitfall_20_a_store_that_ignores_create_once_is_refused(
    vice: str, words: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    with hostile(vice) as server:
        monkeypatch.setenv("FORGE_S3_ENDPOINT", server.endpoint)
        with pytest.raises(UsageError, match=words) as caught:
            open_store(LOCATION)
        assert "\n" not in str(caught.value)
        assert all("/probe/" in path for _, path, _ in server.requests), "no evidence was sent to it"


def test_a_store_that_is_only_read_is_not_written_to(monkeypatch: pytest.MonkeyPatch) -> None:
    """Who verifies may have no right to write; and what was not probed gets no evidence."""
    with hostile("ignores conditions") as server:
        monkeypatch.setenv("FORGE_S3_ENDPOINT", server.endpoint)
        server.objects["/bucket/prefix/runs/run-1.json"] = b"{}"
        store = open_store(LOCATION, read_only=True)
        assert store.get_record("run-1") == b"{}"
        for write in (lambda: store.put(b"words"), lambda: store.create("log/entries/0", b"x")):
            with pytest.raises(StoreError, match="opened to be read"):
                write()
        assert {method for method, _, _ in server.requests} == {"GET"}


def test_evi_20_condition_and_checksum_are_always_sent() -> None:
    with hostile("honest") as server:
        store = connect(server.endpoint)
        store.put(b"words")
        store.put(b"")
        store.put_record("run-1", b"{}")
        store.create("log/entries/0", b"x")
        sent = [headers for method, _, headers in server.requests if method == "PUT"]
    for headers, data in zip(sent, (b"words", b"", b"{}", b"x"), strict=True):
        assert headers["if-none-match"] == "*"
        assert headers["x-amz-checksum-sha256"] == base64.b64encode(hashlib.sha256(data).digest()).decode()


def test_evi_20_a_conflict_without_an_object_is_waited_out(monkeypatch: pytest.MonkeyPatch) -> None:
    """409: another writer was at work, and failed; whoever took it for "exists" would have lost the evidence."""
    with hostile("honest") as server:
        store = connect(server.endpoint)
        server.conflicts = 2
        assert store.create("runs/run-1.json", b"{}")
        server.conflicts = 1
        assert not store.create("runs/run-1.json", b"[]")
        monkeypatch.setattr(s3, "CONFLICTS", 3)
        server.conflicts = 3
        with pytest.raises(S3Error, match="other writers hold"):
            store.create("runs/run-2.json", b"{}")


def test_an_answer_that_breaks_off_is_asked_for_again_with_a_bound() -> None:
    with hostile("honest") as server:
        store = connect(server.endpoint)
        name = store.put(b"words" * 100_000)
        server.breaks = 2
        assert store.get(name) == b"words" * 100_000
        server.breaks = 3
        with pytest.raises(StoreError, match="cannot read"):
            store.get(name)


def test_a_key_that_the_other_side_repeats_is_not_shown() -> None:
    with hostile("repeats the key") as server, pytest.raises(S3Error, match=r"AccessDenied \(403\)") as caught:
        connect(server.endpoint).read("a/b", 100)
    assert ACCESS not in str(caught.value)
    assert SECRET not in str(caught.value)


def test_a_store_that_never_answers_is_given_up_in_bounded_time() -> None:
    with socket.socket() as silent:
        silent.bind(("127.0.0.1", 0))
        silent.listen()
        store = connect(f"http://127.0.0.1:{silent.getsockname()[1]}", timeout="1")
        begun = time.monotonic()
        with pytest.raises(S3Error, match="read timeout"):
            store.read("a/b", 100)
        assert time.monotonic() - begun < 20

"""One real server for all tests of this folder, and an environment that reaches nothing else."""

from __future__ import annotations

import secrets
from collections.abc import Callable, Iterator
from typing import Any

import pytest

from tasks.evidence import s3
from tasks.evidence.s3 import S3Store, make_client
from tasks.evidence.s3_settings import read_settings
from tests.tasks.evidence.s3.seaweed import ACCESS, SECRET, Seaweed


@pytest.fixture(scope="session")
def seaweed(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Seaweed]:
    server = Seaweed(tmp_path_factory.mktemp("seaweed"))
    server.start()
    try:
        client = server.client()
        client.create_bucket(Bucket="evidence")
        client.create_bucket(Bucket="locked", ObjectLockEnabledForBucket=True)
        yield server
    finally:
        server.stop()


@pytest.fixture(autouse=True)
def environment(monkeypatch: pytest.MonkeyPatch, private_home: object) -> dict[str, str]:
    """What a user sets; nothing of this host's own configuration, and no service that gives credentials."""
    values = {
        "AWS_ACCESS_KEY_ID": ACCESS,
        "AWS_SECRET_ACCESS_KEY": SECRET,
        "AWS_CONFIG_FILE": "/dev/null",
        "AWS_SHARED_CREDENTIALS_FILE": "/dev/null",
        "AWS_EC2_METADATA_DISABLED": "true",
        "FORGE_S3_TIMEOUT": "20",
        "NO_PROXY": "127.0.0.1",
        "no_proxy": "127.0.0.1",
    }
    for name in ("AWS_SESSION_TOKEN", "AWS_PROFILE", "AWS_REGION", "AWS_DEFAULT_REGION", "AWS_ENDPOINT_URL"):
        monkeypatch.delenv(name, raising=False)
    for name in ("FORGE_S3_ENDPOINT", "FORGE_S3_OBJECT_LOCK", "FORGE_S3_VERSIONING"):
        monkeypatch.delenv(name, raising=False)
    for name, value in values.items():
        monkeypatch.setenv(name, value)
    s3._opened.cache_clear()
    return values


@pytest.fixture
def location() -> str:
    """A prefix of its own for each test, in the one bucket."""
    return f"s3://evidence/{secrets.token_hex(8)}"


@pytest.fixture(scope="session")
def clients() -> dict[tuple[str | None, int], Any]:
    """Clients by endpoint and time-out: each costs a quarter of a second to make."""
    return {}


@pytest.fixture
def connect(seaweed: Seaweed, clients: dict[tuple[str | None, int], Any]) -> Callable[..., S3Store]:
    """A store on the real server, not probed, so that a test sees its own requests only."""

    def make(location: str, **variables: str) -> S3Store:
        settings = read_settings(location, {"FORGE_S3_ENDPOINT": seaweed.endpoint, **variables})
        key = (settings.endpoint, settings.timeout)
        if key not in clients:
            clients[key] = make_client(settings)
        return S3Store(settings, clients[key])

    return make


@pytest.fixture
def store(connect: Callable[..., S3Store], location: str) -> S3Store:
    return connect(location, FORGE_S3_TIMEOUT="20")

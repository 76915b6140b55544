"""A client over a local server; nobody waits, and no key of the user's is near."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any

import pytest

from contracts.calls import ModelCall
from contracts.isolation import SandboxPolicy
from contracts.modelling import ModelChoice, ModelSettings, RoleSettings
from tasks.evidence.store import DirectoryStore
from tasks.models import client
from tasks.models.base import Question
from tasks.models.client import Client
from tasks.models.keys import OWN, VARIABLES

CANARY = "sk-canary-5f0d2b7e9c"


@pytest.fixture(autouse=True)
def keys(monkeypatch: pytest.MonkeyPatch) -> None:
    for name in VARIABLES.values():
        monkeypatch.delenv(name, raising=False)
    monkeypatch.setenv(OWN, CANARY)


@pytest.fixture(autouse=True)
def waits(monkeypatch: pytest.MonkeyPatch) -> list[float]:
    """The seconds that would have been waited."""
    waited: list[float] = []
    monkeypatch.setattr(client, "pause", waited.append)
    return waited


@pytest.fixture
def choose() -> Callable[..., ModelChoice]:
    def choice(url: str, provider: str = "openai", model: str = "local") -> ModelChoice:
        return ModelChoice.model_validate({"provider": provider, "model": model, "base_url": url})

    return choice


@pytest.fixture
def make(tmp_path: Path) -> Callable[..., Client]:
    def made(before: Sequence[ModelCall] = (), **settings: Any) -> Client:
        store = DirectoryStore(tmp_path / "store")
        return Client(ModelSettings(**settings), SandboxPolicy(), store, before)

    return made


@pytest.fixture
def question() -> Question:
    return Question(
        role="coder", purpose="attempt", attempt=0, system="Be brief.", prompt="Say hello.", output_tokens=100
    )


@pytest.fixture
def role() -> Callable[..., RoleSettings]:
    def settings(choice: ModelChoice, **more: Any) -> RoleSettings:
        return RoleSettings(models=(choice,), **more)

    return settings

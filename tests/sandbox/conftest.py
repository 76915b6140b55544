"""Where a backend cannot work, its tests are skipped visibly, unless the environment demands it."""

from __future__ import annotations

import os

import pytest

from contracts.isolation import SandboxPolicy
from sandbox.opening import backend


def available(policy: SandboxPolicy) -> SandboxPolicy:
    """The policy, or a visible skip; a failure where FORGE_REQUIRE_BWRAP or FORGE_REQUIRE_DOCKER is 1."""
    missing = backend(policy).unavailable(policy)
    if missing is None:
        return policy
    name = {"bubblewrap": "FORGE_REQUIRE_BWRAP", "docker": "FORGE_REQUIRE_DOCKER"}[policy.backend]
    if os.environ.get(name) == "1":
        pytest.fail(f"{name}=1, and {missing}")
    pytest.skip(missing)


@pytest.fixture(scope="session")
def bubblewrap() -> SandboxPolicy:
    return available(SandboxPolicy(backend="bubblewrap"))


@pytest.fixture(scope="session")
def docker() -> SandboxPolicy:
    return available(SandboxPolicy(backend="docker"))

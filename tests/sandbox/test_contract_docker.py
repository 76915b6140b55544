"""The contract of a sandbox, on Docker."""

from __future__ import annotations

import pytest

from contracts.isolation import SandboxPolicy
from sandbox.contract_suite import SandboxContract

pytestmark = pytest.mark.docker


class TestDocker(SandboxContract):
    """The whole suite."""

    @pytest.fixture(scope="class")
    @classmethod
    def policy(cls, docker: SandboxPolicy) -> SandboxPolicy:
        return docker

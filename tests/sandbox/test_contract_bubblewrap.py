"""The contract of a sandbox, on bubblewrap."""

from __future__ import annotations

import pytest

from contracts.isolation import SandboxPolicy
from sandbox.contract_suite import SandboxContract


class TestBubblewrap(SandboxContract):
    """The whole suite."""

    @pytest.fixture(scope="class")
    @classmethod
    def policy(cls, bubblewrap: SandboxPolicy) -> SandboxPolicy:
        return bubblewrap

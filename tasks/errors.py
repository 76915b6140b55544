"""Errors that are nobody's program: faults of the infrastructure, and of the user's call (law 3, DEC-02)."""

from __future__ import annotations

from typing import ClassVar

from contracts.verdict import FailureSignature
from sandbox.base import IsolationViolation, SandboxUnavailable


class InfrastructureError(Exception):
    """A stage cannot do its work, and the candidate is not why. The message is one line for a person (exit 4)."""

    signature: ClassVar[FailureSignature] = FailureSignature.INFRASTRUCTURE_ERROR


class StoreError(InfrastructureError):
    """The store does not hold the bytes that it should, or cannot keep them."""


class StoreUnavailable(StoreError):  # noqa: N818 - it is the store that is
    """The store does not answer: nothing is said about what it holds (law 3)."""


class SealMismatch(InfrastructureError):  # noqa: N818 - the name of the failure signature
    """What came through a door is not what was sealed (law 5)."""

    signature = FailureSignature.SEAL_MISMATCH


class NoCandidateError(InfrastructureError):
    """There is no coder for this requirement, or it gave nothing (DEC-16)."""

    signature = FailureSignature.NO_CANDIDATE


class UsageError(ValueError):
    """The call cannot be carried out as given: one line for a person (exit 2)."""


class OutputError(UsageError):
    """A destination cannot be written, or is taken (OUT)."""


def signature_of(error: BaseException) -> FailureSignature:
    """The class of a fault that ended a stage; never one of the candidate's (law 3)."""
    if isinstance(error, InfrastructureError):
        return error.signature
    if isinstance(error, KeyboardInterrupt):
        return FailureSignature.INTERRUPTED
    if isinstance(error, SandboxUnavailable):
        return FailureSignature.SANDBOX_UNAVAILABLE
    if isinstance(error, IsolationViolation):
        return FailureSignature.SANDBOX_POLICY_VIOLATION
    return FailureSignature.INFRASTRUCTURE_ERROR

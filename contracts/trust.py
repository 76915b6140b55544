"""Which keys may sign what (EVI-08, DEC-11)."""

from __future__ import annotations

from typing import Annotated, Literal

from pydantic import Field

from contracts.model import Bytes, Count, Model

Use = Literal["record", "log"]
"""What a key may sign: records of runs, or states of the log."""

Name = Annotated[str, Field(pattern=r"^[A-Za-z0-9][A-Za-z0-9._-]{0,99}$")]


class TrustedKey(Model):
    """An Ed25519 key by its raw bytes. ``expires`` is the first second, in UTC, at which it is trusted no longer.

    It is held against the time of verification: no time inside a record says when that was signed.
    """

    name: Name
    key: Bytes
    uses: Annotated[tuple[Use, ...], Field(min_length=1)] = ("record", "log")
    expires: Annotated[str, Field(pattern=r"^\d{4}-\d{2}-\d{2}T\d{2}:\d{2}:\d{2}Z$")] | None = None
    revoked: bool = False


class TrustPolicy(Model):
    """The keys of one ``name``; a policy with a lower ``number`` than one seen before is refused.

    A record needs cryptographic signatures by ``threshold`` distinct keys of those that may sign records.
    """

    name: Name
    number: Count
    threshold: Annotated[int, Field(ge=1, le=100)] = 1
    keys: tuple[TrustedKey, ...] = ()

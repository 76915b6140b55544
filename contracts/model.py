"""The base of every model: frozen, no unknown fields, bytes as base64 text, one seal."""

from __future__ import annotations

import base64
import binascii
from typing import Annotated, Any

from pydantic import BaseModel, BeforeValidator, ConfigDict, Field, PlainSerializer, WithJsonSchema

from contracts.canonical import Digest, canonical_bytes, digest


class Model(BaseModel):
    """A frozen value. ``document()`` is its JSON form and ``seal()`` the digest over that form's canonical bytes."""

    model_config = ConfigDict(frozen=True, extra="forbid")

    def document(self) -> dict[str, Any]:
        """The JSON form, in the canonical profile."""
        return self.model_dump(mode="json")

    def canonical(self) -> bytes:
        """Canonical bytes of the JSON form (EVI-02)."""
        return canonical_bytes(self.document())

    def seal(self) -> Digest:
        """Digest over the canonical bytes (law 5)."""
        return digest(self.canonical())


def is_default(value: object) -> bool:
    """True for the empty default of a field that came later: left out, it keeps the seals of earlier documents."""
    return not value


def _decode(value: object) -> object:
    if not isinstance(value, str):
        return value
    try:
        data = base64.b64decode(value, validate=True)
    except (binascii.Error, ValueError) as error:
        raise ValueError("not base64") from error
    if base64.b64encode(data).decode("ascii") != value:
        raise ValueError("not canonical base64")
    return data


Bytes = Annotated[
    bytes,
    BeforeValidator(_decode),
    PlainSerializer(lambda data: base64.b64encode(data).decode("ascii"), when_used="json"),
    WithJsonSchema({"type": "string", "contentEncoding": "base64"}),
]
"""Raw bytes; base64 text (RFC 4648, canonical form only) in JSON."""

Sha256 = Annotated[str, Field(pattern=r"^sha256:[0-9a-f]{64}$")]
"""A digest in the form ``sha256:<64 hex digits>``."""

Count = Annotated[int, Field(ge=0, lt=2**53)]
"""A non-negative integer that canonical JSON can hold."""

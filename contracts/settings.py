"""How a build is to be run: everything that is not the requirement. Frozen, so that it can be sealed and sent."""

from __future__ import annotations

from typing import Annotated

from pydantic import Field

from contracts.isolation import SandboxPolicy
from contracts.model import Count, Model, is_default
from contracts.modelling import ModelSettings
from contracts.verdict import Floor


class BuildSettings(Model):
    """``candidate`` and ``readings`` are directories; the evidence lies in ``store``: one too, or ``s3://bucket/prefix``.

    Without ``models`` coder and readers are scripted: ``answers`` are directories written by hand, one for an attempt;
    without them the samples' own.
    """

    store: str
    policy: SandboxPolicy = SandboxPolicy()
    assumptions: dict[str, str] = {}
    candidate: str | None = None
    answers: Annotated[tuple[str, ...], Field(exclude_if=is_default)] = ()
    readings: tuple[str, ...] = ()
    rounds: Annotated[int, Field(ge=0, le=10)] = 1
    seed: Count = 20_260_101
    floor: Floor = Floor()
    models: Annotated[ModelSettings | None, Field(exclude_if=is_default)] = None

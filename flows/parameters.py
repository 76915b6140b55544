"""The parameters of the build deployment: what a person fills in, in the form of the Prefect UI (PRE-10)."""

from __future__ import annotations

import re
from pathlib import Path
from typing import Annotated

from pydantic import BaseModel, ConfigDict, Field, WithJsonSchema

from contracts.evidence import BuildRequest
from contracts.isolation import Backend, Enforcement, SandboxPolicy
from contracts.modelling import ModelSettings
from contracts.settings import BuildSettings
from flows.places import data_home, default_store
from tasks.evidence.store import open_store

DIGEST = re.compile(r"sha256:[0-9a-f]{64}")
MAX_CHARACTERS = 40_000
"""Parameters are capped at 512 KiB of JSON, in which a character may take twelve bytes."""


class BuildParameters(BaseModel):
    """Build from a requirement, or judge a candidate against it."""

    model_config = ConfigDict(extra="forbid", title="Build")

    requirement: Annotated[
        str,
        Field(
            title="Requirement",
            description="What the program has to do, in plain text or Markdown; the first line names the run. "
            "Or the digest (sha256:...) of such a text in the store.",
            min_length=1,
            max_length=MAX_CHARACTERS,
        ),
    ]
    sandbox: Annotated[
        Backend, Field(title="Sandbox", description="Where the candidate runs. No other is chosen if it cannot work.")
    ] = "bubblewrap"
    rounds: Annotated[
        int,
        Field(title="Repair rounds", description="How often the coder may mend what was found.", ge=0, le=10),
    ] = 1
    assumptions: Annotated[
        dict[str, str],
        Field(title="Assumptions", description="Conventions to override, as KEY: VALUE; `forge compile` lists them."),
    ] = {}
    candidate: Annotated[
        str | None,
        Field(title="Candidate", description="A directory on this machine to judge, in place of the coder's answer."),
    ] = None
    readings: Annotated[
        list[str],
        Field(title="Readings", description="Directories on this machine, each a reference program."),
    ] = []
    require: Annotated[
        dict[str, Enforcement],
        Field(title="Required enforcement", description="LIMIT: kernel or polled; nothing runs where it is held less."),
    ] = {}
    wheels: Annotated[
        str | None,
        Field(
            title="Packages",
            description="The digest of a lock of wheels that `forge build --wheels` has unpacked on this machine.",
            pattern=DIGEST.pattern,
        ),
    ] = None
    models: Annotated[
        ModelSettings | None,
        Field(title="Models", description="Who writes and reads, as the record of such a build has it under `models`."),
        WithJsonSchema({"anyOf": [{"type": "object"}, {"type": "null"}]}),  # a form as large as the model helps nobody
    ] = None
    store: Annotated[
        str | None,
        Field(title="Store", description="A directory, or s3://bucket/prefix; by default your own."),
    ] = None

    def request(self) -> BuildRequest:
        """The build that these parameters ask for.

        Raises:
            StoreError: the requirement is a digest, and the store has no text under it.
        """
        settings = BuildSettings(
            store=self.store or default_store(),
            policy=SandboxPolicy(backend=self.sandbox, require=self.require, wheels=self.wheels),
            assumptions=self.assumptions,
            candidate=self.candidate,
            readings=tuple(self.readings),
            rounds=self.rounds,
            models=self.models,
        )
        return BuildRequest(requirement=_text(self.requirement, settings.store), settings=settings)


def by_digest(text: str, store: str) -> str:
    """``text``, or where it is too large for a parameter the digest under which it now lies in the store (PRE-10)."""
    return text if len(text) <= MAX_CHARACTERS else open_store(store).put(text.encode("utf-8"))


def _text(requirement: str, store: str) -> str:
    if not DIGEST.fullmatch(requirement):
        return requirement
    return open_store(store).get(requirement).decode("utf-8")


def default_output(name: str) -> Path:
    """Where a build that was started from the UI leaves record and package."""
    return data_home() / "builds" / name

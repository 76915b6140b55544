"""The file of ``--models``: TOML, every key known, amounts as numbers or as text."""

from __future__ import annotations

import tomllib
from collections.abc import Mapping
from pathlib import Path
from typing import Annotated, Any, TypeVar

from pydantic import BaseModel, BeforeValidator, ConfigDict, StrictInt, ValidationError

from contracts.calls import Cost, decimal_cost
from tasks.errors import UsageError
from tasks.evidence.files import read_regular

FILE_BYTES = 256 * 1024

M = TypeVar("M", bound=BaseModel)


def _amount(value: object) -> object:
    return value if value is None or isinstance(value, bool) else decimal_cost(value)


_Cost = Annotated[Cost, BeforeValidator(_amount)]


class _Budget(BaseModel):
    model_config = ConfigDict(extra="forbid")

    tokens: StrictInt | None = None
    money: _Cost | None = None
    seconds: StrictInt | None = None


class _Price(BaseModel):
    model_config = ConfigDict(extra="forbid")

    input: _Cost
    output: _Cost
    cached: _Cost | None = None


class RoleFile(BaseModel):
    """What the table of a role may say; ``prompt`` names a file."""

    model_config = ConfigDict(extra="forbid")

    provider: str | None = None
    models: list[str] | None = None
    base_url: str | None = None
    agent: str | None = None
    prompt: str | None = None
    output_tokens: StrictInt | None = None
    budget: _Budget = _Budget()


class ModelsFile(BaseModel):
    """What the file may say; a role's table goes before what stands at the top."""

    model_config = ConfigDict(extra="forbid")

    provider: str | None = None
    model: str | None = None
    reader_models: list[str] | None = None
    base_url: str | None = None
    agent: str | None = None
    exchanges: str | None = None
    timeout_s: StrictInt | None = None
    retries: StrictInt | None = None
    readings: StrictInt | None = None
    budget: _Budget = _Budget()
    prices: dict[str, _Price] = {}
    coder: RoleFile = RoleFile()
    reader: RoleFile = RoleFile()
    formaliser: RoleFile = RoleFile()
    explainer: RoleFile = RoleFile()


def load(path: str) -> ModelsFile:
    """The file at ``path``. Raises UsageError where it cannot be read, or holds what nobody reads."""
    try:
        given = tomllib.loads(text_of(path))
    except tomllib.TOMLDecodeError as error:
        raise UsageError(f"{path} is no TOML file: {error}") from error
    return validated(ModelsFile, given, path)


def text_of(path: str) -> str:
    """The text of a regular file of moderate size. Raises UsageError."""
    try:
        return read_regular(Path(path), FILE_BYTES).decode("utf-8")
    except OSError as error:
        raise UsageError(f"{path}: {error.strerror}") from error
    except UnicodeDecodeError as error:
        raise UsageError(f"{path}: not UTF-8 at byte {error.start}") from error


def validated(model: type[M], given: Mapping[str, Any], where: str) -> M:
    """``given`` as a model. Raises UsageError, with the first place that is wrong."""
    try:
        return model.model_validate(given)
    except ValidationError as invalid:
        first = invalid.errors()[0]
        place = ".".join(str(part) for part in first["loc"])
        raise UsageError(f"{where}: {place}: {first['msg']}") from invalid

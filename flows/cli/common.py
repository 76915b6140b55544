"""What commands share: their arguments, checked the same way everywhere, and how results are written."""

from __future__ import annotations

import os
import sys
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any, NoReturn

import typer

if TYPE_CHECKING:
    from contracts.isolation import Enforcement
    from contracts.model import Model

Text = Annotated[str | None, typer.Argument(metavar="TEXT", help="The requirement; or --file.", show_default=False)]
File = Annotated[str | None, typer.Option("--file", metavar="F", help="Read the requirement from this file.")]
Assume = Annotated[
    list[str] | None,
    typer.Option("--assume", metavar="KEY=VALUE", help="Override a convention that `forge compile` lists."),
]
Contract = Annotated[
    str | None,
    typer.Option("--contract", metavar="FILE", help="Settle conventions and interface by a JSON or YAML file."),
]
StoreOption = Annotated[
    str | None,
    typer.Option("--store", metavar="PLACE", help="DIR or s3://BUCKET/PREFIX; by default $FORGE_STORE or your own."),
]
Json = Annotated[bool, typer.Option("--json", help="Print one JSON object on standard output, and nothing else.")]


def refuse(words: str) -> NoReturn:
    """Raise a UsageError; what defines it is too heavy to import for ``forge --help``."""
    from tasks.errors import UsageError

    raise UsageError(words)


def requirement_text(text: str | None, file: str | None) -> str:
    """The requirement, untouched, from exactly one of both places.

    Raises:
        UsageError: both or neither are given, or what is given cannot be read as text.
    """
    if file is not None and text is None:
        return _worded(_read(named("--file", file)))
    if text is None or file is not None:
        refuse("give the requirement as TEXT or with --file F")
    return _worded(text)


def named(option: str, value: str) -> Path:
    """The absolute path that an option names; an empty one is an error, never "not given" (CLI-07, CLI-09)."""
    if not value or "\0" in value:
        refuse(f"{option} is empty")
    return Path(os.path.abspath(value))  # noqa: PTH100 - not resolved: a link is judged where it is opened


def directory(option: str, value: str) -> str:
    """The absolute path of a directory that exists."""
    path = named(option, value)
    if not path.is_dir():
        refuse(f"{option}: {path} is not a directory")
    return _encodable(str(path))


def locked_wheels(value: str) -> str:
    """The digest of the lock of a directory of wheels, which are unpacked here; raises UsageError."""
    from sandbox.wheelhouse import WheelhouseError, unpack

    try:
        return unpack(Path(directory("--wheels", value)))
    except WheelhouseError as error:
        refuse(f"--wheels: {error}")


def store_location(value: str | None) -> str:
    """The evidence store that is named, else the user's own."""
    from flows.places import default_store, store_at

    if value is None:
        return _encodable(default_store())
    named("--store", value)
    return _encodable(store_at(value))


def assumptions(pairs: list[str] | None, contract: str | None = None) -> dict[str, str]:
    """What ``--assume KEY=VALUE`` and a contract file settle."""
    found = key_values("--assume", pairs)
    if contract is None:
        return found
    stated = _contract(named("--contract", contract))
    twice = sorted(found.keys() & stated.keys())
    if twice:
        refuse(f"--contract: {twice[0]} is settled by --assume as well")
    return found | stated


def _contract(path: Path) -> dict[str, str]:
    from contracts.loading import SPEC_BYTES, DocumentError
    from tasks.requirement.overrides import parse_overrides

    try:
        return parse_overrides(read_file(path, SPEC_BYTES))
    except DocumentError as error:
        refuse(f"{path}: {' '.join(str(error).split())}")


def requirements(pairs: list[str] | None) -> dict[str, Enforcement]:
    """How firmly a limit must be held, by ``--require LIMIT=kernel`` or ``=polled`` (DEC-05)."""
    from contracts.isolation import Limits

    limits = {name for field in Limits.model_fields for name in (field, field.rpartition("_")[0])}
    firmly: dict[str, Enforcement] = {"kernel": "kernel", "polled": "polled"}
    wishes = key_values("--require", pairs)
    for limit, wanted in wishes.items():
        if limit not in limits:
            refuse(f"--require: there is no limit {limit!r}; there are {', '.join(Limits.model_fields)}")
        if wanted not in firmly:
            refuse(f"--require {limit} takes kernel or polled, not {wanted!r}")
    return {limit: firmly[wanted] for limit, wanted in wishes.items()}


def key_values(option: str, pairs: list[str] | None) -> dict[str, str]:
    """``KEY=VALUE`` pairs; one key has one value."""
    found: dict[str, str] = {}
    for pair in pairs or []:
        key, equals, value = _encodable(pair).partition("=")
        if not key or not equals:
            refuse(f"{option} takes KEY=VALUE, not {pair!r}")
        if key in found:
            refuse(f"{option} {key} is given twice")
        found[key] = value
    return found


def print_json(model: Model) -> None:
    """One object on one line."""
    print_document(model.document())


def print_document(document: dict[str, Any]) -> None:
    """As `print_json`, for what has no model."""
    from contracts.canonical import canonical_bytes

    sys.stdout.buffer.write(canonical_bytes(document) + b"\n")


def say(line: str = "") -> None:
    """A line for a person on standard output; what it quotes of a program or a record cannot steer a terminal."""
    from tasks.validation.readable import plain

    sys.stdout.write(plain(line).encode("utf-8", "backslashreplace").decode() + "\n")


def read_file(path: Path, limit: int) -> bytes:
    """The bytes of a regular file that a person named; raises UsageError."""
    from tasks.evidence.files import read_regular

    try:
        return read_regular(path, limit)
    except OSError as error:
        refuse(f"{path}: {error.strerror}")


def write_new(option: str, path: Path, data: bytes) -> None:
    """Create a file where nothing stands yet, and the directory above it (OUT-05, OUT-13); raises OutputError."""
    from tasks.errors import OutputError
    from tasks.evidence.files import create_once

    try:
        path.parent.mkdir(exist_ok=True)
        created = create_once(path, data, 0o644)
    except OSError as error:
        raise OutputError(f"{option}: {path}: {error.strerror}") from error
    if not created:
        raise OutputError(f"{option}: {path} exists")


def _read(path: Path) -> str:
    from contracts.loading import SPEC_BYTES

    try:
        return read_file(path, SPEC_BYTES).decode("utf-8")
    except UnicodeDecodeError as error:
        refuse(f"{path}: not UTF-8 at byte {error.start}")


def _worded(text: str) -> str:
    if not text.strip():
        refuse("the requirement is empty")
    if "\0" in text:
        refuse("the requirement holds a NUL character")
    return _encodable(text)


def _encodable(text: str) -> str:
    try:
        text.encode("utf-8")
    except UnicodeEncodeError:
        refuse("an argument is not UTF-8")
    return text

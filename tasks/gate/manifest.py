"""The manifest of executed tests, as its reporter wrote it: checked line by line against the run's key. Pure."""

from __future__ import annotations

import hmac
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

from contracts.canonical import Json
from contracts.loading import DocumentError, load_json
from contracts.probe import Observation
from tasks.gate.plan import MANIFEST


@dataclass(frozen=True)
class Manifest:
    """Outcomes by test, in order; what the reporter saw changed of its framework; the status, None if it never ended.

    ``broken`` says why the rest of it counts for nothing.
    """

    outcomes: tuple[tuple[str, str], ...] = ()
    changed: tuple[str, ...] = ()
    status: int | None = None
    broken: str | None = None


def read_manifest(observation: Observation, key: str) -> Manifest:
    """Read what a run left; what cannot be believed is ``broken``, never an exception."""
    try:
        facts = list(_facts(observation, key))
    except ValueError as error:
        return Manifest(broken=str(error))
    end = facts[-1] if facts and "end" in facts[-1] else None
    if end is None or any("end" in fact for fact in facts[:-1]):
        return Manifest(broken="the run of the tests did not come to its end")
    tests = tuple((str(fact["id"]), str(fact["outcome"])) for fact in facts if "id" in fact and "file" not in fact)
    changed = end.get("changed")
    status = end["end"]
    names = tuple(str(name) for name in changed) if isinstance(changed, list) else ("?",)
    return Manifest(tests, names, status if isinstance(status, int) else 1)


def asked(observation: Observation, key: str) -> list[dict[str, Any]]:
    """The calls that tests apart ask for. Our own code wrote the manifest: none of the candidate's ran there."""
    try:
        return [fact["call"] for fact in _facts(observation, key) if isinstance(fact.get("call"), dict)]
    except ValueError:
        return []


def _facts(observation: Observation, key: str) -> Iterator[dict[str, Any]]:
    """The lines up to the first that was not made with the key.

    Raises:
        ValueError: there is none, or a line is not the reporter's.
    """
    file = next((file for file in observation.files if file.path == MANIFEST), None)
    if file is None or file.content is None:
        raise ValueError("the reporter of the tests left no manifest" if file is None else "the manifest is too long")
    secret, before = bytes.fromhex(key), b""
    for number, line in enumerate(file.content.splitlines(), start=1):
        text, _, code = line.rpartition(b" ")
        before = hmac.new(secret, before + text, "sha256").hexdigest().encode()
        if not hmac.compare_digest(before, code):
            raise ValueError(f"line {number} of the manifest is not the reporter's")
        yield _fact(text)


def _fact(text: bytes) -> dict[str, Json]:
    try:
        value = load_json(text, len(text))
    except DocumentError as error:
        raise ValueError(f"a line of the manifest cannot be read: {error}") from error
    if not isinstance(value, dict):
        raise ValueError("a line of the manifest is no object")  # noqa: TRY004 - like any other unreadable line
    return value

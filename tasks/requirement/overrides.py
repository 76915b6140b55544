"""A contract file as assumptions: one way for everything that a user settles."""

from __future__ import annotations

import re

from contracts.canonical import Json
from contracts.loading import DocumentError, load_json, parse_document
from contracts.overrides import InterfaceFacts, Overrides
from contracts.requirement import Argument
from contracts.yaml_text import load_yaml
from tasks.requirement.conventions import ConventionError

_DECLARED = re.compile(
    r"(?P<open>\[)?(?P<name>--?[a-z][\w-]*|[A-Za-z_]\w*)=(?P<role>\w+)(?:/(?P<format>\w+))?(?(open)\])"
)


def parse_overrides(data: bytes) -> dict[str, str]:
    """The assumptions of a contract file. What begins with a brace is JSON, all else YAML.

    Raises:
        DocumentError: it is no such document; one line.
    """
    value: Json = load_json(data) if data.lstrip().startswith(b"{") else load_yaml(data)
    stated = parse_document(Overrides, value)
    found = {key: str(item) for key, item in stated.assume.items()}
    for key, item in _facts(stated.interface).items():
        if key in found:
            raise DocumentError(f"{key} is settled twice")
        found[key] = item
    return found


def _facts(facts: InterfaceFacts) -> dict[str, str]:
    """The facts as conventions, in the form that ``--assume`` takes."""
    found = {}
    if facts.arguments is not None:
        found["interface.arguments"] = " ".join(map(_shown, facts.arguments))
    if facts.columns is not None:
        found["csv.columns"] = ",".join(item.name for item in facts.columns)
        found["csv.kinds"] = ",".join(item.kind for item in facts.columns)
    if facts.reads_stdin is not None:
        found["interface.stdin"] = "read" if facts.reads_stdin else "unused"
    if facts.bound is not None:
        found["interface.channels"] = ",".join(facts.bound)
    return found


def _shown(argument: Argument) -> str:
    form = f"{argument.name}={argument.role}" + (f"/{argument.format}" if argument.format else "")
    return form if argument.required else f"[{form}]"


def declared_arguments(value: str) -> tuple[Argument, ...]:
    """The arguments that `interface.arguments` declares: ``INPUT=input_file/csv N=integer [--today=date]``.

    Raises:
        ConventionError: it is not of that form, or a name stands there twice.
    """
    matches = [_DECLARED.fullmatch(word) for word in value.split()]
    if None in matches:
        raise ConventionError(f"interface.arguments: {value.split()[matches.index(None)]!r} is not NAME=ROLE")
    found = tuple(
        Argument.model_validate(
            {"name": item["name"], "role": item["role"], "format": item["format"], "required": not item["open"]}
        )
        for item in matches
        if item is not None
    )
    if len({item.name for item in found}) != len(found):
        raise ConventionError("interface.arguments: a name stands there twice")
    return found

"""A BuildSpec as a coder or a reader is given it: the text untouched, then what was settled around it. Pure.

It comes first in every prompt about a requirement and never changes during a build: a cached prefix.
"""

from __future__ import annotations

from collections.abc import Iterator

from contracts.requirement import Argument, BuildSpec, Example, Requirement, Span
from tasks.validation.readable import quoted, wanted

UNTOLD = {"artefact", "package.command", "python.entry", "arguments"}
"""Conventions that no program can follow or break, or that the interface shows."""

_ROLES = {"input_file": "a file to read", "output_file": "a file to write"}
_CHANNELS = {"exit": "exit status", "stdout": "standard output", "stderr": "standard error", "files": "written files"}


def contract_text(spec: BuildSpec, requirement: Requirement) -> str:
    """The whole contract as text."""
    return "\n".join(("# Requirement", "", marked(requirement.text), "", *_parts(spec, requirement.text)))


def clause(text: str, span: Span) -> str:
    """The words of a span, on one line."""
    return " ".join(text[span.start : span.end].split())


def marked(text: str) -> str:
    """The text between marks that do not stand in it: where it ends is not the text's to say."""
    mark = "~~~"
    while mark in text:
        mark += "~"
    return f"{mark}\n{text.rstrip()}\n{mark}"


def _parts(spec: BuildSpec, text: str) -> Iterator[str]:
    yield from _section("Interface", _interface(spec))
    yield from _section("Where the requirement is silent", _conventions(spec))
    yield from _section("Examples as they are run", map(_example, spec.examples))
    yield from _section("Conditions as they are checked", _conditions(spec, text))
    yield from _section("Holds for every run", (wanted(item.expectations) for item in spec.invariants))


def _section(title: str, lines: Iterator[str]) -> Iterator[str]:
    found = [f"- {line}" for line in lines]
    if found:
        yield from (f"# {title}", "", *found, "")


def _interface(spec: BuildSpec) -> Iterator[str]:
    shown = spec.interface
    if spec.artefact == "library":
        yield f"a module, {shown.entry}, that is imported and whose functions are called"
        yield "compared: what a call returns or raises"
        yield from (item.text for item in spec.signatures)
        return
    words = [item.name if item.required else f"[{item.name}]" for item in shown.arguments]
    yield f"started as: {' '.join(['python3', shown.entry, *words])}"
    yield from (f"{item.name}: {_argument(item)}" for item in shown.arguments)
    if shown.reads_stdin:
        yield "reads standard input"
    if shown.columns:
        yield "input columns: " + ", ".join(f"{column.name} ({column.kind})" for column in shown.columns)
    yield f"compared: {', '.join(_CHANNELS[channel] for channel in shown.bound)}"
    yield from (item.text for item in spec.signatures)


def _argument(item: Argument) -> str:
    what = _ROLES.get(item.role, f"a value ({item.role})")
    return f"{what}, {item.format.upper()}" if item.format else what


def _conventions(spec: BuildSpec) -> Iterator[str]:
    for item in spec.conventions:
        if item.key not in UNTOLD:
            yield f"{item.key} = {item.value or '(none)'}. {item.meaning}"


def _example(item: Example) -> str:
    given = [f"arguments {list(item.argv)}"] if item.argv else []
    given += [f"standard input {quoted(item.stdin.encode())}"] if item.stdin is not None else []
    given += [f"{file.path} {quoted(file.content)}" for file in item.files]
    return f"{'; '.join(given) or 'no input'} -> {wanted(item.expectations)}"


def _conditions(spec: BuildSpec, text: str) -> Iterator[str]:
    for item in spec.conditional_obligations:
        if item.consequences:
            when = " or ".join(clause(text, trigger.span) for trigger in item.triggers)
            yield f"{when} -> {wanted(item.consequences)}"

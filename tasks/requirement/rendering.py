"""Expectations as sentences that the compiler reads back as the very same expectations."""

from __future__ import annotations

from collections.abc import Sequence

from contracts.probe import ExitExpectation, Expectation, FileExpectation, TextExpectation
from tasks.requirement.consequences import OUTPUT_FILE

_PLACES = {"stdout": "standard output", "stderr": "standard error"}


def conditional(condition: str, consequences: Sequence[Expectation]) -> str | None:
    """Say it as in "If the file is empty, print `x` and exit with status 2."; None for what has no words."""
    effects = [_effect(item) for item in consequences]
    said = [words for words in effects if words is not None]
    return None if len(said) < len(effects) else f"If {condition}, {_listed(said)}."


def example(given: str, wanted: str) -> str | None:
    """Say it as in "For the input `a` it prints `b`."; None where a text cannot be quoted."""
    shown, printed = _quoted(given), _quoted(wanted)
    if shown is None or printed is None:
        return None
    return f"For the input {shown} it prints {printed if wanted else 'nothing'}."


def invariant(expectations: Sequence[Expectation]) -> str | None:
    """A sentence on every run; None for what is not said of every run."""
    (item,) = expectations if len(expectations) == 1 else (None,)
    if isinstance(item, TextExpectation) and (item.channel, item.relation) == ("stderr", "empty"):
        return "Nothing is ever written to standard error."
    if isinstance(item, ExitExpectation) and item.relation == "equals":
        return f"The exit status is always {item.status}."
    return None


def _effect(item: Expectation) -> str | None:
    match item:
        case ExitExpectation(relation="equals"):
            return f"exit with status {item.status}"
        case ExitExpectation(status=0):
            return "exit with a non-zero status"
        case FileExpectation(path=path, relation="absent") if path == OUTPUT_FILE:
            return "do not create the output file"
        case TextExpectation(relation="empty"):
            return f"print nothing to {_PLACES[item.channel]}"
        case TextExpectation(relation="not_empty"):
            return f"print a message to {_PLACES[item.channel]}"
        case TextExpectation():
            return _printed(item)
        case _:
            return None


def _printed(item: TextExpectation) -> str | None:
    text = _quoted(item.text)
    if text is None:
        return None
    if item.relation == "contains":
        return f"{_PLACES[item.channel]} must contain {text}"
    tail = {"optional": "", "required": " followed by a newline", "forbidden": " without a newline"}[item.newline]
    return f"print {text}{tail} to {_PLACES[item.channel]}"


def _quoted(text: str) -> str | None:
    if not any(mark in text for mark in "`\n\\"):
        return f"`{text}`" if text else '""'
    if '"' in text or "\r" in text:
        return None
    escaped = text.replace("\\", "\\\\").replace("\n", "\\n").replace("\t", "\\t")
    return f'"{escaped}"'


def _listed(parts: Sequence[str]) -> str:
    return parts[0] if len(parts) == 1 else f"{', '.join(parts[:-1])} and {parts[-1]}"

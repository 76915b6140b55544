"""A record's failures as SARIF 2.1.0, at the words of the user's text that they concern."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

from contracts.evidence import Record
from contracts.requirement import Span
from contracts.verdict import Failure
from tasks.evidence.contents import Contents
from tasks.evidence.report import printable, told
from tasks.evidence.store import Store
from tasks.evidence.trust import NOBODY, Trust

SCHEMA = "https://json.schemastore.org/sarif-2.1.0.json"


def render_sarif(record: Record, store: Store, trusted: Trust = NOBODY, beside: Path | None = None) -> str:
    """One run with a result for each failure; where the record is not intact, an execution that did not succeed."""
    banner, contents = told(record, store, trusted, beside)
    failures = contents.outcome.failures if contents is not None and contents.outcome is not None else ()
    intact = banner.mark == "good"
    notes = [] if intact else [{"level": "error", "message": {"text": banner.text}}]
    run: dict[str, Any] = {
        "tool": {"driver": {"name": "forge", "rules": [{"id": name} for name in _rules(failures)]}},
        "columnKind": "unicodeCodePoints",
        "invocations": [{"executionSuccessful": intact, "toolExecutionNotifications": notes}],
        "results": [_result(failure, contents) for failure in failures if contents is not None],
    }
    if contents is not None:
        text = {"text": contents.text}
        run["artifacts"] = [{"location": {"uri": contents.SUBJECT}, "contents": text}]
    return json.dumps({"$schema": SCHEMA, "version": "2.1.0", "runs": [run]}, indent=2) + "\n"


def _rules(failures: tuple[Failure, ...]) -> list[str]:
    return list(dict.fromkeys(failure.signature.value for failure in failures))


def _result(failure: Failure, contents: Contents) -> dict[str, Any]:
    text = printable(failure.detail)
    if failure.witness is not None:
        witness = failure.witness
        text += f" (run: {printable(witness.command)}; expected: {printable(witness.expected)};"
        text += f" observed: {printable(witness.observed)})"
    spans = failure.spans or (Span(start=0, end=len(contents.text)),)
    return {
        "ruleId": failure.signature.value,
        "level": "error",
        "message": {"text": text},
        "locations": [_location(span, contents) for span in spans],
    }


def _location(span: Span, contents: Contents) -> dict[str, Any]:
    text = contents.text
    line = text.count("\n", 0, span.start) + 1
    column = span.start - (text.rfind("\n", 0, span.start) + 1) + 1
    region = {"startLine": line, "startColumn": column, "charOffset": span.start, "charLength": span.end - span.start}
    return {"physicalLocation": {"artifactLocation": {"uri": contents.SUBJECT, "index": 0}, "region": region}}

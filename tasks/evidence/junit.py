"""A record as JUnit XML, so that a CI system shows the failures in place. A picture of the record, not evidence."""

from __future__ import annotations

from pathlib import Path
from xml.etree import ElementTree as ET

from contracts.evidence import Record
from contracts.verdict import Failure, Fault, fault_of
from tasks.evidence.contents import Contents
from tasks.evidence.report import printable, told, words
from tasks.evidence.store import Store
from tasks.evidence.trust import NOBODY, Trust


def render_junit(record: Record, store: Store, trusted: Trust = NOBODY, beside: Path | None = None) -> str:
    """One suite of test cases: the record itself, everything that was judged in each attempt, and the verdict.

    Whatever is not intact, not verified or not executed is no success (law 3).
    """
    banner, contents = told(record, store, trusted, beside)
    suite = ET.Element("testsuite", name="forge")
    case = ET.SubElement(suite, "testcase", classname="forge", name="record")
    if banner.mark != "good":
        ET.SubElement(case, "error", message=banner.text, type="not_intact")
    if contents is not None:
        _contents(suite, contents)
    for attribute, tag in (("tests", "testcase"), ("failures", "failure"), ("errors", "error"), ("skipped", "skipped")):
        suite.set(attribute, str(sum(1 for _ in suite.iter(tag))))
    body = ET.tostring(suite, encoding="unicode")
    return f'<?xml version="1.0" encoding="UTF-8"?>\n<testsuites>{body}</testsuites>\n'


def _contents(suite: ET.Element, contents: Contents) -> None:
    for item in contents.tested():
        case = ET.SubElement(suite, "testcase", classname=printable(f"forge.{item.group}"), name=printable(item.name))
        for failure in item.failures:
            _failure(case, failure, contents)
        if item.skipped is not None:
            ET.SubElement(case, "skipped", message=printable(item.skipped))
        elif not item.passed and not item.failures:
            ET.SubElement(case, "failure", message="it did not pass", type="failed")
    case = ET.SubElement(suite, "testcase", classname="forge", name="verdict")
    outcome = contents.outcome
    if outcome is None or (not outcome.passed and not outcome.failures):
        ET.SubElement(case, "error", message="there is no verdict", type="no_verdict")
    for failure in outcome.failures if outcome is not None else ():
        _failure(case, failure, contents)


def _failure(case: ET.Element, failure: Failure, contents: Contents) -> None:
    tag = "error" if fault_of(failure.signature) is Fault.INFRASTRUCTURE else "failure"
    element = ET.SubElement(case, tag, message=printable(failure.detail), type=failure.signature.value)
    lines = [f"asked for: {words(contents.text, span)}" for span in failure.spans]
    if failure.witness is not None:
        lines += [f"run: {printable(failure.witness.command)}", f"expected: {printable(failure.witness.expected)}"]
        lines += [f"observed: {printable(failure.witness.observed)}"]
    element.text = "\n".join(lines)

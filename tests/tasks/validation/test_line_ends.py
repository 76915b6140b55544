"""The convention `text.line_ends` (law 3): named line ends are enforced, and data in quotes is no line end."""

from __future__ import annotations

from pathlib import Path

import pytest

import tasks
from contracts.requirement import BuildSpec, Requirement
from tasks.requirement.compiler import compile_requirement
from tasks.validation.line_ends import line_end_fault


def spec(line_ends: str) -> BuildSpec:
    text = (Path(tasks.__file__).parents[1] / "examples" / "contracts" / "requirement.md").read_text()
    return compile_requirement(Requirement(text=text), {"text.line_ends": line_ends})


@pytest.mark.parametrize(
    ("line_ends", "content", "fine"),
    [
        ("any", b"a\r\nb\n", True),
        ("lf", b"a\nb\n", True),
        ("lf", b"a\nb\r\n", False),
        ("lf", b'"a\r\nb",c\n', True),
        ("crlf", b"a\r\nb\r\n", True),
        ("crlf", b'"a\nb",c\r\n', True),
        ("crlf", b"a\r\nb\n", False),
        ("crlf", b"\n", False),
    ],
)
def test_line_ends_of_a_table(line_ends, content, fine, seen):
    fault = line_end_fault(spec(line_ends), seen(files={"OUTPUT": content}))
    assert (fault is None) is fine
    assert fine or line_ends.upper() in (fault or "")


def test_a_file_that_nobody_asked_for_is_free(seen):
    assert line_end_fault(spec("crlf"), seen(files={"log.txt": b"x\n"})) is None

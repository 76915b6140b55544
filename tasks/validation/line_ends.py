"""The convention on line ends, held against everything that a run wrote. Pure."""

from __future__ import annotations

import re
from collections.abc import Iterator

from contracts.probe import Observation
from contracts.requirement import BuildSpec
from tasks.reading.situation import convention, output_paths

OTHER = {"lf": re.compile(rb"\r\n"), "crlf": re.compile(rb"(?<!\r)\n")}
"""Line ends that break the convention, by its value; with ``any`` none does."""
QUOTED = re.compile(rb'"[^"]*"')


def line_end_fault(spec: BuildSpec, observation: Observation) -> str | None:
    """Which output holds another line end than the convention ``text.line_ends`` names, or None."""
    wanted = convention(spec, "text.line_ends", "any")
    broken = OTHER.get(wanted)
    for name, content in _outputs(spec, observation) if broken else ():
        if broken and broken.search(content):
            return f"{name} holds a line end other than {wanted.upper()}, which the convention text.line_ends names"
    return None


def _outputs(spec: BuildSpec, observation: Observation) -> Iterator[tuple[str, bytes]]:
    """The outputs in bound channels. What a quoted field of a table holds is data, and ends no line."""
    if "stdout" in spec.interface.bound:
        yield "stdout", observation.stdout.head
    forms = dict(output_paths(spec))
    for file in observation.files:
        if file.path in forms and file.content is not None:
            yield file.path, QUOTED.sub(b"", file.content) if forms[file.path] == "csv" else file.content

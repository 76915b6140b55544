"""Probes go into a sandbox, observations come out; expectations stay with the judge (law 1)."""

from __future__ import annotations

from typing import Annotated, Literal

from pydantic import Field

from contracts.model import Bytes, Count, Model, Sha256


class InputFile(Model):
    """A file placed in the probe's scratch directory; ``path`` is path text (`contracts.paths`)."""

    path: str
    content: Bytes
    executable: bool = False


class CommandProbe(Model):
    """Run ``argv`` in a fresh scratch directory. ``python3`` is the sandbox's interpreter, ``/candidate`` the tree.

    ``stdin`` None is /dev/null. ``environment`` adds to the policy's variables.
    """

    kind: Literal["command"] = "command"
    id: str
    argv: Annotated[tuple[str, ...], Field(min_length=1)]
    stdin: Bytes | None = None
    files: tuple[InputFile, ...] = ()
    environment: dict[str, str] = {}
    wall_ms: Count | None = None


Probe = CommandProbe
"""The ways to run a candidate; calls and HTTP exchanges join here as further kinds."""


class Stream(Model):
    """An output stream: its whole length and digest, and its head and tail. Complete iff not ``truncated``.

    Up to the policy's cap ``head`` holds everything and ``tail`` is empty.
    """

    length: Count
    digest: Sha256
    head: Bytes
    tail: Bytes
    truncated: bool


class FileObservation(Model):
    """What a run left at ``path`` (path text) of its scratch directory. ``content`` is None above the cap."""

    path: str
    kind: Literal["file", "directory", "link", "other"]
    size: Count
    digest: Sha256 | None
    content: Bytes | None
    executable: bool


class LimitHit(Model):
    """A limit that ended the run: ``configured`` and ``observed`` in the limit's own unit."""

    name: Literal[
        "wall_ms",
        "cpu_ms",
        "memory_bytes",
        "processes",
        "file_bytes",
        "output_bytes",
        "scratch_bytes",
        "scratch_inodes",
    ]
    configured: Count
    observed: Count


class Timing(Model):
    """Measured, and so never part of a comparison."""

    queue_ms: Count
    wall_ms: Count
    cpu_ms: Count
    peak_memory_bytes: Count


class Observation(Model):
    """What happened. ``exit_code`` is set iff ``outcome`` is ``exited``; ``files`` are those created or changed.

    ``tampering``: the candidate reached for the supervisor; ``detail`` says how. ``leftovers`` are what the
    sweep after the run found (DEC-21).
    """

    probe: str
    outcome: Literal["exited", "signalled", "limit", "tampering"]
    exit_code: int | None = None
    signal: int | None = None
    limit: LimitHit | None = None
    detail: str | None = None
    stdout: Stream
    stderr: Stream
    files: tuple[FileObservation, ...]
    leftovers: tuple[str, ...] = ()
    timing: Timing


class ExitExpectation(Model):
    """On the exit status."""

    channel: Literal["exit"] = "exit"
    relation: Literal["equals", "differs"] = "equals"
    status: int


class TextExpectation(Model):
    """On an output stream, as UTF-8 with either line end. ``text`` has no final newline.

    ``newline``: whether one newline after the text may, must or must not stand there.
    """

    channel: Literal["stdout", "stderr"]
    relation: Literal["equals", "contains", "empty", "not_empty"]
    text: str = ""
    newline: Literal["optional", "required", "forbidden"] = "optional"


class FileExpectation(Model):
    """On a file in the scratch directory. ``csv`` compares rows of fields, ``text`` lines, whatever the line end.

    ``separator`` parts the fields. ``ignore`` names columns whose fields are not compared: those that depend on the
    clock.
    """

    channel: Literal["file"] = "file"
    path: str
    relation: Literal["exists", "absent", "text", "csv", "bytes"]
    content: Bytes = b""
    separator: Literal[",", ";", "\t"] = ","
    ignore: tuple[str, ...] = ()


class RepeatExpectation(Model):
    """The same outcome, exit status, standard output and files as the run of probe ``of`` in the same layer.

    Standard error is not compared: messages there are free.
    """

    channel: Literal["repeat"] = "repeat"
    of: str


Expectation = Annotated[
    ExitExpectation | TextExpectation | FileExpectation | RepeatExpectation, Field(discriminator="channel")
]

Origin = Literal[
    "parse",
    "import",
    "entry",
    "tests",
    "repeat",
    "example",
    "conditional",
    "invariant",
    "reading",
    "near_example",
    "hostile",
]
"""Why a probe is run; it decides the signature of a failure."""


class ProbeCase(Model):
    """A probe and what is expected of it. A run that does not exit by itself fails whatever is expected."""

    probe: Probe
    origin: Origin
    obligations: tuple[str, ...] = ()
    expectations: tuple[Expectation, ...] = ()


class ProbePlan(Model):
    """All probes of a build, sealed before the first candidate exists (law 2, DEC-14). ``seed`` made the inputs."""

    build_spec: Sha256
    seed: Count
    cases: tuple[ProbeCase, ...]

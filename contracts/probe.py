"""Probes go into a sandbox, observations come out; expectations stay with the judge (law 1)."""

from __future__ import annotations

from typing import Annotated, Literal

from pydantic import AfterValidator, Field, JsonValue, WithJsonSchema

from contracts.model import Bytes, Count, Model, Sha256, is_default
from contracts.value import check
from contracts.valuetype import ValueType

Value = Annotated[
    JsonValue, AfterValidator(check), WithJsonSchema({"description": "A value in the encoding of contracts/value.py"})
]
"""A Python value in the tagged encoding of `contracts.value` (DEC-08)."""


_DOTTED = r"^[^\W\d]\w*(\.[^\W\d]\w*)*$"

HeaderName = Annotated[str, Field(pattern=r"^[!#$%&'*+.^_`|~0-9A-Za-z-]{1,100}$")]
HeaderValue = Annotated[str, Field(pattern=r"^([!-~]([ -~]{0,4000}[!-~])?)?$")]


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


class CallProbe(Model):
    """Call ``function`` (a dotted name) of ``module`` of the tree, in an interpreter of its own (DEC-08).

    The working directory is a fresh scratch directory, standard input is /dev/null. ``root`` is the directory of the
    tree that modules are found in. ``watched``: what became of the arguments is observed too.
    """

    kind: Literal["call"] = "call"
    id: str
    root: Annotated[str, Field(pattern=r"^[A-Za-z0-9_./-]{0,200}$")] = ""
    module: Annotated[str, Field(pattern=_DOTTED)]
    function: Annotated[str, Field(pattern=_DOTTED)]
    arguments: tuple[Value, ...] = ()
    keywords: dict[str, Value] = {}
    watched: bool = False
    files: tuple[InputFile, ...] = ()
    environment: dict[str, str] = {}
    wall_ms: Count | None = None


class HttpRequest(Model):
    """One HTTP/1.1 request. ``Host``, ``Connection: close`` and ``Content-Length`` are added."""

    method: Annotated[str, Field(pattern=r"^[A-Z]{1,20}$")] = "GET"
    target: Annotated[str, Field(pattern=r"^/[!-~]{0,4000}$")] = "/"
    headers: tuple[tuple[HeaderName, HeaderValue], ...] = ()
    body: Bytes = b""


class HttpProbe(Model):
    """Start a server by ``argv`` and send it requests, one after another, each on a connection of its own.

    It has to listen on ``port`` of 127.0.0.1 within ``ready_ms``, and each response to end within ``answer_ms``.
    After the last one the server is ended.
    """

    kind: Literal["http"] = "http"
    id: str
    argv: Annotated[tuple[str, ...], Field(min_length=1)]
    port: Annotated[int, Field(ge=1024, lt=32_768)] = 8_000
    requests: Annotated[tuple[HttpRequest, ...], Field(min_length=1, max_length=1_000)]
    ready_ms: Count = 5_000
    answer_ms: Count = 5_000
    files: tuple[InputFile, ...] = ()
    environment: dict[str, str] = {}
    wall_ms: Count | None = None


Probe = Annotated[CommandProbe | CallProbe | HttpProbe, Field(discriminator="kind")]
"""The ways to run a candidate."""


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


class Returned(Model):
    """The call returned; ``value`` is what it claims to have returned, as plain data.

    ``arguments`` are those of a watched call, by place, as they were after it.
    """

    kind: Literal["returned"] = "returned"
    value: Value
    arguments: tuple[Value, ...] | None = None


class Raised(Model):
    """Importing the module, or the call, raised. ``type`` is a dotted name; ``message`` is cut to 1,000 characters.

    ``bases`` are the classes that ``type`` derives from, the nearest first.
    """

    kind: Literal["raised"] = "raised"
    stage: Literal["import", "call"]
    type: Annotated[str, Field(max_length=400)]
    bases: Annotated[tuple[Annotated[str, Field(max_length=400)], ...], Field(max_length=50)] = ()
    message: Annotated[str, Field(max_length=1_000)]


class Unreadable(Model):
    """No value came back: the program ended first, the value has no plain form, or the pipe held something else."""

    kind: Literal["unreadable"] = "unreadable"
    reason: Annotated[str, Field(max_length=500)]


Result = Annotated[Returned | Raised | Unreadable, Field(discriminator="kind")]


class HttpResponse(Model):
    """What came back for one request. ``fault`` is None iff it is one whole response, ended in time.

    ``raw`` are the bytes as they came; ``body`` is without transfer coding.
    """

    fault: Literal["not_connected", "unfinished", "too_large", "malformed"] | None
    status: Annotated[int, Field(ge=100, le=999)] | None = None
    headers: tuple[tuple[str, str], ...] = ()
    body: Bytes = b""
    raw: Stream


class Timing(Model):
    """Measured, and so never part of a comparison.

    ``warm``: a call was made by a copy of an interpreter that had imported the module before; ``cold`` says why one was
    not (DEC-10).
    """

    queue_ms: Count
    wall_ms: Count
    cpu_ms: Count
    peak_memory_bytes: Count
    warm: Annotated[bool, Field(exclude_if=is_default)] = False
    cold: Annotated[str, Field(max_length=500, exclude_if=is_default)] = ""


class Observation(Model):
    """What happened. ``exit_code`` is set iff ``outcome`` is ``exited``; ``files`` are those created or changed.

    ``tampering``: the candidate reached for the supervisor; ``detail`` says how. ``leftovers`` are what the
    sweep after the run found (DEC-21): files, and processes that still ran two seconds after the main one had ended.
    ``value`` is set for a call, ``responses`` for a server, which is ``stopped`` after its last response.
    """

    probe: str
    outcome: Literal["exited", "signalled", "limit", "tampering", "stopped"]
    exit_code: int | None = None
    signal: int | None = None
    limit: LimitHit | None = None
    detail: str | None = None
    stdout: Stream
    stderr: Stream
    files: tuple[FileObservation, ...]
    leftovers: tuple[str, ...] = ()
    value: Result | None = None
    responses: tuple[HttpResponse, ...] = ()
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

    Of a call it is the result instead of the exit status, of a server the statuses and bodies. Standard error is not
    compared: messages there are free.
    """

    channel: Literal["repeat"] = "repeat"
    of: str


class ReturnExpectation(Model):
    """On the value that a call returns (DEC-08): floats within 1e-9 relative, sets in any order, types else exact.

    ``form``: the value is first made into a list, a tuple, a set, or the sorted list of its items.
    """

    channel: Literal["return"] = "return"
    value: Value
    form: Literal["as_is", "list", "tuple", "set", "sorted"] = "as_is"


class TypeExpectation(Model):
    """On the type of the value that a call returns; an integer is a float too (PEP 484).

    A call that raises meets it, unless it ``must_return``.
    """

    channel: Literal["type"] = "type"
    type: ValueType
    must_return: bool = False


class RaiseExpectation(Model):
    """The call raises ``type`` or a class derived from it.

    A name without dots is that of a class in any module. ``message`` None is any.
    """

    channel: Literal["raise"] = "raise"
    type: Annotated[str, Field(pattern=_DOTTED)] = "Exception"
    message: str | None = None


class ArgumentExpectation(Model):
    """On the argument at ``place``, counted from 0, after a watched call that returned."""

    channel: Literal["argument"] = "argument"
    place: Count
    value: Value


class ResponseExpectation(Model):
    """On the response to the request at ``place``, counted from 0.

    ``headers`` must be among those of the response, whatever the case of their names. ``body`` says how its body is
    compared: as ``text`` (UTF-8, one final newline optional), as the JSON of ``value``, as ``part`` of JSON that may
    hold more keys, empty, or not at all.
    """

    channel: Literal["response"] = "response"
    place: Count
    status: Annotated[int, Field(ge=100, le=999)] | None = None
    headers: tuple[tuple[HeaderName, HeaderValue], ...] = ()
    body: Literal["any", "text", "json", "part", "empty"] = "any"
    text: str = ""
    value: Value = None


Expectation = Annotated[
    ExitExpectation
    | TextExpectation
    | FileExpectation
    | RepeatExpectation
    | ReturnExpectation
    | TypeExpectation
    | RaiseExpectation
    | ArgumentExpectation
    | ResponseExpectation,
    Field(discriminator="channel"),
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


Standing = Literal["shown", "edge", "outside"]
"""How the text speaks of the kind of an input."""


def _is_shown(standing: str) -> bool:
    return standing == "shown"


class ProbeCase(Model):
    """A probe and what is expected of it.

    A run that does not end by itself fails whatever is expected, and so does a call that brings no readable value back.
    ``standing`` is that of the input: of a kind that the text shows or names, at the edge of such a kind (empty, zero,
    single), or outside. On the others no clause decides: to differ from the readings there is no fault, but leaves the
    evidence too weak, and outside a call may raise (DEC-09).
    """

    probe: Probe
    origin: Origin
    obligations: tuple[str, ...] = ()
    expectations: tuple[Expectation, ...] = ()
    standing: Annotated[Standing, Field(exclude_if=_is_shown)] = "shown"


class ProbePlan(Model):
    """All probes of a build, sealed before the first candidate exists (law 2, DEC-14). ``seed`` made the inputs."""

    build_spec: Sha256
    seed: Count
    cases: tuple[ProbeCase, ...]

"""A task: what a change is for, what decides about it, and what it must leave alone. Written by a user as YAML or JSON.

What stands here is the whole of the rules on a task's form: a `TaskSpec` that exists can be carried out.
"""

from __future__ import annotations

from typing import Annotated, Any, Literal, Self

from pydantic import AfterValidator, Discriminator, Field, Tag, model_validator

from contracts.model import Model
from contracts.paths import is_contained
from contracts.probe import Value

MAX_CHECKS = 100
MAX_TIMEOUT_S = 3_600


def _crossing(text: str) -> str:
    if "\0" in text:
        raise ValueError("holds a NUL character")
    return text


def _worded(text: str) -> str:
    if not text.strip():
        raise ValueError("is empty")
    return _crossing(text)


def _path(text: str) -> str:
    if not is_contained(text):
        raise ValueError("is no relative path that stays below its directory")
    return text


Text = Annotated[str, Field(min_length=1, max_length=100_000), AfterValidator(_worded)]
Name = Annotated[str, Field(min_length=1, max_length=100), AfterValidator(_worded)]
Path = Annotated[str, Field(min_length=1, max_length=4_096), AfterValidator(_worded), AfterValidator(_path)]
"""Path text (`contracts.paths`), relative to the candidate."""

Glob = Path
"""As a path; ``*`` and ``?`` stand within one part, a part ``**`` for any number of parts."""

Word = Annotated[str, Field(max_length=100_000), AfterValidator(_crossing)]
Dotted = Annotated[str, Field(pattern=r"^[^\W\d]\w*(\.[^\W\d]\w*)*$", max_length=400)]
Seconds = Annotated[int, Field(strict=True, ge=1, le=MAX_TIMEOUT_S)]


class CheckLimits(Model):
    """Bounds on one run of a check beside its time."""

    memory_mb: Annotated[int, Field(strict=True, ge=16, le=65_536)] = 1_024
    processes: Annotated[int, Field(strict=True, ge=1, le=4_096)] = 256
    scratch_mb: Annotated[int, Field(strict=True, ge=1, le=65_536)] = 256


class BaseCheck(Model):
    """What every kind of check has. ``must_fail_before``: it has to fail on the base, else it proves nothing."""

    name: Name
    timeout_s: Seconds = 60
    limits: CheckLimits = CheckLimits()
    repeats: Annotated[int, Field(strict=True, ge=1, le=10)] = 1
    must_fail_before: Annotated[bool, Field(strict=True)] = False


class CommandCheck(BaseCheck):
    """A shell command in a writable copy of the tree; passes iff it exits 0 in time (SBX-21). The weakest channel."""

    run: Text


Capture = Literal["fd", "sys"]


def _is_usual(capture: Capture) -> bool:
    """True for pytest's own default: left out, it keeps the seals of tasks that do not speak of it."""
    return capture == "fd"


class Suite(Model):
    """Tests that a reporter of Forge's watches. ``paths`` are the tests' files or directories.

    ``required`` are ids, each of which must have been executed and passed: ``file::test``, for unittest
    ``module.Class.test``, for node ``file::outer::inner``. An id stands for what lies below it as well: a file, a
    class, a test with its parameters. ``subject``: modules of the candidate that are called in a sandbox of their own,
    with plain values in and out, so that no code of the candidate runs beside the tests (law 1). ``capture`` is how
    pytest takes what tests print.
    """

    runner: Literal["pytest", "unittest", "node"]
    paths: Annotated[tuple[Path, ...], Field(min_length=1, max_length=1_000)]
    required: Annotated[tuple[Text, ...], Field(max_length=10_000)] = ()
    at_least: Annotated[int, Field(strict=True, ge=1, le=1_000_000)] = 1
    subject: Annotated[tuple[Dotted, ...], Field(max_length=100)] = ()
    capture: Annotated[Capture, Field(exclude_if=_is_usual)] = "fd"

    @model_validator(mode="after")
    def _subject_is_python(self) -> Self:
        if self.subject and self.runner == "node":
            raise ValueError("subject: modules can be called apart for pytest and unittest only")
        return self


class SuiteCheck(BaseCheck):
    """Tests by a known runner: they exit 0 in time, and those required were executed and passed (GAME D2)."""

    tests: Suite


class SpecFile(Model):
    """A file that a probe finds in its working directory."""

    path: Path
    text: Annotated[str, Field(max_length=1_000_000)]


class StreamRule(Model):
    """What an output stream has to be; exactly one of the four. A final newline is optional."""

    equals: str | None = None
    contains: str | None = None
    empty: Literal[True] | None = None
    not_empty: Literal[True] | None = None

    @model_validator(mode="after")
    def _one(self) -> Self:
        if len([item for item in (self.equals, self.contains, self.empty, self.not_empty) if item is not None]) != 1:
            raise ValueError("exactly one of equals, contains, empty, not_empty")
        return self


class FileRule(Model):
    """What the file ``path`` of the working directory has to be afterwards; exactly one of the three.

    ``text`` compares lines whatever the line end, ``csv`` rows of fields.
    """

    path: Path
    text: str | None = None
    csv: str | None = None
    absent: Literal[True] | None = None

    @model_validator(mode="after")
    def _one(self) -> Self:
        if len([item for item in (self.text, self.csv, self.absent) if item is not None]) != 1:
            raise ValueError("exactly one of text, csv, absent")
        return self


class ProbeRule(Model):
    """One run of the candidate (below ``/candidate``, in an empty directory) and what is expected of it."""

    argv: Annotated[tuple[Word, ...], Field(min_length=1, max_length=1_000)]
    stdin: str | None = None
    files: Annotated[tuple[SpecFile, ...], Field(max_length=1_000)] = ()
    exit: Annotated[int, Field(strict=True, ge=0, le=255)] = 0
    stdout: StreamRule | None = None
    stderr: StreamRule | None = None
    expect_files: Annotated[tuple[FileRule, ...], Field(max_length=1_000)] = ()

    @model_validator(mode="after")
    def _different_files(self) -> Self:
        paths = [file.path for file in self.files]
        if len(set(paths)) != len(paths):
            raise ValueError("files: a path stands twice")
        return self


class ProbeCheck(BaseCheck):
    """Runs whose expectations never enter the sandbox (SPEC-13, law 1)."""

    probes: Annotated[tuple[ProbeRule, ...], Field(min_length=1, max_length=1_000)]


class CallRule(Model):
    """One call: values in the encoding of `contracts.value`. It has to return ``returns``, or to raise ``raises``.

    ``raises`` is the name of an exception's class, with its module unless it is built in.
    """

    arguments: tuple[Value, ...] = ()
    keywords: dict[str, Value] = {}
    returns: Value = None
    raises: Dotted | None = None

    @model_validator(mode="after")
    def _one(self) -> Self:
        if self.raises is not None and self.returns is not None:
            raise ValueError("either returns or raises")
        return self


class CallCheck(BaseCheck):
    """Calls of ``function`` of ``module`` whose expected values never enter the sandbox (law 1)."""

    module: Dotted
    function: Dotted
    calls: Annotated[tuple[CallRule, ...], Field(min_length=1, max_length=1_000)]


def _kind(value: Any) -> str | None:
    names = value if isinstance(value, dict) else type(value).model_fields if isinstance(value, Model) else ()
    return next((name for name in ("run", "tests", "probes", "calls") if name in names), None)


Check = Annotated[
    Annotated[CommandCheck, Tag("run")]
    | Annotated[SuiteCheck, Tag("tests")]
    | Annotated[ProbeCheck, Tag("probes")]
    | Annotated[CallCheck, Tag("calls")],
    Discriminator(
        _kind,
        custom_error_type="check_kind",
        custom_error_message="a check has exactly one of run, tests, probes, calls",
    ),
]
"""The kinds of check, told apart by the field that only one of them has."""


class Scope(Model):
    """How far the change is expected to reach, against the base; what lies beyond fails. None is no bound.

    ``max_lines`` counts lines added and removed; a file that is no text counts each time as one line.
    """

    paths: Annotated[tuple[Glob, ...], Field(max_length=1_000)] = ()
    max_files: Annotated[int, Field(strict=True, ge=0, le=10_000)] | None = None
    max_lines: Annotated[int, Field(strict=True, ge=0, le=100_000_000)] | None = None


class TaskSpec(Model):
    """A task. ``overlay`` is a directory beside the task's file; its files are laid over the candidate before checking.

    ``protected`` are paths that a change must leave as the base, or without a base the overlay, has them. ``artifacts``
    are files that the candidate has to hold; where one is missing nothing is run (SCN-07).
    """

    version: Literal[1] = 1
    brief: Text
    checks: Annotated[tuple[Check, ...], Field(min_length=1, max_length=MAX_CHECKS)]
    overlay: Path | None = None
    protected: Annotated[tuple[Glob, ...], Field(max_length=1_000)] = ()
    artifacts: Annotated[tuple[Path, ...], Field(max_length=1_000)] = ()
    scope: Scope | None = None

    @model_validator(mode="after")
    def _named_apart(self) -> Self:
        names = [check.name for check in self.checks]
        if len(set(names)) != len(names):
            raise ValueError("two checks have the same name")
        return self

    @property
    def needs_base(self) -> bool:
        """True iff something can only be decided against the tree before the change."""
        return self.scope is not None or any(check.must_fail_before for check in self.checks)

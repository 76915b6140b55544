"""Compare plain decoded observations with expectations, outside the sandbox (law 1, DEC-08). Pure."""

from __future__ import annotations

import csv
import io
from collections.abc import Mapping
from typing import assert_never

from contracts.probe import (
    ArgumentExpectation,
    ExitExpectation,
    Expectation,
    FileExpectation,
    FileObservation,
    Observation,
    RaiseExpectation,
    RepeatExpectation,
    ResponseExpectation,
    ReturnExpectation,
    Stream,
    TextExpectation,
    TypeExpectation,
)
from tasks.validation.check_calls import check_argument, check_raise, check_return, check_type
from tasks.validation.check_responses import check_response
from tasks.validation.readable import quoted, seen, wanted_text

Rows = list[list[str]]


def check(expectation: Expectation, observation: Observation, others: Mapping[str, Observation]) -> str | None:
    """Why ``observation`` does not meet ``expectation``, in words, or None if it does.

    Args:
        expectation: the judgement's right-hand side.
        observation: what one run showed.
        others: observations of the same layer by probe id, for comparisons between runs.
    """
    match expectation:
        case ExitExpectation():
            return _check_exit(expectation, observation)
        case TextExpectation():
            return _check_text(expectation, observation)
        case FileExpectation():
            return _check_file(expectation, observation)
        case RepeatExpectation():
            return _check_repeat(expectation, observation, others)
        case ReturnExpectation():
            return check_return(expectation, observation)
        case TypeExpectation():
            return check_type(expectation, observation)
        case RaiseExpectation():
            return check_raise(expectation, observation)
        case ArgumentExpectation():
            return check_argument(expectation, observation)
        case ResponseExpectation():
            return check_response(expectation, observation)
        case _ as never:
            assert_never(never)


def is_cut(expectation: Expectation, observation: Observation) -> bool:
    """True iff the expectation concerns a text of which the sandbox kept a part only (law 3)."""
    match expectation:
        case TextExpectation():
            return _stream(expectation, observation).truncated
        case FileExpectation(relation="text" | "csv" | "bytes"):
            file = _file(observation, expectation.path)
            return file is not None and file.kind == "file" and file.content is None
        case _:
            return False


def csv_rows(content: bytes, separator: str = ",") -> Rows:
    """The rows of a CSV text (RFC 4180 but for the separator, either line end, blank lines ignored).

    Raises:
        ValueError: not UTF-8, or not readable as CSV.
    """
    text = content.decode("utf-8")
    try:
        rows = csv.reader(io.StringIO(text, newline=""), delimiter=separator, strict=True)
        return [row for row in rows if row]
    except csv.Error as error:
        raise ValueError(str(error)) from error


def lines_of(content: bytes) -> str:
    """UTF-8 text with LF line ends; raises ValueError where it is not UTF-8."""
    return content.decode("utf-8").replace("\r\n", "\n")


def _check_exit(expectation: ExitExpectation, observation: Observation) -> str | None:
    status = observation.exit_code
    if observation.outcome != "exited" or status is None:
        return "the program did not exit by itself"
    if (status == expectation.status) is (expectation.relation == "equals"):
        return None
    other = "" if expectation.relation == "equals" else "something other than "
    return f"exit status is {status}, expected {other}{expectation.status}"


def _stream(expectation: TextExpectation, observation: Observation) -> Stream:
    return observation.stdout if expectation.channel == "stdout" else observation.stderr


def _check_text(expectation: TextExpectation, observation: Observation) -> str | None:
    stream, name = _stream(expectation, observation), expectation.channel
    if stream.truncated:
        return f"{name} is too long to be judged: {stream.length} bytes"
    try:
        text = lines_of(stream.head)
    except UnicodeDecodeError as error:
        return f"{name} is not UTF-8 at byte {error.start}"
    wanted = expectation.text.replace("\r\n", "\n")
    match expectation.relation:
        case "equals":
            fine = text in _allowed(wanted, expectation.newline)
        case "contains":
            fine = wanted in text
        case "empty":
            fine = text == ""
        case "not_empty":
            fine = text.strip() != ""
        case _ as never:
            assert_never(never)
    return None if fine else f"{name} is {quoted(stream.head)}, expected {wanted_text(expectation)}"


def _allowed(text: str, newline: str) -> tuple[str, ...]:
    if newline == "required":
        return (text + "\n",)
    return (text,) if newline == "forbidden" else (text, text + "\n")


def _file(observation: Observation, path: str) -> FileObservation | None:
    return next((file for file in observation.files if file.path == path), None)


def _check_file(expectation: FileExpectation, observation: Observation) -> str | None:
    file, path = _file(observation, expectation.path), expectation.path
    if expectation.relation == "absent":
        return None if file is None else f"{path} was written, expected no such file"
    if file is None:
        return f"{path} was not written"
    if file.kind != "file":
        return f"{path} is a {file.kind}, expected a file"
    if expectation.relation == "exists":
        return None
    if file.content is None:
        return f"{path} is too long to be judged: {file.size} bytes"
    return _check_content(expectation, file.content)


def _check_content(expectation: FileExpectation, content: bytes) -> str | None:
    path = expectation.path
    match expectation.relation:
        case "csv":
            return _check_rows(expectation, content)
        case "text":
            try:
                fine = _body(content) == _body(expectation.content)
            except UnicodeDecodeError as error:
                return f"{path} is not UTF-8 at byte {error.start}"
        case _:
            fine = content == expectation.content
    return None if fine else f"{path} holds {quoted(content)}, expected {quoted(expectation.content)}"


def _body(content: bytes) -> str:
    return lines_of(content).removesuffix("\n")


def _check_rows(expectation: FileExpectation, content: bytes) -> str | None:
    try:
        found = csv_rows(content, expectation.separator)
    except ValueError as error:
        return f"{expectation.path} is not readable as CSV: {error}"
    wanted = csv_rows(expectation.content, expectation.separator)
    if expectation.ignore:
        found, wanted = _without(found, expectation.ignore), _without(wanted, expectation.ignore)
    for number, (left, right) in enumerate(zip(found, wanted, strict=False), start=1):
        if left != right:
            return f"row {number} of {expectation.path} is {_row(left)}, expected {_row(right)}"
    if len(found) != len(wanted):
        return f"{expectation.path} has {len(found)} rows, expected {len(wanted)}"
    return None


def _without(rows: Rows, columns: tuple[str, ...]) -> Rows:
    """The rows with the fields of ``columns`` (named by the first row) blanked; their presence still counts."""
    header = rows[0] if rows else []
    places = {place for place, name in enumerate(header) if name in columns}
    blanked = [["" if place in places else field for place, field in enumerate(row)] for row in rows[1:]]
    return [header, *blanked] if rows else []


def _row(fields: list[str]) -> str:
    return quoted(",".join(fields).encode("utf-8", "backslashreplace"))


def _check_repeat(
    expectation: RepeatExpectation, observation: Observation, others: Mapping[str, Observation]
) -> str | None:
    first = others.get(expectation.of)
    if first is None:
        return f"there is no run {expectation.of} to compare with"
    if (first.outcome, first.exit_code) != (observation.outcome, observation.exit_code):
        return f"a second run ended with status {observation.exit_code}, the first with {first.exit_code}"
    if not _alike(first, observation):
        return f"a second run: {seen(observation)}; the first: {seen(first)}"
    if observation.responses:
        return None  # what a server logs holds times
    if first.stdout.digest != observation.stdout.digest:
        return f"a second run printed {quoted(observation.stdout.head)}, the first {quoted(first.stdout.head)}"
    if _written(first) != _written(observation):
        return f"a second run wrote {_contents(observation)}, the first {_contents(first)}"
    return None


def _alike(one: Observation, other: Observation) -> bool:
    """The same result of a call, the same statuses of a server: bodies may hold what is new each time."""
    answers = [[(item.fault, item.status) for item in run.responses] for run in (one, other)]
    return one.value == other.value and answers[0] == answers[1]


def _written(observation: Observation) -> set[tuple[str, str, int, str | None]]:
    return {(file.path, file.kind, file.size, file.digest) for file in observation.files}


def _contents(observation: Observation) -> str:
    files = [f"{file.path} {quoted(file.content or b'')}" for file in observation.files]
    return ", ".join(files) or "no file"

"""Compare what a call gave back with what is expected of it: plain decoded data, outside the sandbox (DEC-08). Pure."""

from __future__ import annotations

import builtins
from collections.abc import Callable
from typing import Any

from contracts.probe import (
    ArgumentExpectation,
    Observation,
    Raised,
    RaiseExpectation,
    Returned,
    ReturnExpectation,
    TypeExpectation,
)
from contracts.value import ValueEncodingError, decode, encode, equal
from contracts.valuetype import conforms
from tasks.validation.readable import plain, result_text, type_text, value_text

_FORMS: dict[str, Callable[[Any], Any]] = {"list": list, "tuple": tuple, "set": set, "sorted": sorted}


def check_return(expectation: ReturnExpectation, observation: Observation) -> str | None:
    """Why the value is not the expected one, or None."""
    match observation.value:
        case Returned(value=value):
            seen = _formed(value, expectation.form)
            if seen is not None and equal(seen[0], expectation.value):
                return None
    return f"it {result_text(observation.value)}, expected {value_text(expectation.value)}"


def _formed(value: Any, form: str) -> tuple[Any] | None:
    """The value in the form in which it is compared; None where it has none."""
    if form == "as_is":
        return (value,)
    try:
        return (encode(_FORMS[form](decode(value))),)
    except (ValueEncodingError, TypeError):
        return None


def check_type(expectation: TypeExpectation, observation: Observation) -> str | None:
    """Why the value is not of the expected type, or None."""
    match observation.value:
        case Returned(value=value):
            fine = _conforms(value, expectation)
        case _:
            fine = not expectation.must_return
    return None if fine else f"it {result_text(observation.value)}, expected {type_text(expectation.type)}"


def _conforms(value: Any, expectation: TypeExpectation) -> bool:
    try:
        return conforms(decode(value), expectation.type)
    except ValueEncodingError:  # a list in a set: no program returns that, but a candidate can send it
        return False


def check_raise(expectation: RaiseExpectation, observation: Observation) -> str | None:
    """Why the call did not raise as expected, or None."""
    match observation.value:
        case Raised() as raised:
            message = expectation.message
            if is_a(raised, expectation.type) and message in {None, raised.message}:
                return None
    wanted = "" if expectation.message is None else f" with the message {plain(expectation.message)[:400]!r}"
    return f"it {result_text(observation.value)}, expected that it raises {expectation.type}{wanted}"


def is_a(raised: Raised, name: str) -> bool:
    """Whether the exception is of the class ``name``, or derived from it; a bare name matches in any module."""
    names = (raised.type, *raised.bases, *_builtin_bases(raised.type))
    return raised.stage == "call" and any(item == name or item.rpartition(".")[2] == name for item in names)


def _builtin_bases(name: str) -> tuple[str, ...]:
    """What a built-in exception derives from, whatever the candidate's process says."""
    kind = getattr(builtins, name, None)
    return tuple(base.__name__ for base in kind.__mro__) if isinstance(kind, type) else ()


def check_argument(expectation: ArgumentExpectation, observation: Observation) -> str | None:
    """Why the argument is not as expected after the call, or None. A call that raised meets it."""
    match observation.value:
        case Returned(arguments=after) if after is not None and expectation.place < len(after):
            if equal(after[expectation.place], expectation.value):
                return None
            seen = value_text(after[expectation.place])
        case Raised():
            return None
        case _:
            seen = "unknown"
    return f"argument {expectation.place + 1} is {seen} after the call, expected {value_text(expectation.value)}"

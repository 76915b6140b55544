"""Compare responses of a server with what is expected of them, outside the sandbox (law 1). Pure."""

from __future__ import annotations

import json
from typing import Any

from contracts.probe import HttpResponse, Observation, ResponseExpectation
from contracts.value import decode, encode, equal
from tasks.validation.readable import plain, quoted, response_text, value_text


def check_response(expectation: ResponseExpectation, observation: Observation) -> str | None:
    """Why the response at the place is not as expected, or None."""
    name = f"response {expectation.place + 1}"
    if expectation.place >= len(observation.responses):
        return f"{name} did not come"
    response = observation.responses[expectation.place]
    if response.fault is not None:
        return f"{name} is {response.fault.replace('_', ' ')}"
    if expectation.status is not None and response.status != expectation.status:
        return f"{name} is {response_text(response)}, expected the status {expectation.status}"
    missing = _missing_header(expectation, response)
    if missing is not None:
        return f"{name} lacks the header {missing}"
    return _body_fault(expectation, response, name)


def _missing_header(expectation: ResponseExpectation, response: HttpResponse) -> str | None:
    there = {(name.lower(), value.strip()) for name, value in response.headers}
    return next((f"{name}: {value}" for name, value in expectation.headers if (name.lower(), value) not in there), None)


def _body_fault(expectation: ResponseExpectation, response: HttpResponse, name: str) -> str | None:
    shown = quoted(response.body)
    match expectation.body:
        case "any":
            return None
        case "empty":
            return None if not response.body else f"the body of {name} is {shown}, expected none"
        case "text":
            try:
                seen = response.body.decode("utf-8").replace("\r\n", "\n")
            except UnicodeDecodeError as error:
                return f"the body of {name} is not UTF-8 at byte {error.start}"
            fine = seen.removesuffix("\n") == expectation.text.removesuffix("\n")
            return None if fine else f"the body of {name} is {shown}, expected {plain(expectation.text)[:400]!r}"
    try:
        body = encode(_json(response.body))
    except (ValueError, RecursionError) as error:
        return f"the body of {name} is no JSON that can be judged: {str(error)[:200]}"
    fine = equal(body, expectation.value) if expectation.body == "json" else _holds(body, expectation.value)
    return None if fine else f"the body of {name} is {shown}, expected {value_text(expectation.value)}"


def _json(body: bytes) -> Any:
    """The value of a JSON text (RFC 8259); raises ValueError for another, for NaN, and for a name that is repeated."""

    def unique(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
        if len(dict(pairs)) != len(pairs):
            raise ValueError("a name stands in an object twice")
        return dict(pairs)

    def refuse(constant: str) -> Any:
        raise ValueError(f"{constant} is no JSON")

    return json.loads(body.decode("utf-8"), object_pairs_hook=unique, parse_constant=refuse)


def _holds(seen: Any, wanted: Any) -> bool:
    """Whether every key of ``wanted`` is in ``seen`` with its value; inner objects alike."""
    if not (isinstance(wanted, dict) and isinstance(seen, dict) and "dict" in wanted and "dict" in seen):
        return equal(seen, wanted)
    there = {decode(key): value for key, value in seen["dict"]}
    return all(decode(key) in there and _holds(there[decode(key)], value) for key, value in wanted["dict"])

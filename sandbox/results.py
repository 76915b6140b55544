"""What a call and a server gave back, from bounded bytes to typed values, outside the sandbox (law 1, DEC-08)."""

from __future__ import annotations

import http.client
import io
import json
from contextlib import suppress
from typing import Any, Literal

from pydantic import ValidationError

from contracts.loading import DocumentError, load_json
from contracts.probe import CallProbe, HttpRequest, HttpResponse, Raised, Result, Returned, Stream, Unreadable

CALL = ("python3", "-P", "-s", "/opt/forge/call.py")
_PREFIX = 4

Fault = Literal["not_connected", "unfinished"] | None


def call_request(probe: CallProbe) -> bytes:
    """What call.py reads."""
    told = {"root", "module", "function", "arguments", "keywords", "watched"}
    return json.dumps(probe.model_dump(mode="json", include=told)).encode()


def result(stream: Stream) -> Result:
    """The claim that a candidate's process wrote to the pipe of its call: one frame and nothing else."""
    if stream.truncated:
        return Unreadable(reason=f"a value of {stream.length} bytes is too large")
    data = stream.head
    if not data:
        return Unreadable(reason="the program ended before the call did")
    if len(data) < _PREFIX or int.from_bytes(data[:_PREFIX], "big") != len(data) - _PREFIX:
        return Unreadable(reason="the pipe of the call holds something else than one frame")
    try:
        match load_json(data[_PREFIX:]):
            case {"returned": value, "arguments": list(after), **rest} if not rest:
                return Returned.model_validate({"value": value, "arguments": after})
            case {"returned": value, **rest} if not rest:
                return Returned.model_validate({"value": value})
            case {"raised": dict(raised), **rest} if not rest:
                return Raised.model_validate(raised)
            case {"unreadable": str(reason), **rest} if not rest:
                return Unreadable(reason=reason)
    except (DocumentError, ValidationError) as error:
        return Unreadable(reason=f"the frame of the call is malformed: {_line(error)}")
    return Unreadable(reason="the frame of the call is malformed")


def http_request(request: HttpRequest, port: int) -> bytes:
    """The bytes of a request."""
    given = {name.lower() for name, _ in request.headers}
    added = [("Host", f"127.0.0.1:{port}"), ("Connection", "close")]
    if request.body or request.method in ("POST", "PUT", "PATCH"):
        added.append(("Content-Length", str(len(request.body))))
    headers = [*((name, value) for name, value in added if name.lower() not in given), *request.headers]
    lines = [f"{request.method} {request.target} HTTP/1.1", *(f"{name}: {value}" for name, value in headers)]
    return "".join(f"{line}\r\n" for line in lines).encode("ascii") + b"\r\n" + request.body


def response(fault: Fault, stream: dict[str, Any], method: str) -> HttpResponse:
    """One response from the bytes that came back. A whole one is one, even if the connection was left open."""
    raw = Stream.model_validate(stream)
    if fault == "not_connected":
        return HttpResponse(fault=fault, raw=raw)
    if raw.truncated:
        return HttpResponse(fault="too_large", raw=raw)
    if not raw.length:
        return HttpResponse(fault="unfinished", raw=raw)
    with suppress(http.client.HTTPException, ValueError, LookupError, OSError):
        parsed = http.client.HTTPResponse(_Bytes(raw.head), method=method)  # type: ignore[arg-type]  # only makefile is used
        parsed.begin()
        ended_by_close = parsed.length is None and not parsed.chunked
        try:
            body = parsed.read()
        except http.client.IncompleteRead:
            return HttpResponse(fault="unfinished", raw=raw)
        return HttpResponse(
            fault="unfinished" if fault and ended_by_close else None,
            status=parsed.status,
            headers=tuple(parsed.getheaders()),
            body=body,
            raw=raw,
        )
    return HttpResponse(fault="malformed", raw=raw)


class _Bytes:
    def __init__(self, data: bytes) -> None:
        self._data = data

    def makefile(self, _mode: str) -> io.BytesIO:
        """As of a socket."""
        return io.BytesIO(self._data)


def _line(error: Exception) -> str:
    return " ".join(str(error).split())[:300]

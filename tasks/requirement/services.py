"""The exchanges that a text shows of an HTTP service: a request, and the status and body of its response. Pure."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator
from itertools import zip_longest

from pydantic import ValidationError

from contracts.canonical import digest_of
from contracts.probe import HttpRequest, ResponseExpectation
from contracts.requirement import AcceptanceCriterion, BuildSpec, ExchangeExample, Span
from contracts.value import encode
from tasks.requirement.literals import NoLiteralError, closing

PORT = 8_000
"""Where a service listens whose text names no port."""
_PORT = re.compile(r"\bport\s+(?:number\s+)?`?(\d{4,5})\b", re.IGNORECASE)
_REQUEST = re.compile(r"\b(?P<method>GET|POST|PUT|PATCH|DELETE|HEAD)\s+`?(?P<target>/[^\s`\"',;]*)")
_ANSWERS = re.compile(r"\b(?:returns?|responds?|answers?|replies|yields|gives|is\s+answered)\b|->|=>|→")
_STATUS = re.compile(r"(?<![\w.{\[\"])([1-5]\d\d)(?![\w.])")
_QUOTED = re.compile(r"`([^`\n]+)`|\"([^\"\n]+)\"")
_PLACEHOLDER = re.compile(r"[{}<>]|/:\w")


def with_exchanges(spec: BuildSpec, text: str) -> BuildSpec:
    """``spec`` with the exchanges that the text shows of a service; itself where there are none."""
    if spec.artefact != "service":
        return spec
    found = {item.id: item for item in _exchanges(spec, text)}
    criteria = {item.id: item for item in spec.acceptance_criteria}
    for item in found.values():
        atoms = (item.atom, item.id)
        name = f"ac-{digest_of(['example', *atoms]).removeprefix('sha256:')[:8]}"
        criteria[name] = AcceptanceCriterion(id=name, atoms=atoms, method="example", span=item.span)
    ordered = sorted(criteria.values(), key=lambda item: item.span.start)
    return spec.model_copy(update={"exchanges": tuple(found.values()), "acceptance_criteria": tuple(ordered)})


def _exchanges(spec: BuildSpec, text: str) -> Iterator[ExchangeExample]:
    port = _PORT.search(text)
    listens = int(port[1]) if port and 1024 <= int(port[1]) < 32_768 else PORT
    matches = list(_REQUEST.finditer(text))
    for match, following in zip_longest(matches, matches[1:]):
        end = _end(text, match.end(), following.start() if following else len(text))
        verb = _ANSWERS.search(text, match.end(), end)
        target = match["target"].rstrip(".:)")
        if verb is None or _PLACEHOLDER.search(target):
            continue
        try:
            body = _json_in(text, match.end(), verb.start())
            headers = (("Content-Type", "application/json"),) if body else ()
            request = HttpRequest(method=match["method"], target=target, headers=headers, body=body)
        except ValidationError:
            continue
        expectation = _response(text, verb.end(), end)
        if expectation is None:
            continue
        span = Span(start=match.start(), end=end)
        name = digest_of([request.document(), expectation.document()]).removeprefix("sha256:")[:8]
        yield ExchangeExample(
            id=f"ex-{name}",
            atom=_atom(spec, span),
            span=span,
            port=listens,
            request=request,
            expectations=(expectation,),
        )


def _end(text: str, start: int, limit: int) -> int:
    """The end of the sentence or line; what stands in brackets or quotes ends neither."""
    at = start
    while at < limit:
        if text[at] in "{[":
            try:
                at = closing(text, at)
                continue
            except NoLiteralError:
                pass
        if text[at] == "\n" or (text[at] in ".;" and text[at + 1 : at + 2] in {"", " ", "\n"}):
            return at
        at += 1
    return limit


def _json_in(text: str, start: int, end: int) -> bytes:
    """The JSON object or array that stands there, as it is written; nothing where none does."""
    for at in range(start, end):
        if text[at] in "{[":
            try:
                stop = closing(text, at)
                json.loads(text[at:stop])
            except (NoLiteralError, ValueError):
                continue
            return text[at:stop].encode()
    return b""


def _response(text: str, start: int, end: int) -> ResponseExpectation | None:
    """A status, a JSON body, a quoted text; None where none of them is stated."""
    said = text[start:end]
    body = _json_in(text, start, end)
    outside = said.replace(body.decode(), "") if body else said
    status = _STATUS.search(outside)
    quoted = _QUOTED.search(outside) if not body else None
    if status is None and not body:
        return None
    given: dict[str, object] = {"place": 0, "status": int(status[1]) if status else None}
    if body:
        given |= {"body": "json", "value": encode(json.loads(body))}
    elif quoted and not quoted[0].strip('`"').isdigit():
        given |= {"body": "text", "text": quoted[1] or quoted[2]}
    return ResponseExpectation.model_validate(given)


def _atom(spec: BuildSpec, span: Span) -> str:
    inside = [item for item in spec.requirement_atoms if item.span.start < span.end and span.start < item.span.end]
    return inside[0].id if inside else f"example-{span.start}"

"""What untrusted bytes look like to a person: bounded, and nothing in them reaches a terminal (GAME-41, GAME-50)."""

from __future__ import annotations

import shlex
from typing import Any, assert_never

from contracts.probe import (
    ArgumentExpectation,
    CallProbe,
    CommandProbe,
    ExitExpectation,
    Expectation,
    FileExpectation,
    HttpProbe,
    HttpResponse,
    Observation,
    Probe,
    ProbeCase,
    Raised,
    RaiseExpectation,
    RepeatExpectation,
    ResponseExpectation,
    Result,
    Returned,
    ReturnExpectation,
    TextExpectation,
    TypeExpectation,
)
from contracts.value import decode
from contracts.valuetype import ValueType
from contracts.verdict import Witness

SHOWN = 400
KEPT = 4_096


def plain(text: str) -> str:
    """Printable text: every control, format and private character escaped; line feeds stay."""
    return "".join(char if char.isprintable() or char == "\n" else _escaped(char) for char in text)


def quoted(data: bytes, limit: int = SHOWN) -> str:
    """At most ``limit`` bytes of ``data`` on one line, in double quotes."""
    text = data[:limit].decode("utf-8", "backslashreplace").replace("\\", "\\\\").replace('"', '\\"')
    shown = plain(text).replace("\n", "\\n")
    more = len(data) - limit
    return f'"{shown}"' + (f" and {more} more bytes" if more > 0 else "")


def command(probe: Probe) -> str:
    """What a person would type beside the program to repeat ``probe``: a command line, a call, or requests."""
    if isinstance(probe, CallProbe):
        return plain(_call(probe))[:KEPT]
    words = [word.removeprefix("/candidate/") for word in probe.argv]
    changed = [f"{name}={value}" for name, value in sorted(probe.environment.items())]
    line = shlex.join([*changed, *words])
    if isinstance(probe, HttpProbe):
        line += "".join(f"; {request.method} {request.target}" for request in probe.requests)
    return plain(line)[:KEPT]


def _call(probe: CallProbe) -> str:
    given = [*map(value_text, probe.arguments)]
    given += [f"{name}={value_text(value)}" for name, value in probe.keywords.items()]
    return f"{probe.function}({', '.join(given)})"


def inputs(probe: Probe) -> dict[str, bytes]:
    """The input files, standard input and bodies of requests of ``probe``, each cut to `KEPT` bytes."""
    files = {file.path.encode("ascii", "backslashreplace").decode(): file.content for file in probe.files}
    if isinstance(probe, CommandProbe) and probe.stdin is not None:
        files["standard input"] = probe.stdin
    if isinstance(probe, HttpProbe):
        files |= {f"body {place}": item.body for place, item in enumerate(probe.requests, start=1) if item.body}
    return {name: content[:KEPT] for name, content in files.items()}


def value_text(value: Any) -> str:
    """An encoded value as Python writes it, on one bounded line; the same text for the same value."""
    return plain(_written(value)).replace("\n", "\\n")[:SHOWN]


def _written(value: Any) -> str:
    """Sets in the order of their encoding: that of Python's own texts differs from run to run."""
    if isinstance(value, list):
        return f"[{', '.join(map(_written, value))}]"
    if not isinstance(value, dict):
        return repr(value)
    ((tag, content),) = value.items()
    match tag:
        case "tuple":
            return f"({', '.join(map(_written, content))}{',' if len(content) == 1 else ''})"
        case "set":
            return f"{{{', '.join(map(_written, content))}}}" if content else "set()"
        case "frozenset" | "iterator":
            return f"{'iter' if tag == 'iterator' else tag}([{', '.join(map(_written, content))}])"
        case "dict":
            return f"{{{', '.join(f'{_written(key)}: {_written(item)}' for key, item in content)}}}"
        case "int":  # Python would not write more than some thousands of digits
            return str(content)
        case _:
            return repr(decode(value))


def result_text(result: Result | None) -> str:
    """What a call did, as the predicate of a sentence."""
    match result:
        case Returned(value=value):
            return f"returned {value_text(value)}"
        case Raised(stage=stage, type=kind, message=message):
            where = "raised" if stage == "call" else "could not be imported:"
            return f"{where} {plain(kind)}: {plain(message)[:SHOWN]}".rstrip(": ").replace("\n", "\\n")
        case None:
            return "gave no value back"
        case _:
            return f"gave no readable value back: {plain(result.reason)}"


def response_text(response: HttpResponse) -> str:
    """A response in one bounded line."""
    if response.fault is not None:
        return response.fault.replace("_", " ")
    return f"{response.status} {quoted(response.body)}"


def seen(observation: Observation) -> str:
    """What a run showed, in one bounded line."""
    if observation.value is not None and observation.outcome == "exited":
        return f"it {result_text(observation.value)}"
    if observation.responses:
        return "; ".join(map(response_text, observation.responses))[:KEPT]
    parts = [_ending(observation), f"stdout {quoted(observation.stdout.head)}"]
    if observation.stderr.length:
        parts.append(f"stderr {quoted(_last(observation))}")
    parts += [f"{plain(file.path)} {quoted(file.content or b'')}" for file in observation.files[:4]]
    parts += [f"left behind: {plain(item)[:SHOWN]}" for item in observation.leftovers[:4]]
    return "; ".join(parts)


def wanted(expectations: tuple[Expectation, ...]) -> str:
    """The expectations of a case, in words."""
    return "; ".join(_wanted(item) for item in expectations) or "the program ends by itself"


def wanted_text(expectation: TextExpectation) -> str:
    """The right-hand side of a text expectation, in words."""
    text = quoted(expectation.text.encode())
    match expectation.relation:
        case "equals":
            ending = {"optional": "", "required": " and a newline", "forbidden": " and no newline"}
            return f"{text}{ending[expectation.newline]}"
        case "contains":
            return f"something that contains {text}"
        case "empty":
            return "nothing"
        case "not_empty":
            return "something"
        case _ as never:
            assert_never(never)


def witness(case: ProbeCase, observation: Observation, expectations: tuple[Expectation, ...]) -> Witness:
    """The evidence for a failure of ``case``: enough to repeat it by hand."""
    return Witness(
        probe=case.probe.id,
        command=command(case.probe),
        files=inputs(case.probe),
        expected=wanted(expectations),
        observed=seen(observation),
    )


def _escaped(char: str) -> str:
    return char.encode("unicode_escape", "backslashreplace").decode("ascii")


def _last(observation: Observation) -> bytes:
    """The end of standard error: a traceback says at its end what happened."""
    stream = observation.stderr
    return (stream.tail if stream.truncated else stream.head)[-SHOWN:]


def _ending(observation: Observation) -> str:
    if observation.outcome == "exited":
        return f"exit status {observation.exit_code}"
    if observation.limit is not None:
        limit = observation.limit
        return f"stopped at the limit {limit.name}={limit.configured}"
    if observation.outcome == "signalled":
        return f"killed by signal {observation.signal}"
    return plain(observation.detail or observation.outcome)[:SHOWN]


def _wanted(item: Expectation) -> str:
    match item:
        case ExitExpectation():
            return f"exit status {'' if item.relation == 'equals' else 'other than '}{item.status}"
        case FileExpectation(relation="exists" | "absent"):
            return f"{item.path} {item.relation}"
        case FileExpectation():
            return f"{item.path} {quoted(item.content)}"
        case RepeatExpectation():
            return f"the same as the run {item.of}"
        case TextExpectation():
            return f"{item.channel} {wanted_text(item)}"
        case ResponseExpectation():
            return f"response {item.place + 1}: {_wanted_response(item)}"
        case _:
            return _wanted_call(item)


def _wanted_call(item: ReturnExpectation | RaiseExpectation | TypeExpectation | ArgumentExpectation) -> str:
    match item:
        case ReturnExpectation():
            return f"it returns {value_text(item.value)}"
        case RaiseExpectation():
            return f"it raises {item.type}"
        case TypeExpectation():
            return f"it returns a value of type {type_text(item.type)}"
        case ArgumentExpectation():
            return f"argument {item.place + 1} is {value_text(item.value)} afterwards"
        case _ as never:
            assert_never(never)


def _wanted_response(item: ResponseExpectation) -> str:
    status = [] if item.status is None else [f"status {item.status}"]
    bodies = {"text": quoted(item.text.encode()), "empty": "no body", "any": ""}
    body = bodies.get(item.body, f"JSON {value_text(item.value)}")
    return ", ".join([*status, *filter(None, [body]), *(f"{name}: {value}" for name, value in item.headers)])


def type_text(kind: ValueType) -> str:
    """A type as Python writes it."""
    if kind.name == "union":
        return " | ".join(map(type_text, kind.of))
    parts = ", ".join([*map(type_text, kind.of), *(["..."] if kind.name == "tuple" and kind.repeated else [])])
    return f"{kind.name}[{parts}]" if parts else kind.name

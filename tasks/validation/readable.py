"""What untrusted bytes look like to a person: bounded, and nothing in them reaches a terminal (GAME-41, GAME-50)."""

from __future__ import annotations

import shlex
from typing import assert_never

from contracts.probe import (
    CommandProbe,
    ExitExpectation,
    Expectation,
    FileExpectation,
    Observation,
    ProbeCase,
    RepeatExpectation,
    TextExpectation,
)
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


def command(probe: CommandProbe) -> str:
    """The command line of ``probe``, as a person would type it beside the program."""
    words = [word.removeprefix("/candidate/") for word in probe.argv]
    changed = [f"{name}={value}" for name, value in sorted(probe.environment.items())]
    return plain(shlex.join([*changed, *words]))[:KEPT]


def inputs(probe: CommandProbe) -> dict[str, bytes]:
    """The input files and standard input of ``probe``, each cut to `KEPT` bytes."""
    files = {file.path.encode("ascii", "backslashreplace").decode(): file.content for file in probe.files}
    if probe.stdin is not None:
        files["standard input"] = probe.stdin
    return {name: content[:KEPT] for name, content in files.items()}


def seen(observation: Observation) -> str:
    """What a run showed, in one bounded line."""
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
        case _:
            return f"{item.channel} {wanted_text(item)}"

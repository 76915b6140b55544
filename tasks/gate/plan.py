"""What is run for a check, and what is expected of it: from the task alone. Pure, so that the judge knows it too."""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator
from typing import Any

from contracts.gate import Call, Channel
from contracts.isolation import Limits, SandboxPolicy
from contracts.model import Model
from contracts.probe import (
    CallProbe,
    CommandProbe,
    ExitExpectation,
    Expectation,
    FileExpectation,
    InputFile,
    Probe,
    RaiseExpectation,
    ReturnExpectation,
    TextExpectation,
)
from contracts.taskspec import (
    CallCheck,
    CallRule,
    Check,
    CommandCheck,
    FileRule,
    ProbeCheck,
    ProbeRule,
    StreamRule,
    Suite,
)

MANIFEST = "manifest"
PYTHON = ("python3", "-I", "-B")
_MIB = 1024 * 1024
_KEPT = {True: 8 * _MIB, False: 64 * 1024}
"""What is kept of an output, and of a manifest."""

_NO_BOUND = 2**50
"""Output is kept in part and counted in full; printing much is no failure (SBX-05, SBX-21)."""


def channel(check: Check) -> Channel:
    """How the result of a check is read."""
    if isinstance(check, CommandCheck):
        return "exit_status"
    if isinstance(check, (ProbeCheck, CallCheck)):
        return "expectations"
    return "apart" if check.tests.subject else "reporter"


def policy_of(check: Check, policy: SandboxPolicy, files: int, size: int) -> SandboxPolicy:
    """The policy of one check: its own limits, with room for a writable copy of a tree of so many files and bytes."""
    scratch = check.limits.scratch_mb * _MIB + size
    limits = Limits(
        wall_ms=check.timeout_s * 1_000,
        cpu_ms=check.timeout_s * 8_000,
        memory_bytes=check.limits.memory_mb * _MIB + size,
        processes=check.limits.processes,
        file_bytes=scratch,
        open_files=1_024,
        scratch_bytes=scratch,
        scratch_inodes=20_000 + 3 * files,
        output_bytes=_NO_BOUND,
        kept_bytes=_KEPT[channel(check) in ("reporter", "apart")],
    )
    return policy.model_copy(update={"limits": limits})


def command_probe(check: CommandCheck) -> CommandProbe:
    """The command in a shell, in a writable copy of the tree; standard input is empty (SBX-10)."""
    return CommandProbe(id=check.name, argv=(*PYTHON, "/opt/forge/tree_copy.py", check.run))


def suite_probe(name: str, tests: Suite, key: str, calls: Iterable[Call]) -> CommandProbe:
    """Tests under a reporter that proves what it writes with ``key``; ``calls`` are those that have been made."""
    program = "watch_node.py" if tests.runner == "node" else "watch_tests.py"
    request = {
        "runner": tests.runner,
        "capture": tests.capture,
        "paths": list(tests.paths),
        "key": key,
        "subject": list(tests.subject),
        "answers": dict(map(_answer, calls)),
    }
    return CommandProbe(id=name, argv=(*PYTHON, f"/opt/forge/{program}"), stdin=json.dumps(request).encode())


def call_probe(asked: dict[str, Any], number: int, paths: frozenset[str]) -> CallProbe:
    """The call that a test asked for. ``paths`` of the tree tell where a module's name ends and a function's begins."""
    parts = str(asked["name"]).split(".")
    ends = range(len(parts) - 1, 0, -1)
    end = next((end for end in ends if _is_module("/".join(parts[:end]), paths)), len(parts) - 1)
    return CallProbe(
        id=f"call-{number}",
        module=".".join(parts[:end]),
        function=".".join(parts[end:]),
        arguments=tuple(asked["arguments"]),
        keywords=asked["keywords"],
        watched=True,
    )


def _is_module(path: str, paths: frozenset[str]) -> bool:
    return f"{path}.py" in paths or any(other.startswith(f"{path}/") for other in paths)


def _answer(call: Call) -> tuple[str, dict[str, Any]]:
    """The question as the stand-in writes it, and what came of it."""
    asked = {
        "test": call.test,
        "name": call.name,
        "arguments": list(call.probe.arguments),
        "keywords": call.probe.keywords,
        "time": call.time,
    }
    value = call.observation.value
    if value is None or call.observation.outcome != "exited":
        answer: dict[str, Any] = {"unreadable": f"the call did not end by itself: {call.observation.outcome}"}
    elif value.kind == "returned":
        answer = {"returned": value.value, "arguments": None if value.arguments is None else list(value.arguments)}
    elif value.kind == "raised":
        answer = {"raised": value.type, "bases": list(value.bases), "message": value.message}
    else:
        answer = {"unreadable": value.reason}
    return json.dumps(asked, sort_keys=True), answer


class Case(Model):
    """One structured run and what is expected of it."""

    probe: Probe
    expectations: tuple[Expectation, ...]


def cases(check: ProbeCheck | CallCheck) -> Iterator[Case]:
    """The cases of a check with expectations, in order (SPEC-13)."""
    if isinstance(check, ProbeCheck):
        for number, rule in enumerate(check.probes):
            yield Case(probe=_command(number, rule), expectations=tuple(_expectations(rule)))
    else:
        for number, call in enumerate(check.calls):
            probe = CallProbe(
                id=f"call-{number}",
                module=check.module,
                function=check.function,
                arguments=call.arguments,
                keywords=call.keywords,
            )
            yield Case(probe=probe, expectations=(_outcome(call),))


def _command(number: int, rule: ProbeRule) -> CommandProbe:
    return CommandProbe(
        id=f"probe-{number}",
        argv=rule.argv,
        stdin=None if rule.stdin is None else rule.stdin.encode(),
        files=tuple(InputFile(path=file.path, content=file.text.encode()) for file in rule.files),
    )


def _expectations(rule: ProbeRule) -> Iterator[Expectation]:
    yield ExitExpectation(status=rule.exit)
    if rule.stdout is not None:
        yield _stream("stdout", rule.stdout)
    if rule.stderr is not None:
        yield _stream("stderr", rule.stderr)
    yield from map(_file, rule.expect_files)


def _stream(name: str, rule: StreamRule) -> TextExpectation:
    relation = next(iter(rule.model_dump(exclude_none=True)))
    text = rule.equals if rule.equals is not None else rule.contains or ""
    return TextExpectation.model_validate({"channel": name, "relation": relation, "text": text.removesuffix("\n")})


def _file(rule: FileRule) -> FileExpectation:
    if rule.absent:
        return FileExpectation(path=rule.path, relation="absent")
    if rule.csv is not None:
        return FileExpectation(path=rule.path, relation="csv", content=rule.csv.encode())
    return FileExpectation(path=rule.path, relation="text", content=(rule.text or "").encode())


def _outcome(rule: CallRule) -> Expectation:
    return RaiseExpectation(type=rule.raises) if rule.raises is not None else ReturnExpectation(value=rule.returns)

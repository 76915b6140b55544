"""The cases of the runtime layer: the same for every candidate, and so sealed before there is one (law 2)."""

from __future__ import annotations

import json
from collections.abc import Iterator, Sequence

from contracts.probe import (
    CallProbe,
    CommandProbe,
    ExitExpectation,
    Expectation,
    Probe,
    ProbeCase,
    RepeatExpectation,
    ResponseExpectation,
    ReturnExpectation,
    TypeExpectation,
)
from contracts.requirement import BuildSpec
from contracts.valuetype import ValueType
from tasks.reading.generators import proving, success
from tasks.validation.cases import LISTING

TOOLS = "/opt/forge"  # the toolbox, inside the sandbox
TESTS_WALL_MS = 30_000
HASH_SEEDS = ("1", "2", "4242")
RICH_BYTES = 4_096

Answers = tuple[Expectation, ...]


def samples(spec: BuildSpec, compared: Sequence[ProbeCase]) -> tuple[tuple[Probe, ...], Answers]:
    """Ordinary inputs for the entry point, a small and a rich one, and what every answer to them has in common.

    Without readings only a table of known columns, or a call that the text shows, is known to be ordinary; other
    programs just have to end.
    """
    if spec.functions:
        returned = [case.probe for case in compared if any(isinstance(e, ReturnExpectation) for e in case.expectations)]
        must: Answers = (TypeExpectation(type=ValueType(name="any"), must_return=True),)
        return _small_and_rich(returned), must
    if spec.exchanges:
        stated = [case.probe for case in compared if case.origin == "example"]
        return tuple(stated[:1]), (ResponseExpectation(place=0),)
    succeeds = ExitExpectation(status=success(spec))
    known = [case.probe for case in compared if succeeds in case.expectations]
    tables = [case.probe for case in compared] if spec.interface.columns else []
    ordinary = known or tables
    if not ordinary:
        return tuple(case.probe for case in compared[:1]), ()
    return _small_and_rich(ordinary), (succeeds,)


def _small_and_rich(probes: Sequence[Probe]) -> tuple[Probe, ...]:
    rich = sorted(probes, key=lambda probe: -input_size(probe) if input_size(probe) <= RICH_BYTES else 0)
    return tuple({probe.id: probe for probe in (*probes[:1], *rich[:1])}.values())


def standing_cases(spec: BuildSpec, inputs: Sequence[Probe], answers: Answers) -> tuple[ProbeCase, ...]:
    """Syntax, imports, the entry point on ordinary ``inputs``, repeated runs, the candidate's own tests."""
    return (
        _tool_case("parse", "check_syntax.py"),
        _tool_case("import", "check_imports.py"),
        *(case for number, probe in enumerate(inputs) for case in _entry_cases(probe, answers, number)),
        *_tests_cases(spec),
    )


def input_size(probe: Probe) -> int:
    """How much a run is given, in bytes or thereabouts."""
    if isinstance(probe, CallProbe):
        return len(json.dumps([*probe.arguments, *probe.keywords.values()]))
    given = (probe.stdin or b"") if isinstance(probe, CommandProbe) else b"".join(item.body for item in probe.requests)
    return len(given) + sum(len(file.content) for file in probe.files)


def _tool_case(origin: str, script: str) -> ProbeCase:
    """A helper of ours that reads the candidate's files and runs none of them."""
    probe = CommandProbe(id=f"{origin}-000", argv=("python3", "-I", f"{TOOLS}/{script}", "/candidate"))
    return ProbeCase.model_validate({"probe": probe, "origin": origin, "expectations": (ExitExpectation(status=0),)})


def _entry_cases(sample: Probe, answers: Answers, number: int) -> Iterator[ProbeCase]:
    first = f"entry-{number:03}"
    yield ProbeCase(probe=sample.model_copy(update={"id": first}), origin="entry", expectations=answers)
    for seed in HASH_SEEDS:
        yield _repeat(sample, first, number, seed)


def _repeat(sample: Probe, first: str, number: int, seed: str) -> ProbeCase:
    """The same run under another hash seed: an order that comes from a set shows here."""
    changed = {"id": f"repeat-{number:03}-{seed}", "environment": sample.environment | {"PYTHONHASHSEED": seed}}
    probe = sample.model_copy(update=changed)
    return ProbeCase(probe=probe, origin="repeat", expectations=(RepeatExpectation(of=first),))


def _tests_cases(spec: BuildSpec) -> Iterator[ProbeCase]:
    """The candidate's own tests: that there are any, and its claim that they hold; required where the text asks."""
    asked = proving(spec, "tests")
    expectations: Answers = (ExitExpectation(status=0),) if asked else ()
    for number, script in enumerate((LISTING, "run_tests.py")):
        probe = CommandProbe(
            id=f"tests-{number:03}",
            argv=("python3", "-I", f"{TOOLS}/{script}", "/candidate"),
            wall_ms=TESTS_WALL_MS,
        )
        yield ProbeCase(probe=probe, origin="tests", obligations=asked, expectations=expectations)

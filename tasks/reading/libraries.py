"""Probes of a library's functions: what the text states of calls, and generated calls with their standing (DEC-09)."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any, NamedTuple

from contracts.probe import (
    ArgumentExpectation,
    CallProbe,
    Expectation,
    ProbeCase,
    ProbePlan,
    Standing,
    TypeExpectation,
)
from contracts.requirement import BuildSpec, FunctionInterface
from contracts.value import encode
from tasks.reading.calls import Arguments, calls_of
from tasks.reading.shown import is_edge, shown_traits, unshown
from tasks.reading.situation import convention

READING_MS = 2_000
"""A reading that takes longer on a generated input has no say on it."""
FURTHER = 20
FURTHER_BYTES = 2_000


def module_of(spec: BuildSpec) -> str:
    """The module that functions are imported from, by convention; `tasks.validation.placing` finds it elsewhere too."""
    return convention(spec, "python.entry", "main.py").removesuffix(".py").replace("/", ".")


def call_examples(spec: BuildSpec) -> tuple[ProbeCase, ...]:
    """The calls that the text shows, with what it states of each."""
    functions = {item.name: item for item in spec.functions}
    return tuple(
        ProbeCase(
            probe=CallProbe(
                id=f"example-{number:03}",
                module=module_of(spec),
                function=example.function,
                arguments=example.arguments,
                keywords=example.keywords,
                watched=functions[example.function].mutation == "forbidden",
            ),
            origin="example",
            obligations=tuple(item.id for item in spec.acceptance_criteria if example.id in item.atoms),
            expectations=(*example.expectations, *_always(functions[example.function], example.arguments)),
        )
        for number, example in enumerate(spec.calls)
    )


class Generated(NamedTuple):
    """Calls by type, and calls close to an example: who knows examples by heart behaves otherwise there (GAME-31)."""

    wide: tuple[ProbeCase, ...]
    near: tuple[ProbeCase, ...]


def generated_calls(spec: BuildSpec, seed: int) -> Generated:
    """Calls inside, at the edge of and outside of what the text shows, each with what holds of every call."""
    wide: list[ProbeCase] = []
    near: list[ProbeCase] = []
    text = " ".join(atom.text for atom in spec.requirement_atoms)
    for calls in calls_of(spec, seed):
        shown = shown_traits(text, calls.examples)
        for found, lists, name in ((wide, calls.generated, "generated"), (near, calls.near, "near")):
            start = len(found)
            found += [
                _case(spec, calls.function, arguments, f"{name}-{number:03}", _standing(unshown(arguments, shown)))
                for number, arguments in enumerate(lists, start)
            ]
    return Generated(tuple(wide), tuple(near))


def further_calls(spec: BuildSpec, plan: ProbePlan) -> tuple[CallProbe, ...]:
    """Small calls beyond those of the sealed plan, from the same generator (DEC-14); with no expectation."""
    known = {_contents(case.probe) for case in plan.cases if isinstance(case.probe, CallProbe)}
    generated = generated_calls(spec, plan.seed + 1)
    cases = (*generated.near, *reversed(generated.wide))
    probes = [case.probe for case in cases if isinstance(case.probe, CallProbe) and case.standing == "shown"]
    fresh = [item for item in probes if _contents(item) not in known and len(_contents(item)) <= FURTHER_BYTES]
    return tuple(item.model_copy(update={"id": f"further-{number:03}"}) for number, item in enumerate(fresh[:FURTHER]))


def _contents(probe: CallProbe) -> str:
    return repr((probe.function, probe.arguments, probe.keywords))


def _case(
    spec: BuildSpec, function: FunctionInterface, arguments: Arguments, name: str, standing: Standing
) -> ProbeCase:
    encoded = tuple(encode(value) for value in arguments)
    probe = CallProbe(
        id=name,
        module=module_of(spec),
        function=function.name,
        arguments=encoded,
        watched=function.mutation != "free",
        wall_ms=READING_MS,
    )
    return ProbeCase(
        probe=probe,
        origin="near_example" if name.startswith("near") else "invariant",
        expectations=tuple(_always(function, encoded)),
        standing=standing,
    )


def _standing(traits: frozenset[str]) -> Standing:
    if not traits:
        return "shown"
    return "edge" if is_edge(traits) else "outside"


def _always(function: FunctionInterface, arguments: Sequence[Any]) -> Iterator[Expectation]:
    """What holds of every call: the type that the annotation states, and that arguments stay as they are."""
    if function.returns.name not in {"any", "other"}:
        yield TypeExpectation(type=function.returns)
    if function.mutation == "forbidden":
        yield from (ArgumentExpectation(place=place, value=value) for place, value in enumerate(arguments))

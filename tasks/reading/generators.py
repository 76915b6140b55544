"""All probes of a build, made from the BuildSpec and a seed before any candidate exists (laws 2, 8; DEC-14).

What an expectation rests on stands in the text (examples, conditionals, invariants) or is added by the reader, where
independent readings agree. The generated inputs themselves come with no expectation.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import replace
from itertools import islice
from random import Random

from contracts.probe import CommandProbe, ExitExpectation, Expectation, Probe, ProbeCase, ProbePlan
from contracts.requirement import BuildSpec, ConditionalObligation, Trigger, TriggerKind
from tasks.reading.contents import contents
from tasks.reading.situation import (
    SUFFIX,
    Situation,
    calls,
    convention,
    input_file,
    missing_input,
    program,
    usual,
)
from tasks.reading.tables import far_table, tables
from tasks.reading.texts import near
from tasks.reading.values import argument_values

BLANK_FILES = (b"\n", b" \n\t\r\n  \n", b"   ")
NEAR_EXAMPLES = 24
FURTHER = 20
FURTHER_BYTES = 4_096
MANY = 4_000
FLAGGED = 2
"""Each flag is given with one content of so many."""


def success(spec: BuildSpec) -> int:
    """The exit status that means success."""
    return int(convention(spec, "exit.success", "0"))


def proving(spec: BuildSpec, *methods: str) -> tuple[str, ...]:
    """Ids of the acceptance criteria that are proven by one of ``methods``."""
    return tuple(item.id for item in spec.acceptance_criteria if item.method in methods)


def stated_cases(spec: BuildSpec) -> tuple[ProbeCase, ...]:
    """Cases whose expectations the text states itself: examples, and several witnesses for each conditional."""
    return (*_example_cases(spec), *_conditional_cases(spec))


def generated_probes(spec: BuildSpec, seed: int) -> tuple[CommandProbe, ...]:
    """Runs inside the domain of the contract: valid, boundary and invalid inputs, and none that no clause decides."""
    situations = _distinct(_situations(spec, _random(seed, "inputs")))
    return tuple(item.probe(spec, f"generated-{number:03}") for number, item in enumerate(situations))


def further_probes(spec: BuildSpec, plan: ProbePlan) -> tuple[CommandProbe, ...]:
    """Small inputs beyond those of the sealed plan, from the same generator (DEC-14); with no expectation."""
    known = {_contents(case.probe) for case in plan.cases}
    fresh = [item for item in generated_probes(spec, plan.seed + 1) if _contents(item) not in known]
    small = [item for item in fresh if len(_contents(item)) <= FURTHER_BYTES][-FURTHER:]
    return tuple(item.model_copy(update={"id": f"further-{number:03}"}) for number, item in enumerate(small))


def _contents(probe: Probe) -> str:
    return repr(probe.model_copy(update={"id": ""}))


def near_probes(spec: BuildSpec, seed: int) -> tuple[CommandProbe, ...]:
    """Runs close to each example: a program that knows the examples by heart behaves otherwise there (GAME-31)."""
    rng, examples = _random(seed, "near"), _example_probes(spec)
    stated = {_contents(probe) for probe in examples}
    found: list[CommandProbe] = []
    for example in examples:
        fresh = (probe for probe in _near(spec, example, rng) if _contents(probe) not in stated)
        found += islice(fresh, NEAR_EXAMPLES)
    return tuple(probe.model_copy(update={"id": f"near-{number:03}"}) for number, probe in enumerate(found))


def hostile_cases(spec: BuildSpec) -> tuple[ProbeCase, ...]:
    """Inputs outside the domain. The program must end by itself; success is false only where it cannot be (DEC-09)."""
    failing: tuple[Expectation, ...] = (ExitExpectation(relation="differs", status=success(spec)),)
    cases = [(item, failing) for item in _impossible(spec)]
    cases += [(item, ()) for item in _abusive(spec)]
    return tuple(
        ProbeCase(probe=item.probe(spec, f"hostile-{number:03}"), origin="hostile", expectations=expected)
        for number, (item, expected) in enumerate(cases)
    )


def undated_probe(spec: BuildSpec, seed: int) -> CommandProbe | None:
    """A run without its date option, on dates far from any current one; None where there is no such option."""
    dates = _date_options(spec)
    if not dates or not spec.interface.columns:
        return None
    content = far_table(spec, _random(seed, "undated"))
    return usual(spec, content).without(*dates).probe(spec, "undated-000")


def dated_again(spec: BuildSpec, undated: CommandProbe, today: str) -> CommandProbe:
    """The run of ``undated`` with its date option set to ``today``."""
    words = [word for name in _date_options(spec) for word in (name, today)]
    return undated.model_copy(update={"id": f"undated-{today}", "argv": (*undated.argv, *words)})


def _date_options(spec: BuildSpec) -> tuple[str, ...]:
    arguments = spec.interface.arguments
    return tuple(item.name for item in arguments if item.role == "date" and not item.required)


def _random(seed: int, purpose: str) -> Random:
    return Random(f"{seed}:{purpose}")  # noqa: S311 - reproducible on purpose, no secret


def _situations(spec: BuildSpec, rng: Random) -> Iterator[Situation]:
    first, sample = input_file(spec), b""
    if first is not None and first.format == "csv":
        for content, today in tables(spec, rng):
            sample = sample or content
            yield from calls(spec, content, today)
    elif first is not None or spec.interface.reads_stdin:
        for number, content in enumerate(contents(spec, rng)):
            sample = sample or content
            yield from calls(spec, content)
            if number % FLAGGED == 0:
                yield from (usual(spec, content, values={name: ""}) for name in _flags(spec))
    for values in argument_values(spec, rng):
        yield usual(spec, sample, values=values)


def _flags(spec: BuildSpec) -> list[str]:
    return [item.name for item in spec.interface.arguments if item.role == "flag"]


def _distinct(situations: Iterable[Situation]) -> list[Situation]:
    kept: dict[str, Situation] = {}
    for item in situations:
        kept.setdefault(repr(item), item)
    return list(kept.values())


def _example_probes(spec: BuildSpec) -> tuple[CommandProbe, ...]:
    return tuple(
        CommandProbe(
            id=f"example-{number:03}",
            argv=(*program(spec), *example.argv),
            stdin=None if example.stdin is None else example.stdin.encode(),
            files=example.files,
        )
        for number, example in enumerate(spec.examples)
    )


def _example_cases(spec: BuildSpec) -> tuple[ProbeCase, ...]:
    return tuple(
        ProbeCase(
            probe=probe,
            origin="example",
            obligations=_naming(spec, example.id, example.atom),
            expectations=example.expectations,
        )
        for probe, example in zip(_example_probes(spec), spec.examples, strict=True)
    )


def _naming(spec: BuildSpec, *names: str) -> tuple[str, ...]:
    """The criteria that name one of these statements, and the invariants, which every run proves."""
    found = [item.id for item in spec.acceptance_criteria if set(item.atoms) & set(names) and item.method != "reading"]
    return tuple(dict.fromkeys([*found, *proving(spec, "invariant")]))


def _conditional_cases(spec: BuildSpec) -> Iterator[ProbeCase]:
    number = 0
    for conditional in spec.conditional_obligations:
        for trigger in conditional.triggers:
            for situation in _witnesses(spec, trigger):
                yield _conditional_case(spec, conditional, situation, number)
                number += 1


def _conditional_case(
    spec: BuildSpec, conditional: ConditionalObligation, situation: Situation, number: int
) -> ProbeCase:
    return ProbeCase(
        probe=situation.probe(spec, f"conditional-{number:03}"),
        origin="conditional",
        obligations=_naming(spec, conditional.id, conditional.atom),
        expectations=conditional.consequences,
    )


def _witnesses(spec: BuildSpec, trigger: Trigger) -> Iterator[Situation]:
    """Inputs that fire ``trigger``; none where it could not be read."""
    match trigger.kind:
        case TriggerKind.INPUT_EMPTY:
            blanks = BLANK_FILES if "white space" in convention(spec, "file.empty", "") else ()
            yield from (call for content in (b"", *blanks) for call in calls(spec, content))
        case TriggerKind.INPUT_MISSING:
            missing = missing_input(spec)
            yield from () if missing is None else (missing,)
        case TriggerKind.ARGUMENT_MISSING:
            yield from _incomplete(spec)
        case TriggerKind.ARGUMENTS_NONE:
            yield usual(spec, sample_input(spec)).without(*_required(spec))
        case TriggerKind.ARGUMENT_EXTRA:
            sample = usual(spec, sample_input(spec))
            yield from (replace(sample, extra=extra) for extra in (("surplus",), ("surplus", "words")))
        case TriggerKind.REMAINING:
            yield usual(spec, sample_input(spec))
        case TriggerKind.UNKNOWN:
            return


def sample_input(spec: BuildSpec) -> bytes:
    """One ordinary input."""
    return next(iter(_situations(spec, _random(0, "sample"))), usual(spec, b"")).content()


def _incomplete(spec: BuildSpec) -> Iterator[Situation]:
    """Calls that lack required arguments: the last one, then all of them."""
    sample, required = usual(spec, sample_input(spec)), _required(spec)
    if required:
        yield sample.without(required[-1])
    if len(required) > 1:
        yield sample.without(*required)


def _required(spec: BuildSpec) -> list[str]:
    """The names of the arguments that a call needs, by their place."""
    return [item.name for item in spec.interface.arguments if item.required and not item.name.startswith("-")]


def _impossible(spec: BuildSpec) -> Iterator[Situation]:
    """Calls that no program can carry out: to report success there would be false."""
    missing = missing_input(spec)
    if missing is not None:
        yield missing
    yield from _incomplete(spec)


def _abusive(spec: BuildSpec) -> Iterator[Situation]:
    """Calls and contents that no clause speaks of; whatever the program makes of them, it must come to an end."""
    sample = sample_input(spec)
    if input_file(spec) is not None or spec.interface.reads_stdin:
        yield from (usual(spec, content) for content in _garbage(sample))
    yield replace(usual(spec, sample), extra=("x",) * MANY)


def _garbage(sample: bytes) -> tuple[bytes, ...]:
    header = sample.split(b"\n", 1)[0]
    return (
        header + b"\n\xff\xfe\x80,\xc3\n",
        sample + b"nul\0nul,\0\n",
        header + b"\n" + b"y" * 300_000 + b"\n",
        header + b'\n"never closed,\n' + b"a,b\n" * 50,
        bytes(range(256)) * 64,
        header + b"\n" + b"," * 50_000 + b"\n",
    )


def _near(spec: BuildSpec, example: CommandProbe, rng: Random) -> Iterator[CommandProbe]:
    """Changes of what the example gives to the program: standard input, else a text file, else the arguments.

    A change of a table or a JSON document would leave the domain; the generated inputs hold such.
    """
    if example.stdin is not None and example.stdin.strip():
        for content in _near_texts(example.stdin, rng):
            yield example.model_copy(update={"stdin": content})
    elif example.files:
        (file,) = example.files
        for content in _near_texts(file.content, rng) if file.path.endswith(SUFFIX["text"]) else ():
            yield example.model_copy(update={"files": (file.model_copy(update={"content": content}),)})
    else:
        yield from _near_arguments(example, len(program(spec)), rng)


def _near_texts(content: bytes, rng: Random) -> list[bytes]:
    return [text.encode() for text in dict.fromkeys(near(content.decode(), rng)) if text.strip()]


def _near_arguments(example: CommandProbe, start: int, rng: Random) -> Iterator[CommandProbe]:
    argv = example.argv
    for place in range(start, len(argv)):
        for word in dict.fromkeys(near(argv[place], rng)):
            if word and word.strip() == word:
                yield example.model_copy(update={"argv": (*argv[:place], word, *argv[place + 1 :])})

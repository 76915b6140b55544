"""Probes of an HTTP service: the exchanges that the text shows, and sequences of requests close to them (DEC-14)."""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping, Sequence
from contextlib import suppress
from random import Random
from typing import Any

from contracts.probe import (
    Expectation,
    HttpProbe,
    HttpRequest,
    Observation,
    Origin,
    ProbeCase,
    ProbePlan,
    ResponseExpectation,
)
from contracts.requirement import BuildSpec
from contracts.value import encode
from contracts.verdict import Failure
from tasks.reading.agreement import Runs, ambiguity
from tasks.reading.generators import proving
from tasks.reading.nearby import near
from tasks.reading.pools import pool_of
from tasks.reading.situation import program
from tasks.validation.check import check

SEQUENCES = 10
LONGEST = 5
CHANGES = 2
FURTHER = 8


def exchange_examples(spec: BuildSpec) -> tuple[ProbeCase, ...]:
    """The exchanges that the text shows, each with a server of its own."""
    return tuple(
        ProbeCase(
            probe=_probe(spec, f"example-{number:03}", (example.request,)),
            origin="example",
            obligations=tuple(item.id for item in spec.acceptance_criteria if example.id in item.atoms),
            expectations=example.expectations,
        )
        for number, example in enumerate(spec.exchanges)
    )


def generated_exchanges(spec: BuildSpec, seed: int) -> tuple[ProbeCase, ...]:
    """Sequences of requests to one server: those of the text in turn, then mixed with others close to them."""
    rng = Random(f"{seed}:exchanges")  # noqa: S311 - reproducible, no secret
    shown = [item.request for item in spec.exchanges]
    close = [other for request in shown for other in _near(request, rng)]
    sequences: dict[tuple[HttpRequest, ...], bool] = {tuple(shown): True} if len(shown) > 1 else {}
    sequences |= {(request,): False for request in close}
    for _ in range(SEQUENCES):
        chosen = tuple(
            rng.choice(shown if rng.random() < 0.6 else close or shown) for _ in range(rng.randint(2, LONGEST))
        )
        sequences.setdefault(chosen, all(request in shown for request in chosen))
    return tuple(
        ProbeCase(
            probe=_probe(spec, f"generated-{number:03}", requests),
            origin="reading",
            standing="shown" if stated else "edge",
        )
        for number, (requests, stated) in enumerate(sequences.items())
    )


def further_exchanges(spec: BuildSpec, plan: ProbePlan) -> tuple[HttpProbe, ...]:
    """Sequences beyond those of the sealed plan, from the same generator; with no expectation."""
    known = {case.probe.requests for case in plan.cases if isinstance(case.probe, HttpProbe)}
    probes = [case.probe for case in generated_exchanges(spec, plan.seed + 1)]
    fresh = [item for item in probes if isinstance(item, HttpProbe) and item.requests not in known]
    return tuple(item.model_copy(update={"id": f"further-{number:03}"}) for number, item in enumerate(fresh[:FURTHER]))


def settle_exchange(
    spec: BuildSpec, case: ProbeCase, readings: Mapping[str, Runs], origin: Origin
) -> ProbeCase | Failure | None:
    """The case for a sequence that more than half of the readings answer alike; None where no clause decides."""
    runs = {label: of[case.probe.id] for label, of in readings.items()}
    if any(run.outcome != "stopped" or any(item.fault for item in run.responses) for run in runs.values()):
        return None
    for run in runs.values():
        expected = tuple(_answers(run))
        met = [all(check(item, other, {}) is None for item in expected) for other in runs.values()]
        if 2 * sum(met) > len(runs):
            return case.model_copy(
                update={"origin": origin, "obligations": proving(spec, "reading"), "expectations": expected}
            )
    return ambiguity(spec, case.probe, runs) if case.standing == "shown" else None


def _answers(run: Observation) -> Iterator[Expectation]:
    """The statuses, and the bodies that are JSON; how else a message is worded is free."""
    for place, response in enumerate(run.responses):
        given: dict[str, Any] = {"place": place, "status": response.status}
        with suppress(ValueError, RecursionError):
            given |= {"body": "json", "value": encode(json.loads(response.body))}
        if response.status is not None and response.status >= 400:
            given = {"place": place, "status": response.status}
        yield ResponseExpectation.model_validate(given)


def _probe(spec: BuildSpec, name: str, requests: Sequence[HttpRequest]) -> HttpProbe:
    return HttpProbe(id=name, argv=program(spec), port=spec.exchanges[0].port, requests=tuple(requests))


def _near(request: HttpRequest, rng: Random) -> Iterator[HttpRequest]:
    """Another path, another number in the path, a changed body, none, one that is no JSON."""
    yield request.model_copy(update={"target": request.target.rstrip("/") + "/unknown"})
    head, _, last = request.target.rpartition("/")
    if last.isdigit():
        yield from (request.model_copy(update={"target": f"{head}/{number}"}) for number in (int(last) + 1, 0, 999))
    if request.body:
        value = json.loads(request.body)
        pool = pool_of([value], ())
        changed = list(near(value, pool, rng))
        for other in rng.sample(changed, min(CHANGES, len(changed))):
            yield request.model_copy(update={"body": json.dumps(other).encode()})
        yield request.model_copy(update={"body": b""})
        yield request.model_copy(update={"body": b"{"})

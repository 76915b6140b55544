"""The seals between the entries of a build: each names what it rests on by digest (law 5)."""

from __future__ import annotations

from collections.abc import Iterator

from contracts.verdict import LAYERS
from tasks.evidence.builds.contents import Attempt, BuildContents
from tasks.packaging.wheel import is_wheel_name


def seal_faults(contents: BuildContents) -> Iterator[str]:
    """Every seal that does not hold, in words."""
    yield from _contract(contents)
    if contents.readings is not None and (contents.isolation is None or not contents.isolation.isolated):
        yield "code was run without proven isolation"
    if len(contents.attempts) > contents.settings.rounds + 1:
        yield "there are more attempts than the settings allow"
    for attempt in contents.attempts:
        yield from _attempt(attempt)
    yield from _package(contents)


def _contract(contents: BuildContents) -> Iterator[str]:
    spec, readings, isolation = contents.spec, contents.readings, contents.isolation
    if spec is not None and spec.requirement != contents.requirement.seal():
        yield "the contract is of another requirement"
    seal = spec.seal() if spec is not None else None
    for name, document in (("plan", contents.plan), ("certificate", contents.certificate), ("readings", readings)):
        if document is not None and document.build_spec != seal:
            yield f"the {name} is of another contract"
    if readings is not None and readings.plan.build_spec != seal:
        yield "the probes are of another contract"
    if readings is not None and readings.plan.seed != contents.settings.seed:
        yield "the probes were made with another seed"
    if isolation is not None and isolation.policy != contents.settings.policy.seal():
        yield "the isolation was measured under another policy"


def _attempt(attempt: Attempt) -> Iterator[str]:
    candidate, artifact = attempt.candidate, attempt.artifact
    number = candidate.attempt
    if any(evidence.candidate != candidate.tree for evidence in attempt.evidence):
        yield f"evidence of attempt {number} is of another candidate"
    if artifact is not None and tuple(layer.layer for layer in artifact.layers) != LAYERS:
        yield f"the judgement of attempt {number} does not have the three layers"


def _package(contents: BuildContents) -> Iterator[str]:
    package, artifact = contents.package, contents.artifact
    if package is None:
        return
    if artifact is None or not artifact.passed:
        yield "a candidate that did not pass was packaged"
    elif (package.build_spec, package.candidate) != (artifact.build_spec, artifact.candidate):
        yield "the package is of another candidate or contract"
    elif package.artifact != artifact.seal():
        yield "the package rests on another judgement"
    elif not is_wheel_name(package.filename):
        yield "the package's name is not that of a wheel"

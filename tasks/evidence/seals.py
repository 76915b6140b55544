"""The seals between the entries of a record: each names what it rests on by digest (law 5)."""

from __future__ import annotations

from collections.abc import Iterator

from contracts.candidate import Candidate, tree_digest
from contracts.paths import is_contained, path_bytes
from contracts.verdict import LAYERS
from tasks.evidence.contents import Attempt, Contents
from tasks.packaging.wheel import is_wheel_name


def seal_faults(contents: Contents) -> Iterator[str]:
    """Every seal that does not hold, in words."""
    yield from _contract(contents)
    for tree in contents.trees():
        yield from _tree(tree)
    if contents.readings is not None and (contents.isolation is None or not contents.isolation.isolated):
        yield "code was run without proven isolation"
    if len(contents.attempts) > contents.settings.rounds + 1:
        yield "there are more attempts than the settings allow"
    for attempt in contents.attempts:
        yield from _attempt(attempt)
    yield from _package(contents)
    yield from _calls(contents)


def _contract(contents: Contents) -> Iterator[str]:
    spec, readings, isolation = contents.spec, contents.readings, contents.isolation
    if spec is not None and spec.requirement != contents.requirement.seal():
        yield "the contract is of another requirement"
    seal = spec.seal() if spec is not None else None
    for name, document in (("plan", contents.plan), ("certificate", contents.certificate), ("readings", readings)):
        if document is not None and document.build_spec != seal:
            yield f"the {name} is of another contract"
    if readings is not None and readings.plan.build_spec != seal:
        yield "the probes are of another contract"
    if isolation is not None and isolation.policy != contents.settings.policy.seal():
        yield "the isolation was measured under another policy"


def _tree(tree: Candidate) -> Iterator[str]:
    paths = [entry.path for entry in tree.files]
    if tree.tree != tree_digest(tree.files):
        yield "a tree's digest is not that of its entries"
    if not all(is_contained(path) for path in paths) or paths != sorted(set(paths), key=path_bytes):
        yield "the entries of a tree repeat, leave it or are out of order"


def _attempt(attempt: Attempt) -> Iterator[str]:
    candidate, artifact = attempt.candidate, attempt.artifact
    number = candidate.attempt
    if any(evidence.candidate != candidate.tree for evidence in attempt.evidence):
        yield f"evidence of attempt {number} is of another candidate"
    if artifact is not None and tuple(layer.layer for layer in artifact.layers) != LAYERS:
        yield f"the judgement of attempt {number} does not have the three layers"


def _package(contents: Contents) -> Iterator[str]:
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


def _calls(contents: Contents) -> Iterator[str]:
    """Each call has an answer or a reason why there is none; words are credited to who wrote them (VER-17)."""
    for number, call in enumerate(contents.calls):
        if call.response is None and call.error is None:
            yield f"call {number} of a model has neither an answer nor a reason"
    authors = {call.name for call in contents.calls if call.role == "explainer" and call.error is None}
    for explanation in contents.explanations:
        if explanation.author not in authors | {"forge"}:
            yield f"an explanation is credited to {explanation.author}, which did not write it"
        if explanation.error is not None and explanation.author != "forge":
            yield "an explanation is credited to a model whose words failed"

"""From a failed attempt to what the coder is told (GAME-53). Pure.

An item names the class of the failure, the clauses, one input and what the candidate did with it. What was expected
stands in the requirement, or it is not told: expected values of readings and held-out cases stay with the judge.
"""

from __future__ import annotations

from contracts.repair import RepairDirective, RepairItem
from contracts.requirement import BuildSpec
from contracts.verdict import Failure, Fault, ValidationArtifact, fault_of
from tasks.validation.readable import quoted

ITEMS = 10
SHOWN = 1_000


def direct(spec: BuildSpec, artifact: ValidationArtifact) -> RepairDirective:
    """The directive for the attempt after the one that ``artifact`` judges: its first failures, at most `ITEMS`."""
    own = [failure for failure in artifact.failures if fault_of(failure.signature) is Fault.CANDIDATE]
    return RepairDirective(
        build_spec=spec.seal(),
        artifact=artifact.seal(),
        attempt=artifact.attempt + 1,
        items=tuple(_item(failure) for failure in own[:ITEMS]),
    )


def _item(failure: Failure) -> RepairItem:
    return RepairItem(
        signature=failure.signature,
        requirement_ids=failure.requirement_ids,
        spans=failure.spans,
        input=_input(failure),
        observed=_observed(failure),
    )


def _input(failure: Failure) -> str:
    witness = failure.witness
    if witness is None:
        return ""
    files = [f"{name}: {quoted(content, SHOWN)}" for name, content in witness.files.items()]
    return "\n".join([witness.command, *files])


def _observed(failure: Failure) -> str:
    """What was seen. A failure without a witness is one about the files of the tree: its detail says which."""
    return failure.detail if failure.witness is None else failure.witness.observed

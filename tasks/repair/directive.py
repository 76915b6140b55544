"""From a failed attempt to what the coder is told (GAME-53). Pure.

An item names the class of the failure, the clauses, one input and what the candidate did with it. What was expected
stands in the requirement, or it is not told: expected values of readings and held-out cases stay with the judge. Few
inputs that only readings decide are shown at all, and as long as enough others of the clause were never shown: what a
coder has seen proves nothing more about its program.
"""

from __future__ import annotations

from collections.abc import Sequence

from contracts.probe import ProbePlan
from contracts.repair import RepairDirective, RepairItem
from contracts.requirement import BuildSpec
from contracts.verdict import Failure, FailureSignature, Fault, ValidationArtifact, fault_of
from tasks.repair.best import best
from tasks.validation.readable import quoted

ITEMS = 10
SHOWN = 1_000
WITNESSES = 3
"""Inputs of readings that one directive shows."""
HELD_OUT = 5
"""Inputs of a clause that stay unseen, whatever is shown."""
UNSEEN = "an input that is held out: find the rule"


def direct(spec: BuildSpec, plan: ProbePlan, judged: Sequence[ValidationArtifact]) -> RepairDirective:
    """The directive for the attempt after those of ``judged``: the first failures of the best, at most `ITEMS`."""
    artifact, attempt = best(judged), judged[-1].attempt + 1
    own = [failure for failure in artifact.failures if fault_of(failure.signature) is Fault.CANDIDATE]
    held = [failure for failure in own if failure.signature is FailureSignature.READING_MISMATCH]
    unseen = [item for number, item in enumerate(held) if number >= WITNESSES or not _may_show(plan, item, attempt)]
    return RepairDirective(
        build_spec=spec.seal(),
        artifact=artifact.seal(),
        attempt=attempt,
        items=tuple(_item(failure, shown=failure not in unseen) for failure in own[:ITEMS]),
    )


def _may_show(plan: ProbePlan, failure: Failure, attempt: int) -> bool:
    """Whether enough inputs of every clause concerned stay unseen, had each directive shown as many as it may."""
    named = [case.obligations for case in plan.cases if case.origin == "reading"]
    criteria = {name for names in named for name in names if name in failure.requirement_ids}
    spent = WITNESSES * attempt
    return all(sum(name in names for names in named) - spent >= HELD_OUT for name in criteria)


def _item(failure: Failure, *, shown: bool) -> RepairItem:
    return RepairItem(
        signature=failure.signature,
        requirement_ids=failure.requirement_ids,
        spans=failure.spans,
        input=_input(failure) if shown else _unseen(failure),
        observed=_observed(failure) if shown else "",
    )


def _unseen(failure: Failure) -> str:
    """The class of an input that is not shown: where it goes in, and how long it is."""
    files = failure.witness.files if failure.witness is not None else {}
    sizes = ", ".join(f"{name} of {len(content)} bytes" for name, content in files.items())
    return f"{UNSEEN} ({sizes})" if sizes else UNSEEN


def _input(failure: Failure) -> str:
    witness = failure.witness
    if witness is None:
        return ""
    files = [f"{name}: {quoted(content, SHOWN)}" for name, content in witness.files.items()]
    return "\n".join([witness.command, *files])


def _observed(failure: Failure) -> str:
    """What was seen. A failure without a witness is one about the files of the tree: its detail says which."""
    return failure.detail if failure.witness is None else failure.witness.observed

"""Whether the proposals and attempts of a repair hang together as the loop makes them (VER-07, VER-08, REP-08)."""

from __future__ import annotations

from collections.abc import Iterator

from contracts.candidate import Candidate
from contracts.canonical import digest
from contracts.repair import Proposal, StopReason
from tasks.evidence.repairs.contents import RepairContents
from tasks.repair.progress import best, stop


def linkage_faults(contents: RepairContents) -> Iterator[str]:
    """Every link that no loop would have made, in words."""
    yield from _task(contents)
    number = 0
    for index, proposal in enumerate(contents.proposals):
        if proposal.round != index + 1:
            yield f"round {index + 1} has another number"
        judged = tuple(item for item in contents.judged if item.number <= number)
        if len(judged) != number + 1 or stop(contents.plan, judged, contents.proposals[:index]) is not None:
            yield f"round {proposal.round} was not due"
            return
        if proposal.base != best(judged).number:
            yield f"round {proposal.round} starts from an attempt that was not the best"
        if proposal.attempt is not None:
            number += 1
        yield from _proposal(contents, proposal, number)
    if len(contents.attempts) > number + 1:
        yield "an attempt has no proposal that led to it"
    missed = contents.outcome is not None and contents.outcome.stopped is StopReason.GENERATION_FAILED
    if missed and len(contents.proposals) >= contents.plan.max_rounds:
        yield "an answer is missed in a round beyond the budget"


def _task(contents: RepairContents) -> Iterator[str]:
    """One task, one overlay and one base for all attempts (REP-10, VER-08)."""
    task = contents.task.spec.seal()
    subjects = [attempt.subject for attempt in contents.attempts]
    if any(subject.task != task for subject in subjects):
        yield "an attempt is of another task"
    if len({(subject.text, _tree(subject.overlay), _tree(subject.base)) for subject in subjects}) > 1:
        yield "the attempts were judged with different overlays or bases"


def _tree(tree: Candidate | None) -> str | None:
    return tree.seal() if tree is not None else None


def _proposal(contents: RepairContents, proposal: Proposal, number: int) -> Iterator[str]:
    """A refused proposal has reasons and no attempt; an applied one has its attempt and no reason."""
    if proposal.attempt is None:
        if not proposal.rejections:
            yield f"what became of the proposal of round {proposal.round} is not told"
        return
    if number == len(contents.attempts) and contents.stopped is not None:
        return  # the run was interrupted in between
    if proposal.rejections or proposal.attempt != number or number >= len(contents.attempts):
        yield f"the proposal of round {proposal.round} did not lead to the attempt that it names"
        return
    subject = contents.attempts[number].subject
    if subject.patch != digest(proposal.text.encode("utf-8")) or subject.rejections:
        yield f"attempt {number} is not of the proposal of round {proposal.round}"
    if subject.candidate.tree in {attempt.subject.candidate.tree for attempt in contents.attempts[:number]}:
        yield f"attempt {number} is a tree that was judged before"

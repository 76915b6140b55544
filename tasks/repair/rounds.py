"""One proposal onto the best candidate so far: a new subject to judge, or the reasons why there is none (REP-01)."""

from __future__ import annotations

from collections.abc import Sequence

from contracts.canonical import digest
from contracts.gate import Subject
from contracts.patch import Rejection
from contracts.repair import Proposal
from tasks.evidence.store import Store
from tasks.gate.subject import patched
from tasks.repair.patch.errors import Code, rejection
from tasks.repair.progress import Judged, best


def tried(
    text: str, attempts: Sequence[Judged], proposals: Sequence[Proposal], store: Store
) -> tuple[Proposal, Subject | None]:
    """The proposal with what became of it, and the subject of the attempt that it leads to.

    What leads to a tree that was judged already is refused: judging it again would say the same.

    Raises:
        StoreError: the store cannot give or keep a file.
        InfrastructureError: the copy cannot be written.
    """
    base = best(attempts)
    candidate, rejections = patched(base.subject.candidate, text.encode("utf-8"), store)
    if not rejections:
        rejections = tuple(_judged_before(candidate.tree, attempts))
    number = None if rejections else len(attempts)
    proposal = Proposal(
        round=len(proposals) + 1, base=base.number, text=text, rejections=rejections, attempt=number
    )  # fmt: skip
    if number is None:
        return proposal, None
    changes = {
        "candidate": candidate.model_copy(update={"attempt": number}),
        "patch": digest(text.encode("utf-8")),
        "rejections": (),
    }
    return proposal, base.subject.model_copy(update=changes)


def _judged_before(tree: str, attempts: Sequence[Judged]) -> list[Rejection]:
    for attempt in attempts:
        if attempt.subject.candidate.tree == tree:
            return [rejection(Code.REPEATED, f"this gives the files of attempt {attempt.number}, which were judged")]
    return []

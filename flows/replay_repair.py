"""A repair made again from its own record: each attempt rebuilt from the first candidate and the proposals (RPL-03)."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

from contracts.replay import Difference, ReplayReport
from flows.replay_check import compared
from flows.replay_environment import differing
from sandbox.opening import measured
from tasks.evidence.repairs.contents import RepairContents
from tasks.evidence.store import DirectoryStore, Store
from tasks.gate.judge import judge
from tasks.gate.observe import observe
from tasks.repair.rounds import tried


def replay_repair(contents: RepairContents, store: Store, scratch: Path) -> ReplayReport:
    """Apply every proposal and run every check again below ``scratch``; raises as `flows.replay.replay`."""
    now = measured(contents.settings.policy) if contents.isolation is not None else None
    again = DirectoryStore(scratch / "store")
    for tree in contents.trees():
        for entry in tree.files:
            again.put(store.get(entry.digest))
    steps = [*_proposals(contents, again), *_attempts(contents, again)]
    return ReplayReport(
        run=contents.run.run,
        reproduced=all(before == after for _, before, after in steps),
        steps=tuple(step for step, _, _ in steps),
        differences=tuple(Difference(step=step, sealed=old, now=new) for step, old, new in steps if old != new),
        environment=tuple(differing(contents.run, contents.isolation, now)),
        notes=() if steps else ("nothing was judged in this run",),
    )


def _proposals(contents: RepairContents, store: Store) -> Iterator[tuple[str, str, str]]:
    """What each proposal led to: the refusal in the applier's words, or the tree."""
    number = 0
    for index, proposal in enumerate(contents.proposals):
        attempts = contents.judged[: number + 1]
        found, subject = tried(proposal.text, attempts, contents.proposals[:index], store)
        number += proposal.attempt is not None
        if number == len(contents.attempts):
            return  # the run was interrupted before this attempt
        sealed = contents.attempts[number].subject.candidate.tree if proposal.attempt is not None else ""
        now = subject.candidate.tree if subject is not None else ""
        before, after = ("\n".join(map(str, item.rejections)) for item in (proposal, found))
        yield f"proposal of round {proposal.round}", sealed or before, now or after


def _attempts(contents: RepairContents, store: DirectoryStore) -> Iterator[tuple[str, str, str]]:
    task, policy = contents.task.spec, contents.settings.policy
    for attempt in contents.judged:
        verdict = judge(task, attempt.subject, observe(task, attempt.subject, policy, str(store.root)))
        for step, before, after in compared(attempt.verdict, verdict):
            yield f"attempt {attempt.number}, {step}", before, after

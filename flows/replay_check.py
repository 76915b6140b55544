"""A check made again from its own record (RPL-01, RPL-03): the sealed trees, in fresh sandboxes, judged anew."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

from contracts.gate import CheckResult, GateVerdict
from contracts.replay import Difference, ReplayReport
from flows.replay_environment import differing
from sandbox.opening import measured
from tasks.evidence.checks.contents import CheckContents
from tasks.evidence.store import DirectoryStore, Store
from tasks.gate.judge import judge
from tasks.gate.observe import observe


def replay_check(contents: CheckContents, store: Store, scratch: Path) -> ReplayReport:
    """Run every check again below ``scratch``; raises as `flows.replay.replay`."""
    now = measured(contents.settings.policy) if contents.isolation is not None else None
    differences: list[Difference] = []
    steps: list[str] = []
    if contents.subject is not None and contents.verdict is not None:
        again = _again(contents, store, scratch)
        for step, before, after in compared(contents.verdict, again):
            steps.append(step)
            if before != after:
                differences.append(Difference(step=step, sealed=before, now=after))
    return ReplayReport(
        run=contents.run.run,
        reproduced=not differences,
        steps=tuple(steps),
        differences=tuple(differences),
        environment=tuple(differing(contents.run, contents.isolation, now)),
        notes=() if steps else ("nothing was judged in this run",),
    )


def _again(contents: CheckContents, kept: Store, scratch: Path) -> GateVerdict:
    store, task, subject = DirectoryStore(scratch / "store"), contents.task.spec, contents.subject
    assert subject is not None  # noqa: S101 - for the type checker
    for tree in contents.trees():
        for entry in tree.files:
            store.put(kept.get(entry.digest))
    return judge(task, subject, observe(task, subject, contents.settings.policy, str(store.root)))


def compared(sealed: GateVerdict, now: GateVerdict) -> Iterator[tuple[str, str, str]]:
    """Each step with the sealed verdict and the one of now, in words."""
    yield "change", _words(sealed), _words(now)
    again = {result.check: result for result in now.results}
    for result in sealed.results:
        yield f"check {result.check}", _result(result), _result(again[result.check])


def _words(verdict: GateVerdict) -> str:
    kinds = sorted({failure.signature.value for failure in verdict.failures})
    return f"failed: {', '.join(kinds)}" if kinds else "nothing stands against it"


def _result(result: CheckResult) -> str:
    kinds = sorted({failure.signature.value for failure in result.failures})
    return f"{result.verdict.value}: {', '.join(kinds)}" if kinds else result.verdict.value

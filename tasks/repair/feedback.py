"""From judged attempts to what an adviser is told: failures and refusals as text, and never what is held back. Pure.

Held back are the expectations of structured probes, and whatever stands in the overlay (law 1, REP): of a probe the
input and what the candidate did are told; of a check that runs with the overlay only how it ended, since its output
may quote files of the overlay.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from contracts.gate import CheckResult, CheckRun, CheckVerdict
from contracts.paths import path_bytes
from contracts.probe import Observation, Stream
from contracts.repair import Proposal
from contracts.taskspec import CallCheck, Check, ProbeCheck, TaskSpec
from contracts.verdict import Failure, FailureSignature
from tasks.evidence.store import Store
from tasks.gate.globs import matches
from tasks.gate.plan import channel
from tasks.gate.trees import alone
from tasks.models.base import Brief
from tasks.repair.progress import Judged, best, broken, improves
from tasks.validation.readable import plain, quoted

FILE_BYTES = 48 * 1024
TREE_BYTES = 160 * 1024
OUTPUT_BYTES = 3_000
_WITNESSES = 3
_INPUT_BYTES = 1_000


def brief(task: TaskSpec, attempts: Sequence[Judged], proposals: Sequence[Proposal], store: Store) -> Brief:
    """What an adviser is told of the best attempt, and of what was proposed so far.

    Raises:
        StoreError: a file is not in the store.
    """
    base = best(attempts)
    failures = tuple(told(task, base))
    return Brief(
        task=task_text(task),
        files=files(task, base, store, "\n".join(failures)),
        failures=failures,
        rejections=tuple(history(attempts, proposals)),
        attempt=len(proposals) + 1,
    )


def task_text(task: TaskSpec) -> str:
    """The brief of a task, and the rules on the change that its author wrote down."""
    rules = []
    if task.protected:
        rules.append(f"These files must stay as they are: {', '.join(task.protected)}")
    if task.artifacts:
        rules.append(f"These files must be there: {', '.join(task.artifacts)}")
    if task.scope is not None and task.scope.paths:
        rules.append(f"Only these files may change: {', '.join(task.scope.paths)}")
    return "\n".join([task.brief, *rules])


def told(task: TaskSpec, attempt: Judged) -> Iterator[str]:
    """One text for each thing that did not hold."""
    for failure in attempt.verdict.failures:
        yield f"the change: {failure.signature.value}: {failure.detail}"
    checks = {check.name: check for check in task.checks}
    for result in attempt.verdict.results:
        if result.verdict is CheckVerdict.FAIL:
            yield "\n".join(_check(checks[result.check], result, attempt))


def files(task: TaskSpec, attempt: Judged, store: Store, spoken: str) -> dict[str, str]:
    """The text files of the attempt's candidate: those that the failures speak of first, then the smaller ones.

    What may hold answers is left out, the overlay's files and the task's own wherever they lie, and what would make it
    longer than `TREE_BYTES`.
    """
    shown = alone(task, attempt.subject, "candidate", tested=False)
    entries = [entry for entry in shown if entry.kind == "file" and entry.size <= FILE_BYTES]
    entries.sort(key=lambda entry: (entry.path not in spoken, matches(entry.path, task.protected), entry.size))
    found: dict[str, str] = {}
    room = TREE_BYTES
    for entry in entries:
        if entry.size <= room and (text := _text(store.get(entry.digest))) is not None:
            found[path_bytes(entry.path).decode("utf-8", "replace")] = text
            room -= entry.size
    return found


def history(attempts: Sequence[Judged], proposals: Sequence[Proposal]) -> Iterator[str]:
    """What became of each proposal that was not built upon: the applier's exact words, or the judgement."""
    judged = {attempt.number: attempt for attempt in attempts}
    for proposal in proposals:
        if proposal.attempt is None:
            yield "\n".join(str(rejection) for rejection in proposal.rejections)
        elif not improves(judged[proposal.attempt].verdict, judged[proposal.base].verdict):
            yield _not_kept(proposal.round, judged[proposal.attempt], judged[proposal.base])


def _not_kept(number: int, attempt: Judged, base: Judged) -> str:
    lost = [name or "the change itself" for name in broken(attempt.verdict, base.verdict)]
    if lost:
        return f"your change of round {number} was undone, since it broke what held before: {', '.join(lost)}"
    return f"your change of round {number} was undone, since no check passed that had failed before"


def _check(check: Check, result: CheckResult, attempt: Judged) -> Iterator[str]:
    hidden = attempt.subject.overlay is not None
    yield f"check {check.name}: {', '.join(dict.fromkeys(item.signature.value for item in result.failures))}"
    if isinstance(check, (ProbeCheck, CallCheck)):
        for failure in result.failures[:_WITNESSES]:
            yield from _witness(failure)
        return
    for failure in result.failures:
        if not hidden or failure.signature is FailureSignature.REQUIRED_TEST_MISSING or channel(check) == "exit_status":
            yield failure.detail
    runs = [run for run in attempt.evidence.runs if run.check == check.name and run.tree == "candidate"]
    if not hidden:
        yield from _output(runs)


def _witness(failure: Failure) -> Iterator[str]:
    """An input and what the candidate did; neither the expectation nor the words that compare with it."""
    witness = failure.witness
    if witness is None:
        return
    yield f"  run: {witness.command}"
    for name, content in witness.files.items():
        yield f"  {name}: {quoted(content, _INPUT_BYTES)}"
    yield f"  what it did: {witness.observed}"


def _output(runs: Sequence[CheckRun]) -> Iterator[str]:
    seen = next((item for run in runs for item in run.observations if not _is_well(item)), None)
    for name, stream in (("standard output", seen.stdout), ("standard error", seen.stderr)) if seen else ():
        if stream.length:
            yield f"the end of its {name}:\n{plain(_end(stream).decode('utf-8', 'backslashreplace'))}"


def _is_well(observation: Observation) -> bool:
    return observation.outcome == "exited" and observation.exit_code == 0


def _end(stream: Stream) -> bytes:
    return (stream.tail if stream.truncated else stream.head + stream.tail)[-OUTPUT_BYTES:]


def _text(data: bytes) -> str | None:
    try:
        return None if b"\0" in data else data.decode("utf-8")
    except UnicodeDecodeError:
        return None

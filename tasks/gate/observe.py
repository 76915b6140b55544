"""Run the checks of a task: observations only (law 1). Each run has a sandbox of its own (GAME D3)."""

from __future__ import annotations

import secrets
from collections.abc import Callable, Iterator, Sequence
from contextlib import ExitStack, contextmanager

from contracts.candidate import FileEntry
from contracts.gate import Call, CheckRun, GateEvidence, Subject, Tree
from contracts.isolation import SandboxPolicy
from contracts.probe import Observation, Probe, Stream
from contracts.taskspec import CallCheck, Check, CommandCheck, ProbeCheck, SuiteCheck, TaskSpec
from sandbox import open_sandbox, toolbox
from tasks.evidence.store import Store, open_store
from tasks.gate.changes import changes
from tasks.gate.manifest import asked
from tasks.gate.plan import MANIFEST, call_probe, cases, command_probe, policy_of, suite_probe
from tasks.gate.trees import alone, as_candidate, checked, missing_artifacts, trusted
from tasks.trees import materialise

MOST_ROUNDS = 500
MOST_CALLS = 5_000
_SHOWN = 32 * 1024

Run = Callable[[Probe], Observation]
"""One run in an open sandbox."""


def observe(task: TaskSpec, subject: Subject, policy: SandboxPolicy, store: str) -> GateEvidence:
    """Run every check, one after another in the order of the task (SPEC-09). ``store`` is a store's location.

    Raises:
        SandboxError: the infrastructure failed (law 3).
        SealMismatch, StoreError: a tree is not the one that was sealed (law 5).
    """
    runs = [run for check in task.checks for run in observe_check(check, task, subject, policy, store)]
    return evidence_of(subject, runs, store)


def evidence_of(subject: Subject, runs: Sequence[CheckRun], store: str) -> GateEvidence:
    """The evidence with what differs from the base."""
    return GateEvidence(subject=subject.seal(), changes=changes(subject, open_store(store)), runs=tuple(runs))


def observe_check(
    check: Check, task: TaskSpec, subject: Subject, policy: SandboxPolicy, store: str
) -> tuple[CheckRun, ...]:
    """All runs of one check: on the base where it has to fail there, then its repeats; none of what is not to be run.

    Raises as `observe`.
    """
    if subject.rejections or missing_artifacts(task, subject):
        return ()
    runner = _Runner(check, task, subject, policy, open_store(store))
    before = [runner.run("base", 0)] if check.must_fail_before else []
    return (*before, *(runner.run("candidate", number) for number in range(check.repeats)))


class _Runner:
    def __init__(self, check: Check, task: TaskSpec, subject: Subject, policy: SandboxPolicy, store: Store) -> None:
        self._check, self._task, self._subject = check, task, subject
        self._policy, self._store = policy, store

    def run(self, tree: Tree, repeat: int) -> CheckRun:
        check, subject = self._check, self._subject
        key, probes = "", list[Probe]()
        if isinstance(check, CommandCheck):
            files, probes = checked(self._task, subject, tree), [command_probe(check)]
        elif isinstance(check, (ProbeCheck, CallCheck)):
            files, probes = alone(self._task, subject, tree, tested=False), [case.probe for case in cases(check)]
        else:
            key = secrets.token_hex(32)
            if check.tests.subject:
                seen, calls = self._apart(check, tree, key)
                return self._record(tree, repeat, [seen], key, calls)
            files = checked(self._task, subject, tree, check.tests.runner)
            probes = [suite_probe(check.name, check.tests, key, ())]
        with self._sandbox(files) as run:
            return self._record(tree, repeat, [run(probe) for probe in probes], key)

    def _apart(self, check: SuiteCheck, tree: Tree, key: str) -> tuple[Observation, list[Call]]:
        """Run tests without the candidate, make the calls that they ask for elsewhere, until they ask for none."""
        calls: list[Call] = []
        files = alone(self._task, self._subject, tree, tested=True)
        paths = frozenset(entry.path for entry in files)
        with self._sandbox(trusted(self._task, self._subject)) as test, self._sandbox(files) as call:
            for _ in range(MOST_ROUNDS):
                seen = test(suite_probe(check.name, check.tests, key, calls))
                wanted = asked(seen, key)
                if not wanted or len(calls) + len(wanted) > MOST_CALLS:
                    break
                for question in wanted:
                    probe = call_probe(question, len(calls), paths)
                    made = Call(
                        test=question["test"],
                        name=question["name"],
                        time=question["time"],
                        probe=probe,
                        observation=_trimmed(call(probe)),
                    )
                    calls.append(made)
            return seen, calls

    @contextmanager
    def _sandbox(self, files: tuple[FileEntry, ...]) -> Iterator[Run]:
        policy = policy_of(self._check, self._policy, len(files), sum(entry.size for entry in files))
        with ExitStack() as stack:
            tree = stack.enter_context(materialise(as_candidate(files, self._subject), self._store))
            sandbox = stack.enter_context(open_sandbox(policy, tree, toolbox()))

            def run(probe: Probe) -> Observation:
                (observation,) = sandbox.run([probe])
                return observation

            yield run

    def _record(
        self, tree: Tree, repeat: int, seen: Sequence[Observation], key: str, calls: Sequence[Call] = ()
    ) -> CheckRun:
        structured = isinstance(self._check, (ProbeCheck, CallCheck))
        return CheckRun(
            check=self._check.name,
            tree=tree,
            repeat=repeat,
            key=key,
            observations=tuple(item if structured else _trimmed(item) for item in seen),
            calls=tuple(calls),
        )


def _trimmed(observation: Observation) -> Observation:
    """Without the files that a check leaves behind, but for the manifest, and with less of its output (SBX-05)."""
    return observation.model_copy(
        update={
            "stdout": _cut(observation.stdout),
            "stderr": _cut(observation.stderr),
            "files": tuple(file for file in observation.files if file.path == MANIFEST),
        }
    )


def _cut(stream: Stream) -> Stream:
    if len(stream.head) + len(stream.tail) <= 2 * _SHOWN:
        return stream
    tail = (stream.head + stream.tail if not stream.truncated else stream.tail)[-_SHOWN:]
    return stream.model_copy(update={"head": stream.head[:_SHOWN], "tail": tail, "truncated": True})

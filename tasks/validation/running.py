"""Run probes on a tree, in two sandboxes at once; the tree's identity is recomputed on the way in (laws 4 and 5)."""

from __future__ import annotations

from collections import deque
from collections.abc import Callable, Iterable, Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor, as_completed
from contextlib import ExitStack, contextmanager
from pathlib import Path
from typing import TypeVar

from contracts.candidate import Candidate
from contracts.isolation import SandboxPolicy
from contracts.probe import Observation, Probe
from contracts.settings import BuildSettings
from sandbox import open_sandbox, toolbox
from sandbox.base import Sandbox, SandboxLost
from tasks.evidence.store import open_store
from tasks.trees import materialise
from tasks.validation.placing import placed

SANDBOXES_AT_ONCE = 2
WORTH_TWO = 8
"""Fewer runs than this take less time than to open a second sandbox."""

J = TypeVar("J")
R = TypeVar("R")
Once = Callable[[Probe], Observation]
"""One run in an open sandbox."""


def run_probes(candidate: Candidate, probes: Iterable[Probe], settings: BuildSettings) -> tuple[Observation, ...]:
    """One observation for each probe, in order.

    Raises:
        SandboxError: the infrastructure failed (law 3).
        SealMismatch, StoreError: the tree is not the one that was sealed (law 5).
    """
    store = open_store(settings.store)
    jobs = placed(list(probes), candidate, store)
    number = SANDBOXES_AT_ONCE if len(jobs) >= WORTH_TWO else 1
    with materialise(candidate, store) as tree, sandboxes(settings.policy, tree, number) as opened:
        return tuple(spread(opened, jobs, lambda once, probe: once(probe)))


@contextmanager
def sandboxes(policy: SandboxPolicy, tree: Path, number: int) -> Iterator[tuple[Sandbox, ...]]:
    """Several sandboxes over one tree. Raises SandboxError."""
    with ExitStack() as stack:
        yield tuple(stack.enter_context(open_sandbox(policy, tree, toolbox())) for _ in range(number))


def spread(opened: Sequence[Sandbox], jobs: Sequence[J], run: Callable[[Once, J], R]) -> list[R]:
    """``run`` for each job in whichever sandbox is free; the results in the order of ``jobs``.

    Whatever ends this early, an interruption too, ends the runs under way: nothing waits for a candidate.

    Raises:
        SandboxError: the infrastructure failed.
    """
    waiting, results, stopped = deque(enumerate(jobs)), dict[int, R](), False

    def work(sandbox: Sandbox) -> None:
        def once(probe: Probe) -> Observation:
            if stopped:
                raise SandboxLost("the sandbox is closed")
            (observation,) = sandbox.run([probe])
            return observation

        while waiting:
            try:
                number, job = waiting.popleft()
            except IndexError:
                return  # another sandbox took the last one
            results[number] = run(once, job)

    with ThreadPoolExecutor(len(opened)) as pool:
        try:
            for future in as_completed([pool.submit(work, sandbox) for sandbox in opened]):
                future.result()
        except BaseException:
            stopped = True
            waiting.clear()
            for sandbox in opened:
                sandbox.close()
            raise
    return [results[number] for number in range(len(jobs))]

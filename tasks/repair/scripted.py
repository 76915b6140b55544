"""Proposals written by hand that ship with the samples; every record says ``scripted`` of them (CLI-11, JDG-02)."""

from __future__ import annotations

from contracts.taskspec import TaskSpec
from tasks.coding.samples import EXAMPLES
from tasks.errors import NoCandidateError
from tasks.gate.spec import read_task
from tasks.models.base import Answer, Brief

NAME = "scripted"
TASK_FILE = "task.yaml"
FOLDER = "proposals"


class Scripted:
    """Answers the rounds of a sample's task in the order of its files; explains nothing."""

    name = NAME

    def __init__(self, task: TaskSpec) -> None:
        self._answers = proposals(task)

    def propose(self, brief: Brief) -> Answer:
        """The answer for this round.

        Raises:
            NoCandidateError: there is none, or none is left.
        """
        if not self._answers:
            raise NoCandidateError("nobody proposes for this task: --provider names who does")
        if brief.attempt > len(self._answers):
            raise NoCandidateError(f"there are {len(self._answers)} scripted proposals, and no further one")
        return Answer(self._answers[brief.attempt - 1], ())

    def explain(self, brief: Brief) -> Answer:  # noqa: ARG002 - the protocol's
        """Raises NoCandidateError: Forge's own words stand."""
        raise NoCandidateError("no model explains")


def proposals(task: TaskSpec) -> tuple[str, ...]:
    """What was written for the sample whose task is ``task``; empty where it is of no sample."""
    for path in sorted(EXAMPLES.glob(f"*/{TASK_FILE}")):
        if read_task(path)[0].spec == task:
            return tuple(file.read_text(encoding="utf-8") for file in sorted((path.parent / FOLDER).glob("*.txt")))
    return ()

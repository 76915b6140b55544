"""Any command-line coding agent, in a sandbox of its own: it finds the prompt and the workspace, and nothing else.

What it leaves in the workspace is its answer, in the form that every other provider answers in. It has no network and
no key: the sandbox is the one that candidates run in (law 4).
"""

from __future__ import annotations

import shlex
from contextlib import ExitStack
from pathlib import Path

from contracts.isolation import SandboxPolicy
from contracts.modelling import ModelChoice
from contracts.probe import CommandProbe, FileObservation, InputFile, Observation
from sandbox import open_sandbox, toolbox
from sandbox.owner import run_directory
from tasks.errors import UsageError
from tasks.models.base import ModelFault, Question, Reply, UnusableAnswer
from tasks.models.fences import fenced

PROMPT = "PROMPT.md"


class Agent:
    """`tasks.models.base.Provider` by a command that is started in the workspace."""

    def __init__(self, policy: SandboxPolicy) -> None:
        self._policy = policy

    def ask(self, question: Question, choice: ModelChoice, timeout_s: float) -> Reply:
        """As `Provider.ask`. Raises SandboxError where the infrastructure fails."""
        milliseconds = int(timeout_s * 1_000)
        limits = self._policy.limits.model_copy(update={"wall_ms": milliseconds, "cpu_ms": milliseconds})
        given = {PROMPT: f"{question.system}\n{question.prompt}", **question.files}
        probe = CommandProbe(
            id="agent",
            argv=words(choice.model),
            files=tuple(InputFile(path=path, content=text.encode()) for path, text in given.items()),
            wall_ms=milliseconds,
        )
        with ExitStack() as stack:
            policy = self._policy.model_copy(update={"limits": limits})
            tree = Path(choice.agent) if choice.agent else _empty(stack)
            (seen,) = stack.enter_context(open_sandbox(policy, tree, toolbox())).run([probe])
        return Reply(text=_answer(seen), model=choice.model)


def words(command: str) -> tuple[str, ...]:
    """The command line as words. Raises UsageError where its quotes do not close."""
    try:
        return tuple(shlex.split(command))
    except ValueError as error:
        raise UsageError(f"the agent's command line cannot be read: {error}") from error


def _empty(stack: ExitStack) -> Path:
    tree = stack.enter_context(run_directory()) / "tree"
    tree.mkdir(mode=0o755)
    tree.chmod(0o755)
    return tree


def _answer(seen: Observation) -> str:
    if seen.outcome != "exited" or seen.exit_code != 0:
        how = f"with status {seen.exit_code}" if seen.outcome == "exited" else f"by {seen.outcome}"
        raise ModelFault(f"the agent ended {how}")
    if any(file.path == PROMPT for file in seen.files):
        raise UnusableAnswer("the agent changed its prompt")
    return fenced({file.path: _text(file) for file in seen.files if file.kind != "directory"})


def _text(file: FileObservation) -> str:
    if file.kind != "file" or file.content is None:
        raise UnusableAnswer("the agent left something else than files of a moderate size")
    try:
        return file.content.decode("utf-8")
    except UnicodeDecodeError:
        raise UnusableAnswer("the agent left a file that is no UTF-8 text") from None

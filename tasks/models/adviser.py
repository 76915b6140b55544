"""Models as proposers of patches and explainers of failures (ADP-01): their words are data for the loop, no more."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence

from contracts.calls import ModelCall, Role
from contracts.isolation import SandboxPolicy
from contracts.modelling import ModelSettings
from tasks.errors import NoCandidateError
from tasks.evidence.store import Store
from tasks.models.base import Answer, Brief, Question
from tasks.models.client import Client
from tasks.models.contract_text import marked
from tasks.models.fences import fenced
from tasks.models.prompts import Name, instructions, prompt

SHOWN_BYTES = 200_000
"""Of a candidate's files; the largest are named only."""


class ModelAdviser:
    """`tasks.models.base.Adviser` by the models of the roles coder and explainer.

    One adviser serves one run: ``before`` are the calls that the run made already, and its own are counted with them.
    """

    def __init__(
        self, models: ModelSettings, policy: SandboxPolicy, store: Store, before: Sequence[ModelCall] = ()
    ) -> None:
        """Raises UsageError where the directory of exchanges cannot be used."""
        self._models = models
        self._client = Client(models, policy, store, before)
        first = models.coder.models[0] if models.coder is not None else None
        self.name = f"{first.provider}/{first.model}" if first is not None else "none"

    def propose(self, brief: Brief) -> Answer:
        """As `Adviser.propose`.

        Raises:
            ValueError: the brief is of other types; nothing is asked.
            ModelFault: no usable answer.
            NoCandidateError: no model codes.
        """
        return self._ask("coder", "patch", prompt("patch"), brief)

    def explain(self, brief: Brief) -> Answer:
        """As `Adviser.explain`; raises as `propose`, where no model explains too."""
        return self._ask("explainer", "explainer", instructions("explainer", self._models), brief)

    def _ask(self, role: Role, purpose: Name, system: str, brief: Brief) -> Answer:
        _check(brief)
        settings = self._models.role(role)
        if settings is None:
            raise NoCandidateError(f"no model is configured as the {role}")
        question = Question(
            role=role,
            purpose=purpose,
            attempt=brief.attempt,
            system=system,
            prompt=("\n".join(_parts(brief)) + "\n").encode("utf-8", "replace").decode(),  # ENC-04
            output_tokens=settings.output_tokens,
            files=brief.files,
        )
        return self._client.ask(question, settings.models[0])


def _check(brief: Brief) -> None:
    """ADP-10."""
    words = isinstance(brief.task, str) and type(brief.attempt) is int
    files = isinstance(brief.files, Mapping) and all(_are_texts(pair) for pair in brief.files.items())
    lists = all(isinstance(texts, (list, tuple)) and _are_texts(texts) for texts in (brief.failures, brief.rejections))
    if not (words and files and lists):
        raise ValueError("a brief has texts, files as texts by path, and the number of an attempt")


def _are_texts(values: Sequence[object]) -> bool:
    return all(isinstance(value, str) for value in values)


def _parts(brief: Brief) -> Iterator[str]:
    shown, left = _shown(brief.files)
    yield from ("# Task", "", marked(brief.task), "", "# Files", "", fenced(shown))
    if left:
        yield f"Too large to be shown: {', '.join(left)}\n"
    yield from ("# Checks that fail", "", *(f"{marked(text)}\n" for text in brief.failures))
    if brief.rejections:
        yield from ("# Earlier proposals were refused", "", *(f"- {text}" for text in brief.rejections))


def _shown(files: Mapping[str, str]) -> tuple[dict[str, str], list[str]]:
    """The smaller files, as many as may be shown, and the names of the others."""
    shown: dict[str, str] = {}
    left: list[str] = []
    size = 0
    for path, content in sorted(files.items(), key=lambda pair: (len(pair[1]), pair[0])):
        size += len(content.encode("utf-8", "replace"))
        if size <= SHOWN_BYTES:
            shown[path] = content
        else:
            left.append(path)
    return shown, sorted(left)

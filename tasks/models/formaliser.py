"""A model's wording for what the compiler could not read: for the requirement's author, who alone may take it over."""

from __future__ import annotations

from contracts.calls import Explanation, ModelCall, commentary
from contracts.requirement import BuildSpec, Requirement
from contracts.settings import BuildSettings
from sandbox.base import SandboxError
from tasks.errors import InfrastructureError
from tasks.models.base import Question, calls_of
from tasks.models.client import client_for
from tasks.models.contract_text import clause, marked
from tasks.models.prompts import instructions
from tasks.validation.cases import unread_parts

OURS = "forge"
MOST = 10


def reword(
    spec: BuildSpec, requirement: Requirement, settings: BuildSettings, attempt: int, before: tuple[ModelCall, ...]
) -> tuple[Explanation, tuple[ModelCall, ...]] | None:
    """What could stand in place of the clauses that were not read, and the calls that it took.

    None where no formaliser is configured, or everything was read. Where the model fails, the clauses alone are named,
    with the reason: commentary never costs a run its verdict (REP-09).
    """
    models, found = settings.models, unread(spec, requirement)
    if models is None or models.formaliser is None or not found:
        return None
    clauses = "\n".join(f"{number}. {words}" for number, words in enumerate(found, 1))
    question = Question(
        role="formaliser",
        purpose="reword",
        attempt=attempt,
        system=instructions("formaliser", models),
        prompt=f"# Requirement\n\n{marked(requirement.text)}\n\n# Clauses that could not be read\n\n{clauses}\n",
        output_tokens=models.formaliser.output_tokens,
    )
    try:
        answer = client_for(settings, before).ask(question, models.formaliser.models[0])
    except (InfrastructureError, SandboxError) as error:
        words = " ".join(str(error).split())[:1_000] or type(error).__name__
        text = commentary(f"Not read: {clauses}")
        return Explanation(attempt=attempt, author=OURS, text=text, error=words), calls_of(error)
    said = Explanation(attempt=attempt, author=answer.calls[-1].name, text=commentary(answer.text))
    return said, answer.calls


def unread(spec: BuildSpec, requirement: Requirement) -> tuple[str, ...]:
    """The words of what is bound to nothing, or bound and not understood; the first `MOST`."""
    spans = [*spec.unbound, *(span for item in spec.conditional_obligations for span in unread_parts(item))]
    words = (clause(requirement.text, span) for span in spans)
    return tuple(dict.fromkeys(text for text in words if any(char.isalpha() for char in text)))[:MOST]

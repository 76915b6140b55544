"""Readings by models: each a call of its own, from the contract alone, before any candidate exists (laws 1, 2)."""

from __future__ import annotations

from contracts.calls import ModelCall
from contracts.candidate import Candidate, Provenance
from contracts.modelling import ModelChoice, ModelSettings, RoleSettings, Written
from contracts.requirement import BuildSpec, Requirement
from contracts.settings import BuildSettings
from tasks.coding.answers import tree_of
from tasks.coding.asking import ask
from tasks.evidence.store import open_store
from tasks.models.base import Question, accounting
from tasks.models.client import client_for
from tasks.models.contract_text import contract_text
from tasks.models.exchanges import Cached
from tasks.models.prompts import instructions

STYLES = (
    "Write it as one straight sequence of steps, in the order in which the requirement speaks.",
    "Write it as small functions, one for each rule of the requirement, and combine them at the end.",
    "Read all input into plain data first; then decide each rule over that data; then write.",
)
"""Programs written in different ways seldom share a slip."""


def write_readings(
    spec: BuildSpec, requirement: Requirement, settings: BuildSettings, before: tuple[ModelCall, ...]
) -> Written:
    """As many readings as the settings ask for, at least one for each model; none where no model reads.

    A question that a model answered for this contract before is not asked again: the store has the answer.

    Raises:
        ModelFault: a reader gave no usable answer.
    """
    models = settings.models
    if models is None or models.reader is None:
        return Written(trees=(), calls=())
    role = models.reader
    trees: list[Candidate] = []
    calls: list[ModelCall] = []
    with accounting(calls):
        for number in range(max(models.readings, len(role.models))):
            question = reading_question(spec, requirement, models, role, number)
            choice = role.models[number % len(role.models)]
            tree, made = _reading(spec, settings, question, choice, (*before, *calls))
            trees.append(tree)
            calls += made
    return Written(trees=tuple(trees), calls=tuple(calls))


def reading_question(
    spec: BuildSpec, requirement: Requirement, models: ModelSettings, role: RoleSettings, number: int
) -> Question:
    """What reader ``number`` is asked: the contract, and a style of its own. Of a candidate it is told nothing."""
    return Question(
        role="reader",
        purpose=f"reading-{number + 1}",
        attempt=0,
        system=instructions("reader", models),
        prompt=f"{contract_text(spec, requirement)}\n{STYLES[number % len(STYLES)]}\n",
        output_tokens=role.output_tokens,
    )


def _reading(
    spec: BuildSpec,
    settings: BuildSettings,
    question: Question,
    choice: ModelChoice,
    before: tuple[ModelCall, ...],
) -> tuple[Candidate, tuple[ModelCall, ...]]:
    store = open_store(settings.store)

    def use(text: str, call: ModelCall) -> Candidate:
        provenance = Provenance(source="model", label=f"{question.purpose}, {call.name}")
        return tree_of(text, None, entry=spec.interface.entry, store=store, provenance=provenance, attempt=0)

    return ask(client_for(settings, before), question, choice, use, Cached(store, spec.seal(), choice))

"""A model as the coder: it gets contract, plan and directive, and gives files. Whether they are right, others say."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from contracts.calls import ModelCall
from contracts.candidate import Candidate, Provenance
from contracts.modelling import ModelSettings, RoleSettings, Written
from contracts.plan import FeasiblePlan
from contracts.repair import RepairDirective, RepairItem
from contracts.requirement import BuildSpec, Requirement
from contracts.settings import BuildSettings
from contracts.verdict import FailureSignature
from tasks.coding.answers import Refused, is_material, texts, tree_of
from tasks.coding.asking import RefusedAnswer, ask
from tasks.errors import NoCandidateError
from tasks.evidence.store import open_store
from tasks.models.base import Question, accounting
from tasks.models.client import client_for
from tasks.models.contract_text import clause, contract_text
from tasks.models.fences import fenced
from tasks.models.prompts import instructions, prompt
from tasks.planning.briefing import briefing

ABOUT_TESTS = {FailureSignature.CANDIDATE_TESTS_MISSING, FailureSignature.CANDIDATE_TESTS_FAILED}


class NoRevision(NoCandidateError):  # noqa: N818 - it is the absence that is raised
    """The coder has no answer to the directive that could be judged; the judgement before it stands."""


def write(  # noqa: PLR0917 - the signature of the stage
    spec: BuildSpec,
    plan: FeasiblePlan,
    requirement: Requirement,
    settings: BuildSettings,
    attempt: int,
    directive: RepairDirective | None,
    earlier: tuple[Candidate, ...],
    before: tuple[ModelCall, ...],
) -> Written:
    """The candidate of attempt ``attempt``: files whole at first, then changes to the best of ``earlier``, its first.

    Raises:
        ModelFault: no usable answer; nothing is said about any candidate.
        NoRevision: what the coder answers to the directive cannot be applied, changes nothing that matters, or goes
            back to what was judged.
    """
    store, base = open_store(settings.store), earlier[0] if earlier else None
    told = question(spec, plan, requirement, settings, attempt, directive, base)
    choice = _role(settings)[1].models[0]

    def use(text: str, call: ModelCall) -> Candidate:
        parent = base.tree if base is not None else None
        provenance = Provenance(source="model", label=call.name, parent=parent)
        entry = spec.interface.entry
        tree = tree_of(text, base, entry=entry, store=store, provenance=provenance, attempt=attempt)
        if not all(is_material(tree, other, store) for other in earlier):
            raise Refused("it changes nothing that matters, or goes back to a program that was judged already")
        return tree

    try:
        candidate, calls = ask(client_for(settings, before), told, choice, use)
    except RefusedAnswer as fault:
        if base is None:
            raise
        with accounting(fault.calls):
            raise NoRevision(str(fault)) from fault
    return Written(trees=(candidate,), calls=calls)


def question(  # noqa: PLR0917 - all that a coder is told
    spec: BuildSpec,
    plan: FeasiblePlan,
    requirement: Requirement,
    settings: BuildSettings,
    attempt: int,
    directive: RepairDirective | None,
    base: Candidate | None,
) -> Question:
    """What the coder is asked: the contract first, then the plan, or its files and what went wrong.

    Raises:
        NoCandidateError: no model codes.
        StoreError: a file of ``base`` is not in the store.
    """
    models, role = _role(settings)
    files: dict[str, str] = {}
    if directive is None or base is None:
        purpose, rest = "attempt", "\n".join(briefing(plan))
    else:
        files = texts(base, open_store(settings.store))
        purpose, rest = "repair", "\n".join(_repair(requirement.text, directive, files))
    return Question(
        role="coder",
        purpose=purpose,
        attempt=attempt,
        system=instructions("coder", models),
        prompt=f"{contract_text(spec, requirement)}\n{rest}\n",
        output_tokens=role.output_tokens,
        files=files,
    )


def _role(settings: BuildSettings) -> tuple[ModelSettings, RoleSettings]:
    models = settings.models
    if models is None or models.coder is None:
        raise NoCandidateError("no model is configured as the coder")
    return models, models.coder


def _repair(text: str, directive: RepairDirective, files: dict[str, str]) -> Iterator[str]:
    """Tests are shown only where they are what failed: they are the coder's own, and long."""
    tests = any(item.signature in ABOUT_TESTS for item in directive.items)
    shown = {path: content for path, content in files.items() if tests or not _is_test(path)}
    yield prompt("repair")
    yield from ("# Your files", "", fenced(shown), "# What went wrong", "")
    for number, item in enumerate(directive.items, 1):
        yield from _item(number, item, text)


def _item(number: int, item: RepairItem, text: str) -> Sequence[str]:
    lines = [f"{number}. {item.signature.value}"]
    lines += [f'   the requirement: "{clause(text, span)}"' for span in item.spans[:3]]
    if item.input:
        lines += ["   the input: " + item.input.replace("\n", "\n   ")]
    return (*lines, f"   your program: {item.observed}")


def _is_test(path: str) -> bool:
    return path.startswith("tests/") or path.rpartition("/")[2].startswith("test")

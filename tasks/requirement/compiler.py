"""Compile a requirement into its BuildSpec: pure, the same bytes for the same text (laws 2, 3, 8)."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import cast

from contracts.probe import Expectation, TextExpectation
from contracts.requirement import ArtefactKind, BuildSpec, CommandInterface, Convention, Example, Requirement
from tasks.requirement.artefacts import artefact_of, fitted, signatures
from tasks.requirement.blocks import sentences
from tasks.requirement.conventions import Settlement
from tasks.requirement.delivery import deliver
from tasks.requirement.facts import gather
from tasks.requirement.functions import with_functions
from tasks.requirement.interface import build_interface
from tasks.requirement.services import with_exchanges
from tasks.requirement.statements import Statements, collect
from tasks.requirement.witnesses import refine


def compile_requirement(requirement: Requirement, overrides: Mapping[str, str]) -> BuildSpec:
    """Compile ``requirement``; ``overrides`` are the user's assumptions by key of convention.

    Raises:
        ConventionError: an assumption with an unknown key, a bad value, or no place in this requirement.
    """
    settlement = Settlement(overrides)
    found = sentences(requirement.text)
    statements = collect(requirement.text, found)
    facts = gather(found)
    interface = build_interface(facts, settlement, speaks_of_empty=statements.speaks_of_empty)
    surplus = facts.usage is not None and facts.usage.open_end
    named = signatures(requirement.text)
    artefact = cast("ArtefactKind", settlement.settle("artefact", text=artefact_of(found, named)))
    statements.conditionals = fitted(statements.conditionals, artefact, requirement.text)
    statements.conditionals = refine(statements.conditionals, interface, requirement.text, open_end=surplus)
    statements.prove_conditionals()
    conventions = settlement.result()
    newlines = settled_newlines(conventions)
    examples = _examples(statements, interface)
    spec = BuildSpec(
        requirement=requirement.seal(),
        requirement_atoms=tuple(statements.atoms),
        fragments=tuple(statements.fragments),
        unbound=tuple(fragment.span for fragment in statements.fragments if not fragment.atoms),
        conditional_obligations=tuple(
            item.model_copy(update={"consequences": ended(item.consequences, newlines)})
            for item in statements.conditionals
        ),
        examples=tuple(
            item.model_copy(update={"expectations": ended(item.expectations, newlines)}) for item in examples
        ),
        invariants=tuple(statements.invariants),
        acceptance_criteria=tuple(sorted(statements.criteria, key=lambda item: item.span.start)),
        quality=tuple(statements.quality),
        interface=interface,
        artefact=artefact,
        signatures=named,
        conventions=conventions,
        ambiguity_flags=tuple(statements.flags),
    )
    return with_exchanges(with_functions(spec, requirement.text), requirement.text)


def _examples(statements: Statements, interface: CommandInterface) -> list[Example]:
    """The examples that can be run, and a criterion for every example: one that cannot be run stays unproven."""
    found: list[Example] = []
    for atom, pair in statements.pairs:
        example = deliver(pair, atom, interface)
        statements.criterion("example", (atom,) if example is None else (atom, example.id), pair.span)
        if example is not None:
            found.append(example)
    return found


def settled_newlines(conventions: Sequence[Convention]) -> dict[str, str]:
    """Whether a newline follows a text, by stream."""
    settled = {item.key: item.value for item in conventions}
    return {
        "stdout": settled.get("print.newline", "optional"),
        "stderr": settled.get("stderr.newline", "optional"),
    }


def ended(expectations: tuple[Expectation, ...], newlines: Mapping[str, str]) -> tuple[Expectation, ...]:
    """The expectations with the settled newline after a text on each stream, where the text sets none."""
    return tuple(
        item.model_copy(update={"newline": newlines[item.channel]})
        if isinstance(item, TextExpectation) and item.relation == "equals" and item.newline == "optional"
        else item
        for item in expectations
    )

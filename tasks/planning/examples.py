"""Examples against rules, before anybody writes code: integers in, integers out, held against what was lowered."""

from __future__ import annotations

import re
from collections.abc import Iterator

from contracts.plan import Constraint, Setting
from contracts.requirement import BuildSpec, Category, RequirementAtom, Span
from contracts.verdict import Failure, FailureSignature
from tasks.planning.bounds import settled
from tasks.planning.evaluation import truth, variables
from tasks.planning.lowering import Lowered
from tasks.requirement.blocks import sentences
from tasks.requirement.examples import Pair, pairs

_INTEGERS = re.compile(r"-?\d+(?:[\s,;]+-?\d+)*")


def broken_examples(spec: BuildSpec, lowered: Lowered) -> Iterator[Failure]:
    """`contradictory_requirement` for each example that a rule of the text denies, with both spans (DEC-09).

    Nothing is said where another clause was not read: it may be an exception for just this input.
    """
    found = [atom for atom in spec.requirement_atoms if atom.category is Category.EXAMPLE]
    if not lowered.given or not all(_inside(span, found) for span in lowered.blocking):
        return
    for atom in found:
        for sentence in sentences(atom.text):
            for pair in pairs(atom.text, sentence):
                for rule in _denied(pair, lowered):
                    yield _failure(atom, pair, rule)


def _inside(span: Span, atoms: list[RequirementAtom]) -> bool:
    return any(span.start < atom.span.end and atom.span.start < span.end for atom in atoms)


def _denied(pair: Pair, lowered: Lowered) -> Iterator[Constraint]:
    """The rules that the example breaks; none where it is no input and output of the integers of the text."""
    given, wanted = (_INTEGERS.fullmatch(text.strip()) for text in (pair.given, pair.wanted))
    values = [int(word) for match in (given, wanted) if match for word in re.findall(r"-?\d+", match[0])]
    names = (*lowered.given, *lowered.chosen)
    if given is None or wanted is None or len(values) != len(names) or pair.call:
        return
    if len(re.findall(r"-?\d+", given[0])) != len(lowered.given):
        return
    at = [Setting(variable=name, value=value) for name, value in zip(names, values, strict=True)]
    for rule, instead in zip(lowered.constraints, settled(lowered.constraints, at), strict=True):
        if not variables([instead]) and not truth(instead.expression, {})[1]:
            yield rule


def _failure(atom: RequirementAtom, pair: Pair, rule: Constraint) -> Failure:
    return Failure(
        signature=FailureSignature.CONTRADICTORY_REQUIREMENT,
        requirement_ids=(atom.id, rule.id),
        spans=(atom.span, *rule.spans),
        detail=f"the example {pair.given} -> {pair.wanted} is not what the rule gives: {rule.text}",
    )

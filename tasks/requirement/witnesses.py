"""Triggers held against the interface: which of them the witnesses that Forge makes really fire.

A witness that does not fire its condition would demand of a right program what the text never said (DEC-09).
"""

from __future__ import annotations

from collections.abc import Sequence

from contracts.requirement import CommandInterface, ConditionalObligation, Trigger, TriggerKind
from tasks.requirement.grammar import number_of
from tasks.requirement.phrasings import GRAMMAR
from tasks.requirement.tokens import Token, tokenize


def refine(
    conditionals: Sequence[ConditionalObligation], interface: CommandInterface, text: str, *, open_end: bool
) -> list[ConditionalObligation]:
    """The conditionals with every trigger `UNKNOWN` that no witness is sure to fire.

    ``open_end``: more arguments may follow those of the interface, so that one more need not be too many.
    """
    told_apart = len({_nonexistence(item, text) for item in conditionals if _about_missing(item)}) > 1
    refined = []
    for known in conditionals:
        triggers = [_refined(trigger, interface, _tokens(trigger, text)) for trigger in known.triggers]
        if told_apart and _about_missing(known) and not _nonexistence(known, text):
            triggers = [_unknown(item) if item.kind is TriggerKind.INPUT_MISSING else item for item in triggers]
        if open_end:
            triggers = [_unknown(item) if item.kind is TriggerKind.ARGUMENT_EXTRA else item for item in triggers]
        refined.append(known.model_copy(update={"triggers": tuple(triggers)}))
    return refined if _all_told(refined, interface) else [_without_remaining(known) for known in refined]


def _all_told(conditionals: Sequence[ConditionalObligation], interface: CommandInterface) -> bool:
    """True iff an ordinary call fires "otherwise": all other conditions have witnesses, and any input is valid."""
    others = [item for known in conditionals for item in known.triggers if item.kind is not TriggerKind.REMAINING]
    return bool(others) and all(item.kind is not TriggerKind.UNKNOWN for item in others) and not interface.domain


def _without_remaining(known: ConditionalObligation) -> ConditionalObligation:
    triggers = [_unknown(item) if item.kind is TriggerKind.REMAINING else item for item in known.triggers]
    return known.model_copy(update={"triggers": tuple(triggers)})


def _refined(trigger: Trigger, interface: CommandInterface, tokens: tuple[Token, ...]) -> Trigger:
    needed = [item for item in interface.arguments if item.required and not item.name.startswith("-")]
    reads_file = any(item.role == "input_file" for item in interface.arguments)
    numbers = [value for token in tokens if (value := number_of(token)) is not None]
    match trigger.kind:
        case TriggerKind.INPUT_EMPTY:
            fires = reads_file or interface.reads_stdin
        case TriggerKind.INPUT_MISSING:
            fires = reads_file
        case TriggerKind.ARGUMENT_MISSING if not needed:
            fires = False
        case TriggerKind.ARGUMENT_MISSING if len(needed) > 1 and (_names_none(tokens) or numbers == [1]):
            return trigger.model_copy(update={"kind": TriggerKind.ARGUMENTS_NONE})
        case TriggerKind.ARGUMENT_MISSING | TriggerKind.ARGUMENT_EXTRA:
            fires = numbers in ([], [len(needed)])
        case _:
            fires = True
    return trigger if fires else _unknown(trigger)


def _names_none(tokens: tuple[Token, ...]) -> bool:
    """True for "no arguments", which a call that lacks only one of several does not fire."""
    return any(GRAMMAR.longest("no_arguments", tokens, at) for at in range(len(tokens)))


def _about_missing(known: ConditionalObligation) -> bool:
    return any(item.kind is TriggerKind.INPUT_MISSING for item in known.triggers)


def _nonexistence(known: ConditionalObligation, text: str) -> bool:
    """True where the file is said not to be there; "unreadable" alone may mean one that is."""
    missing = [item for item in known.triggers if item.kind is TriggerKind.INPUT_MISSING]
    return any(
        GRAMMAR.longest("nonexistence", _tokens(item, text), at)
        for item in missing
        for at in range(len(_tokens(item, text)))
    )


def _tokens(trigger: Trigger, text: str) -> tuple[Token, ...]:
    return tokenize(text, trigger.span.start, trigger.span.end)


def _unknown(trigger: Trigger) -> Trigger:
    return trigger.model_copy(update={"kind": TriggerKind.UNKNOWN})

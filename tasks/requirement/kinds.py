"""What kind of statement a plain clause is, by what it speaks of."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Literal

from contracts.probe import ExitExpectation, Expectation, TextExpectation
from contracts.requirement import Category
from tasks.requirement.grammar import number_of
from tasks.requirement.phrasings import (
    ARGUMENTS,
    BEHAVIOUR,
    COPULAS,
    DETERMINISM,
    ENVIRONMENT,
    GRAMMAR,
    MAKES,
    MODALS,
    QUALITY,
    SETS,
    SOFT,
)
from tasks.requirement.tokens import Token

REPEATED = "every ordinary run is repeated, and the runs must agree (layer 1)"


@dataclass(frozen=True, slots=True)
class Kind:
    """A category, and what can be checked about it: expectations of an invariant, or ``how`` a quality is."""

    category: Category
    strength: Literal["hard", "soft"] = "hard"
    expectations: tuple[Expectation, ...] = ()
    how: str | None = None


def kind_of(tokens: Sequence[Token]) -> Kind | None:
    """The kind of a clause; None where it states nothing that is to be done."""
    words = [token.norm for token in tokens if token.kind != "literal"]
    joined = " ".join(words)
    held = _invariant(tokens)
    if held:
        return Kind(Category.INVARIANT, expectations=held)
    if any(GRAMMAR.longest("include_tests", tokens, at) for at in range(len(tokens))):
        return Kind(Category.TEST)
    if DETERMINISM & set(words):
        return Kind(Category.QUALITY, how=REPEATED)
    if any(phrase in joined for phrase in ENVIRONMENT):
        return Kind(Category.ENVIRONMENT)
    if any(f" {phrase} " in f" {joined} " for phrase in QUALITY):
        return Kind(Category.QUALITY, "soft")
    if _is_interface(words):
        return Kind(Category.INTERFACE)
    if any(word in BEHAVIOUR or word in MODALS or word in COPULAS for word in words):
        return Kind(Category.FUNCTIONAL, "soft" if SOFT & set(words) else "hard")
    return None


def _invariant(tokens: Sequence[Token]) -> tuple[Expectation, ...]:
    """An expectation on every run: the whole clause says so, and nothing restricts it."""
    if GRAMMAR.whole("never_stderr", tokens):
        return (TextExpectation(channel="stderr", relation="empty"),)
    match = GRAMMAR.whole("always_exit", tokens)
    status = number_of(match.captures[-1]) if match else None
    return () if status is None else (ExitExpectation(status=status),)


def _is_interface(words: Sequence[str]) -> bool:
    """It only says what is to be made and what that is given: "Write a program that takes a CSV file"."""
    verbs = {word for word in words if word in BEHAVIOUR} - SETS["written"]
    if verbs and verbs <= MAKES | SETS["read"] and (SETS["system"] & set(words)) and (MAKES & set(words[:2])):
        return True
    if ARGUMENTS & set(words) and verbs <= SETS["read"] | {"support", "supports"} and "must" not in words[2:]:
        return bool(verbs)
    return "import" in words and "from" in words

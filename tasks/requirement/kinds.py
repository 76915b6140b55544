"""What kind of statement a plain clause is, by what it speaks of."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Literal

from contracts.probe import Expectation, ExitExpectation, TextExpectation
from contracts.requirement import Category
from tasks.requirement.grammar import number_of
from tasks.requirement.phrasings import BEHAVIOUR, COPULAS, GRAMMAR, MODALS, SETS
from tasks.requirement.tokens import Token

REPEATED = "every ordinary run is repeated, and the runs must agree (layer 1)"

_MAKES = frozenset("build write create implement develop design make provide define specify write".split())  # noqa: SIM905
_SOFT = frozenset("may optionally ideally preferably could optional bonus nice might".split())  # noqa: SIM905
_DETERMINISM = frozenset("deterministic deterministically determinism reproducible idempotent".split())  # noqa: SIM905
_ARGUMENTS = frozenset("argument arguments parameter parameters argv option options".split())  # noqa: SIM905
_ENVIRONMENT = ("standard library", "network access", "internet access", "external dependencies", "third-party")
_QUALITY = (
    "type hints",
    "type annotations",
    "docstring",
    "pep 8",
    "readable",
    "maintainable",
    "performance",
    "efficient",
    "efficiently",
    "fast",
    "scalable",
    "secure",
    "user-friendly",
    "well-documented",
    "documentation",
    "test coverage",
    "coding standards",
    "clean code",
    "memory usage",
    "without loading",
    "robust",
)


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
    if _DETERMINISM & set(words):
        return Kind(Category.QUALITY, how=REPEATED)
    if any(phrase in joined for phrase in _ENVIRONMENT):
        return Kind(Category.ENVIRONMENT)
    if any(f" {phrase} " in f" {joined} " for phrase in _QUALITY):
        return Kind(Category.QUALITY, "soft")
    if _is_interface(words):
        return Kind(Category.INTERFACE)
    if any(word in BEHAVIOUR or word in MODALS or word in COPULAS for word in words):
        return Kind(Category.FUNCTIONAL, "soft" if _SOFT & set(words) else "hard")
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
    if verbs and verbs <= _MAKES | SETS["read"] and (SETS["system"] & set(words)) and (_MAKES & set(words[:2])):
        return True
    if _ARGUMENTS & set(words) and verbs <= SETS["read"] | {"support", "supports"} and "must" not in words[2:]:
        return bool(verbs)
    return "import" in words and "from" in words

"""Topics: kinds of things that texts make statements about, each with its own sentences; a text may have several.

A topic takes whole sentences or none. Where words leave a size open it is taken so that less can be proven.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass, field

from contracts.plan import Expression
from tasks.planning.wording import plain
from tasks.requirement.blocks import Sentence
from tasks.requirement.tokens import Token

_BITS = re.compile(r"\d*[kKmMgG]b")


@dataclass(frozen=True, slots=True)
class Implied:
    """What words mean, with the sentence, by its index, that has them, and the meaning in words."""

    expression: Expression
    sentence: int
    text: str


@dataclass(frozen=True, slots=True)
class Stated:
    """What sentences, by their index, say; no expression where one only introduces what is spoken of.

    ``continuous`` variables take any real value; ``subjects`` are words that name what is spoken of.
    """

    statements: dict[int, tuple[Expression, ...]] = field(default_factory=dict)
    implied: tuple[Implied, ...] = ()
    continuous: frozenset[str] = frozenset()
    subjects: frozenset[str] = frozenset()


NOTHING = Stated()


def joined(sentence: Sentence) -> str:
    """The words of a sentence in one line, as patterns expect them."""
    return " ".join(_unit(token) for token in plain(sentence.words)).replace(" ,", ",")


def _unit(token: Token) -> str:
    """The word; a "Mb" stays apart from an "MB", for it may be bits."""
    return token.norm + "its" if _BITS.fullmatch(token.text) else token.norm


def readable(found: Sequence[Sentence]) -> dict[int, str]:
    """The sentences in which a topic may stand, by their index."""
    return {index: joined(item) for index, item in enumerate(found) if item.kind in {"paragraph", "item"}}

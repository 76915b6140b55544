"""Whether a sentence asks something of the program, or tells of something else: history, other tools, advice.

A wrong expectation makes right programs fail, so what is not asked for binds nothing (DEC-09).
"""

from __future__ import annotations

from collections.abc import Sequence

from tasks.requirement.phrasings import GRAMMAR
from tasks.requirement.tokens import Token


def asks(tokens: Sequence[Token]) -> bool:
    """False for a sentence of which nothing is to be met."""
    if GRAMMAR.longest("remark_opens", tokens, 0) is not None:
        return False
    return all(GRAMMAR.longest("elsewhere", tokens, at) is None for at in range(len(tokens)))

"""Examples whose values stand bare: "For input aaab the output is 3a1b", "For input 12 18 the output is 6". Pure.

A bare word is a value only where nothing but a value can stand: alone behind "input" and alone behind "the output is",
and no word that describes ("For input lines the output is sorted").
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from tasks.requirement.grammar import number_of, word_set
from tasks.requirement.phrasings import BEHAVIOUR, COPULAS, GRAMMAR, MODALS, SETS
from tasks.requirement.tokens import Token

_DESCRIBES = (
    SETS["det"]
    | SETS["vague"]
    | SETS["bad"]
    | SETS["opener_words"]
    | SETS["fileish"]
    | SETS["adverb"]
    | BEHAVIOUR
    | MODALS
    | COPULAS
    | word_set(
        "of in on at by with and or to from for than that which as not no nothing empty blank same equal identical "
        "correct valid itself below above under over even lower upper one two line word string number value values "
        "validation sequence order list unspecified undefined unclear open free present absent optional required"
    )
)
_ENDINGS = ("ed", "ing", "ly", "able", "ible", "ous", "ful")
_SYMBOLS = word_set("n x y k m i j N X Y K M")
_SHORT = 3


@dataclass(frozen=True, slots=True)
class Bare:
    """The values of the input and those of the output; ``apart``: the text names those of the input one by one."""

    given: tuple[Token, ...]
    wanted: tuple[Token, ...]
    apart: bool
    end: int


def bare_example(tokens: Sequence[Token], at: int) -> Bare | None:
    """The example that starts at token ``at``; None where it is none, or may be a rule."""
    lead = GRAMMAR.longest("bare_lead", tokens, at)
    if lead is None:
        return None
    given, apart, end = _values(tokens, lead.end)
    result = GRAMMAR.longest("bare_result", tokens, end)
    if not given or result is None:
        return None
    wanted, _, end = _values(tokens, result.end)
    named = tokens[lead.end - 1].norm not in {"for", "given", "with"}
    if not wanted or not (_is_list(given) if named else len(given) > 1 and all(map(_is_plain, given))):
        return None
    return None if not _is_list(wanted) or _is_rule(given, wanted) else Bare(given, wanted, apart, end)


def _values(tokens: Sequence[Token], at: int) -> tuple[tuple[Token, ...], bool, int]:
    """The tokens up to what is said of them or a stop, without "and" and commas between numbers."""
    found: list[Token] = []
    apart = False
    while at < len(tokens) and tokens[at].kind in {"word", "number", "literal"}:
        if GRAMMAR.longest("bare_result", tokens, at):
            break
        found.append(tokens[at])
        joined = at + 1 < len(tokens) and tokens[at + 1].norm in {"and", ","}
        if joined and at + 2 < len(tokens) and all(map(_is_plain, (tokens[at], tokens[at + 2]))):
            apart, at = True, at + 1
        at += 1
    return tuple(found), apart, at


def _is_plain(token: Token) -> bool:
    """A value in any surroundings."""
    return token.kind in {"number", "literal"}


def _is_list(values: Sequence[Token]) -> bool:
    """One value, or several that are numbers, quoted, or single characters."""
    if len(values) == 1:
        return _is_plain(values[0]) or _is_datum(values[0])
    return all(_is_plain(item) or (len(item.text) == 1 and item.norm not in SETS["art"]) for item in values)


def _is_datum(token: Token) -> bool:
    """A bare word that describes nothing."""
    if any(char.isdigit() for char in token.text) or token.text[1:] != token.text[1:].lower():
        return True
    plural = token.norm.endswith("s") and not token.norm.endswith("ss") and len(token.norm) > _SHORT
    described = token.norm in _DESCRIBES or (token.norm.endswith(_ENDINGS) and len(token.norm) > _SHORT)
    return not (described or plural) or (len(token.text) == 1 and number_of(token) is None)


def _is_rule(given: Sequence[Token], wanted: Sequence[Token]) -> bool:
    """Whether the input is a name that the output is made of: "for input n the output is 2n"."""
    names = {token.text for token in given if token.kind == "word"} & _SYMBOLS
    return any(name in token.text for name in names for token in wanted)

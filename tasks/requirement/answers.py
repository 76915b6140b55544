"""What a call or an HTTP exchange answers: "return None", "a ValueError is raised", "respond with status 404"."""

from __future__ import annotations

import re
from collections.abc import Sequence

from contracts.requirement import CallEffect, Span
from tasks.requirement.grammar import number_of
from tasks.requirement.phrasings import CONJUNCTIONS, GRAMMAR, SETS
from tasks.requirement.tokens import Token

EXCEPTION = re.compile(r"(?:\w+\.)*[A-Z]\w*(?:Error|Exception|Warning|Iteration|Exit|Interrupt)")
_EMPTY = {
    "list": "[]",
    "tuple": "()",
    "string": '""',
    "str": '""',
    "text": '""',
    "dict": "{}",
    "dictionary": "{}",
    "mapping": "{}",
    "set": "set()",
}
_CONSTANTS = {"true": "True", "false": "False", "none": "None"}
_OPENING, _CLOSING = {"(", "[", "{"}, {")", "]", "}"}
_NO_NAME = (
    SETS["det"] | SETS["adverb"] | CONJUNCTIONS | {"it", "them", "early", "unchanged", "to", "with", "as", "from"}
)
MIN_STATUS, MIN_FAILURE, MAX_STATUS = 100, 400, 599


def answer(tokens: Sequence[Token], at: int) -> tuple[CallEffect, int] | None:
    """The effect of a call that token ``at`` starts, and where it ends; None where none of a known form stands."""
    return _raised(tokens, at) or _http(tokens, at) or _returned(tokens, at)


def is_refusal(token: Token) -> bool:
    """True for a number that stands for an HTTP status of failure where it stands alone: 404."""
    number = number_of(token)
    return token.kind == "number" and number is not None and MIN_FAILURE <= number <= MAX_STATUS


def value_end(tokens: Sequence[Token], at: int) -> int:
    """Where the Python value ends that starts at ``at``: a literal, a number, a constant or a group in brackets."""
    if tokens[at].text in _OPENING:
        return _closing(tokens, at)
    signed = tokens[at].text == "-" and at + 1 < len(tokens) and tokens[at + 1].kind == "number"
    known = tokens[at].kind in {"literal", "number"} or tokens[at].norm in _CONSTANTS
    return at + 2 if signed else at + 1 if known else at


def _raised(tokens: Sequence[Token], at: int) -> tuple[CallEffect, int] | None:
    verb = GRAMMAR.longest("raises", tokens, at)
    name = verb.end if verb else at + (tokens[at].norm in SETS["art"])
    if name >= len(tokens) or EXCEPTION.fullmatch(tokens[name].value) is None:
        return None
    end = name + 1
    if end < len(tokens) and tokens[end].text == "(" and tokens[end].start == tokens[name].end:
        end = _closing(tokens, end)
    said = GRAMMAR.longest("is_raised", tokens, end) or GRAMMAR.longest("with_message", tokens, end)
    end = said.end if said else end
    return _effect("raise", tokens[name].value, tokens[at:end]), end


def _http(tokens: Sequence[Token], at: int) -> tuple[CallEffect, int] | None:
    match = GRAMMAR.longest("responds", tokens, at)
    status = number_of(match.captures[-1]) if match else None
    if match is None or status is None or not MIN_STATUS <= status <= MAX_STATUS:
        return None
    return _effect("http", str(status), tokens[at : match.end]), match.end


def _returned(tokens: Sequence[Token], at: int) -> tuple[CallEffect, int] | None:
    verb = GRAMMAR.longest("returns", tokens, at)
    start = verb.end if verb else at
    if start >= len(tokens):
        return None
    value, end = _value(tokens, start, named=verb is not None)
    if verb is not None:
        return (_effect("return", value, tokens[at:end]), end) if end > start else None
    passive = GRAMMAR.longest("is_returned", tokens, end) if end > start else None
    return (_effect("return", value, tokens[at : passive.end]), passive.end) if passive else None


def _value(tokens: Sequence[Token], at: int, *, named: bool) -> tuple[str, int]:
    """The value at ``at`` as Python writes it; ``named``: a bare word can be the name of a parameter."""
    match = GRAMMAR.longest("empty_value", tokens, at)
    if match is not None:
        return _EMPTY[tokens[match.end - 1].norm], match.end
    end = value_end(tokens, at)
    if end > at:
        text = "".join(token.text for token in tokens[at:end])
        plain = tokens[at].kind == "literal" and tokens[at].text[0] == "`"
        return _CONSTANTS.get(tokens[at].norm, tokens[at].value if plain else text), end
    alone = at + 1 == len(tokens) or tokens[at + 1].text in {",", ";"} or tokens[at + 1].norm in CONJUNCTIONS
    if named and alone and tokens[at].kind == "word" and tokens[at].norm not in _NO_NAME:
        return tokens[at].text, at + 1
    return "", at


def _closing(tokens: Sequence[Token], at: int) -> int:
    depth = 0
    for index in range(at, len(tokens)):
        depth += (tokens[index].text in _OPENING) - (tokens[index].text in _CLOSING)
        if depth == 0:
            return index + 1
    return at


def _effect(channel: str, value: str, tokens: Sequence[Token]) -> CallEffect:
    span = Span(start=tokens[0].start, end=tokens[-1].end)
    return CallEffect.model_validate({"channel": channel, "value": value, "span": span})

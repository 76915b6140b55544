"""A fenced JSON block of integer variables and constraints, as a declaration like one in prose.

    {"variables": {"x": {"min": 1, "max": 5}, "y": [1, 5]}, "constraints": ["x + y = 11"]}

Bounds are ``min`` and ``max``, ``low`` and ``high`` or ``lower`` and ``upper``, or a pair. A constraint is a sentence
over the variables, or ``{"coefficients": {"x": 2, "y": -1}, "relation": "<=", "bound": 7}``. A block with anything
else in it is not read. The sentence before must say that the program chooses what satisfies it: it may be an example.
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterator, Mapping
from dataclasses import replace

from contracts.loading import DocumentError, load_json
from contracts.plan import Expression
from tasks.planning.declarations import Declaration, Piece
from tasks.planning.statements import Reader
from tasks.planning.terms import NotUnderstood, all_of, combine, integer
from tasks.requirement.blocks import Sentence
from tasks.requirement.tokens import Token, tokenize

_ANNOUNCED = re.compile(
    r"(?:(?:write|build|create|make) (?:a|an) )?(?:the |this |it |small |python |command |line )*"
    r"(?:program|tool|script)?"
    r"(?: (?:that|which))? ?(?:chooses|finds|picks|prints|outputs) (?:the )?integers (?:that|which) "
    r"(?:satisfy|meet|fulfil) (?:all |all of )?(?:this|these constraints|the following|the following constraints|"
    r"this specification|the constraints in this block|the constraints below|the formal block below)"
)
_AGAIN = re.compile(
    r"(?:more )?formally|in formal terms|(?:the same )?(?:as|in) (?:a )?(?:formal block|json|data)|"
    r"(?:in other words|that is)(?:, as json)?|the (?:same )?(?:constraints|rules) (?:formally|(?:as|in) json)"
)
_FENCED = re.compile(r"\s*(?:```+|~~~+)[ \t]*(?:json)?[ \t]*\n(.*)\n\s*(?:```+|~~~+)\s*", re.DOTALL)
_BOUNDS = (("min", "max"), ("low", "high"), ("upper", "lower"))
_LOW_FIRST = ("min", "low", "lower", "max", "high", "upper")
_RELATIONS = {"<=", ">=", "=", "==", "<", ">", "!="}
_LARGEST = 10**9


def formal_block(announced: Sentence, block: Sentence, *, again: bool = False) -> Declaration | None:
    """What the block declares; None if it is not one that the program is to satisfy, or not wholly understood.

    ``again``: prose has declared the integers, and the block may say the same in its own way ("Formally:").
    """
    words = " ".join(token.norm for token in announced.words)
    fenced = _FENCED.fullmatch(block.tokens[0].text) if len(block.tokens) == 1 else None
    announces = _ANNOUNCED.fullmatch(words) or (again and _AGAIN.fullmatch(words))
    if block.kind != "code" or fenced is None or not announces:
        return None
    try:
        return _declaration(load_json(fenced[1].encode()), block)
    except (DocumentError, NotUnderstood):
        return None


def _declaration(document: object, block: Sentence) -> Declaration:
    if not isinstance(document, dict) or set(document) != {"variables", "constraints"}:
        raise NotUnderstood
    variables, constraints = document["variables"], document["constraints"]
    if not isinstance(variables, dict) or not isinstance(constraints, list):
        raise NotUnderstood
    if not variables or not all(name.isidentifier() for name in variables):
        raise NotUnderstood
    reader = Reader(tuple(variables))
    pieces = [
        Piece(all_of(list(_bounds(name, known))), _where(block, rf'"{name}"\s*:\s*(?:\{{[^}}]*\}}|\[[^\]]*\])'))
        for name, known in variables.items()
    ]
    pieces += [Piece(_constraint(reader, item), _where(block, re.escape(json.dumps(item)))) for item in constraints]
    return Declaration(reader.chosen, (), tuple(pieces))


def _where(block: Sentence, pattern: str) -> tuple[Token, ...]:
    """The part of the block that matches; all of it where it is written in another way."""
    (token,) = block.tokens
    match = re.search(pattern, token.text)
    if match is None:
        return (token,)
    start, end = token.start + match.start(), token.start + match.end()
    return (replace(token, start=start, end=end, text=match.group(), norm=match.group()),)


def _bounds(name: str, known: object) -> Iterator[Expression]:
    if isinstance(known, dict) and tuple(sorted(known, reverse=True)) in _BOUNDS:
        low, high = (known[key] for key in sorted(known, key=_LOW_FIRST.index))
    elif isinstance(known, list) and len(known) == 2:
        low, high = known
    else:
        raise NotUnderstood
    variable = Expression(op="variable", name=name)
    yield combine(">=", variable, integer(_whole(low)))
    yield combine("<=", variable, integer(_whole(high)))


def _constraint(reader: Reader, item: object) -> Expression:
    if isinstance(item, str):
        return reader.sentence(tokenize(item))
    if not isinstance(item, dict) or set(item) != {"coefficients", "relation", "bound"}:
        raise NotUnderstood
    coefficients, relation = item["coefficients"], item["relation"]
    if not isinstance(coefficients, Mapping) or not coefficients or relation not in _RELATIONS:
        raise NotUnderstood
    terms = []
    for name, factor in coefficients.items():
        if name not in reader.variables:
            raise NotUnderstood
        terms.append(combine("*", integer(_whole(factor)), Expression(op="variable", name=name)))
    total = terms[0]
    for term in terms[1:]:
        total = combine("+", total, term)
    return combine("=" if relation == "==" else relation, total, integer(_whole(item["bound"])))


def _whole(value: object) -> int:
    if not isinstance(value, int) or isinstance(value, bool) or abs(value) > _LARGEST:
        raise NotUnderstood
    return value

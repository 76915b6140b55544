"""A sentence cut into pieces: before each opener of a condition and before each coordinated clause.

Every token lies in exactly one piece. What the pieces mean to each other is read in `clauses.py`.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from tasks.requirement.conditions import is_known
from tasks.requirement.consequences import starts_consequence
from tasks.requirement.phrasings import AFTER_VERB, BEHAVIOUR, COPULAS, GRAMMAR, MODALS, NOUN_LIKE, SETS, WHETHER
from tasks.requirement.tokens import Token

STOPS = frozenset({",", ";", ":", "—", "–", "->", "=>", "→"})
JOINS = frozenset({"and", "or", "but", "then"})
ARROWS = frozenset({"->", "=>", "→"})
CONDITIONS = frozenset({"opener", "label"})
_HARMLESS = {"possible", "necessary", "needed", "any", "applicable", "desired", "so", "required"}
_LABEL_TOKENS = 9


@dataclass(slots=True)
class Piece:
    """Tokens ``lo`` to ``hi``; content starts at ``body``, after separators and opener.

    ``head`` is clause, opener ("if"), label ("on empty input") or otherwise; ``role`` is set by the parser.
    """

    lo: int
    body: int
    hi: int
    head: str
    separators: frozenset[str]
    role: str = "plain"


def cut(tokens: Sequence[Token]) -> list[Piece]:
    """The pieces of the words of one sentence."""
    pieces: list[Piece] = []
    depth = at = 0
    while at < len(tokens):
        token = tokens[at]
        if token.kind == "punct":
            depth += (token.text in "([{") - (token.text in ")]}" and depth > 0)
        found = _piece_at(tokens, at, pieces) if depth == 0 else None
        if found is None and not pieces:
            found = Piece(at, at, at, "clause", frozenset())
        at += 1
        if found is not None:
            at = max(at, _add(tokens, pieces, found))
    if pieces:
        pieces[-1].hi = len(tokens)
    return [piece for piece in pieces if piece.lo < piece.hi]


def is_verb(tokens: Sequence[Token], at: int) -> bool:
    """True iff token ``at`` can be the verb of a clause."""
    word = tokens[at].norm
    if at > 0 and tokens[at - 1].norm in SETS["det"] | {"each", "every", "of"}:
        return False
    return word in BEHAVIOUR or word in MODALS or word in COPULAS or word in {"results", "leads", "causes"}


def _add(tokens: Sequence[Token], pieces: list[Piece], found: Piece) -> int:
    """Append a piece, and after a label that a verb follows ("an empty file yields ...") that clause as well."""
    if pieces:
        pieces[-1].hi = found.lo
    pieces.append(found)
    end = _label_end(tokens, found.body) if found.head == "label" else None
    if end is None or end == len(tokens) or not is_verb(tokens, end):
        return found.body
    found.hi = end
    pieces.append(Piece(end, end, end, "clause", frozenset(",")))
    return end + 1


def _piece_at(tokens: Sequence[Token], at: int, pieces: Sequence[Piece]) -> Piece | None:
    body = at
    while body < len(tokens) and (tokens[body].text in STOPS or tokens[body].norm in JOINS):
        body += 1
    if body == len(tokens):
        return None
    separators = frozenset(token.norm for token in tokens[at:body])
    condition = _condition_at(tokens, at, body, separators)
    if condition is not None:
        return condition
    if separators & ARROWS or ";" in separators or (separators and _starts_clause(tokens, body, pieces)):
        return Piece(at, body, at, "clause", separators)
    inside = pieces[-1] if pieces and pieces[-1].head in CONDITIONS else None
    if inside is not None and separators <= {",", ":", "then"} and at > inside.body + 1:
        if separators and _ends_condition(tokens, inside, body):
            return Piece(at, body, at, "clause", separators)
        if not separators and _imperative_effect(tokens, at, inside):
            return Piece(at, at, at, "clause", frozenset(","))
    return None


def _condition_at(tokens: Sequence[Token], at: int, body: int, separators: frozenset[str]) -> Piece | None:
    initial = at == 0 or bool(separators)
    otherwise = GRAMMAR.longest("otherwise", tokens, body) if initial else None
    if otherwise is not None:
        end = otherwise.end
        while end < len(tokens) and tokens[end].text in STOPS:
            end += 1
        return Piece(at, end, at, "otherwise", separators)
    opener = GRAMMAR.longest("opener", tokens, body)
    if opener is not None and _opens(tokens, body, opener.end, initial=initial):
        return Piece(at, opener.end, at, "opener", separators)
    if GRAMMAR.longest("label", tokens, body) and _label_end(tokens, body + 1) is not None:
        return Piece(at, body + 1, at, "label", separators)
    return Piece(at, body, at, "label", separators) if initial and _named_condition(tokens, body) else None


def _opens(tokens: Sequence[Token], at: int, end: int, *, initial: bool) -> bool:
    if end >= len(tokens) or tokens[end].norm in _HARMLESS or tokens[end].text in STOPS:
        return False
    if tokens[at].norm == "once" and not initial:
        return False
    return not (at > 0 and tokens[at - 1].norm in WHETHER and tokens[at].norm in {"if", "when"})


def _label_end(tokens: Sequence[Token], start: int) -> int | None:
    """Where a noun phrase ends that is a condition by itself ("on *empty input*", "on *any other error*")."""
    for end in range(min(len(tokens), start + _LABEL_TOKENS), start, -1):
        if tokens[end - 1].text in STOPS or not _closes_label(tokens, end):
            continue
        if is_known(tokens[start:end]) or GRAMMAR.whole("situation", tokens[start:end]):
            return end
    return None


def _closes_label(tokens: Sequence[Token], end: int) -> bool:
    if end == len(tokens) or tokens[end].text in STOPS or tokens[end].norm in JOINS:
        return True
    return is_verb(tokens, end) and _acts_as_verb(tokens, end)


def _named_condition(tokens: Sequence[Token], start: int) -> bool:
    """A condition as the subject of a clause or as a label: "an empty file yields ...", "missing file: ..."."""
    end = _label_end(tokens, start)
    if end is None or end == len(tokens):
        return False
    return tokens[end].text in ARROWS | {":", "—"} or is_verb(tokens, end)


def _ends_condition(tokens: Sequence[Token], inside: Piece, body: int) -> bool:
    """True iff the comma before ``body`` ends the condition rather than an item of a list in it."""
    if not any(is_verb(tokens, index) for index in range(inside.body, body)) and not is_known(tokens[inside.body : body - 1]):
        return False
    following = next((index for index in range(body, len(tokens)) if tokens[index].text == ","), None)
    if following is None or following + 1 == len(tokens):
        return not any(token.norm == "or" for token in tokens[body : body + 6])
    return tokens[following + 1].norm not in {"or", "and"}


def _imperative_effect(tokens: Sequence[Token], at: int, inside: Piece) -> bool:
    """A consequence without a comma before it: "if the file is empty *print* EMPTY"."""
    if tokens[at].norm not in BEHAVIOUR or tokens[at].norm.endswith("ing") or tokens[at - 1].norm in SETS["det"]:
        return False
    if tokens[at].norm.endswith("s") and not is_known(tokens[inside.body : at]):
        return False
    return starts_consequence(tokens, at)


def _starts_clause(tokens: Sequence[Token], at: int, pieces: Sequence[Piece]) -> bool:
    lead = GRAMMAR.longest("lead", tokens, at)
    end = lead.end if lead else at
    if end < len(tokens) and tokens[end].norm in BEHAVIOUR:
        return _acts_as_verb(tokens, end)
    if starts_consequence(tokens, at):
        return True
    if lead and tokens[end - 1].norm in MODALS | COPULAS:
        return True
    verbs = bool(pieces) and any(is_verb(tokens, index) for index in range(pieces[-1].body, at))
    return verbs and _has_own_subject(tokens, at)


def _acts_as_verb(tokens: Sequence[Token], at: int) -> bool:
    if tokens[at].norm not in NOUN_LIKE or at + 1 == len(tokens):
        return True
    following = tokens[at + 1]
    plain = following.kind == "word" and following.norm not in AFTER_VERB and not following.text.isupper()
    return not plain or starts_consequence(tokens, at)


def _has_own_subject(tokens: Sequence[Token], at: int) -> bool:
    """A short noun phrase and then a modal or a copula, before anything that separates."""
    for index in range(at + 1, min(at + 9, len(tokens))):
        token = tokens[index]
        if token.text in STOPS or token.norm in JOINS or token.norm in SETS["opener_words"]:
            return False
        if token.norm in MODALS or token.norm in COPULAS:
            return tokens[at].kind != "punct"
    return False

"""Clauses of a sentence, and which of them are under which condition.

A sentence is cut before each opener of a condition ("if", "on empty input") and before each coordinated clause; the
pieces are then read from left to right as plain clauses and branches. Every token lies in exactly one piece.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field

from tasks.requirement.conditions import is_known
from tasks.requirement.consequences import consequences, starts_consequence
from tasks.requirement.phrasings import BEHAVIOUR, COPULAS, GRAMMAR, MODALS, SETS
from tasks.requirement.tokens import Token

_STOPS = {",", ";", ":", "—", "–", "->", "=>", "→"}
_JOINS = {"and", "or", "but", "then"}
_HARMLESS = {"possible", "necessary", "needed", "any", "applicable", "desired", "so", "required"}
_WHETHER = {
    "check",
    "checks",
    "see",
    "determine",
    "determines",
    "decide",
    "verify",
    "test",
    "tests",
    "know",
    "tell",
    "as",
    "what",
}
_NOUNS = {
    "output",
    "return",
    "exit",
    "count",
    "report",
    "print",
    "format",
    "list",
    "order",
    "sum",
    "average",
    "process",
}
_NOUNS |= {
    "display",
    "change",
    "match",
    "log",
    "stop",
    "end",
    "start",
    "set",
    "rank",
    "write",
    "read",
    "outputs",
    "returns",
}
_AFTER_VERB = (
    SETS["det"]
    | SETS["exactly"]
    | SETS["adverb"]
    | {"each", "every", "all", "one", "nothing", "to", "with", "as", "it", "them"}
)


@dataclass(slots=True)
class Piece:
    """Tokens ``lo`` to ``hi``; content starts at ``body``, after separators and the opener. ``role`` is set last."""

    lo: int
    body: int
    hi: int
    head: str
    separators: frozenset[str]
    role: str = "plain"


@dataclass(slots=True)
class Branch:
    """A condition with its consequences, as ranges of tokens. ``nested``: under a further condition as well."""

    condition: tuple[int, int]
    opener: str
    consequences: list[tuple[int, int]] = field(default_factory=list)
    nested: bool = False
    pieces: list[Piece] = field(default_factory=list)


@dataclass(slots=True)
class Parsed:
    """A sentence: all pieces, its branches, and the ranges of "otherwise" with the index of their branch or -1."""

    pieces: list[Piece]
    branches: list[Branch]
    otherwise: list[tuple[Piece, int]]


def parse(tokens: Sequence[Token]) -> Parsed:
    """Parse the words of one sentence."""
    pieces = _pieces(tokens)
    result = Parsed(pieces, [], [])
    at = 0
    while at < len(pieces):
        piece = pieces[at]
        if piece.head == "otherwise":
            at = _otherwise(tokens, result, at)
        elif piece.head in {"opener", "label"}:
            at = _preposed(tokens, result, at) if _is_preposed(pieces, at) else _postposed(tokens, result, at)
        else:
            at += 1
    return result


def _pieces(tokens: Sequence[Token]) -> list[Piece]:
    pieces: list[Piece] = []
    depth = at = 0
    while at < len(tokens):
        token = tokens[at]
        if token.kind == "punct":
            depth += (token.text in "([{") - (token.text in ")]}" and depth > 0)
        cut = _cut(tokens, at, pieces) if depth == 0 else None
        if cut is None and not pieces:
            cut = Piece(at, at, at, "clause", frozenset())
        if cut is not None:
            if pieces:
                pieces[-1].hi = cut.lo
            pieces.append(cut)
            at = max(cut.body, at + 1)
            end = _label_end(tokens, cut.body) if cut.head == "label" else None
            if end is not None and end < len(tokens) and _is_verb(tokens, end):
                cut.hi = end
                pieces.append(Piece(end, end, end, "clause", frozenset(",")))
                at = end + 1
        else:
            at += 1
    if pieces:
        pieces[-1].hi = len(tokens)
    return [piece for piece in pieces if piece.lo < piece.hi]


def _cut(tokens: Sequence[Token], at: int, pieces: Sequence[Piece]) -> Piece | None:
    """The piece that starts at token ``at``, if one does."""
    body = at
    while body < len(tokens) and (tokens[body].text in _STOPS or tokens[body].norm in _JOINS):
        body += 1
    separators = frozenset(token.norm for token in tokens[at:body])
    if body == len(tokens):
        return None
    initial = at == 0 or bool(separators)
    otherwise = GRAMMAR.longest("otherwise", tokens, body) if initial else None
    if otherwise is not None:
        return Piece(at, _past_stops(tokens, otherwise.end), at, "otherwise", separators)
    opener = GRAMMAR.longest("opener", tokens, body)
    if opener is not None and _opens(tokens, body, opener.end, initial=initial):
        return Piece(at, opener.end, at, "opener", separators)
    if GRAMMAR.longest("label", tokens, body) and _label_end(tokens, body + 1) is not None:
        return Piece(at, body + 1, at, "label", separators)
    if initial and _named_condition(tokens, body):
        return Piece(at, body, at, "label", separators)
    if separators & {"->", "=>", "→"} or ";" in separators or (separators and _starts_clause(tokens, body, pieces)):
        return Piece(at, body, at, "clause", separators)
    inside = pieces[-1] if pieces and pieces[-1].head in {"opener", "label"} and not separators else None
    if inside is not None and at > inside.body + 1 and _imperative_effect(tokens, at, inside):
        return Piece(at, at, at, "clause", frozenset(","))
    return None


def _past_stops(tokens: Sequence[Token], at: int) -> int:
    while at < len(tokens) and tokens[at].text in _STOPS:
        at += 1
    return at


def _opens(tokens: Sequence[Token], at: int, end: int, *, initial: bool) -> bool:
    if end >= len(tokens) or tokens[end].norm in _HARMLESS or tokens[end].text in _STOPS:
        return False
    if tokens[at].norm == "once" and not initial:
        return False
    return not (at > 0 and tokens[at - 1].norm in _WHETHER and tokens[at].norm in {"if", "when"})


def _label_end(tokens: Sequence[Token], start: int) -> int | None:
    """Where a noun phrase ends that names a known condition by itself ("on *empty input*"); None if there is none."""
    for end in range(min(len(tokens), start + 9), start, -1):
        closed = end == len(tokens) or tokens[end].text in _STOPS or tokens[end].norm in _JOINS or _is_verb(tokens, end)
        if closed and tokens[end - 1].text not in _STOPS and is_known(tokens[start:end]):
            return end
    return None


def _named_condition(tokens: Sequence[Token], start: int) -> bool:
    """ "An empty file yields ...", "missing file: ...": a condition as the subject of a clause or as a label."""
    end = _label_end(tokens, start)
    return (
        end is not None
        and end < len(tokens)
        and (tokens[end].text in {":", "->", "=>", "→", "—"} or _is_verb(tokens, end))
    )


def _is_verb(tokens: Sequence[Token], at: int) -> bool:
    word = tokens[at].norm
    if at > 0 and tokens[at - 1].norm in SETS["det"] | {"each", "every", "of"}:
        return False
    return word in BEHAVIOUR or word in MODALS or word in COPULAS or word in {"results", "leads", "causes"}


def _imperative_effect(tokens: Sequence[Token], at: int, inside: Piece) -> bool:
    """ "If the file is empty *print* EMPTY": no comma, but a consequence of a known form starts here."""
    if tokens[at].norm not in BEHAVIOUR or tokens[at].norm.endswith("ing") or tokens[at - 1].norm in SETS["det"]:
        return False
    return starts_consequence(tokens, at) and not _in_condition(tokens, inside, at)


def _in_condition(tokens: Sequence[Token], inside: Piece, at: int) -> bool:
    return not is_known(tokens[inside.body : at]) and tokens[at].norm.endswith("s")


def _starts_clause(tokens: Sequence[Token], at: int, pieces: Sequence[Piece]) -> bool:
    lead = GRAMMAR.longest("lead", tokens, at)
    end = lead.end if lead else at
    if end < len(tokens) and tokens[end].norm in BEHAVIOUR:
        return _acts_as_verb(tokens, end)
    if starts_consequence(tokens, at):
        return True
    if lead and tokens[end - 1].norm in MODALS | COPULAS:
        return True
    return _has_verb(tokens, pieces, at) and _has_own_subject(tokens, at)


def _has_verb(tokens: Sequence[Token], pieces: Sequence[Piece], before: int) -> bool:
    return bool(pieces) and any(_is_verb(tokens, index) for index in range(pieces[-1].body, before))


def _acts_as_verb(tokens: Sequence[Token], at: int) -> bool:
    if tokens[at].norm not in _NOUNS or at + 1 == len(tokens):
        return True
    following = tokens[at + 1]
    return (
        following.kind != "word"
        or following.norm in _AFTER_VERB
        or following.text.isupper()
        or starts_consequence(tokens, at)
    )


def _has_own_subject(tokens: Sequence[Token], at: int) -> bool:
    """A short noun phrase and then a modal or a copula, before anything that separates."""
    for index in range(at + 1, min(at + 9, len(tokens))):
        token = tokens[index]
        if token.text in _STOPS or token.norm in _JOINS or token.norm in SETS["opener_words"]:
            return False
        if token.norm in MODALS or token.norm in COPULAS:
            return tokens[at].kind != "punct"
    return False


def _is_preposed(pieces: Sequence[Piece], at: int) -> bool:
    """A condition stands before its consequences at the start, or after a stop where a consequence follows a comma."""
    following = pieces[at + 1] if at + 1 < len(pieces) else None
    follows = following is not None and following.head == "clause" and bool(following.separators & _CONSEQUENT)
    if at == 0 or pieces[at - 1].head == "otherwise":
        return True
    strong = bool(pieces[at].separators & {";", ":", "and", "but", ","})
    return strong and follows


_CONSEQUENT = {",", "then", ":", "->", "=>", "→", "—", "–"}


def _preposed(tokens: Sequence[Token], result: Parsed, at: int) -> int:
    pieces = result.pieces
    first = pieces[at]
    first.role = "condition"
    end = at + 1
    while end < len(pieces) and _continues_condition(tokens, pieces, end):
        pieces[end].role = "condition"
        end += 1
    branch = Branch((first.body, pieces[end - 1].hi), _opener(tokens, first), pieces=pieces[at:end])
    result.branches.append(branch)
    while end < len(pieces):
        piece = pieces[end]
        if piece.head == "otherwise" or (piece.head != "clause" and _is_preposed(pieces, end)):
            break
        if piece.head == "clause" and ";" in piece.separators:
            break
        piece.role = "consequence"
        branch.pieces.append(piece)
        if piece.head != "clause":
            branch.nested = True
        branch.consequences.append((piece.body if piece.head == "clause" else piece.lo, piece.hi))
        end += 1
    return end


def _continues_condition(tokens: Sequence[Token], pieces: Sequence[Piece], at: int) -> bool:
    piece = pieces[at]
    if piece.head == "otherwise" or piece.separators & {"then", ";", ":", "->", "=>", "→"}:
        return False
    if piece.head in {"opener", "label"}:
        return bool(piece.separators & {"or", "and"}) or not piece.separators
    if "or" in piece.separators:
        return True
    if "and" in piece.separators or not piece.separators:
        return any(later.separators & _CONSEQUENT and "or" not in later.separators for later in pieces[at + 1 :])
    if starts_consequence(tokens, piece.body):
        return False
    rest = pieces[at + 1 :]
    return bool(rest) and "or" in rest[0].separators and rest[0].head == "opener"


def _postposed(tokens: Sequence[Token], result: Parsed, at: int) -> int:
    pieces = result.pieces
    first = pieces[at]
    first.role = "condition"
    branch = Branch((first.body, first.hi), _opener(tokens, first), pieces=[first])
    for piece in reversed(pieces[:at]):
        if piece.role != "plain" or piece.head != "clause":
            break
        nearest = not branch.consequences
        if not nearest and not _is_fixed(tokens, piece):
            break
        piece.role = "consequence"
        branch.consequences.insert(0, (piece.body, piece.hi))
        branch.pieces.insert(0, piece)
        if _stands_alone(tokens, piece, last=nearest) or ";" in piece.separators:
            break
    result.branches.append(branch)
    end = at + 1
    while end < len(pieces) and _extends(tokens, pieces[end]):
        piece = pieces[end]
        if piece.head == "clause" and starts_consequence(tokens, piece.body):
            piece.role = "consequence"
            branch.consequences.append((piece.body, piece.hi))
        else:
            piece.role = "condition"
            branch.condition = (branch.condition[0], piece.hi)
        branch.pieces.append(piece)
        end += 1
    return end


def _is_fixed(tokens: Sequence[Token], piece: Piece) -> bool:
    """An effect that is the same whenever it happens, as those under a condition mostly are."""
    return bool(consequences([tokens[piece.body : piece.hi]]).expectations)


def _stands_alone(tokens: Sequence[Token], piece: Piece, *, last: bool) -> bool:
    """ "X, and Y if C": the comma before "and" of a pair keeps X out."""
    return last and {",", "and"} <= piece.separators and not _is_fixed(tokens, piece)


def _extends(tokens: Sequence[Token], piece: Piece) -> bool:
    if piece.head == "otherwise":
        return False
    if piece.head in {"opener", "label"}:
        return bool(piece.separators & {"or", "and"}) and "," not in piece.separators
    return "," not in piece.separators and bool(piece.separators & {"and", "or"})


def _otherwise(tokens: Sequence[Token], result: Parsed, at: int) -> int:
    pieces = result.pieces
    end = at
    while end < len(pieces) and (end == at or (pieces[end].head == "clause" and ";" not in pieces[end].separators)):
        pieces[end].role = "otherwise"
        result.otherwise.append((pieces[end], len(result.branches) - 1))
        end += 1
    return end


def _opener(tokens: Sequence[Token], piece: Piece) -> str:
    words = [
        token.norm for token in tokens[piece.lo : piece.body] if token.norm not in _JOINS and token.text not in _STOPS
    ]
    return " ".join(words)

"""Which clauses of a sentence are under which condition: branches with their consequences, and "otherwise"."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field

from tasks.requirement.conditions import without_parentheses
from tasks.requirement.consequences import bare_value, consequences, starts_consequence
from tasks.requirement.phrasings import GRAMMAR
from tasks.requirement.pieces import CONDITIONS, JOINS, STOPS, Piece, cut
from tasks.requirement.situations import ARROWS, DASHES
from tasks.requirement.tokens import Token

_CONSEQUENT = frozenset({",", "then", ":", "?"}) | ARROWS | DASHES
_STRONG = frozenset({";", ":", "and", "but", ","}) | DASHES


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
    """A sentence: its pieces and branches, the pieces of "otherwise" with the index of their branch or -1.

    ``again`` are clauses under the condition before them: "in that case", "it then exits".
    """

    pieces: list[Piece]
    branches: list[Branch] = field(default_factory=list)
    otherwise: list[tuple[Piece, int]] = field(default_factory=list)
    again: list[Piece] = field(default_factory=list)


def parse(tokens: tuple[Token, ...]) -> Parsed:
    """Parse the words of one sentence."""
    result = Parsed(cut(tokens))
    at = 0
    while at < len(result.pieces):
        piece = result.pieces[at]
        if piece.head == "otherwise":
            at = _otherwise(result, at)
        elif piece.head == "case":
            at = _in_which_case(tokens, result, at)
        elif piece.head not in CONDITIONS:
            at += 1
        elif _is_preposed(tokens, result.pieces, at) or _is_reported(tokens, result.pieces, at):
            at = _preposed(tokens, result, at)
        else:
            at = _postposed(tokens, result, at)
    for piece in result.pieces:
        joined = result.again and piece.lo == result.again[-1].hi and _goes_on(tokens, piece)
        if piece.role == "plain" and (joined or _refers_back(tokens, piece)):
            result.again.append(piece)
            piece.role = "consequence"
    return result


def _goes_on(tokens: tuple[Token, ...], piece: Piece) -> bool:
    return piece.head == "clause" and ";" not in piece.separators and _is_fixed(tokens, piece)


def _refers_back(tokens: tuple[Token, ...], piece: Piece) -> bool:
    for at in range(piece.body, piece.hi):
        match = GRAMMAR.longest("anaphor", tokens, at)
        if match is not None and (at in {piece.body, piece.hi - 1} or tokens[at].norm == "in"):
            only = GRAMMAR.longest("nothing_else", tokens, piece.body) is not None
            return only or starts_consequence(tokens, piece.body) or _is_fixed(tokens, piece)
    return _then_acts(tokens, piece.body)


def _then_acts(tokens: tuple[Token, ...], at: int) -> bool:
    """The program by its name: "greet *then* prints ..."."""
    named = at + 2 < len(tokens) and tokens[at].kind in {"word", "literal"}
    return named and tokens[at + 1].norm == "then" and starts_consequence(tokens, at + 2)


def _is_preposed(tokens: tuple[Token, ...], pieces: Sequence[Piece], at: int) -> bool:
    """A condition comes before its consequences at the start, or after a stop where a consequence follows a comma."""
    if at == 0 or pieces[at - 1].head == "otherwise" or "(" in pieces[at].separators:
        return True
    return bool(pieces[at].separators & _STRONG) and _consequence_follows(tokens, pieces, at)


def _is_reported(tokens: tuple[Token, ...], pieces: Sequence[Piece], at: int) -> bool:
    """A condition in reported speech: "we agreed that *in the event that* ..."."""
    start = pieces[at].lo
    return start > 0 and tokens[start - 1].norm == "that" and _consequence_follows(tokens, pieces, at)


def _consequence_follows(tokens: tuple[Token, ...], pieces: Sequence[Piece], at: int) -> bool:
    for piece in pieces[at + 1 :]:
        if _only_runs(tokens, piece):
            continue
        if piece.head != "clause":
            return False
        if piece.separators & _CONSEQUENT and not piece.separators & {"or", "and"}:
            return True
        if ";" in piece.separators:
            return False
    return False


def _preposed(tokens: tuple[Token, ...], result: Parsed, at: int) -> int:
    pieces = result.pieces
    first = pieces[at]
    end = at + 1
    while end < len(pieces) and _continues_condition(tokens, pieces, end):
        end += 1
    last = pieces[end - 1].hi
    while end < len(pieces) and _only_runs(tokens, pieces[end]):
        end += 1
    for piece in pieces[at:end]:
        piece.role = "condition"
    branch = Branch((first.body, last), _opener(tokens, first), pieces=pieces[at:end])
    result.branches.append(branch)
    return _follow(tokens, result, end, first.close)


def _only_runs(tokens: tuple[Token, ...], piece: Piece) -> bool:
    """Given something, "*when the tool is run*": no further condition."""
    said = tokens[piece.body : piece.hi]
    return piece.head == "opener" and GRAMMAR.whole("just_run", without_parentheses(said)) is not None


def _in_which_case(tokens: tuple[Token, ...], result: Parsed, at: int) -> int:
    """The clause before is the condition: "the file may be empty, *in which case* 0 is printed"."""
    case, before = result.pieces[at], result.pieces[at - 1]
    known = before.role == "condition" and result.branches
    condition = result.branches[-1].condition if known else (before.body, before.hi)
    before.role, case.role = "condition", "consequence"
    branch = Branch(condition, "in which case", [(case.body, case.hi)], pieces=[before, case])
    result.branches.append(branch)
    return _follow(tokens, result, at + 1)


def _follow(tokens: tuple[Token, ...], result: Parsed, end: int, close: int = 0) -> int:
    """Take the consequences from piece ``end`` on into the last branch; none behind token ``close`` of its aside."""
    pieces, branch = result.pieces, result.branches[-1]
    while end < len(pieces) and not _leaves_branch(tokens, pieces, end):
        piece = pieces[end]
        if close and piece.lo > close:
            break
        piece.role = "consequence"
        branch.pieces.append(piece)
        branch.nested |= piece.head != "clause"
        branch.consequences.append((piece.body if piece.head == "clause" else piece.lo, piece.hi))
        end += 1
    return end


def _leaves_branch(tokens: tuple[Token, ...], pieces: Sequence[Piece], at: int) -> bool:
    piece = pieces[at]
    if piece.head == "otherwise":
        return True
    if piece.head != "clause":
        return piece.head == "case" or _is_preposed(tokens, pieces, at)
    return ";" in piece.separators and not (tokens[piece.body].norm == "it" and _is_fixed(tokens, piece))


def _continues_condition(tokens: tuple[Token, ...], pieces: Sequence[Piece], at: int) -> bool:
    piece = pieces[at]
    if piece.head in {"otherwise", "case"} or piece.separators & ({"then", ";", ":", "?"} | ARROWS | DASHES):
        return False
    if piece.head in CONDITIONS:
        return bool(piece.separators & {"or", "and"}) or not piece.separators
    if "or" in piece.separators:
        return True
    if piece.separators & {"and", "but"} or not piece.separators:
        return _consequence_follows(tokens, pieces, at)
    following = pieces[at + 1] if at + 1 < len(pieces) else None
    listed = following is not None and following.head == "opener" and "or" in following.separators
    return listed and not starts_consequence(tokens, piece.body)


def _postposed(tokens: tuple[Token, ...], result: Parsed, at: int) -> int:
    pieces = result.pieces
    first = pieces[at]
    before = _governed(tokens, pieces, at)
    if first.head == "label" and not any(_is_fixed(tokens, piece) for piece in before):
        return at + 1
    branch = Branch((first.body, first.hi), _opener(tokens, first), pieces=[*before, first])
    branch.consequences = [(piece.body, piece.hi) for piece in before]
    if not before and result.branches and branch.opener in {"unless", "except if", "except when", "even if"}:
        branch.consequences = list(result.branches[-1].consequences)
        branch.nested = result.branches[-1].nested = True
    for piece in before:
        piece.role = "consequence"
    first.role = "condition"
    result.branches.append(branch)
    end = at + 1
    close = next((piece.close for piece in before if piece.close), len(tokens))
    while end < len(pieces) and pieces[end].lo <= close and _extends(pieces, end):
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


def _governed(tokens: tuple[Token, ...], pieces: Sequence[Piece], at: int) -> list[Piece]:
    """The clauses that a condition after them governs: the nearest, and effects like it that are joined to it.

    A clause with a varying effect ("reads a file", "prints the sum") is not taken in: it was not said of this case.
    """
    found: list[Piece] = []
    for piece in reversed(pieces[:at]):
        if piece.role != "plain" or piece.head != "clause" or (found and not _is_fixed(tokens, piece)):
            break
        found.insert(0, piece)
        alone = len(found) == 1 and {",", "and"} <= piece.separators and not _is_fixed(tokens, piece)
        if alone or ";" in piece.separators or piece.close:
            break
    return found


def _is_fixed(tokens: tuple[Token, ...], piece: Piece) -> bool:
    """An effect that is the same whenever it happens, as those under a condition mostly are."""
    words = tokens[piece.body : piece.hi]
    return bare_value(words) is not None or consequences([words]).fixed


def _extends(pieces: Sequence[Piece], at: int) -> bool:
    """True iff the piece goes on with a condition that came last, or with its consequences."""
    piece = pieces[at]
    if piece.head == "opener" and piece.separators == {",", "or"}:
        return True  # "raise it if A is no list, *or if B is no number*"
    if piece.head in {"otherwise", "case"} or "," in piece.separators:
        return False
    if "(" in piece.separators and piece.head == "clause":
        return True
    if piece.head == "clause" and at + 1 < len(pieces):
        following = pieces[at + 1]
        if following.head in CONDITIONS and not following.separators:
            return False
    return bool(piece.separators & {"or", "and"}) or (piece.head == "clause" and ":" in piece.separators)


def _otherwise(result: Parsed, at: int) -> int:
    pieces = result.pieces
    end = at
    while end < len(pieces) and (end == at or (pieces[end].head == "clause" and ";" not in pieces[end].separators)):
        pieces[end].role = "otherwise"
        result.otherwise.append((pieces[end], len(result.branches) - 1))
        end += 1
    return end


def _opener(tokens: tuple[Token, ...], piece: Piece) -> str:
    return " ".join(
        token.norm for token in tokens[piece.lo : piece.body] if token.norm not in JOINS and token.text not in STOPS
    )

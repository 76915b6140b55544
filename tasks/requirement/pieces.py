"""A sentence cut into pieces: before each opener of a condition and before each coordinated clause.

Every token lies in exactly one piece. What the pieces mean to each other is read in `clauses.py`.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from tasks.requirement.answers import answer, is_refusal
from tasks.requirement.conditions import is_known
from tasks.requirement.consequences import after_named_subject, bare_value, starts_consequence
from tasks.requirement.phrasings import AFTER_VERB, BEHAVIOUR, COPULAS, GRAMMAR, MODALS, NOUN_LIKE, SETS, WHETHER
from tasks.requirement.situations import ARROWS, DASHES, NO_SITUATION, situation_end
from tasks.requirement.tokens import Token

STOPS = frozenset({",", ";", ":", "?", "—", "–", "--", "->", "=>", "→"})
JOINS = frozenset({"and", "or", "but", "then", "plus"})
CONDITIONS = frozenset({"opener", "label"})
_HARMLESS = {"possible", "necessary", "needed", "any", "applicable", "desired", "so", "required"}
_LABEL_TOKENS = 9
_LOOK_BACK = 40
_MIDWAY = {"on", "upon", "for"}
_LONGEST_QUESTION = 12
_BEFORE_ELSE = {"nothing", "anything", "everything", "all"}


@dataclass(slots=True)
class Piece:
    """Tokens ``lo`` to ``hi``; content starts at ``body``, after separators and opener.

    ``head`` is clause, opener ("if"), label ("on empty input"), case ("in which case") or otherwise; ``role`` is set by
    the parser. ``close`` is where the parenthesis ends that the piece opens, 0 if it opens none.
    """

    lo: int
    body: int
    hi: int
    head: str
    separators: frozenset[str]
    role: str = "plain"
    close: int = 0


def cut(tokens: tuple[Token, ...]) -> list[Piece]:
    """The pieces of the words of one sentence."""
    pieces: list[Piece] = []
    depth = at = 0
    while at < len(tokens):
        token = tokens[at]
        aside = _aside(tokens, at, pieces) if depth == 0 and token.text == "(" else None
        if token.kind == "punct" and not aside:
            depth += (token.text in "([{") - (token.text in ")]}" and depth > 0)
        found = _piece_at(tokens, at, pieces) if depth == 0 and not aside else aside
        if found is None and any(piece.close == at - 1 > 0 for piece in pieces) and token.kind != "punct":
            found = Piece(at, at, at, "clause", frozenset(")"))
        if found is None and not pieces:
            found = Piece(at, at, at, "clause", frozenset())
        at += 1
        if found is not None:
            at = max(at, _add(tokens, pieces, found))
    if pieces:
        pieces[-1].hi = len(tokens)
    return [piece for piece in pieces if piece.lo < piece.hi]


def _aside(tokens: tuple[Token, ...], at: int, pieces: Sequence[Piece]) -> Piece | None:
    """What a parenthesis says under a condition: "(10 if N is not given)", "(if it is missing: exit status 1)"."""
    close = next((index for index in range(at, len(tokens)) if tokens[index].text == ")"), 0)
    openers = [index for index in range(at + 1, close) if GRAMMAR.longest("opener", tokens, index)]
    if openers[:1] == [at + 1] and {":", ","} & {token.text for token in tokens[at:close]}:
        end = GRAMMAR.longest("opener", tokens, at + 1)
        return Piece(at, end.end, at, "opener", frozenset("("), close=close) if end else None
    if _stands_alone(tokens, at + 1):
        return Piece(at, at + 1, at, "clause", frozenset(","), close=close)
    start = at + 1 + (close > at + 1 and tokens[at + 1].norm == "and")
    after = bool(pieces) and pieces[-1].head in CONDITIONS
    if not (close and (openers or after) and starts_consequence(tokens, start)):
        return None
    return Piece(at, start, at, "clause", frozenset("," if openers else "("), close=close)


def is_verb(tokens: tuple[Token, ...], at: int) -> bool:
    """True iff token ``at`` can be the verb of a clause."""
    word = tokens[at].norm
    if at > 0 and tokens[at - 1].norm in SETS["det"] | {"each", "every", "of"}:
        return False
    return word in BEHAVIOUR or word in MODALS or word in COPULAS or word in {"results", "leads", "causes"}


def _add(tokens: tuple[Token, ...], pieces: list[Piece], found: Piece) -> int:
    """Append a piece, and after a label that a verb follows ("an empty file yields ...") that clause as well."""
    if pieces:
        pieces[-1].hi = found.lo
    pieces.append(found)
    end = _label_end(tokens, found.body) if found.head == "label" else None
    if end is None or end == len(tokens) or tokens[end].text in STOPS or tokens[end].norm in JOINS:
        return found.body
    found.hi = end
    pieces.append(Piece(end, end, end, "clause", frozenset(",")))
    return end + 1


def _piece_at(tokens: tuple[Token, ...], at: int, pieces: Sequence[Piece]) -> Piece | None:
    body = at
    while body < len(tokens) and _separates(tokens, at, body):
        body += 1
    inside = pieces[-1] if pieces and pieces[-1].head in CONDITIONS else None
    if body == len(tokens) or (inside is not None and _is_predicate(tokens, body)):
        return None
    separators = frozenset(token.norm for token in tokens[at:body]) - {"that"}
    if separators == {"then"} and at > 0 and (GRAMMAR.longest("subject", tokens, at - 1) or _named_then(tokens, at)):
        return None  # "it then exits" is one clause
    condition = _condition_at(tokens, at, body, separators)
    if condition is not None:
        return condition
    if separators & (ARROWS | {";", "?"}) or (separators and _starts_clause(tokens, body, pieces)):
        return Piece(at, body, at, "clause", separators)
    if separators and (_stands_alone(tokens, body) or _is_status(tokens, body) or _refers(tokens, body)):
        return Piece(at, body, at, "clause", separators)
    if inside is not None and separators <= {",", ":", "then"} and at > inside.body + 1:
        if separators and _ends_condition(tokens, inside, body):
            return Piece(at, body, at, "clause", separators)
        if not separators and _imperative_effect(tokens, at, inside):
            return Piece(at, at, at, "clause", frozenset(","))
    return None


def _named_then(tokens: tuple[Token, ...], at: int) -> bool:
    """The program by its name: "greet *then* prints"."""
    starts = at == 1 or tokens[at - 2].text in STOPS
    return starts and tokens[at - 1].kind in {"word", "literal"} and tokens[at - 1].norm not in BEHAVIOUR


def _separates(tokens: tuple[Token, ...], at: int, body: int) -> bool:
    if tokens[body].norm == "that":
        return body > at and tokens[body - 1].norm in JOINS
    return tokens[body].text in STOPS or tokens[body].norm in JOINS


def _stands_alone(tokens: tuple[Token, ...], at: int) -> bool:
    """A value with a condition of its own: "0 if it was read, *1* if not", "and *with 2* if neither"."""
    if at >= len(tokens):
        return False
    end = at + 1 + (tokens[at].norm in {"with", "by"})
    if end >= len(tokens) or bare_value(tokens[at:end]) is None:
        return False
    if any(GRAMMAR.longest(rule, tokens, end) is not None for rule in ("opener", "otherwise")):
        return True
    return end < len(tokens) and tokens[end].norm == "for" and _label_end(tokens, end + 1) is not None


def _refers(tokens: tuple[Token, ...], at: int) -> bool:
    """A clause under the condition before it: "*in these cases it ends* with status 1"."""
    match = GRAMMAR.longest("anaphor", tokens, at) if tokens[at].norm == "in" else None
    if match is None:
        return False
    start = match.end + (match.end < len(tokens) and tokens[match.end].text == ",")
    lead = GRAMMAR.longest("lead", tokens, start)
    return starts_consequence(tokens, lead.end if lead else start)


def _is_status(tokens: tuple[Token, ...], at: int) -> bool:
    """A status that stands alone behind its case: "unknown id → *404*"."""
    return is_refusal(tokens[at]) and (at + 1 == len(tokens) or tokens[at + 1].text in STOPS)


def _condition_at(tokens: tuple[Token, ...], at: int, body: int, separators: frozenset[str]) -> Piece | None:
    initial = at == 0 or bool(separators)
    case = GRAMMAR.longest("which_case", tokens, body) if at > 0 and initial else None
    if case is not None:
        return Piece(at, case.end, at, "case", separators)
    otherwise = GRAMMAR.longest("otherwise", tokens, body) if initial or _is_else(tokens, at) else None
    if initial and _ends_otherwise(tokens, body):
        return Piece(at, body, at, "otherwise", separators)
    if otherwise is not None:
        end = otherwise.end
        while end < len(tokens) and tokens[end].text in STOPS:
            end += 1
        return Piece(at, end, at, "otherwise", separators)
    opener = GRAMMAR.longest("opener", tokens, body)
    if opener is not None:
        after = _after_aside(tokens, opener.end)
        if _opens(tokens, body, after):
            return Piece(at, after, at, "opener", separators)
    label = GRAMMAR.longest("label", tokens, body) if initial or tokens[body].norm in _MIDWAY else None
    if label is not None and _label_end(tokens, body + 1) is not None:
        return Piece(at, body + 1, at, "label", separators)
    if not initial and tokens[body].norm == "for" and _follows_effect(tokens, body):
        return Piece(at, body + 1, at, "opener", separators)
    return Piece(at, body, at, "label", separators) if initial and _named_condition(tokens, body) else None


def _follows_effect(tokens: tuple[Token, ...], at: int) -> bool:
    """A fixed effect ends right before: "raises ValueError *for a name with digits*"; not "for each line"."""
    if at + 1 >= len(tokens) or tokens[at + 1].norm in NO_SITUATION or starts_consequence(tokens, at + 1):
        return False
    starts = range(max(0, at - _LOOK_BACK), at)
    return any(_ends_at(tokens, start, at) for start in starts)


def _ends_at(tokens: tuple[Token, ...], start: int, end: int) -> bool:
    effect, called = GRAMMAR.longest("effect", tokens, start), answer(tokens, start)
    return (effect is not None and effect.end == end) or (called is not None and called[1] == end)


def _after_aside(tokens: tuple[Token, ...], at: int) -> int:
    """Behind an aside that follows on the opener: "If, *after blanks are removed*, the files are equal"."""
    if at >= len(tokens) or tokens[at].text != ",":
        return at
    return next((index + 1 for index in range(at + 2, min(at + 12, len(tokens))) if tokens[index].text == ","), at)


def _is_else(tokens: tuple[Token, ...], at: int) -> bool:
    return tokens[at].norm == "else" and tokens[at - 1].norm not in _BEFORE_ELSE | {"or"}


def _ends_otherwise(tokens: tuple[Token, ...], body: int) -> bool:
    """A short clause that "otherwise" closes: "... and 0 otherwise"."""
    for at in range(body + 1, min(body + 12, len(tokens))):
        match = GRAMMAR.longest("otherwise", tokens, at) if tokens[at - 1].norm not in _BEFORE_ELSE else None
        if match is not None:
            return match.end == len(tokens) or tokens[match.end].text in STOPS
        if tokens[at].text in STOPS or tokens[at].norm in JOINS:
            return False
    return False


def _opens(tokens: tuple[Token, ...], at: int, end: int) -> bool:
    if end >= len(tokens) or tokens[end].text in STOPS:
        return False
    if tokens[end].norm in _HARMLESS and (end + 1 == len(tokens) or tokens[end + 1].text in STOPS | {")"}):
        return False
    if tokens[at].norm == "provided" and end == at + 1:
        return at == 0
    if tokens[at].norm in {"once", "after"}:
        return _says(tokens, end) and (at == 0 or tokens[at].norm == "once")
    if tokens[at].norm == "where" and at > 0:
        return False
    if tokens[at].norm == "should" and at > 0:
        return False
    return not (at > 0 and tokens[at - 1].norm in WHETHER and tokens[at].norm in {"if", "when"})


def _says(tokens: tuple[Token, ...], start: int) -> bool:
    """A statement follows, with a verb before the next stop."""
    stop = next((at for at in range(start, len(tokens)) if tokens[at].text in STOPS), len(tokens))
    verbs = SETS["be"] | {"has", "have", "contains", "holds", "occurs"}
    return any(token.norm in verbs for token in tokens[start + 1 : stop])


def _label_end(tokens: tuple[Token, ...], start: int) -> int | None:
    """Where a noun phrase ends that is a condition by itself ("on *empty input*", "on *any other error*")."""
    asked = _question_end(tokens, start)
    if asked is not None:
        return asked
    furthest = min(len(tokens), start + _LABEL_TOKENS)
    stop = next((at for at in range(start, furthest) if tokens[at].text in STOPS), furthest)
    for end in range(stop, start, -1):
        if not _closes_label(tokens, end):
            continue
        if is_known(tokens[start:end]):
            return end
        noun = not any(is_verb(tokens, at) for at in range(start + 1, end))
        good = start > 0 and tokens[start - 1].norm == "for" and GRAMMAR.whole("case_for", tokens[start:end])
        if noun and (good or GRAMMAR.whole("situation", tokens[start:end])):
            return end
    return situation_end(tokens, start)


def _closes_label(tokens: tuple[Token, ...], end: int) -> bool:
    if end == len(tokens) or tokens[end].text in STOPS or tokens[end].norm in JOINS:
        return True
    return is_verb(tokens, end) and not tokens[end].norm.endswith("ing") and _acts_as_verb(tokens, end)


def _named_condition(tokens: tuple[Token, ...], start: int) -> bool:
    """A condition as the subject of a clause or as a label: "an empty file yields ...", "missing file: ..."."""
    end = _label_end(tokens, start)
    if end is None or end == len(tokens):
        return False
    if GRAMMAR.longest("called_with", tokens, start):
        return True
    return tokens[end].text in ARROWS | DASHES | {":", "?"} or tokens[end].text not in STOPS


def _question_end(tokens: tuple[Token, ...], start: int) -> int | None:
    """Where a question ends that something follows on: "*No name* ? Print `name!`"."""
    for at in range(start + 1, min(start + _LONGEST_QUESTION, len(tokens) - 1)):
        if tokens[at].text == "?":
            return at
        if tokens[at].text in STOPS:
            return None
    return None


def _ends_condition(tokens: tuple[Token, ...], inside: Piece, body: int) -> bool:
    """True iff the comma before ``body`` ends the condition rather than an item of a list in it."""
    if is_known(tokens[inside.body : body - 1]):
        item = next((at for at in range(body, len(tokens)) if tokens[at].text in STOPS), len(tokens))
        return not is_known(tokens[inside.body : item])
    if not any(is_verb(tokens, index) for index in range(inside.body, body)):
        return False
    lead = GRAMMAR.longest("lead", tokens, body)
    start = lead.end if lead else body
    acts = start < len(tokens) and tokens[start].norm in BEHAVIOUR and _acts_as_verb(tokens, start)
    named = bool(after_named_subject(tokens, body))
    return acts or named or starts_consequence(tokens, body) or _has_own_subject(tokens, body)


def _is_predicate(tokens: tuple[Token, ...], at: int) -> bool:
    """A predicate whose subject stands before: "is missing, *is not an integer*, or *is out of range*"."""
    return at > 0 and tokens[at - 1].norm in {",", "or"} and tokens[at].norm in SETS["be"] - {"be", "been", "being"}


def _imperative_effect(tokens: tuple[Token, ...], at: int, inside: Piece) -> bool:
    """A consequence without a comma before it: "if the file is empty *print* EMPTY"."""
    lead = GRAMMAR.longest("lead", tokens, at)
    if lead is not None and tokens[lead.end - 1].norm in MODALS and starts_consequence(tokens, lead.end):
        return True
    if any(token.norm in BEHAVIOUR | MODALS | COPULAS for token in tokens[inside.body + 1 : at]):
        if tokens[at].norm not in BEHAVIOUR | JOINS | COPULAS and starts_consequence(tokens, at):
            return True  # "when it cannot be read *the exit status is 1*"
        subject = GRAMMAR.longest("subject", tokens, at)
        if subject is not None and _acts(tokens, subject.end):
            return True
    if tokens[at].norm not in BEHAVIOUR or tokens[at].norm.endswith("ing") or tokens[at - 1].norm in SETS["det"]:
        return False
    if tokens[at - 1].norm in SETS["negation"]:
        return False
    if tokens[at].norm.endswith("s") and not is_known(tokens[inside.body : at]):
        return False
    return starts_consequence(tokens, at)


def _acts(tokens: tuple[Token, ...], at: int) -> bool:
    """After a subject: "*must stop* reading", "*prints* `x`"."""
    if at + 1 < len(tokens) and tokens[at].norm in MODALS - {"has", "have", "can", "may", "will"}:
        return tokens[at + 1].norm in BEHAVIOUR
    return starts_consequence(tokens, at)


def _starts_clause(tokens: tuple[Token, ...], at: int, pieces: Sequence[Piece]) -> bool:
    lead = GRAMMAR.longest("lead", tokens, at)
    end = lead.end if lead else at
    if end < len(tokens) and tokens[end].norm in BEHAVIOUR:
        return _acts_as_verb(tokens, end)
    if starts_consequence(tokens, at):
        return True
    if lead and tokens[end - 1].norm in MODALS | COPULAS:
        return True
    verbs = bool(pieces) and any(is_verb(tokens, index) for index in range(max(pieces[-1].body, at - _LOOK_BACK), at))
    return verbs and _has_own_subject(tokens, at)


def _acts_as_verb(tokens: tuple[Token, ...], at: int) -> bool:
    if tokens[at].norm not in NOUN_LIKE or at + 1 == len(tokens):
        return True
    following = tokens[at + 1]
    plain = following.kind == "word" and following.norm not in AFTER_VERB and following.text.islower()
    return not plain or starts_consequence(tokens, at)


def _has_own_subject(tokens: tuple[Token, ...], at: int) -> bool:
    """A short noun phrase and then a modal or a copula, before anything that separates."""
    for index in range(at + 1, min(at + 9, len(tokens))):
        token = tokens[index]
        if token.text in STOPS or token.norm in JOINS or token.norm in SETS["opener_words"]:
            return False
        if token.norm in MODALS or token.norm in COPULAS:
            return tokens[at].kind != "punct"
    return False

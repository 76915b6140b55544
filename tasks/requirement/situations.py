"""Noun phrases that are conditions because of what is said to follow from them.

"On a line longer than 80 characters it returns 3", "a key shorter than 16 characters must be rejected with exit status
79", "duplicate id => exit 5". No witness is known for such a condition; its effect is bound to it nevertheless.
"""

from __future__ import annotations

from collections.abc import Sequence

from tasks.requirement.answers import is_refusal
from tasks.requirement.consequences import after_named_subject, consequences, starts_consequence
from tasks.requirement.grammar import word_set
from tasks.requirement.phrasings import BEHAVIOUR, CONJUNCTIONS, GRAMMAR, MODALS, SETS
from tasks.requirement.tokens import Token

ARROWS = frozenset({"->", "=>", "→"})
DASHES = frozenset({"—", "–", "--"})
_LABELS = {"on", "upon", "for", "given", "with", "without", "in"}
NO_SITUATION = {"each", "every", "all", "example", "instance", "addition", "general", "order", "total", "particular"}
_INDEFINITE = word_set(
    "a an any anything everything no passing calling giving running starting invoking failing omitting leaving"
)
_RELATIVE = {"that", "which", "who", "whose", "containing", "with", "without", "other", "of", "but", "between"}
_NO_GERUND = word_set("nothing something string during according following regarding warning setting")
_PRONOUNS = {"this", "that", "it", "which", "they", "these", "there", "one"}
_POSTPOSED = {"on", "upon", "for"}
_WHATEVER = {"any", "anything", "everything"}
_TITLES = word_set(
    "output outputs expected expect actual example examples sample samples usage note result results bug steps "
    "acceptance description synopsis raises returns raise return finally answer prints print"
)
_NAMES = word_set("title name task default first second third input")
"""What a colon follows on without a condition."""
_LONGEST = 30


def situation_end(tokens: Sequence[Token], start: int) -> int | None:
    """Where the condition ends that starts at token ``start``, a label ("on", "for") before it or not."""
    called = GRAMMAR.longest("called_with", tokens, start)
    if called is not None:
        comma = next((at for at in range(called.end, len(tokens)) if tokens[at].text in {",", ":"}), None)
        return comma if comma is not None and _effect_follows(tokens, comma + 1) else None
    if start == 0 or tokens[start - 1].norm not in _LABELS:
        return _subject_end(tokens, start)
    return _label_end(tokens, start)


def _label_end(tokens: Sequence[Token], start: int) -> int | None:
    if start >= len(tokens) or tokens[start].norm in NO_SITUATION | _PRONOUNS or starts_consequence(tokens, start):
        return None
    if any(GRAMMAR.longest(rule, tokens, start - 1) is not None for rule in ("anaphor", "stdout", "stderr")):
        return None
    option = tokens[start].value.startswith("-")
    for at in range(start + 1, min(len(tokens), start + _LONGEST)):
        if (tokens[at].text == "," and option) or (tokens[at].text == ":" and tokens[start - 1].norm in {"on", "upon"}):
            return at
        if tokens[at].text in {",", ":"} | ARROWS | (DASHES if start == 1 else frozenset()):
            steps = tokens[start - 1].norm == "given" and at + 1 < len(tokens) and tokens[at + 1].norm == "when"
            return at if steps or _effect_follows(tokens, at + 1) else None
        if tokens[at].text in {";"} | DASHES:
            return None
        if _orders(tokens, at):
            return at  # "on a line without a colon *stop* with status 65"
        lead = GRAMMAR.longest("subject", tokens, at) and GRAMMAR.longest("lead", tokens, at)
        verb = lead.end if lead is not None else after_named_subject(tokens, at)
        if verb and starts_consequence(tokens, verb) and not _is_relative(tokens, at):
            return at
    whatever = start > 0 and tokens[start - 1].norm in _POSTPOSED and tokens[start].norm in _WHATEVER
    return len(tokens) if whatever and len(tokens) - start < _LONGEST else None


def _subject_end(tokens: Sequence[Token], start: int) -> int | None:
    """A subject that must not be, or that something follows from."""
    if start >= len(tokens) or tokens[start].norm in _PRONOUNS | MODALS or tokens[start].kind == "punct":
        return None
    if _names_program(tokens, start) and not GRAMMAR.longest("named_input", tokens, start):
        return None
    for at in range(start + 1, min(len(tokens), start + _LONGEST)):
        if tokens[at].text in ARROWS or (tokens[at].text in {":"} | DASHES and _is_case(tokens, start, at)):
            return at if _effect_follows(tokens, at + 1) else None
        if _breaks_subject(tokens, start, at):
            return None
        if _follows_from_subject(tokens, start, at):
            return at
    return None


def _is_case(tokens: Sequence[Token], start: int, colon: int) -> bool:
    """A row of a list of cases: "port out of range: exit 1"."""
    named = {token.norm for token in tokens[:colon]}
    return start == 0 and not _TITLES & named and not (colon == 1 and _NAMES & named)


def _breaks_subject(tokens: Sequence[Token], start: int, at: int) -> bool:
    if tokens[at].text == ",":
        return not any(token.norm in _RELATIVE for token in tokens[start:at])
    return tokens[at].text in {";", ":", "?"} | DASHES or tokens[at].norm in SETS["opener_words"]


def _follows_from_subject(tokens: Sequence[Token], start: int, at: int) -> bool:
    if GRAMMAR.longest("rejection", tokens, at) and consequences([tokens[at:]]).fixed:
        return True
    results = GRAMMAR.longest("results", tokens, at)
    if results is not None and starts_consequence(tokens, results.end):
        return True
    if not _is_indefinite(tokens, start):
        return False
    lead = GRAMMAR.longest("lead", tokens, at) if tokens[at].norm in MODALS else None
    if lead is not None and starts_consequence(tokens, lead.end):
        return True
    return tokens[at].norm.endswith("s") and tokens[at].norm in BEHAVIOUR and starts_consequence(tokens, at)


def _orders(tokens: Sequence[Token], at: int) -> bool:
    """True for an imperative, and not for a noun such as "the exit status"."""
    word = tokens[at].norm
    before = SETS["det"] | CONJUNCTIONS
    imperative = word in BEHAVIOUR and not word.endswith(("s", "ing")) and tokens[at - 1].norm not in before
    return imperative and starts_consequence(tokens, at)


def _is_indefinite(tokens: Sequence[Token], start: int) -> bool:
    """A subject that names a kind of input, or what is done with the program: "*adding it twice* answers 409"."""
    word = tokens[start].norm
    if word in _INDEFINITE or GRAMMAR.longest("named_input", tokens, start):
        return True
    return (word.endswith("ing") and word not in _NO_GERUND) or GRAMMAR.longest(
        "every_other", tokens, start
    ) is not None


def _effect_follows(tokens: Sequence[Token], at: int) -> bool:
    lead = GRAMMAR.longest("lead", tokens, at)
    if at < len(tokens) and is_refusal(tokens[at]) and (at + 1 == len(tokens) or tokens[at + 1].text in {",", ";"}):
        return True
    return starts_consequence(tokens, at) or (lead is not None and starts_consequence(tokens, lead.end))


def _is_relative(tokens: Sequence[Token], at: int) -> bool:
    """Words like "that" and "which" go on with the noun before them."""
    return tokens[at].norm in _RELATIVE


def _names_program(tokens: Sequence[Token], start: int) -> bool:
    """True for "a tool that ..." and "the program": what is asked for is no condition."""
    return any(token.norm in SETS["system"] for token in tokens[start : start + 4])

"""Other words for the same: a sentence in the words that the readers of statements know. Meaning is never changed.

Tokens keep their places, so that spans of the text stay right.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from tasks.requirement.grammar import word_set
from tasks.requirement.tokens import Token

_PHRASES = {
    "must": "has to|have to|needs to|need to|is required to|are required to|should|shall|is to|are to",
    "must be at most": "must not exceed|must never exceed|does not exceed|do not exceed|may not exceed|cannot exceed|"
    "never exceeds|must not be more than|must not be greater than|must not be larger than|cannot be more than|"
    "must never be more than|must not be longer than|is limited to|is capped at|must be no more than",
    "must be at least": "must not be less than|must not be smaller than|must not be fewer than|cannot be less than|"
    "must never be less than|must not be below",
    "is greater than": "exceeds|must exceed",
    "comes before": "precedes|must precede|must come before|has its place before",
    "comes after": "follows|must follow|must come after",
    "takes at most": "must finish within|finishes within|must complete within|completes within|must be done within|"
    "must end within|ends within|is done within|may take at most|can take at most|must take at most",
    "takes at least": "must take at least|needs at least",
    "at most": "at the most|a maximum of|maximally|no more than|not more than",
    "at least": "at the least|a minimum of|no fewer than|no less than|not less than|not fewer than",
    "whose sum is": "whose total is|with a sum of|with a total of|adding up to|that add up to|which add up to|"
    "that sum to|which sum to|summing to|summing up to|that sum up to|that together make",
    "whose product is": "with a product of|that multiply to",
    "their sum": "their total",
    "all are at least": "none smaller than|none less than|none below|none of them smaller than",
    "all are at most": "none larger than|none greater than|none above|none bigger than|none of them larger than",
    "different": "pairwise different|pairwise distinct|mutually different|mutually distinct|unique",
    "integer": "whole number",
    "integers": "whole numbers",
    "nodes": "vertices",
    "node": "vertex",
    "edges": "links",
    "and": "but only|but|as well as|and also|and only",
}
_RULES = sorted(
    (
        (tuple(words.split()), tuple(canonical.split()))
        for canonical, others in _PHRASES.items()
        for words in others.split("|")
    ),
    key=lambda rule: -len(rule[0]),
)
_BY_FIRST = {first: [rule for rule in _RULES if rule[0][0] == first] for first in {words[0] for words, _ in _RULES}}
_VERBS = {
    word: word + ("es" if word.endswith(("s", "ch", "sh")) else "s")
    for word in word_set(
        "print output write choose find pick select generate produce create show make build draw construct assign give "
        "allocate put place pack distribute seat list run perform execute wait map encode compress compute determine "
        "read arrange order sort schedule split return send"
    )
}
_ASKS = word_set("write build create implement develop make design provide need want")
_WHO = word_set("i we you please")
_ARTEFACT = word_set("program tool script cli utility application generator command function library encoder app")
_FEW = word_set(
    "a an the small little simple tiny short python command line command-line cli new some tool script program console "
    "me us scheduling"
)
_PRINTING = word_set(
    "and then prints print it them both all the of result results on one line each its own in this order separated by "
    "spaces a space single commas comma to standard output stdout"
)


def plain(words: Sequence[Token]) -> tuple[Token, ...]:
    """The sentence in known words: one way to open it, to compare, and to order; what is only printing is left out."""
    return _without_printing(_opened(_rephrased(words)))


def _rephrased(words: Sequence[Token]) -> list[Token]:
    norms = [token.norm for token in words]
    found: list[Token] = []
    at = 0
    while at < len(words):
        known = next(
            (rule for rule in _BY_FIRST.get(norms[at], ()) if tuple(norms[at : at + len(rule[0])]) == rule[0]), None
        )
        if known is None:
            found.append(words[at])
            at += 1
        else:
            taken = words[at : at + len(known[0])]
            found += [spoken(taken[min(place, len(taken) - 1)], word) for place, word in enumerate(known[1])]
            at += len(taken)
    return found


def _opened(words: list[Token]) -> list[Token]:
    """The program as the subject: of "please write a small tool that should find", of "it must find", of "find"."""
    norms = [token.norm for token in words]
    at = 0
    while at < len(norms) and norms[at] in _WHO:
        at += 1
    if at < len(norms) and norms[at] in _ASKS and not _is_plain_object(norms, at + 1):
        end = at + 1
        while end < len(norms) and norms[end] in _FEW | _ARTEFACT:
            end += 1
        if end < len(norms) and norms[end] in {"that", "which", "to"} and norms[end - 1] in _ARTEFACT | _FEW:
            at = end + 1
            if at < len(norms) and norms[at] in {"must", "can", "will"}:
                at += 1
            return _subject(words, at, norms)
        return words
    if at == 0 and (subject := _who(norms)):
        at = subject + (len(norms) > subject and norms[subject] == "must")
        return _subject(words, at, norms) if at < len(norms) and _third(norms[at]) else words
    if at < len(norms) and norms[at] in _VERBS:
        return _subject(words, at, norms)
    return words


def _is_plain_object(norms: list[str], at: int) -> bool:
    """True where "make", "create" and the like are what the program does: no program follows."""
    return not set(norms[at : at + 8]) & _ARTEFACT


def _who(norms: list[str]) -> int:
    """The length of "it", "the program", "this small tool" at the start; 0 for anything else."""
    if norms[:1] == ["it"]:
        return 1
    if norms[:1] not in (["the"], ["this"], ["a"], ["an"]):
        return 0
    end = 1
    while end < len(norms) and norms[end] in _FEW | _ARTEFACT:
        end += 1
    return end if norms[end - 1] in _ARTEFACT else 0


def _third(word: str) -> str | None:
    """The third person of a verb that a program is asked to do."""
    return _VERBS.get(word) or (word if word in _VERBS.values() else None)


def _subject(words: list[Token], at: int, norms: list[str]) -> list[Token]:
    if at >= len(words):
        return words
    verb = _third(norms[at]) or norms[at]
    first = words[0]
    return [spoken(first, "the"), spoken(first, "program"), spoken(words[at], verb), *words[at + 1 :]]


def _without_printing(words: list[Token]) -> tuple[Token, ...]:
    """Without "and prints them on one line" at the end."""
    for at in range(len(words) - 1, 2, -1):
        prints = words[at].norm in {"print", "prints"} and words[at - 1].norm in {"and", "then"}
        if prints and all(token.norm in _PRINTING for token in words[at - 1 :]):
            end = at - 1
            while end > 0 and words[end - 1].norm in {",", "and", "then"}:
                end -= 1
            return tuple(words[:end])
    return tuple(words)


def spoken(token: Token, word: str) -> Token:
    """A word in the place of a token."""
    return replace(token, kind="word", text=word, norm=word)

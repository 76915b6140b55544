"""What the text says of the inputs themselves: ranges, lengths, counts, alphabets, separators, patterns, forms.

Facts for generators of valid, boundary and invalid inputs. Nothing is judged by them, so a fact that is not wholly
understood is left out.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from contracts.requirement import DomainFact, Span
from tasks.requirement.blocks import Sentence
from tasks.requirement.grammar import Match, number_of, word_set
from tasks.requirement.phrasings import BEHAVIOUR, COPULAS, GRAMMAR, MODALS, SETS
from tasks.requirement.tokens import Token

_NO_SUBJECT = (
    SETS["det"]
    | SETS["adverb"]
    | BEHAVIOUR
    | MODALS
    | COPULAS
    | word_set(
        "of in on at by with and or to from each every all one whose which who only lie lies value values not must "
        "consist consists contains hold holds composed made"
    )
)
_SIZES = {"characters": "length", "letters": "length", "bytes": "length", "digits": "length"}
_CLASSES = {
    "letters": "A-Za-z",
    "digits": "0-9",
    "lowercase": "a-z",
    "lower-case": "a-z",
    "uppercase": "A-Z",
    "upper-case": "A-Z",
    "capital": "A-Z",
    "hexadecimal": "0-9A-Fa-f",
    "alphanumeric": "0-9A-Za-z",
    "blanks": " ",
    "spaces": " ",
    "hyphens": "-",
    "underscores": "_",
}
_NARROWING = word_set("lowercase lower-case uppercase upper-case capital hexadecimal")
_SEPARATORS = {
    "comma": ",",
    "commas": ",",
    "semicolon": ";",
    "semicolons": ";",
    "colon": ":",
    "colons": ":",
    "tab": "\t",
    "tabs": "\t",
    "space": " ",
    "spaces": " ",
    "blank": " ",
    "blanks": " ",
    "hyphen": "-",
    "hyphens": "-",
}


def domain_facts(sentences: Sequence[Sentence]) -> tuple[DomainFact, ...]:
    """All facts in the order of the text; those of code, tables and doctests are examples and no facts."""
    return tuple(
        fact
        for sentence in sentences
        if sentence.kind not in {"code", "doctest", "table", "heading"}
        for fact in _facts(sentence.words)
    )


def _facts(tokens: tuple[Token, ...]) -> Iterator[DomainFact]:
    at = 0
    while at < len(tokens):
        fact, end = _fact_at(tokens, at)
        if fact is not None:
            yield fact
        at = max(at + 1, end)


def _fact_at(tokens: tuple[Token, ...], at: int) -> tuple[DomainFact | None, int]:
    for rule in ("domain_between", "domain_least", "domain_most", "domain_exactly", "domain_sign"):
        match = GRAMMAR.longest(rule, tokens, at)
        if match is not None:
            return _bounded(rule, tokens, at, match), match.end
    for rule, kind in (("domain_pattern", "pattern"), ("domain_form", "form"), ("domain_separator", "separator")):
        match = GRAMMAR.longest(rule, tokens, at)
        if match is not None:
            return _valued(kind, tokens, at, match), match.end
    match = GRAMMAR.longest("domain_alphabet", tokens, at)
    return (None, at) if match is None else (_alphabet(tokens, at, match), match.end)


def _bounded(rule: str, tokens: tuple[Token, ...], at: int, match: Match) -> DomainFact | None:
    numbers = [number_of(token) for token in match.captures]
    words = [token.norm for token in tokens[at : match.end]]
    unit = tokens[match.end].norm if match.end < len(tokens) else ""
    low, high = (numbers[0], numbers[-1]) if numbers else (None, None)
    if rule == "domain_least":
        high = None
    elif rule == "domain_most":
        low = None
    elif rule == "domain_sign":
        low = 0 if "non-negative" in words or "nonnegative" in words else 1
        unit = ""
    strict = {"than", "below", "above", "under", "over"} & set(words)
    if strict and low is not None:
        low += 1
    if strict and high is not None:
        high -= 1
    kind = _SIZES.get(unit, "count" if unit.endswith("s") and unit not in _NO_SUBJECT else "range")
    if kind == "range" and rule in {"domain_exactly"}:
        return None
    subject = unit if kind == "count" else _subject(tokens, at, match.end)
    return _fact(kind, subject, tokens[at : match.end], minimum=low, maximum=high)


def _valued(kind: str, tokens: tuple[Token, ...], at: int, match: Match) -> DomainFact | None:
    token = match.captures[-1]
    value = token.value if token.kind == "literal" else _SEPARATORS.get(token.norm) if kind == "separator" else None
    return None if value is None else _fact(kind, _subject(tokens, at, at), tokens[at : match.end], value=value)


def _alphabet(tokens: tuple[Token, ...], at: int, match: Match) -> DomainFact | None:
    """A class as regular expressions write it; in "uppercase letters" the first word says all, a hyphen comes last."""
    words = [token.norm for token in tokens[at : match.end]]
    named = [word for index, word in enumerate(words) if word in _CLASSES and words[index - 1] not in _NARROWING]
    inside = "".join(sorted((_CLASSES[word] for word in dict.fromkeys(named)), key=lambda item: item == "-"))
    return _fact("alphabet", _subject(tokens, at, at), tokens[at : match.end], value=f"[{inside}]") if named else None


def _subject(tokens: tuple[Token, ...], at: int, end: int) -> str:
    """The noun that is spoken of: the last before the fact, else the first behind it."""
    before = [token for token in reversed(tokens[:at]) if token.kind == "word" and token.norm not in _NO_SUBJECT]
    after = [token for token in tokens[end : end + 2] if token.kind == "word" and token.norm not in _NO_SUBJECT]
    return (before or after)[0].norm if before or after else ""


def _fact(kind: str, subject: str, tokens: Sequence[Token], **values: int | str | None) -> DomainFact | None:
    if not subject:
        return None
    span = Span(start=tokens[0].start, end=tokens[-1].end)
    return DomainFact.model_validate({"kind": kind, "subject": subject, "span": span, **values})

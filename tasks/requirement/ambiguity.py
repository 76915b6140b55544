"""Decisions that the text leaves open. A material one ends the build with the question that its author must answer."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from contracts.requirement import Span
from tasks.requirement.blocks import Sentence
from tasks.requirement.phrasings import GRAMMAR, SETS
from tasks.requirement.tokens import Token

_MESSAGES = {"message", "messages", "error", "errors", "warning", "warnings", "exit", "status", "code", "exception"}
_DEFINES = {"if", "when", "whenever", "where", "means", "iff", "exactly"}
_NARROWS = {"that", "which", "whose", "where", "with", "(", ":", "by", "i.e.", "from", "according"}


@dataclass(frozen=True, slots=True)
class Openness:
    """An open decision, and what to ask."""

    span: Span
    material: bool
    question: str


def openings(text: str, sentences: Sequence[Sentence]) -> tuple[Openness, ...]:
    """All open decisions, in order of the text."""
    found: list[Openness] = []
    for sentence in sentences:
        if sentence.kind in {"code", "doctest", "table"}:
            continue
        found.extend(_declared(text, sentence))
        found.extend(_vague(sentence, sentences))
    return tuple(found)


def _declared(text: str, sentence: Sentence) -> Iterator[Openness]:
    tokens = sentence.words
    for at in range(len(tokens)):
        for rule in ("open_choice", "undecided", "universal"):
            match = GRAMMAR.longest(rule, tokens, at)
            if match is None or _denied(tokens, at) or (rule == "undecided" and not _is_decision(tokens, at)):
                continue
            said = " ".join(text[sentence.start : sentence.end].split())
            asked = "Which cases exactly" if rule == "universal" else "What rule decides what is left open here"
            yield Openness(_span(tokens[at : match.end]), material=True, question=f"{asked}: “{said[:300]}”?")
            return


def _denied(tokens: Sequence[Token], at: int) -> bool:
    """True after a denial: "nothing is left to interpretation" leaves nothing open."""
    return any(GRAMMAR.longest("denial", tokens, before) for before in range(max(0, at - 8), at))


def _is_decision(tokens: Sequence[Token], at: int) -> bool:
    """True iff what is called open is something that the program decides, not some notion that the text muses about."""
    return any(token.norm in SETS["decision"] for token in tokens[max(0, at - 8) : at])


def _vague(sentence: Sentence, sentences: Sequence[Sentence]) -> Iterator[Openness]:
    """A word of judgement that decides what the program selects, without a rule for it."""
    tokens = sentence.words
    for at in range(len(tokens)):
        match = GRAMMAR.longest("vague_choice", tokens, at)
        if match is None:
            continue
        word, noun = tokens[match.end - 2], tokens[match.end - 1]
        if noun.norm in _MESSAGES or _narrowed(tokens, match.end) or _defined(word.norm, sentences):
            continue
        yield Openness(
            _span(tokens[at : match.end]),
            material=True,
            question=f"Which {noun.text} count as {word.text}? State a rule that decides it for every input.",
        )


def _narrowed(tokens: Sequence[Token], at: int) -> bool:
    return at < len(tokens) and tokens[at].norm in _NARROWS


def _defined(word: str, sentences: Sequence[Sentence]) -> bool:
    """True iff some sentence says when the word applies: "an invoice is important if its amount is over 100"."""
    for sentence in sentences:
        words = [token.norm for token in sentence.words]
        for at, norm in enumerate(words):
            before = words[max(0, at - 2) : at]
            follows = any(item in _DEFINES for item in words[at + 1 : at + 3])
            if norm == word and ((set(before) & SETS["be"] and follows) or "means" in words[at + 1 : at + 4]):
                return True
    return False


def _span(tokens: Sequence[Token]) -> Span:
    return Span(start=tokens[0].start, end=tokens[-1].end)

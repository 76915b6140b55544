"""Decisions that the text leaves open. A material one ends the build with the question that its author must answer."""

from __future__ import annotations

from collections.abc import Iterator, Sequence, Set
from dataclasses import dataclass

from contracts.requirement import Span
from tasks.requirement.blocks import Sentence
from tasks.requirement.phrasings import GRAMMAR, SETS
from tasks.requirement.tokens import Token

_MESSAGES = {"message", "messages", "error", "errors", "warning", "warnings", "exit", "status", "code", "exception"}
_DEFINES = {"if", "when", "whenever", "where", "means", "iff", "exactly"}
_NARROWS = {"that", "which", "whose", "where", "with", "(", ":", "by", "i.e.", "from", "according"}

_HOW = {"wording", "algorithm", "algorithms", "internals", "implementation", "structure", "structures", "variables"}
"""What a text may leave to whoever writes the program: no run shows it, or all that it shows is right."""


@dataclass(frozen=True, slots=True)
class Openness:
    """An open decision, and what to ask."""

    span: Span
    material: bool
    question: str


def openings(text: str, sentence: Sentence, defined: Set[str]) -> tuple[Openness, ...]:
    """The open decisions of a sentence; ``defined`` are the words of judgement that the text has a rule for."""
    if sentence.kind in {"code", "doctest", "table"}:
        return ()
    return (*_declared(text, sentence), *_vague(sentence, defined))


def defined_words(sentences: Sequence[Sentence]) -> frozenset[str]:
    """Words of judgement that some sentence defines: "an invoice is important if its amount is over 100"."""
    return frozenset(word for sentence in sentences for word in _defined(sentence))


def _declared(text: str, sentence: Sentence) -> Iterator[Openness]:
    tokens = sentence.words
    for at in range(len(tokens)):
        for rule in ("open_choice", "undecided", "universal"):
            match = GRAMMAR.longest(rule, tokens, at)
            if match is None or _denied(tokens, at) or (rule == "undecided" and not _is_decision(tokens, at)):
                continue
            if rule == "open_choice" and _HOW & {token.norm for token in tokens}:
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


def _vague(sentence: Sentence, defined: Set[str]) -> Iterator[Openness]:
    """A word of judgement that decides what the program selects, without a rule for it."""
    tokens = sentence.words
    for at in range(len(tokens)):
        match = GRAMMAR.longest("vague_choice", tokens, at)
        if match is None:
            continue
        word, noun = tokens[match.end - 2], tokens[match.end - 1]
        if noun.norm in _MESSAGES or _narrowed(tokens, match.end) or word.norm in defined:
            continue
        yield Openness(
            _span(tokens[at : match.end]),
            material=True,
            question=f"Which {noun.text} count as {word.text}? State a rule that decides it for every input.",
        )


def _narrowed(tokens: Sequence[Token], at: int) -> bool:
    return at < len(tokens) and tokens[at].norm in _NARROWS


def _defined(sentence: Sentence) -> Iterator[str]:
    words = [token.norm for token in sentence.words]
    for at, word in enumerate(words):
        if word not in SETS["vague"]:
            continue
        said_of = SETS["be"] & set(words[max(0, at - 2) : at]) and _DEFINES & set(words[at + 1 : at + 3])
        if said_of or "means" in words[at + 1 : at + 4]:
            yield word


def _span(tokens: Sequence[Token]) -> Span:
    return Span(start=tokens[0].start, end=tokens[-1].end)

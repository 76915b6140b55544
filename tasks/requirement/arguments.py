"""The arguments that prose states: "takes two arguments, a shift and a text", "takes a year as its argument". Pure.

Only a list that is read wholly, and is as long as the text says, states arguments; anything else is left to the usage
line and to what the text says of files.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace

from contracts.requirement import DomainFact, Span
from tasks.requirement.blocks import Sentence
from tasks.requirement.grammar import FORMATS, number_of, word_set
from tasks.requirement.phrasings import BEHAVIOUR, GRAMMAR, SETS
from tasks.requirement.tokens import Token
from tasks.requirement.usage import Role

_JOINS = word_set(", and then plus")
_STARTS = SETS["art"] | word_set("one two three four exactly")
_STOPS = word_set(". ; : ( )")
_DESCRIBES = SETS["be"] | word_set(
    "from to of in on at by for with between that which whose holding containing called named as written given or not "
    "representing without within"
)
_ADJECTIVES = word_set(
    "positive negative non-negative nonnegative whole natural decimal single non-empty valid given short long "
    "arbitrary plain optional text input output csv json search"
)
_INTEGERS = word_set("integer number int year count age width height length size port amount digit")
_OUTPUTS = word_set("output target destination result summary")
_CAPITALS = re.compile(r"[A-Z][A-Z0-9_]*")
_MOST = 4


@dataclass(frozen=True, slots=True)
class StatedArgument:
    """An argument by the name that Forge gives it; ``noun`` is what the text calls it, ``span`` what it says there."""

    name: str
    role: Role
    noun: str
    span: Span


def stated_arguments(sentences: Sequence[Sentence]) -> tuple[StatedArgument, ...]:
    """The arguments in their order; none where the text states none, or states them twice and differently."""
    prose = [item for item in sentences if item.kind in {"paragraph", "item"}]
    found = {tuple((item.name, item.role) for item in stated): stated for item in prose if (stated := _stated(item))}
    if len(found) != 1:
        return ()
    (stated,) = found.values()
    return tuple(_defined(item, prose) for item in stated)


def switches(sentences: Sequence[Sentence]) -> tuple[str, ...]:
    """Options without a value: "with the argument `--count` it prints ..."."""
    return tuple(
        dict.fromkeys(
            match.captures[-1].value
            for sentence in sentences
            if sentence.kind in {"paragraph", "item"}
            for at in range(len(sentence.words))
            if (match := GRAMMAR.longest("switch", sentence.words, at)) and _is_switch(sentence.words, match.end)
        )
    )


def attributed(
    facts: Sequence[DomainFact], stated: Sequence[StatedArgument], sentences: Sequence[Sentence]
) -> tuple[DomainFact, ...]:
    """``facts``, where one is said of an argument with the name of that argument as its subject."""
    found: list[DomainFact] = []
    for fact in facts:
        owners = [item for item in stated if any(_within(fact.span, span) for span in _said_of(item, sentences))]
        found += [fact.model_copy(update={"subject": item.name}) for item in owners] or [fact]
    return tuple(found)


def _within(inner: Span, outer: Span) -> bool:
    return outer.start <= inner.start and inner.end <= outer.end


def _is_switch(tokens: Sequence[Token], end: int) -> bool:
    """True iff the option takes no value, and what it does is said next."""
    value = tokens[end - 1].value
    plain = re.fullmatch(r"--?[a-z][a-z-]*", value) is not None
    return plain and end < len(tokens) and (tokens[end].text == "," or GRAMMAR.longest("lead", tokens, end) is not None)


def _stated(sentence: Sentence) -> tuple[StatedArgument, ...]:
    tokens = sentence.words
    for at in range(len(tokens)):
        match = GRAMMAR.longest("takes_arguments", tokens, at)
        if match is not None and match.end < len(tokens) and tokens[match.end].text in {",", ":"}:
            found = tuple(_listed(tokens, match.end + 1))
            if len(found) == number_of(match.captures[-1]):
                return _named(found)
        takes = GRAMMAR.longest("takes", tokens, at)
        if takes is not None:
            found = tuple(_listed(tokens, takes.end))
            if found and (_as_arguments(tokens, found[-1]) or all(map(_is_capital, found))):
                return _named(found)
    return ()


def _as_arguments(tokens: Sequence[Token], last: StatedArgument) -> bool:
    """The list ends with "as its only argument"."""
    end = next((at for at, token in enumerate(tokens) if token.start >= last.span.end), len(tokens))
    return GRAMMAR.longest("as_arguments", tokens, end) is not None


def _is_capital(item: StatedArgument) -> bool:
    return _CAPITALS.fullmatch(item.noun) is not None and item.noun not in FORMATS and len(item.noun) > 1


def _listed(tokens: Sequence[Token], at: int) -> Iterator[StatedArgument]:
    """The noun phrases of a list; it ends where a verb, a stop or "as" comes."""
    while at < len(tokens) and (tokens[at].norm in _STARTS or _CAPITALS.fullmatch(tokens[at].text)):
        end = _phrase_end(tokens, at)
        yield from _phrase(tokens[at:end])
        while end < len(tokens) and tokens[end].norm in _JOINS:
            end += 1
        if end == at or end >= len(tokens) or tokens[end - 1].norm not in _JOINS:
            return
        at = end


def _phrase_end(tokens: Sequence[Token], at: int) -> int:
    for end in range(at + 1, len(tokens)):
        token = tokens[end]
        if token.norm == "and" and number_of(tokens[end - 1]) is not None and _is_number(tokens, end + 1):
            continue
        verb = token.norm in BEHAVIOUR and token.norm.endswith("s") and tokens[end - 1].norm not in SETS["det"]
        if token.norm in _JOINS | {"as"} or token.text in _STOPS or verb:
            return end
    return len(tokens)


def _is_number(tokens: Sequence[Token], at: int) -> bool:
    return at < len(tokens) and number_of(tokens[at]) is not None


def _phrase(tokens: Sequence[Token]) -> Iterator[StatedArgument]:
    """What one noun phrase names: an argument, or as many of a kind as it counts."""
    words = [token for token in tokens if token.kind == "word"]
    count = next((number for token in words[:2] if (number := number_of(token))), 1)
    core = [token for token in words if token.norm not in _STARTS]
    if not core or count > _MOST:
        return
    span = Span(start=tokens[0].start, end=tokens[-1].end)
    norms = [token.norm for token in core]
    if {"path", "file", "filename"} & set(norms):
        written = bool(_OUTPUTS & set(norms))
        yield StatedArgument("OUTPUT" if written else "INPUT", "output_file" if written else "input_file", "file", span)
        return
    head = next((at for at, word in enumerate(norms) if word in _DESCRIBES), len(core))
    nouns = [token for token in core[:head] if token.norm not in _ADJECTIVES] or list(core[:head][-1:])
    if not nouns:
        return
    symbols = [token.text for token in nouns[1:] if len(token.text) == 1]
    noun = next((token for token in reversed(nouns) if len(token.text) > 1), nouns[-1])
    plain = noun.norm.removesuffix("s") if count > 1 and not noun.norm.endswith("ss") else noun.norm
    role: Role = "integer" if plain in _INTEGERS else "text"
    names = symbols if len(symbols) == count else [plain.upper()] * count
    written_noun = noun.text if noun.text.isupper() else plain
    yield from (StatedArgument(name, role, written_noun, span) for name in names)


def _named(found: Sequence[StatedArgument]) -> tuple[StatedArgument, ...]:
    """Those of one name numbered."""
    names = [item.name for item in found]
    return tuple(
        item if names.count(item.name) == 1 else replace(item, name=f"{item.name}{names[: at + 1].count(item.name)}")
        for at, item in enumerate(found)
    )


def _defined(item: StatedArgument, prose: Sequence[Sentence]) -> StatedArgument:
    """``item`` as an integer where a sentence says so: "The shift is an integer from 0 to 25"."""
    said = {token.norm for sentence in prose for token in _definition(item, sentence)}
    return replace(item, role="integer") if item.role == "text" and said & {"integer", "number"} else item


def _said_of(item: StatedArgument, sentences: Sequence[Sentence]) -> Iterator[Span]:
    """Where the text speaks of the argument alone: its own phrase, and definitions of its noun."""
    yield item.span
    for sentence in sentences:
        tokens = _definition(item, sentence) if sentence.kind in {"paragraph", "item"} else ()
        if tokens:
            yield Span(start=tokens[0].start, end=tokens[-1].end)


def _definition(item: StatedArgument, sentence: Sentence) -> Sequence[Token]:
    """What the sentence says that the noun or the symbol is; nothing where it says something else."""
    tokens = sentence.words
    if len(tokens) < 4 or tokens[0].norm not in SETS["det"] | {"each"}:
        return ()
    names = {item.noun.lower(), item.name.lower(), "argument"} if item.noun != "file" else set()
    copula = GRAMMAR.longest("must_be", tokens, 2)
    if tokens[1].norm not in names or copula is None or tokens[copula.end - 1].norm == "not":
        return ()
    end = next((at for at in range(copula.end, len(tokens)) if tokens[at].text in {",", ";", "("}), len(tokens))
    return tokens[copula.end : end]

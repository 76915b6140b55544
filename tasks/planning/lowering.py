"""Prose to constraints, by a parser that must take in the whole sentence. What it does not understand, it leaves.

The program chooses integers; it may be given others, whose statements are assumptions. A condition is kept with what it
holds for, or the sentence is left; and where one is left that could soften the others, nothing is claimed.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from itertools import pairwise

from contracts.canonical import Json, digest_of
from contracts.plan import Constraint, Expression
from contracts.requirement import Requirement, Span
from tasks.planning.declarations import Declaration, declared
from tasks.planning.formal_blocks import formal_block
from tasks.planning.mappings import mapped
from tasks.planning.statements import Reader
from tasks.planning.terms import NotUnderstood, names_in
from tasks.requirement.blocks import Sentence, sentences
from tasks.requirement.grammar import word_set
from tasks.requirement.tokens import Token

EXIT = "exit_status"
_HARMLESS = (
    word_set(
        "print prints output outputs write writes print printed written show shows display it its program must should "
        "the them all both numbers integers values result results names letters tasks steps on one two three four line "
        "lines each in a single separated by space spaces comma commas to standard stdout and then this that order "
        "nothing else with"
    ),
    word_set(
        "use uses using python 3 only the standard library no network internet access is needed required it program "
        "takes has reads arguments argument options option input without any must should be deterministic small fast "
        "keep code simple clean readable please thanks include write add with unit tests test documentation readme a "
        "command line tool script and runs run same every output time"
    ),
    word_set("on success the program it tool exits exit with status code 0 zero and is must should"),
)
"""A sentence changes nothing about the integers if one of these lists has all of its words."""
_EXIT_WORDS = {"exit", "exits", "status", "code"}
_UNREAD = "a clause that could not be lowered may restrict the others"
_EXITS = (("exit", "status"), ("exit", "code"))
_ENDS_WITH = ((("the", "program"), ("it",)), (("exits", "with", "status"), ("exits", "with", "exit", "status")))
_BENIGN_INTRO = word_set("such that where the following constraints hold must satisfy with rules requirements and")


@dataclass(frozen=True, slots=True)
class Lowered:
    """Integers and statements of a text. ``assumed`` are about ``given`` integers only.

    ``blocked``: why no claim may be made; ``exits``: why none that rests on the exit status; None where
    one may.
    """

    chosen: tuple[str, ...]
    given: tuple[str, ...]
    constraints: tuple[Constraint, ...]
    assumed: tuple[Constraint, ...]
    unlowered: tuple[Span, ...]
    blocked: str | None
    exits: str | None

    def block(self, core: Sequence[Constraint]) -> str | None:
        """Why no claim may be made that rests on these constraints."""
        leans = any(EXIT in names_in(item.expression) for item in core)
        return self.blocked or (self.exits if leans else None)


def lower(requirement: Requirement) -> Lowered:
    """Lower every sentence that is wholly understood."""
    found = [sentence for sentence in sentences(requirement.text) if sentence.words]
    announcing: set[int] = set()
    declarations = {index: known for index, item in enumerate(found) if (known := declared(item)) is not None}
    for index, (before, sentence) in enumerate(pairwise(found), start=1):
        block = formal_block(before, sentence)
        if block is not None:
            declarations[index] = block
            announcing.add(index - 1)
    known = next(iter(declarations.values())) if len(declarations) == 1 else Declaration((), (), ())
    maps = mapped(found)
    reader = Reader(known.chosen, known.given, () if known.ordered else (EXIT,), ordered=known.ordered)
    stated: dict[str, Constraint] = {}
    left: list[Sentence] = []
    for index, sentence in enumerate(found):
        if sentence.kind == "heading" or index in announcing:
            continue
        if index in maps and _in_force(found, index):
            pieces = [(maps[index], sentence.words)]
        elif index in declarations:
            pieces = [(item.expression, item.tokens) for item in known.pieces]
        else:
            expression = _expression(reader, sentence) if _in_force(found, index) else None
            pieces = [] if expression is None else [(expression, sentence.words)]
            left += [sentence] if expression is None else []
        for expression, tokens in pieces:
            constraint = _constraint(requirement.text, expression, tokens)
            first = stated.setdefault(constraint.id, constraint)
            if first.expression != expression:  # the same words say two things: "12 distinct digits"
                name = _name([constraint.text.lower(), expression.document()])
                stated.setdefault(name, constraint.model_copy(update={"id": name}))
    assumed = {name: item for name, item in stated.items() if names_in(item.expression) <= set(known.given)}
    blocked = "integers are declared more than once" if len(declarations) > 1 else None
    if not all(map(_is_harmless, left)):
        blocked = blocked or _UNREAD
    return Lowered(
        chosen=known.chosen,
        given=known.given,
        constraints=tuple(item for name, item in stated.items() if name not in assumed),
        assumed=tuple(assumed.values()),
        unlowered=tuple(Span(start=item.start, end=item.end) for item in left),
        blocked=blocked,
        exits=_UNREAD if any({token.norm for token in item.words} & _EXIT_WORDS for item in left) else None,
    )


def _constraint(text: str, expression: Expression, tokens: Sequence[Token]) -> Constraint:
    span = Span(start=tokens[0].start, end=tokens[-1].end)
    words = " ".join(text[span.start : span.end].split())
    return Constraint(id=_name(words.lower()), expression=expression, spans=(span,), text=words)


def _in_force(found: Sequence[Sentence], index: int) -> bool:
    """False for what stands under a heading or an introduction that may restrict it ("In production:")."""
    sentence = found[index]
    for earlier in reversed(found[:index]):
        if earlier.kind == "heading" and earlier is not found[0]:
            return {token.norm for token in earlier.words} <= _BENIGN_INTRO
        intro = earlier.block != sentence.block and sentence.kind == "item" and earlier.kind == "paragraph"
        if intro and earlier.tokens[-1].text == ":" and declared(earlier) is None:
            return {token.norm for token in earlier.words} <= _BENIGN_INTRO
    return True


def _name(content: Json) -> str:
    return "c-" + digest_of(content).removeprefix("sha256:")[:8]


def _expression(reader: Reader, sentence: Sentence) -> Expression | None:
    if sentence.kind not in {"paragraph", "item"} or sentence.tokens[-1].text in {":", "?"}:
        return None
    try:
        return reader.sentence(_with_exit(sentence.words))
    except NotUnderstood:
        return None


def _with_exit(words: Sequence[Token]) -> list[Token]:
    """The exit status as one name: "the exit code is 2", "the program exits with status 2"."""
    norms = [token.norm for token in words]
    found: list[Token] = []
    at = 0
    while at < len(words):
        the = at + (norms[at] == "the")
        if tuple(norms[the : the + 2]) in _EXITS:
            found.append(_as(words[at], EXIT))
            at = the + 2
            continue
        end = next((at + len(who) + len(does) for who in _ENDS_WITH[0] for does in _ENDS_WITH[1]
                    if tuple(norms[at : at + len(who) + len(does)]) == who + does), None)  # fmt: skip
        if end is not None:
            found += [_as(words[at], EXIT), _as(words[end - 1], "is")]
            at = end
            continue
        found.append(words[at])
        at += 1
    return found


def _as(token: Token, word: str) -> Token:
    return replace(token, kind="word", text=word, norm=word)


def _is_harmless(sentence: Sentence) -> bool:
    words = {token.norm for token in sentence.words} - {","}
    return sentence.kind in {"paragraph", "item"} and any(words <= known for known in _HARMLESS)

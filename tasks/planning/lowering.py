"""Prose to constraints, by a parser that must take in the whole sentence. What it does not understand, it leaves.

The program chooses integers; it may be given others, whose statements are assumptions. A condition is kept with what it
holds for, or the sentence is left: then nothing is claimed that a sentence left could soften.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from itertools import pairwise

from contracts.canonical import digest_of
from contracts.plan import Constraint, Expression
from contracts.requirement import Requirement, Span
from tasks.planning.declarations import UNNAMED, Declaration, declared
from tasks.planning.formal_blocks import formal_block
from tasks.planning.mappings import USED, mapped
from tasks.planning.statements import Reader
from tasks.planning.terms import NotUnderstood
from tasks.requirement.blocks import Sentence, sentences
from tasks.requirement.grammar import word_set
from tasks.requirement.tokens import Token

EXIT = "exit_status"
_ESCAPES = (
    "no such",
    "no solution",
    "none exist",
    "not exist",
    "impossible",
    "infeasible",
    "unsatisfiable",
    "cannot be satisfied",
    "cannot be met",
    "not possible",
    "no valid",
    "there are none",
    "there is none",
)
_WEAKENERS = word_set(
    "except unless only ignore ignored relax relaxed optional constraint constraints condition conditions rule rules "
    "bound bounds limit limits limitation exception exceptions instead otherwise alternatively may might overrides "
    "example hypothetical previous above former latter these those applies apply if when either whenever can could "
    "allowed allow allows permitted permit permits fine acceptable okay need sometimes usually wish ideally "
    "sum product difference mean average number numbers integer integers value values item items element elements "
    "digit digits they them each both equal duplicate duplicates repeat repeats repeated"
)
_HARMLESS = word_set(
    "print prints output outputs write writes printed written show it its program must should the them all numbers "
    "integers values result results on one two three four line lines each own in a single separated by space spaces "
    "comma commas to standard stdout and then this that order use uses using python 3 only library deterministic "
    "keep simple code please thanks"
)
_EXITS = (("exit", "status"), ("exit", "code"))
_ENDS_WITH = ((("the", "program"), ("it",)), (("exits", "with", "status"), ("exits", "with", "exit", "status")))
_BENIGN_INTRO = word_set("such that where the following constraints hold must satisfy with rules requirements and")


@dataclass(frozen=True, slots=True)
class Lowered:
    """Integers and statements of a text. ``assumed`` are about ``given`` integers only.

    ``blocked``: why no claim may be made whatever they say; ``leaning``: why none that leans on given integers, on
    unnamed ones, on the exit status or on a map; None where one may.
    """

    chosen: tuple[str, ...]
    given: tuple[str, ...]
    constraints: tuple[Constraint, ...]
    assumed: tuple[Constraint, ...]
    unlowered: tuple[Span, ...]
    blocked: str | None
    leaning: str | None

    def block(self, core: Sequence[Constraint]) -> str | None:
        """Why no claim may be made that rests on these constraints."""
        used = [name for item in core for name in names_in(item.expression)]
        leans = bool(self.given) or any(name in {EXIT, USED} or name.startswith(UNNAMED) for name in used)
        return self.blocked or (self.leaning if leans else None)


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
            stated.setdefault(constraint.id, constraint)
    assumed = {name: item for name, item in stated.items() if names_in(item.expression) <= set(known.given)}
    blocked = "integers are declared more than once" if len(declarations) > 1 else _block(left, reader.variables)
    return Lowered(
        chosen=known.chosen,
        given=known.given,
        constraints=tuple(item for name, item in stated.items() if name not in assumed),
        assumed=tuple(assumed.values()),
        unlowered=tuple(Span(start=item.start, end=item.end) for item in left),
        blocked=blocked,
        leaning=None if all(map(_is_harmless, left)) else "a clause that could not be lowered may change it",
    )


def names_in(expression: Expression) -> frozenset[str]:
    """The variables of an expression."""
    own = frozenset() if expression.name is None else frozenset({expression.name})
    return own.union(*(names_in(item) for item in expression.args))


def _constraint(text: str, expression: Expression, tokens: Sequence[Token]) -> Constraint:
    span = Span(start=tokens[0].start, end=tokens[-1].end)
    words = " ".join(text[span.start : span.end].split())
    name = "c-" + digest_of([words.lower(), expression.document()]).removeprefix("sha256:")[:8]
    return Constraint(id=name, expression=expression, spans=(span,), text=words)


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
    return sentence.kind in {"paragraph", "item"} and {token.norm for token in sentence.words} <= _HARMLESS


def _block(left: Sequence[Sentence], variables: Sequence[str]) -> str | None:
    """A sentence that was left and could soften the others blocks every claim."""
    for sentence in left:
        words = [token.norm for token in sentence.words]
        joined = " ".join(words)
        if any(escape in joined for escape in _ESCAPES):
            return "the text says what to do where nothing satisfies it"
        if set(variables) & {token.value for token in sentence.words}:
            return "a clause that could not be lowered may restrict the others"
        if _WEAKENERS & set(words) and not _is_harmless(sentence):
            return "a clause that could not be lowered may restrict the others"
    return None

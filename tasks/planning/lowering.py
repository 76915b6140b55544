"""Prose to constraints, by a parser that must take in the whole sentence. What it does not understand, it leaves.

The program chooses integers; it may be given others, whose statements are assumptions. A condition is kept with what it
holds for, or the sentence is left; and where one is left that could soften the others, nothing is claimed.
"""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass
from itertools import pairwise

from contracts.canonical import Json, digest_of
from contracts.plan import Constraint, Expression
from contracts.requirement import Requirement, Span
from tasks.planning.declarations import Declaration, declared
from tasks.planning.formal_blocks import formal_block
from tasks.planning.statements import Reader
from tasks.planning.terms import NotUnderstood, names_in
from tasks.planning.topics import Implied, Stated, budgets, functions, graphs, maps, texts
from tasks.planning.wording import plain, spoken
from tasks.requirement.blocks import Sentence, sentences
from tasks.requirement.grammar import word_set
from tasks.requirement.tokens import Token

EXIT = "exit_status"
_TOPICS = (maps, texts, graphs, functions, budgets)
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
        "command line tool script and runs run same every output time i we need want would like little short new for "
        "me us this that"
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

    ``implied`` is what words mean, ``continuous`` are variables that take any real value; ``ordered``: the chosen are
    places of things in an order. ``restated`` is where a formal block says again what prose says. ``unlowered`` was not
    read, and the part of it that is ``blocking`` could soften the rest. ``blocked``: why no claim may be made;
    ``exits``: why none that rests on the exit status; None where one may.
    """

    chosen: tuple[str, ...]
    given: tuple[str, ...]
    constraints: tuple[Constraint, ...]
    assumed: tuple[Constraint, ...]
    implied: tuple[Constraint, ...]
    continuous: frozenset[str]
    ordered: bool
    restated: tuple[Span, ...]
    blocking: tuple[Span, ...]
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
    declarations = {
        index: known for index, item in enumerate(found) if (known := declared(plain(item.words))) is not None
    }
    blocks = {
        index: block
        for index, (before, item) in enumerate(pairwise(found), start=1)
        if (block := formal_block(before, item, again=bool(declarations))) is not None
    }
    known, again = _declaration(declarations, blocks)
    stated = _topics(found)
    lowering = _Lowering(requirement.text)
    left: list[Sentence] = []
    reader = Reader(
        known.chosen, known.given, () if known.ordered else (EXIT,), ordered=known.ordered, booleans=known.booleans
    )
    for index, sentence in enumerate(found):
        announces = index + 1 in blocks
        if sentence.kind == "heading" or announces:
            continue
        if index in {**declarations, **blocks} and not again:
            lowering.add([(item.expression, item.tokens) for item in {**declarations, **blocks}[index].pieces])
        elif index in stated.statements and _in_force(found, index):
            lowering.add([(item, sentence.words) for item in stated.statements[index]])
        else:
            expression = _expression(reader, sentence) if _in_force(found, index) else None
            lowering.add([] if expression is None else [(expression, sentence.words)])
            left += [sentence] if expression is None else []
    constraints = lowering.constraints
    assumed = [item for item in constraints if names_in(item.expression) <= set(known.given)]
    blocked = "integers are declared more than once" if again else None
    subjects = {*known.chosen, *known.given, *stated.subjects}
    blocking = [item for item in left if not _is_harmless(item, subjects)]
    blocked = blocked or (_UNREAD if blocking else None)
    return Lowered(
        chosen=known.chosen,
        given=known.given,
        constraints=tuple(item for item in constraints if item not in assumed),
        assumed=tuple(assumed),
        implied=tuple(_implied(requirement.text, item, found[item.sentence].words) for item in stated.implied),
        continuous=stated.continuous,
        ordered=known.ordered,
        restated=tuple(span for block in blocks.values() for span in _spans(block)) if declarations else (),
        blocking=tuple(Span(start=item.start, end=item.end) for item in blocking),
        unlowered=tuple(Span(start=item.start, end=item.end) for item in left),
        blocked=blocked,
        exits=_UNREAD if any({token.norm for token in item.words} & _EXIT_WORDS for item in left) else None,
    )


def _declaration(prose: Mapping[int, Declaration], blocks: Mapping[int, Declaration]) -> tuple[Declaration, bool]:
    """The one declaration of a text, and whether there are more. A block may say again what prose says."""
    every = [*prose.values(), *blocks.values()]
    same = len(prose) == len(blocks) == 1 and set(every[0].chosen) == set(every[1].chosen) and not every[0].ordered
    if len(every) == 1 or same:
        return every[0], False
    return Declaration((), (), ()), len(every) > 1


def _topics(found: Sequence[Sentence]) -> Stated:
    """What the topics make of the sentences; the first one that takes a sentence has it."""
    known = [topic.stated(found) for topic in _TOPICS]
    return Stated(
        {index: item for stated in reversed(known) for index, item in stated.statements.items()},
        tuple(item for stated in known for item in stated.implied),
        frozenset().union(*(stated.continuous for stated in known)),
        frozenset().union(*(stated.subjects for stated in known)),
    )


class _Lowering:
    """Constraints by their ids, in the order of the text."""

    def __init__(self, text: str) -> None:
        self.text = text
        self._stated: dict[str, Constraint] = {}

    def add(self, pieces: Sequence[tuple[Expression, Sequence[Token]]]) -> None:
        for expression, tokens in pieces:
            constraint = _constraint(self.text, expression, tokens)
            first = self._stated.setdefault(constraint.id, constraint)
            if first.expression != expression:  # the same words say two things: "12 distinct digits"
                name = _name([constraint.text.lower(), expression.document()])
                self._stated.setdefault(name, constraint.model_copy(update={"id": name}))

    @property
    def constraints(self) -> tuple[Constraint, ...]:
        return tuple(self._stated.values())


def _spans(block: Declaration) -> tuple[Span, ...]:
    return tuple(Span(start=item.tokens[0].start, end=item.tokens[-1].end) for item in block.pieces)


def _implied(text: str, known: Implied, tokens: Sequence[Token]) -> Constraint:
    words = _constraint(text, known.expression, tokens)
    return words.model_copy(
        update={"id": "m-" + _name([known.text, known.expression.document()])[2:], "text": known.text}
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
        if intro and earlier.tokens[-1].text == ":" and declared(plain(earlier.words)) is None:
            return {token.norm for token in earlier.words} <= _BENIGN_INTRO
    return True


def _name(content: Json) -> str:
    return "c-" + digest_of(content).removeprefix("sha256:")[:8]


def _expression(reader: Reader, sentence: Sentence) -> Expression | None:
    if sentence.kind not in {"paragraph", "item"} or sentence.tokens[-1].text in {":", "?"}:
        return None
    try:
        return reader.sentence(_with_exit(plain(sentence.words)))
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
            found.append(spoken(words[at], EXIT))
            at = the + 2
            continue
        end = next((at + len(who) + len(does) for who in _ENDS_WITH[0] for does in _ENDS_WITH[1]
                    if tuple(norms[at : at + len(who) + len(does)]) == who + does), None)  # fmt: skip
        if end is not None:
            found += [spoken(words[at], EXIT), spoken(words[end - 1], "is")]
            at = end
            continue
        found.append(words[at])
        at += 1
    return found


def _is_harmless(sentence: Sentence, subjects: Collection[str]) -> bool:
    """True for words that change nothing; where something is only printed it may be named."""
    words = {token.value if token.value in subjects else token.norm for token in sentence.words} - {","}
    plain = sentence.kind in {"paragraph", "item"}
    return plain and any(words <= known for known in (_HARMLESS[0] | set(subjects), *_HARMLESS[1:]))

"""Statements of the text: atoms, fragments, and what is executable of them, gathered sentence by sentence."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from itertools import groupby
from typing import Literal

from contracts.canonical import digest_of
from contracts.probe import Expectation, TextExpectation
from contracts.requirement import (
    AcceptanceCriterion,
    AmbiguityFlag,
    Category,
    ConditionalObligation,
    Fragment,
    Invariant,
    QualityContract,
    RequirementAtom,
    Span,
    Trigger,
    TriggerKind,
)
from tasks.requirement.ambiguity import Openness, defined_words, openings
from tasks.requirement.blocks import Sentence
from tasks.requirement.clauses import Branch, Parsed, parse
from tasks.requirement.conditions import triggers
from tasks.requirement.consequences import Consequences, consequences, joined, lent_by
from tasks.requirement.examples import Pair, columns, pairs
from tasks.requirement.kinds import Kind, kind_of
from tasks.requirement.mood import asks
from tasks.requirement.phrasings import GRAMMAR
from tasks.requirement.pieces import Piece
from tasks.requirement.sections import Row, Scenario, entry, fired_by, row, scenarios, section_channel, titled
from tasks.requirement.tokens import Token, tokenize
from tasks.requirement.usage import synopses

Method = Literal["example", "conditional", "invariant", "reading", "tests"]

_METHODS: dict[Category, Method] = {
    Category.FUNCTIONAL: "reading",
    Category.INVARIANT: "invariant",
    Category.TEST: "tests",
}
_OPENS_LIST = ":"
_SEPARATORS = 3
_NEGATING = ("unless", "except", "save")
_NECESSARY = {"only if", "only when"}
"""Says when the effect may happen, and not that it does then."""


@dataclass(slots=True)
class Statements:
    """Everything that was stated, in order of the text."""

    atoms: list[RequirementAtom] = field(default_factory=list)
    fragments: list[Fragment] = field(default_factory=list)
    conditionals: list[ConditionalObligation] = field(default_factory=list)
    pairs: list[tuple[str, Pair]] = field(default_factory=list)
    invariants: list[Invariant] = field(default_factory=list)
    criteria: list[AcceptanceCriterion] = field(default_factory=list)
    quality: list[QualityContract] = field(default_factory=list)
    flags: list[AmbiguityFlag] = field(default_factory=list)

    @property
    def speaks_of_empty(self) -> bool:
        """True iff some condition is that the input is empty."""
        return any(item.kind is TriggerKind.INPUT_EMPTY for found in self.conditionals for item in found.triggers)

    def prove_conditionals(self) -> None:
        """Criteria of the conditionals: by witness what can be, by readings what is left."""
        for known in self.conditionals:
            witnessed = [item for item in known.triggers if item.kind is not TriggerKind.UNKNOWN]
            if witnessed and known.consequences:
                self.criterion("conditional", (known.atom, known.id), known.span)
            if len(witnessed) < len(known.triggers) or known.unparsed or known.effects:
                self.criterion("reading", (known.atom, known.id), known.span)

    def criterion(self, method: Method, atoms: tuple[str, ...], span: Span) -> None:
        """Add an acceptance criterion; its id comes from what it covers and how."""
        name = "ac-" + short_digest([method, *atoms])
        self.criteria.append(AcceptanceCriterion(id=name, atoms=atoms, method=method, span=span))


def collect(text: str, sentences: Sequence[Sentence]) -> Statements:
    """All statements of ``sentences``."""
    return _Collector(text, defined_words(sentences), synopses(sentences)).run(sentences)


class _Collector:
    def __init__(self, text: str, defined: frozenset[str], called: frozenset[str]) -> None:
        self.text = text
        self.defined = defined
        self.called = called
        self.out = Statements()
        self.seen: dict[tuple[str, str], int] = {}
        self.lent: str | None = None
        self.section: str | None = None
        self.lender = -1
        self.stated: list[tuple[tuple[Trigger, ...], ConditionalObligation]] = []

    def run(self, sentences: Sequence[Sentence]) -> Statements:
        header: tuple[str, ...] = ()
        listing = False
        told, after = scenarios(sentences), 0
        for index, sentence in enumerate(sentences):
            if index in told:
                after = told[index].end
                self._scenario(told[index], sentences[index:after])
            if index < after:
                continue
            previous = sentences[index - 1] if index else None
            if previous is None or previous.kind != "table":
                header = ()
            elif sentence.kind == "table" and not header:
                header = columns(previous)
            if sentence.kind == "heading":
                self._heading(sentence, first=index == 0)
            elif sentence.kind == "code":
                self._fragment(sentence.start, sentence.end, [])
            elif sentence.kind in {"table", "doctest"}:
                ids = [self._example(pair) for pair in pairs(self.text, sentence, header)]
                stated = row(sentence, header) if sentence.kind == "table" and not ids else None
                ids += [] if stated is None else [self._row(sentence, stated)]
                self._fragment(sentence.start, sentence.end, ids)
            else:
                self._prose(sentence, listed=listing and sentence.kind == "item")
            if sentence.kind != "item":
                self._lend(sentence)
                listing = sentence.kind == "paragraph" and _opens_list(sentence)
        return self.out

    def _lend(self, sentence: Sentence) -> None:
        """Which channel a heading, a line that opens a list, or a "Raises:" lends to the values below it."""
        if sentence.kind == "heading":
            if any(token.kind == "word" for token in sentence.words):
                self.section, self.lent = section_channel(sentence), lent_by(sentence.words)
        elif _opens_list(sentence) or titled(sentence.words):
            self.lent = lent_by(sentence.words if _opens_list(sentence) else sentence.words[:1])
            self.lender = sentence.block
        elif sentence.block != self.lender:
            self.lent = self.section

    def _row(self, sentence: Sentence, stated: Row) -> str:
        parts = [consequences([tokens], lent) for tokens, lent in stated.consequences]
        return self._obligation(_span(sentence.tokens), triggers(stated.condition), joined(parts))

    def _scenario(self, told: Scenario, steps: Sequence[Sentence]) -> None:
        span = Span(start=steps[0].start, end=steps[-1].end)
        said = fired_by(told.conditions)
        whole = Span(start=told.conditions[0][0].start, end=told.conditions[-1][-1].end)
        fired = (Trigger(kind=TriggerKind.UNKNOWN, span=whole),) if said is None else triggers(said)
        atom = self._obligation(span, fired, consequences(told.consequences))
        for step in steps:
            self._fragment(step.start, step.end, [atom])

    def _heading(self, sentence: Sentence, *, first: bool) -> None:
        ids = [self._atom(Category.INTERFACE, "soft", _span(sentence.tokens))] if first and sentence.words else []
        self._fragment(sentence.start, sentence.end, ids)

    def _prose(self, sentence: Sentence, *, listed: bool) -> None:
        words = sentence.words
        if not words:
            self._fragment(sentence.start, sentence.end, [])
            return
        if not asks(words):
            self._fragment(sentence.start, sentence.end, [self._atom(Category.FUNCTIONAL, "soft", _span(words))])
            return
        parsed = entry(words, self.lent or self.section) or parse(words)
        bound: dict[int, list[str]] = {id(piece): [] for piece in parsed.pieces}
        for pair in pairs(self.text, sentence):
            self._bind(parsed.pieces, bound, pair.tokens, self._example(pair))
        taken = {key for key, ids in bound.items() if ids}
        for decision in openings(self.text, sentence, self.defined):
            self._openness(words, parsed, bound, decision)
        self._branches(words, parsed, bound, taken)
        for piece in parsed.pieces:
            if piece.role in {"plain", "otherwise"} and not bound[id(piece)]:
                bound[id(piece)] += self._plain(words, piece, listed=listed)
        self._cut(sentence, parsed.pieces, bound)

    def _bind(self, pieces: list[Piece], bound: dict[int, list[str]], where: tuple[int, int], atom: str) -> None:
        for piece in pieces:
            if piece.lo < where[1] and where[0] < piece.hi:
                bound[id(piece)].append(atom)

    def _openness(
        self, words: Sequence[Token], parsed: Parsed, bound: dict[int, list[str]], decision: Openness
    ) -> None:
        atom = self._atom(Category.AMBIGUITY, "hard", decision.span)
        flag = AmbiguityFlag(id=atom, span=decision.span, material=decision.material, question=decision.question)
        self.out.flags.append(flag)
        for piece in parsed.pieces:
            if words[piece.lo].start < decision.span.end and decision.span.start < words[piece.hi - 1].end:
                bound[id(piece)].append(atom)

    def _branches(self, words: Sequence[Token], parsed: Parsed, bound: dict[int, list[str]], taken: set[int]) -> None:
        made: list[int] = []
        for branch in parsed.branches:
            if taken & {id(piece) for piece in branch.pieces}:
                made.append(-1)
                continue
            earlier = [item for item in parsed.pieces if item.role != "condition" and item.lo <= branch.pieces[0].lo]
            atom = self._conditional(words, branch, earlier)
            self.stated.append((triggers(words[slice(*branch.condition)]), self.out.conditionals[-1]))
            made.append(len(self.out.conditionals) - 1)
            for piece in branch.pieces:
                bound[id(piece)].append(atom)
        for piece in parsed.again:
            bound[id(piece)] += self._again(words, piece)
        self._otherwise(words, parsed, bound, made)

    def _otherwise(self, words: Sequence[Token], parsed: Parsed, bound: dict[int, list[str]], made: list[int]) -> None:
        """The other branch: its span, and what it fixes as a conditional of its own, fired where nothing else is."""
        earlier = len(self.out.conditionals) - 1
        for _, group in groupby(parsed.otherwise, key=lambda item: item[1]):
            pieces, index = zip(*group, strict=True)
            target = made[index[0]] if index[0] >= 0 else earlier
            span = _span(words[pieces[0].lo : pieces[-1].hi])
            if target >= 0:
                self._attach(target, span)
            said, rest = _without_phrase(words, pieces[0].lo, pieces[-1].hi)
            read = consequences(rest, lent_by(words[: pieces[0].lo]) or self.lent)
            if not said or not read.fixed:
                continue
            kind = TriggerKind.REMAINING if target >= 0 else TriggerKind.UNKNOWN
            if any(GRAMMAR.longest("for_each", words, at) for at in range(pieces[0].lo)):
                read = read.as_part()
            atom = self._obligation(span, (Trigger(kind=kind, span=_span(said)),), read)
            for piece in pieces:
                bound[id(piece)].append(atom)

    def _again(self, words: Sequence[Token], piece: Piece) -> list[str]:
        """A clause under a condition that was stated before: "In that case the exit status is 2"."""
        clause = words[piece.body : piece.hi]
        former = any(GRAMMAR.longest("former_case", clause, at) for at in range(len(clause)))
        if len(self.stated) < 1 + former:
            return []
        fired, known = self.stated[-2 if former else -1]
        if not any(item.negated for item in known.triggers):
            fired = known.triggers
        return [self._obligation(_span(clause), fired, consequences([clause], beside=known.consequences))]

    def _attach(self, index: int, span: Span) -> None:
        known = self.out.conditionals[index]
        whole = span if known.otherwise is None else Span(start=known.otherwise.start, end=span.end)
        self.out.conditionals[index] = known.model_copy(update={"otherwise": whole})

    def _conditional(self, words: Sequence[Token], branch: Branch, before: Sequence[Piece]) -> str:
        ordered = sorted(branch.pieces, key=lambda piece: piece.lo)
        span = _span(_trimmed(words[ordered[0].lo : ordered[-1].hi]))
        condition = words[slice(*branch.condition)]
        fired = triggers(condition, negated=branch.opener.startswith(_NEGATING))
        if branch.nested:
            fired = tuple(item.model_copy(update={"kind": TriggerKind.UNKNOWN}) for item in fired)
        lent = lent_by([token for piece in before for token in words[piece.lo : piece.hi]]) or self.lent
        read = consequences([words[lo:hi] for lo, hi in _runs(branch.consequences)], lent)
        each = any(GRAMMAR.longest("for_each", words, at) for at in range(ordered[-1].hi))
        if each or GRAMMAR.longest("item", condition):
            read = read.as_part()
        if not branch.consequences:
            read = Consequences((), (span,))
        elif branch.opener in _NECESSARY:
            read = Consequences((), tuple(_span(words[lo:hi]) for lo, hi in branch.consequences))
        return self._obligation(span, fired, read)

    def _obligation(self, span: Span, fired: tuple[Trigger, ...], read: Consequences) -> str:
        atom = self._atom(Category.CONDITIONAL, "hard", span)
        known = ConditionalObligation(
            id="if-" + atom.rsplit("-", 1)[1],
            atom=atom,
            span=span,
            triggers=fired,
            consequences=tuple(self._literally(item, span) for item in read.expectations),
            effects=read.effects,
            unparsed=read.unparsed,
            otherwise=None,
        )
        self.out.conditionals.append(known)
        return atom

    def _literally(self, item: Expectation, span: Span) -> Expectation:
        """How the program is called is printed as it stands; the names in it stand for nothing else."""
        if not isinstance(item, TextExpectation) or item.relation != "contains":
            return item
        said = [token.value for token in tokenize(self.text, span.start, span.end) if token.kind == "literal"]
        whole = next((value for value in said if value in self.called and value.startswith(item.text)), None)
        return item if whole is None else item.model_copy(update={"relation": "equals", "text": whole})

    def _plain(self, words: Sequence[Token], piece: Piece, *, listed: bool) -> list[str]:
        tokens = _trimmed(words[piece.body : piece.hi])
        if not tokens:
            return []
        kind = kind_of(tokens) or (Kind(Category.FUNCTIONAL) if listed else None)
        if kind is None:
            return []
        span = _span(tokens)
        atom = self._atom(kind.category, kind.strength, span)
        if kind.category is Category.INVARIANT:
            name = "inv-" + atom.rsplit("-", 1)[1]
            self.out.invariants.append(Invariant(id=name, atom=atom, span=span, expectations=kind.expectations))
        if kind.category in {Category.QUALITY, Category.ENVIRONMENT}:
            self.out.quality.append(QualityContract(atom=atom, span=span, how=kind.how))
        if kind.category in _METHODS and kind.strength == "hard":
            self.out.criterion(_METHODS[kind.category], (atom,), span)
        return [atom]

    def _example(self, pair: Pair) -> str:
        atom = self._atom(Category.EXAMPLE, "hard", pair.span)
        self.out.pairs.append((atom, pair))
        return atom

    def _atom(self, category: Category, strength: Literal["hard", "soft"], span: Span) -> str:
        """Content-derived id: category and words, with a number only where the very same statement comes again."""
        words = " ".join(token.norm for token in tokenize(self.text, span.start, span.end))
        times = self.seen[category, words] = self.seen.get((category, words), 0) + 1
        name = f"{category}-{short_digest([category, words] if times == 1 else [category, words, times])}"
        text = " ".join(self.text[span.start : span.end].split())
        self.out.atoms.append(RequirementAtom(id=name, category=category, strength=strength, span=span, text=text))
        return name

    def _cut(self, sentence: Sentence, pieces: list[Piece], bound: dict[int, list[str]]) -> None:
        """One fragment for each piece; marker and final stop go to the first and the last."""
        words = sentence.words
        for index, piece in enumerate(pieces):
            start = sentence.start if index == 0 else words[piece.lo].start
            end = sentence.end if index + 1 == len(pieces) else words[piece.hi - 1].end
            self._fragment(start, end, bound[id(piece)])

    def _fragment(self, start: int, end: int, atoms: list[str]) -> None:
        self.out.fragments.append(Fragment(span=Span(start=start, end=end), atoms=tuple(dict.fromkeys(atoms))))


def _without_phrase(words: Sequence[Token], lo: int, hi: int) -> tuple[Sequence[Token], list[Sequence[Token]]]:
    """The words of "otherwise" between ``lo`` and ``hi``, and what stands before and after them."""
    for at in range(lo, hi):
        match = GRAMMAR.longest("otherwise", words, at)
        if match is not None:
            return words[at : match.end], [part for part in (words[lo:at], words[match.end : hi]) if part]
    return (), []


def _opens_list(sentence: Sentence) -> bool:
    return sentence.tokens[-1].text == _OPENS_LIST


def _trimmed(tokens: Sequence[Token]) -> Sequence[Token]:
    start = 0
    while start < len(tokens) and tokens[start].text in {",", ";", ":", "—", "–"}:
        start += 1
    end = len(tokens)
    while end > start and tokens[end - 1].text in {",", ";", ":"}:
        end -= 1
    return tokens[start:end]


def _runs(ranges: Sequence[tuple[int, int]]) -> list[tuple[int, int]]:
    """Ranges with only separators between them, joined."""
    runs: list[tuple[int, int]] = []
    for lo, hi in ranges:
        if runs and lo - runs[-1][1] <= _SEPARATORS:
            runs[-1] = (runs[-1][0], hi)
        else:
            runs.append((lo, hi))
    return runs


def short_digest(value: list[object]) -> str:
    """Eight hexadecimal digits over the canonical form of ``value``."""
    return digest_of(value).removeprefix("sha256:")[:8]


def _span(tokens: Sequence[Token]) -> Span:
    return Span(start=tokens[0].start, end=tokens[-1].end)

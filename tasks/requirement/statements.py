"""Statements of the text: atoms, fragments, and what is executable of them, gathered sentence by sentence."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Literal

from contracts.canonical import digest_of
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
from tasks.requirement.consequences import Consequences, consequences, lent_by
from tasks.requirement.examples import Pair, columns, pairs
from tasks.requirement.kinds import Kind, kind_of
from tasks.requirement.phrasings import GRAMMAR
from tasks.requirement.pieces import Piece
from tasks.requirement.tokens import Token, tokenize

Method = Literal["example", "conditional", "invariant", "reading", "tests"]

_METHODS: dict[Category, Method] = {
    Category.FUNCTIONAL: "reading",
    Category.INVARIANT: "invariant",
    Category.TEST: "tests",
}
_OPENS_LIST = ":"
_SEPARATORS = 3


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
    return _Collector(text, defined_words(sentences)).run(sentences)


class _Collector:
    def __init__(self, text: str, defined: frozenset[str]) -> None:
        self.text = text
        self.defined = defined
        self.out = Statements()
        self.seen: dict[tuple[str, str], int] = {}
        self.lent: str | None = None

    def run(self, sentences: Sequence[Sentence]) -> Statements:
        header: tuple[str, ...] = ()
        listing = False
        for index, sentence in enumerate(sentences):
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
                self._fragment(sentence.start, sentence.end, ids)
            else:
                self._prose(sentence, listed=listing and sentence.kind == "item")
            if sentence.kind != "item":
                self.lent = lent_by(sentence.words) if sentence.kind == "heading" or _opens_list(sentence) else None
                listing = sentence.kind == "paragraph" and _opens_list(sentence)
        return self.out

    def _heading(self, sentence: Sentence, *, first: bool) -> None:
        ids = [self._atom(Category.INTERFACE, "soft", _span(sentence.tokens))] if first and sentence.words else []
        self._fragment(sentence.start, sentence.end, ids)

    def _prose(self, sentence: Sentence, *, listed: bool) -> None:
        words = sentence.words
        if not words:
            self._fragment(sentence.start, sentence.end, [])
            return
        parsed = parse(words)
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
            made.append(len(self.out.conditionals) - 1)
            for piece in branch.pieces:
                bound[id(piece)].append(atom)
        for piece in parsed.again:
            bound[id(piece)] += self._again(words, piece)
        for piece, index in parsed.otherwise:
            target = made[index] if index >= 0 else len(self.out.conditionals) - 1
            if target >= 0:
                self._attach(target, _span(words[piece.lo : piece.hi]))

    def _again(self, words: Sequence[Token], piece: Piece) -> list[str]:
        """A clause under the condition that was stated last: "In that case the exit status is 2"."""
        if not self.out.conditionals:
            return []
        read = consequences([words[piece.body : piece.hi]])
        return [self._obligation(_span(words[piece.body : piece.hi]), self.out.conditionals[-1].triggers, read)]

    def _attach(self, index: int, span: Span) -> None:
        known = self.out.conditionals[index]
        whole = span if known.otherwise is None else Span(start=known.otherwise.start, end=span.end)
        self.out.conditionals[index] = known.model_copy(update={"otherwise": whole})

    def _conditional(self, words: Sequence[Token], branch: Branch, before: Sequence[Piece]) -> str:
        ordered = sorted(branch.pieces, key=lambda piece: piece.lo)
        span = _span(_trimmed(words[ordered[0].lo : ordered[-1].hi]))
        condition = words[slice(*branch.condition)]
        fired = triggers(condition, negated=branch.opener.startswith(("unless", "except")))
        if branch.nested:
            fired = tuple(item.model_copy(update={"kind": TriggerKind.UNKNOWN}) for item in fired)
        lent = lent_by([token for piece in before for token in words[piece.lo : piece.hi]]) or self.lent
        read = consequences([words[lo:hi] for lo, hi in _runs(branch.consequences)], lent)
        each = any(GRAMMAR.longest("for_each", words, at) for at in range(ordered[-1].hi))
        if each or GRAMMAR.longest("item", condition):
            read = read.as_part()
        if not branch.consequences:
            read = Consequences((), (span,))
        return self._obligation(span, fired, read)

    def _obligation(self, span: Span, fired: tuple[Trigger, ...], read: Consequences) -> str:
        atom = self._atom(Category.CONDITIONAL, "hard", span)
        known = ConditionalObligation(
            id="if-" + atom.rsplit("-", 1)[1],
            atom=atom,
            span=span,
            triggers=fired,
            consequences=read.expectations,
            effects=read.effects,
            unparsed=read.unparsed,
            otherwise=None,
        )
        self.out.conditionals.append(known)
        return atom

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

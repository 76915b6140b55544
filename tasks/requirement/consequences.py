"""Consequences: which expectations a stretch of text states, each on its own channel. What is not read is returned."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass

from contracts.probe import ExitExpectation, Expectation, FileExpectation, TextExpectation
from contracts.requirement import CallEffect, Span
from tasks.requirement.answers import answer, is_refusal
from tasks.requirement.grammar import FORMATS, is_caps, is_file_name, number_of, word_set
from tasks.requirement.phrasings import BEHAVIOUR, CONJUNCTIONS, GRAMMAR, MODALS, SETS
from tasks.requirement.tokens import Token

OUTPUT_FILE = "OUTPUT"
"""Path in a file expectation of a contract: the argument of that name, whatever path a probe gives it."""

_RULES = (
    "print_stderr",
    "print_stdout",
    "nothing_stderr",
    "part_stdout",
    "part_stderr",
    "nothing_stdout",
    "message_stderr",
    "message_stdout",
    "no_file",
    "no_named_file",
    "empty_file",
    "exit_equals",
    "exit_differs",
    "exit_zero",
)
_BETWEEN = {",", ";", ":", "->", "=>", "→", "—", "–", "then", "and", "also", "but", "plus", "."}
_PLACEHOLDER = re.compile(r"<[^<>]*>|\{[^{}]*\}|%[sd]|\.\.\.|…|\b[A-Z][A-Z_]*\b")
_ANEW = {",", ";", ":", ".", "but"}
"""A denial ends there: "must not crash and exit with 2" denies both."""
_TRAILING = {"instead", "then", "too"}
_REMARKS = {"where", "substitute", "substituting", "e.g.", "i.e.", "for", "see", "with", "without"}
_ADJUNCTS = {"with", "using", "without", "exiting", "terminating", "in", "after", "before"}
_THIRD_PERSON = frozenset(word for word in SETS["print"] | SETS["exit"] if word.endswith("s")) | word_set(
    "raises throws answers responds must shall should"
)
_BORROWED: dict[str, str] = {
    **dict.fromkeys(SETS["print"] - {"output", "report"} | {"answers"}, "stdout"),
    **dict.fromkeys({"output", "outputs"}, "stdout"),
    **dict.fromkeys(SETS["exit"] - {"return", "returns", "returning"} | {"status"}, "exit"),
    **dict.fromkeys(("return", "returns", "returning"), "return"),
    **dict.fromkeys(("raise", "raises", "raising"), "raise"),
}
_RETURNS = {"return", "returns", "returning"}
"""A group in brackets behind one of these, or right behind a word, is a value or a call and no remark."""
_RELATED = {"returns", "prints", "outputs", "raises", "exits"}
_ESCAPES = {"\\n": "\n", "\\t": "\t", "\\r": "\r", "\\\\": "\\"}


@dataclass(frozen=True, slots=True)
class Consequences:
    """What was read, on the channels of a program and of a call, and the spans of what was not."""

    expectations: tuple[Expectation, ...]
    unparsed: tuple[Span, ...]
    effects: tuple[CallEffect, ...] = ()

    @property
    def fixed(self) -> bool:
        """True iff some effect was read."""
        return bool(self.expectations or self.effects)

    def as_part(self) -> Consequences:
        """The same, said of each item of the input: a text is then a part of what is printed."""
        return Consequences(tuple(_part(item) for item in self.expectations), self.unparsed, self.effects)


def _part(item: Expectation) -> Expectation:
    whole = isinstance(item, TextExpectation) and (item.channel, item.relation) == ("stdout", "equals")
    return item.model_copy(update={"relation": "contains", "newline": "optional"}) if whole else item


def consequences(
    stretches: Sequence[Sequence[Token]], lent: str | None = None, beside: Sequence[Expectation] = ()
) -> Consequences:
    """Read joined consequences: "print X and exit with status 2 and write nothing to stderr".

    ``beside`` was stated before: "nothing else" is said of it. ``lent`` is the channel of a value that stands alone
    ("0 if it was read, *1* if not"), as `lent_by` tells.
    """
    found: list[Expectation | CallEffect] = []
    rest: list[Token] = []
    for tokens in stretches:
        value = bare_value(tokens)
        if value is not None and lent is not None and (item := _lent(value, lent)) is not None:
            found.append(item)
            continue
        if value is not None and is_refusal(value):
            span = Span(start=value.start, end=value.end)
            found.append(CallEffect(channel="http", value=value.text, span=span))
            continue
        _walk(_without_remarks(tokens), found, rest, beside)
    expectations = [item for item in found if not isinstance(item, CallEffect)]
    effects = tuple(item for item in found if isinstance(item, CallEffect))
    return Consequences(_settled(expectations), _spans(rest), effects)


def joined(parts: Sequence[Consequences]) -> Consequences:
    """What several stretches state together."""
    return Consequences(
        _settled([item for part in parts for item in part.expectations]),
        tuple(span for part in parts for span in part.unparsed),
        tuple(item for part in parts for item in part.effects),
    )


def bare_value(tokens: Sequence[Token]) -> Token | None:
    """The value that stands alone, but for a conjunction or a "with" before it."""
    kept = [token for token in tokens if token.norm not in _BETWEEN | {"or", "with", "by"}]
    if len(kept) != 1 or kept[0].norm in SETS["det"] | BEHAVIOUR | {"otherwise", "then", "not", "it"}:
        return None
    return kept[0] if kept[0].kind != "punct" else None


def lent_by(tokens: Sequence[Token]) -> str | None:
    """The channel of the last verb of ``tokens``: stdout, exit, return, raise; None for a verb of another kind."""
    for token in reversed(tokens):
        if token.norm in _BORROWED:
            return _BORROWED[token.norm]
        if token.norm in BEHAVIOUR:
            return None
    return None


def _lent(value: Token, channel: str) -> Expectation | CallEffect | None:
    number = number_of(value)
    if value.norm == "nothing" and channel in {"stdout", "stderr"}:
        return TextExpectation.model_validate({"channel": channel, "relation": "empty"})
    if channel == "exit":
        return None if number is None else ExitExpectation(status=number)
    if channel == "stdout":
        stands = value.kind == "literal" or is_caps(value)  # a number may as well say how many are printed
        return _text("stdout", value, set()) if stands else None
    if channel == "stderr":
        return _text("stderr", value, set()) if value.kind == "literal" else None
    effect = answer((Token("word", value.start, value.start, channel, channel + "s"), value), 0)
    return None if effect is None else effect[0].model_copy(update={"span": Span(start=value.start, end=value.end)})


def _without_remarks(tokens: Sequence[Token]) -> Sequence[Token]:
    """Drop parentheses that only explain ("where PATH is ...")."""
    kept: list[Token] = []
    at = 0
    while at < len(tokens):
        close = _closing(tokens, at) if tokens[at].text == "(" else 0
        if close == at + 2 and tokens[at + 1].norm in {"stdout", "stderr"}:
            kept.append(tokens[at + 1])
            at = close + 1
            continue
        if close and at > 0 and (tokens[at - 1].end == tokens[at].start or tokens[at - 1].norm in _RETURNS):
            kept += tokens[at : close + 1]
            at = close + 1
            continue
        first, second = [*(token.norm for token in tokens[at + 1 : at + 3]), "", ""][:2]
        if close and (first in _REMARKS | SETS["art"] or second in {"is", "are", "means"}):
            at = close
        elif tokens[at].text == ")" or (
            close and (starts_consequence(tokens, at + 1) or starts_consequence(tokens, at + 2))
        ):
            pass
        else:
            kept.append(tokens[at])
        at += 1
    return kept


def _closing(tokens: Sequence[Token], at: int) -> int:
    depth = 0
    for index in range(at, len(tokens)):
        depth += (tokens[index].text == "(") - (tokens[index].text == ")")
        if depth == 0:
            return index
    return 0


def _walk(
    tokens: Sequence[Token],
    found: list[Expectation | CallEffect],
    rest: list[Token],
    beside: Sequence[Expectation],
) -> None:
    at, fresh, denied = 0, True, False
    while at < len(tokens):
        denied |= not fresh and tokens[at - 1].norm in SETS["negation"]
        denied &= tokens[at].norm not in _ANEW
        if denied:
            rest.append(tokens[at])
            at += 1
            continue
        step = _step(tokens, at) if fresh or _is_adjunct(tokens, at) else None
        stated = [*beside, *found]
        only = GRAMMAR.longest("nothing_else", tokens, at) if step is None and _prints_exactly(stated) else None
        if step is not None:
            expectation, at = step
            found.append(expectation)
            fresh = True
        elif only is not None:
            if not any(isinstance(item, TextExpectation) and item.channel == "stdout" for item in stated):
                found.append(TextExpectation(channel="stdout", relation="empty"))
            at = only.end
        elif (fresh or _is_adjunct(tokens, at)) and (again := GRAMMAR.longest("anaphor", tokens, at)):
            at = again.end
        elif tokens[at].norm in _BETWEEN or (fresh and tokens[at].norm in _TRAILING):
            fresh, at = True, at + 1
        else:
            rest.append(tokens[at])
            fresh, at = False, at + 1


def _step(tokens: Sequence[Token], at: int) -> tuple[Expectation | CallEffect, int] | None:
    """A consequence from token ``at`` on, with or without subject and modal before it."""
    step = _read(tokens, at)
    if step is None and (lead := GRAMMAR.longest("lead", tokens, at)) is not None:
        step = _read(tokens, lead.end)
    if step is None and (verb := after_named_subject(tokens, at)):
        step = _read(tokens, verb)
    if step is None and tokens[at].norm in {"after", "before"} and at + 1 < len(tokens):
        step = _step(tokens, at + 1)
    if step is None and GRAMMAR.longest("for_each", tokens, at) is not None:
        ends = range(at + 3, min(at + 6, len(tokens)))
        step = next((found for end in ends if (found := _read(tokens, end)) is not None), None)
    return step


def after_named_subject(tokens: Sequence[Token], at: int) -> int:
    """Where the verb follows on the program by its name: "logcut prints ...", "the loader must print ..."; else 0."""
    at += tokens[at].norm == "the"
    if at + 1 >= len(tokens) or tokens[at].kind not in {"word", "literal"}:
        return 0
    verb = _closing(tokens, at + 1) + 1 if tokens[at + 1].text == "(" else at + 1
    if verb >= len(tokens) or tokens[verb].norm not in _THIRD_PERSON:
        return 0
    if tokens[at].norm in SETS["det"] | CONJUNCTIONS or (
        tokens[at].norm in BEHAVIOUR and tokens[verb].norm not in MODALS
    ):
        return 0
    lead = GRAMMAR.longest("lead", tokens, verb)
    return lead.end if lead else verb


def starts_consequence(tokens: Sequence[Token], at: int) -> bool:
    """True iff a consequence of a known form starts at token ``at``."""
    if at >= len(tokens):
        return False
    return GRAMMAR.longest("effect", tokens, at) is not None or answer(tokens, at) is not None


def unescaped(text: str) -> str:
    r"""The text with the escapes that people write in quotes (``\n``, ``\t``) resolved."""
    return re.sub(r"\\[ntr\\]", lambda match: _ESCAPES[match.group()], text)


def _is_adjunct(tokens: Sequence[Token], at: int) -> bool:
    """True for a consequence that needs no conjunction before it: "with exit status 2", "in that case"."""
    if tokens[at].norm in {"that", "which"}:
        return at + 1 < len(tokens) and tokens[at + 1].norm in _RELATED and starts_consequence(tokens, at + 1)
    if tokens[at].norm not in _ADJUNCTS:
        return False
    if tokens[at].norm in {"after", "before"}:
        lead = GRAMMAR.longest("lead", tokens, at + 1)
        return starts_consequence(tokens, lead.end if lead else at + 1)
    return bool(GRAMMAR.longest("anaphor", tokens, at)) or starts_consequence(tokens, at)


def _read(tokens: Sequence[Token], at: int) -> tuple[Expectation | CallEffect, int] | None:
    best: tuple[str, int, tuple[Token, ...]] | None = None
    if not starts_consequence(tokens, at):
        return None
    called = answer(tokens, at)
    if called is not None and _closed(tokens, called[1]):
        return called
    for rule in _RULES:
        match = GRAMMAR.longest(rule, tokens, at)
        if match is not None and (best is None or match.end > best[1]) and _closed(tokens, match.end):
            best = (rule, match.end, match.captures)
    if best is None:
        return None
    rule, end, captures = best
    if rule.startswith("print") and is_file_name(captures[-1]):
        return None
    return _expectation(rule, captures, tokens[at:end]), end


def _closed(tokens: Sequence[Token], end: int) -> bool:
    """True iff nothing that follows can change what was read ("print A followed by B", "exit with 1 or 2")."""
    end += end < len(tokens) and tokens[end].norm in _TRAILING
    if end == len(tokens) or _is_adjunct(tokens, end):
        return True
    following = tokens[end]
    if following.norm in CONJUNCTIONS:
        listed = end + 1 < len(tokens) and tokens[end + 1].kind in {"literal", "number"}
        return following.norm != "or" and not (listed and not starts_consequence(tokens, end + 1))
    return following.kind == "punct" and following.text not in "(+" and not _lists(tokens, end)


def _lists(tokens: Sequence[Token], end: int) -> bool:
    if tokens[end - 1].kind == "word" and not is_caps(tokens[end - 1]):
        return False
    listed = end + 1 < len(tokens) and tokens[end + 1].kind in {"literal", "number"}
    return tokens[end].text in ",/" and listed and not starts_consequence(tokens, end + 1)


def _expectation(rule: str, captures: tuple[Token, ...], said: Sequence[Token]) -> Expectation:
    if rule == "exit_zero":
        return ExitExpectation(status=0)
    if rule == "exit_differs":
        return ExitExpectation(relation="differs", status=0)
    if rule == "exit_equals":
        return ExitExpectation(status=number_of(captures[-1]) or 0)
    if rule == "empty_file":
        return FileExpectation(path=OUTPUT_FILE, relation="bytes")
    if rule == "no_named_file":
        return FileExpectation(path=captures[-1].value, relation="absent")
    if rule == "no_file":
        return FileExpectation(path=OUTPUT_FILE, relation="absent")
    channel = "stderr" if rule.endswith("stderr") else "stdout"
    if rule.startswith("part"):
        return TextExpectation.model_validate({"channel": channel, "relation": "contains", "text": captures[-1].value})
    if rule.startswith("message"):
        return TextExpectation(channel=channel, relation="not_empty")
    if rule.startswith("print"):
        return _text(channel, captures[-1], {token.norm for token in said})
    return TextExpectation(channel=channel, relation="empty")


def _text(channel: str, token: Token, said: set[str]) -> TextExpectation:
    """A literal is exact, unless a part of it stands for something else: then only its longest fixed part is."""
    text = unescaped(token.value) if token.text[0] != "`" else token.value
    fixed = text.removesuffix("\n")
    parts = _fixed_parts(fixed) if token.kind == "literal" else [fixed]
    if not text:
        return TextExpectation.model_validate({"channel": channel, "relation": "empty"})
    if len(parts) == 1:
        newline = "required" if text != fixed else "optional"
        if "newline" in said:
            newline = "forbidden" if "without" in said else "required"
        return TextExpectation.model_validate(
            {"channel": channel, "relation": "equals", "text": fixed, "newline": newline}
        )
    longest = max(parts, key=len).strip()
    relation = "contains" if longest else "not_empty"
    return TextExpectation.model_validate({"channel": channel, "relation": relation, "text": longest})


def _fixed_parts(text: str) -> list[str]:
    """The parts of a text that stand for themselves, between those that stand for something else."""
    if text.lower().startswith("usage") or text.isupper():
        return [text]
    parts, end = [], 0
    for hole in _PLACEHOLDER.finditer(text):
        article = hole.group() in {"A", "I"} and text[hole.end() : hole.end() + 2].strip()[:1].islower()
        if hole.group() not in FORMATS and not article:
            parts.append(text[end : hole.start()])
            end = hole.end()
    return [*parts, text[end:]]


def _prints_exactly(found: Sequence[Expectation | CallEffect]) -> bool:
    return any(isinstance(item, TextExpectation) and item.relation == "equals" for item in found)


def _settled(found: list[Expectation]) -> tuple[Expectation, ...]:
    """Two exact texts on one stream are parts of it; what is said twice counts once."""
    exact = [item for item in found if isinstance(item, TextExpectation) and item.relation == "equals"]
    shared = {item.channel for item in exact if sum(other.channel == item.channel for other in exact) > 1}
    kept: list[Expectation] = []
    for item in found:
        if isinstance(item, TextExpectation):
            if item.relation == "equals" and item.channel in shared:
                item = item.model_copy(update={"relation": "contains", "newline": "optional"})  # noqa: PLW2901
            elif item.relation == "empty" and any(other.channel == item.channel for other in exact):
                continue
        if item not in kept:
            kept.append(item)
    return tuple(kept)


def _spans(tokens: Sequence[Token]) -> tuple[Span, ...]:
    spans: list[Span] = []
    for token in tokens:
        if spans and token.start - spans[-1].end <= 1:
            spans[-1] = Span(start=spans[-1].start, end=token.end)
        else:
            spans.append(Span(start=token.start, end=token.end))
    return tuple(spans)

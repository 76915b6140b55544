"""What the text says about how the program is called: files, streams, columns, thresholds, names."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from typing import Literal

from contracts.requirement import DomainFact, Span
from tasks.requirement.arguments import attributed, stated_arguments, switches
from tasks.requirement.blocks import Sentence
from tasks.requirement.domain import domain_facts
from tasks.requirement.grammar import number_of
from tasks.requirement.phrasings import (
    AHEAD,
    ARGUMENTS,
    BEHAVIOUR,
    FILES,
    GRAMMAR,
    NOUN_LIKE,
    PRINTS,
    SETS,
    STDIN_ALTERNATIVES,
)
from tasks.requirement.tokens import Token
from tasks.requirement.usage import Usage, usage_of

Relation = Literal["<", "<=", ">", ">="]
Format = Literal["csv", "text", "json"]

_DAYS: dict[str, Relation] = {"days_fewer": "<", "days_at_most": "<=", "days_more": ">", "days_at_least": ">="}
_VALUES: dict[str, Relation] = {"value_more": ">", "value_less": "<", "value_at_least": ">=", "value_at_most": "<="}
_NOT_A_DATE_NAME = SETS["det"] | {
    "current",
    "today's",
    "valid",
    "each",
    "every",
    "and",
    "or",
    "of",
    "iso",
    "that",
    "system",
}
_STDIN = "stdin"
_ROLES: dict[str, Literal["integer", "text"]] = {
    "integer": "integer",
    "number": "integer",
    "word": "text",
    "string": "text",
    "name": "text",
}
_NO_DATE = SETS["det"] | {"current", "valid", "each", "every", "and", "or", "of", "iso", "that", "for"}
_SEPARATORS = {"tab-delimited": "tab", "tab-separated": "tab", "tsv": "tab", "semicolon-separated": "semicolon"}


@dataclass(frozen=True, slots=True)
class Bound:
    """A boundary through a column; ``column`` None for the column of dates."""

    column: str | None
    relation: Relation
    bound: int
    span: Span


@dataclass(slots=True)
class Facts:
    """All that was found; None and empty where the text is silent."""

    title: str | None = None
    command: str | None = None
    entry: str | None = None
    input_format: Format | None = None
    output_format: Format | None = None
    reads_stdin: bool = False
    input_optional: bool = False
    csv: bool = False
    prints: bool = False
    stderr: bool = False
    flags: bool = False
    summary: bool = False
    separator: str | None = None
    newline: str | None = None
    success: int | None = None
    columns: tuple[str, ...] = ()
    entity: str | None = None
    dates: tuple[str, ...] = ()
    bounds: tuple[Bound, ...] = ()
    domain: tuple[DomainFact, ...] = ()
    usage: Usage | None = None
    values: list[tuple[str, Literal["integer", "text"]]] = field(default_factory=list)
    switches: tuple[str, ...] = ()
    integers: frozenset[str] = frozenset()


def gather(sentences: Sequence[Sentence]) -> Facts:
    """Read the facts off all sentences."""
    facts = Facts()
    for index, sentence in enumerate(sentences):
        if sentence.kind in {"code", "doctest"}:
            continue
        tokens = sentence.words
        if index == 0 and sentence.kind == "heading":
            facts.title = " ".join(token.value for token in tokens)
            continue
        _names(facts, tokens)
        _streams(facts, tokens)
        _files(facts, tokens)
        _values(facts, tokens)
        _table(facts, tokens)
    if facts.summary and facts.csv and facts.output_format == "text":
        facts.output_format = "csv"
    stated = stated_arguments(sentences)
    named = Usage(tuple((item.name, item.role) for item in stated), open_end=False) if stated else None
    facts.domain = attributed(domain_facts(sentences), stated, sentences)
    facts.usage = _fitting(usage_of(sentences) or named, facts)
    facts.switches = switches(sentences)
    for sentence in sentences:
        facts.bounds += tuple(_bounds(facts, sentence.words))
        facts.integers |= frozenset(_integers(facts, sentence.words))
    return facts


def _fitting(usage: Usage | None, facts: Facts) -> Usage | None:
    """The usage line, if it has a place for every file that the text speaks of, and no more than one for each."""
    if usage is None:
        return None
    roles = [role for _, role in usage.arguments]
    reads, writes = roles.count("input_file"), roles.count("output_file")
    if reads > 1 or writes > 1 or (facts.input_format and not reads) or (facts.output_format and not writes):
        return None
    facts.input_format = facts.input_format or ("text" if reads else None)
    facts.output_format = facts.output_format or ("text" if writes else None)
    return usage


def _values(facts: Facts, tokens: Sequence[Token]) -> None:
    """Arguments that are values: "takes two integers a and b as arguments"."""
    words = [token.norm for token in tokens]
    if not (ARGUMENTS & set(words) and SETS["read"] & set(words)) or (FILES | {"path"}) & set(words):
        return
    for at, word in enumerate(words):
        role = _ROLES.get(word.removesuffix("s"))
        if role is None or facts.values:
            continue
        count = next((value for token in tokens[max(0, at - 2) : at] if (value := number_of(token))), 1)
        named = [token.value for token in tokens[at + 1 : at + 2 * count] if token.norm not in {",", "and"}]
        known = len(named) == count and all(len(name) <= 2 and name.isalpha() for name in named)
        plain = [word.removesuffix("s").upper() + (str(number) if count > 1 else "") for number in range(1, count + 1)]
        facts.values = [(name, role) for name in (named if known else plain)]


def _names(facts: Facts, tokens: Sequence[Token]) -> None:
    for at, token in enumerate(tokens):
        match = GRAMMAR.longest("named", tokens, at)
        if (
            match is not None
            and facts.command is None
            and match.captures[-1].value.replace("-", "").replace("_", "").isalnum()
        ):
            facts.command = match.captures[-1].value
        if (
            token.value.endswith(".py")
            and facts.entry is None
            and token.kind in {"word", "literal"}
            and " " not in token.value
        ):
            facts.entry = token.value


def _streams(facts: Facts, tokens: Sequence[Token]) -> None:
    words = [token.norm for token in tokens]
    joined = " ".join(words)
    facts.reads_stdin |= _STDIN in words or "standard input" in joined
    facts.input_optional |= any(phrase in joined for phrase in STDIN_ALTERNATIVES)
    facts.stderr |= "stderr" in words or "standard error" in joined
    facts.prints |= bool(PRINTS & set(words)) or "standard output" in joined
    facts.flags |= bool({"flag", "flags", "flagged"} & set(words))
    if SETS["opener_words"] & set(words):
        pass
    elif "trailing newline" in joined or "final newline" in joined:
        facts.newline = "forbidden" if {"no", "without", "not"} & set(words) else "required"
    elif "followed by a newline" in joined or "followed by one newline" in joined:
        facts.newline = "required"
    for at in range(len(tokens)):
        match = GRAMMAR.longest("exit_equals", tokens, at)
        if match and match.captures and "success" in words[match.end : match.end + 3]:
            facts.success = number_of(match.captures[-1])


def _files(facts: Facts, tokens: Sequence[Token]) -> None:
    words = [token.norm for token in tokens]
    facts.csv |= bool({"csv", "tsv", "comma-separated"} & set(words))
    facts.separator = next((name for word, name in _SEPARATORS.items() if word in words), facts.separator)
    written = False
    for at, word in enumerate(words):
        if word in SETS["write"] and _is_writing(words, at):
            written = True
        elif word in SETS["read"] or word in {"if", "when", "that"}:
            written = False
        facts.summary |= word == "summary" and (written or bool(FILES & set(words[at + 1 : at + 3])))
        if word in FILES or word in {"path", "summary"}:
            _file(facts, words, at, written=written)


def _file(facts: Facts, words: Sequence[str], at: int, *, written: bool) -> None:
    """A word for a file at ``at``: one to read, one to write, or a stream that is called one."""
    near = " ".join(words[at : at + 9])
    before = words[max(0, at - 3) : at + 2]
    format_: Format = "csv" if "csv" in before else "json" if "json" in before else "text"
    if _is_output(words, at, written=written):
        if "standard output" not in near and "stdout" not in near:
            facts.output_format = _stronger(facts.output_format, format_)
    elif words[at] in FILES and not ("from standard input" in near or "from stdin" in near):
        facts.input_format = _stronger(facts.input_format, format_)


def _is_writing(words: Sequence[str], at: int) -> bool:
    """True for a verb: "the output file" writes nothing, and "write a program" asks for one."""
    following = set(words[at + 1 : at + 6])
    if at == 0 and following & SETS["art"] and not (FILES | SETS["written"]) & set(words[1:4]):
        return False  # "Write a small grep for CSV"
    if following & SETS["system"] and not following & {"summary", "output"}:
        return False
    return words[at] != "output" or (
        at + 1 < len(words) and words[at + 1] not in {"file", "path", "files", "must", "is"}
    )


def _is_output(words: Sequence[str], at: int, *, written: bool) -> bool:
    """True iff the file at ``at`` is one that the program writes."""
    before = [word for word in words[max(0, at - 3) : at] if word.isalpha()]
    if {"input", "source", "in", "from", "of"} & set(before):
        return False
    return written or bool(SETS["written"] & set(words[max(0, at - 2) : at]))


def _stronger(old: Format | None, new: Format) -> Format:
    return new if old in {None, "text"} else old or new


def _table(facts: Facts, tokens: Sequence[Token]) -> None:
    words = [token.norm for token in tokens]
    for at, word in enumerate(words):
        match = GRAMMAR.longest("column_list", tokens, at)
        if match is not None and not facts.columns:
            names = tuple(_listed(tokens, match.end - 1))
            facts.columns = names if not BEHAVIOUR & set(names) else ()
        if word == "of" and at and set(words[max(0, at - 2) : at]) & {"csv", "file"} and facts.entity is None:
            facts.entity = _entity(words, at + 1)
        if (
            word in {"date", "dates"}
            and at
            and words[at - 1].isalpha()
            and words[at - 1] not in _NO_DATE | (BEHAVIOUR - NOUN_LIKE)
        ):
            name = f"{words[at - 1]}_date"
            facts.dates = tuple(dict.fromkeys((*facts.dates, name)))


def _entity(words: Sequence[str], at: int) -> str | None:
    if at < len(words) and words[at].isalpha() and words[at].endswith("s") and not words[at].endswith("ss"):
        plural = words[at]
        return plural[:-3] + "y" if plural.endswith("ies") else plural[:-1]
    return None


def _listed(tokens: Sequence[Token], at: int) -> Iterator[str]:
    """Names in a row: quoted ones, or bare ones that commas or "and" hold together."""
    first = tokens[at]
    if first.kind == "literal" and "," in first.value:
        yield from (name.strip() for name in first.value.split(","))
        return
    listed = at + 1 < len(tokens) and tokens[at + 1].text == ","
    if first.kind != "literal" and not (listed or "_" in first.text):
        return
    while at < len(tokens) and tokens[at].kind in {"word", "literal"}:
        yield tokens[at].value
        at += 1
        joined = at
        while at < len(tokens) and tokens[at].norm in {",", "and"}:
            at += 1
        if at == joined:
            return


def _bounds(facts: Facts, tokens: Sequence[Token]) -> Iterator[Bound]:
    ahead = bool(AHEAD & {token.norm for token in tokens})
    known = {name.lower(): name for name in facts.columns}
    for at in range(len(tokens)):
        for rule, relation in _DAYS.items():
            match = GRAMMAR.longest(rule, tokens, at)
            if match is not None and ahead and facts.csv:
                yield _bound(None, relation, tokens[at : match.end], match.captures[0])
        column = known.get(tokens[at].value.lower())
        for rule, relation in _VALUES.items():
            match = GRAMMAR.longest(rule, tokens, at + 1) if column else None
            if match is not None and not (match.end < len(tokens) and tokens[match.end].norm in {"days", "characters"}):
                yield _bound(column, relation, tokens[at : match.end], match.captures[0])


def _integers(facts: Facts, tokens: Sequence[Token]) -> Iterator[str]:
    """The columns of which a sentence says that they hold integers: "an amount is an integer"."""
    known = {name.lower(): name for name in facts.columns}
    for at, token in enumerate(tokens):
        if token.norm in SETS["opener_words"]:
            return
        column = known.get(token.value.lower()) or known.get(token.value.lower().removesuffix("s"))
        copula = GRAMMAR.longest("must_be", tokens, at + 1) if column else None
        said = {item.norm for item in tokens[copula.end : copula.end + 3]} if copula else set()
        if column and said & {"integer", "integers"} and not said & SETS["negation"]:
            yield column


def _bound(column: str | None, relation: Relation, tokens: Sequence[Token], number: Token) -> Bound:
    return Bound(column, relation, number_of(number) or 0, Span(start=tokens[0].start, end=tokens[-1].end))

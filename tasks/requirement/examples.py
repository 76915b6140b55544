"""Examples of an input and its output, in whatever phrasing, and what each says about the streams."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from contracts.probe import Expectation
from contracts.requirement import Span
from tasks.requirement.bare_examples import bare_example
from tasks.requirement.blocks import Sentence
from tasks.requirement.consequences import consequences, unescaped
from tasks.requirement.phrasings import GRAMMAR, SETS
from tasks.requirement.sections import cells_of
from tasks.requirement.situations import ARROWS
from tasks.requirement.tokens import Token, tokenize

_RETURNS = {"returns", "return", "gives", "yields", "produces", "->", "=>", "==", "→", "equals", "outputs"}
_RESTRICTS = SETS["opener_words"] | {"with", "without", "given", "under", "using", "in"}
_SOFT = {"must", "should", "will", "would", "shall"}


@dataclass(frozen=True, slots=True)
class Pair:
    """An input and its output. ``call``: the input is a call of a function, which no command line program answers.

    ``tokens`` is the range in the sentence; ``also`` is what the example states beside its output; ``words`` are the
    values of the input where the text names them one by one ("given 3 and 4").
    """

    given: str
    wanted: str
    span: Span
    tokens: tuple[int, int]
    call: bool
    also: tuple[Expectation, ...] = ()
    words: tuple[str, ...] = ()


def pairs(text: str, sentence: Sentence, header: Sequence[str] = ()) -> tuple[Pair, ...]:
    """All examples of a sentence, a row of a table (whose ``header`` names input and output), or a doctest."""
    if sentence.kind == "table":
        return tuple(_row(sentence, header))
    if sentence.kind == "doctest":
        return tuple(_doctest(text, sentence))
    if sentence.kind == "code":
        return ()
    return tuple(_stated(sentence)) or tuple(_calls(sentence))


def columns(sentence: Sentence) -> tuple[str, ...]:
    """The cells of a table row, as they stand."""
    return tuple(_shown(cell) for cell in cells_of(sentence))


def _stated(sentence: Sentence) -> Iterator[Pair]:
    tokens = sentence.words
    at, joined = 0, -1
    while at < len(tokens):
        pair = _pair_at(tokens, at)
        if pair is not None and (at == joined or _starts(tokens, at)):
            yield pair
            at = pair.tokens[1]
            joined = at + (at < len(tokens) and tokens[at].norm in {",", "and"})
        else:
            at += 1


def _pair_at(tokens: Sequence[Token], at: int) -> Pair | None:
    match = GRAMMAR.longest("example", tokens, at)
    if match is None and _stands_first(tokens, at):
        match = GRAMMAR.longest("bare_example", tokens, at)
    silent = GRAMMAR.longest("silent_example", tokens, at) if match is None else None
    if silent is not None and len(silent.captures) == 1:
        given, wanted, end = silent.captures[0], None, silent.end
    elif match is not None and len(match.captures) == 2:
        (given, wanted), end = match.captures, match.end
        if GRAMMAR.longest("reversed_example", tokens, at) == match:
            given, wanted = wanted, given
    else:
        return _bare_at(tokens, at)
    option = given.value.startswith("-") and given.kind == "literal" and not given.value[1:2].isdigit()
    if option or not _closed(tokens, end):
        return None
    end, also = _joined_effects(tokens, end)
    output = "" if wanted is None else _meant(wanted)
    return Pair(_meant(given), output, _span(tokens[at:end]), (at, end), call=False, also=also)


def _bare_at(tokens: Sequence[Token], at: int) -> Pair | None:
    """An example whose values are not quoted, wholly up to the end of its clause."""
    bare = bare_example(tokens, at)
    if bare is None or not _closed(tokens, bare.end):
        return None
    given, wanted = tuple(map(_meant, bare.given)), " ".join(map(_meant, bare.wanted))
    words = given if bare.apart else ()
    return Pair(" ".join(given), wanted, _span(tokens[at : bare.end]), (at, bare.end), call=False, words=words)


def _stands_first(tokens: Sequence[Token], at: int) -> bool:
    """At the start of a clause, or after another example: "8 gives 10, *64* gives 100"."""
    if at == 0 or tokens[at - 1].text in {";", ":"}:
        return True
    return tokens[at - 1].norm in {",", "and"} and GRAMMAR.whole("bare_example", tokens[at - 4 : at - 1]) is not None


def _joined_effects(tokens: Sequence[Token], at: int) -> tuple[int, tuple[Expectation, ...]]:
    """What else the example states: "... and exits with status 1"; nothing if that is not wholly understood."""
    end = next((index for index in range(at, len(tokens)) if tokens[index].text in {";", ".", ")"}), len(tokens))
    read = consequences([tokens[at:end]])
    if read.unparsed or any(item.channel == "stdout" for item in read.expectations):
        return at, ()
    return (end, read.expectations) if read.expectations else (at, ())


def _closed(tokens: Sequence[Token], end: int) -> bool:
    if end == len(tokens):
        return True
    listed = end + 1 < len(tokens) and tokens[end + 1].kind in {"literal", "number"}
    listed = listed and not (end + 2 < len(tokens) and tokens[end + 2].text in ARROWS)
    listed = listed and GRAMMAR.longest("bare_example", tokens, end + 1) is None
    return not listed and (tokens[end].text in ",;.)(" or tokens[end].norm in {"and", "because", "since", "as", "with"})


def _starts(tokens: Sequence[Token], at: int) -> bool:
    """False in the middle of a list of inputs, and under a condition: "with -v, for the input 'a' it prints 'b'"."""
    if at > 1 and tokens[at - 1].norm in {"and", "or", ","} and tokens[at - 2].kind in {"literal", "number"}:
        return at > 2 and tokens[at - 3].text in ARROWS and _starts(tokens, at - 4)
    for token in reversed(tokens[:at]):
        if token.text in {";", ":", ".", ")"}:
            return True
        if token.norm in _RESTRICTS or (token.kind != "punct" and token.value.startswith("-")):
            return False
    return True


def _meant(token: Token) -> str:
    if token.kind == "literal" and (token.text[0] != "`" or "\\n" in token.text):
        return unescaped(token.value)
    return token.value


def _calls(sentence: Sentence) -> Iterator[Pair]:
    """``name(arguments) returns value``."""
    tokens = sentence.words
    for at in range(len(tokens) - 3):
        if tokens[at].kind != "word" or tokens[at + 1].text != "(" or tokens[at].end != tokens[at + 1].start:
            continue
        close = _closing(tokens, at + 1)
        verb = close + 1 if close + 1 < len(tokens) and tokens[close + 1].norm not in _SOFT else close + 2
        if close < 0 or verb + 1 >= len(tokens) or tokens[verb].norm not in _RETURNS:
            continue
        if not _is_value(tokens[verb + 1]) or _is_signature(tokens[at : close + 1]):
            continue
        end = _value_end(tokens, verb + 1)
        if any(GRAMMAR.longest("opener", tokens, index) for index in range(verb + 2, end)):
            continue
        yield Pair(
            _joined(tokens[at : close + 1]),
            _joined(tokens[verb + 1 : end]),
            _span(tokens[at:end]),
            (at, end),
            call=True,
        )


def _is_value(token: Token) -> bool:
    return token.kind in {"literal", "number"} or token.text in {"[", "(", "{", "-", "True", "False", "None"}


def _is_signature(call: Sequence[Token]) -> bool:
    """Annotated parameters: ``f(x: int)`` declares, it does not show."""
    return any(token.text == ":" and call[at - 1].kind == "word" for at, token in enumerate(call))


def _closing(tokens: Sequence[Token], at: int) -> int:
    depth = 0
    for index in range(at, len(tokens)):
        depth += (tokens[index].text in "([{") - (tokens[index].text in ")]}")
        if depth == 0:
            return index
    return -1


def _value_end(tokens: Sequence[Token], at: int) -> int:
    depth = 0
    for index in range(at, len(tokens)):
        text = tokens[index].text
        depth += (text in "([{") - (text in ")]}")
        remark = text == "(" and depth == 1 and index > at and tokens[index - 1].end < tokens[index].start
        stops = depth == 0 and (text in {";", ".", ","} or tokens[index].norm in {"and", "because", "since"})
        if depth < 0 or remark or stops:
            return index
    return len(tokens)


def _joined(tokens: Sequence[Token]) -> str:
    return "".join(token.text for token in tokens)


def _doctest(text: str, sentence: Sentence) -> Iterator[Pair]:
    lines = [line.strip() for line in text[sentence.start : sentence.end].splitlines()]
    answer = [line for line in lines if not line.startswith((">>>", "..."))]
    call = "".join(line[3:] for line in lines if line.startswith((">>>", "...")))
    if call.strip() and answer:
        given, wanted = (_joined(tokenize(part)) for part in (call, "\n".join(answer)))
        yield Pair(given, wanted, _span(sentence.tokens), (0, len(sentence.tokens)), call=True)


def _row(sentence: Sentence, header: Sequence[str]) -> Iterator[Pair]:
    cells = cells_of(sentence)
    names = [name.lower() for name in header]
    given = next((index for index, name in enumerate(names) if "input" in name or name in {"given", "stdin"}), None)
    wanted = next((index for index, name in enumerate(names) if "output" in name or name in {"result", "prints"}), None)
    rule = all(set(token.text) <= set("|-:") for token in sentence.tokens)
    if rule or given is None or wanted is None or len(cells) != len(names) or not (cells[given] and cells[wanted]):
        return
    values = [_shown(cell) for cell in (cells[given], cells[wanted])]
    yield Pair(values[0], values[1], _span(sentence.tokens), (0, len(sentence.tokens)), call=False)


def _shown(cell: Sequence[Token]) -> str:
    if len(cell) == 1:
        return _meant(cell[0])
    return " ".join(token.text for token in cell)


def _span(tokens: Sequence[Token]) -> Span:
    return Span(start=tokens[0].start, end=tokens[-1].end)

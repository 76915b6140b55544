"""Examples of calls in whatever phrasing: doctests, "f(2) == 4", "for n = 3 the output is 6", "Input: 3 Output: 6"."""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from itertools import chain
from typing import Any

from contracts.probe import Expectation, RaiseExpectation, ReturnExpectation
from contracts.requirement import FunctionInterface, Span
from tasks.requirement.literals import NoLiteralError, closing, literal, literal_at, of_node

FORMS = ("list", "tuple", "set", "sorted")
_MOST_LINES = 40
_PROMPT = re.compile(r"^[ \t]*>>>[ \t]?(.*)$", re.MULTILINE)
_SAYS = r"(?:(?:should|must|will|would|shall)\s+)?"
_IS = re.compile(
    rf"[`\"'*)]{{0,3}}[ \t]*\n?[ \t]*(?:\#[ \t]*)?(?:==+>?|=+>|-+>|➞|→|⇒|↦|=|"
    rf"{_SAYS}(?:returns?|gives?|yields?|equals?|be|is|produces?|outputs?|evaluates?\s+to)\b)"
    r"[ \t]*(?:the\s+)?(?:(?:list|string|value|number|integer|tuple|array)\s+)?[`*]{0,2}",
)
_RAISES = re.compile(rf"[`*]{{0,2}}[ \t]*\n?[ \t]*{_SAYS}(?:raises?|throws?)\s+(?:an?\s+)?[`*]?([A-Z]\w*)")
_ARITHMETIC = re.compile(r"[ \t]*[-+*/%][^\n=]*=[ \t]*(?P<value>[^\n]+?)[ \t.]*(?:\n|$)")
_NOT_ALONE = re.compile(r"[ \t]*(?:[-+*/%|&^(\[.]\w|or\b)")
_NAMED = r"(?:{names})[ \t]*(?:=|:|is)[ \t]*"
_RESULT = re.compile(
    r"[\s,.`]*(?:(?:then|->|=>|and)[\s,]*)?(?:(?:the|your)\s+)?"
    r"(?:(?:output|result|answer|function|expected output|return value)\s+)?"
    rf"{_SAYS}(?:be|is|returns?|gives?|equals?|:|=)\s*(?:the\s+)?(?:(?:output|result|answer)\s+)?(?:{_SAYS}(?:be|is)\s+)?`?",
    re.IGNORECASE,
)
_INPUT = re.compile(r"\binput\b[ \t]*\d*[ \t]*[:=][ \t]*\n?", re.IGNORECASE)
_OUTPUT = re.compile(
    r"[\s,;]*\b(?:expected[ \t]+)?(?:output|returns?|result)\b[ \t]*\d*[ \t]*[:=][ \t]*\n?\s*", re.IGNORECASE
)
_RAISED = re.compile(r"(?P<type>(?:\w+\.)*[A-Z]\w*)(?::[ \t]?(?P<message>.*))?$")


@dataclass(frozen=True)
class Stated:
    """A call and what the text states of it; ``call`` names the function."""

    function: str
    arguments: tuple[Any, ...]
    expectation: Expectation
    span: Span
    keywords: dict[str, Any] = field(default_factory=dict)


def stated_calls(text: str, functions: Sequence[FunctionInterface]) -> tuple[Stated, ...]:
    """All examples of ``functions``, in the order of the text; a call that does not fit its signature is none."""
    known = {item.name: item for item in functions}
    found: dict[int, Stated] = {}
    for item in chain(
        _doctests(text, known), _written(text, known), _told(text, functions), _labelled(text, functions)
    ):
        inside = any(other.span.start <= item.span.start < other.span.end for other in found.values())
        if _fits(known[item.function], item) and not inside:
            found[item.span.start] = item
    return tuple(found[start] for start in sorted(found))


def _fits(function: FunctionInterface, item: Stated) -> bool:
    names = [parameter.name for parameter in function.parameters]
    given = set(names[: len(item.arguments)]) | set(item.keywords)
    needed = {parameter.name for parameter in function.parameters if parameter.required}
    return len(item.arguments) <= len(names) and set(item.keywords) <= set(names) and needed <= given


def _doctests(text: str, known: Mapping[str, FunctionInterface]) -> Iterator[Stated]:
    for match in _PROMPT.finditer(text):
        node, end = _expression(text, match.start(1))
        if node is None:
            continue
        shown, stop = _shown(text, end)
        try:
            yield from _doctest(node, shown, known, Span(start=match.start(1), end=stop))
        except NoLiteralError:
            continue


def _expression(text: str, start: int) -> tuple[ast.expr | None, int]:
    """The expression behind a prompt, over as many lines as it takes."""
    end = start
    for _ in range(_MOST_LINES):
        following = text.find("\n", end)
        end = len(text) if following < 0 else following
        source = "\n".join(line.strip().removeprefix("...") for line in text[start:end].split("\n"))
        try:
            return ast.parse(source.strip(), mode="eval").body, end
        except (SyntaxError, ValueError, RecursionError, MemoryError):
            if end == len(text) or text[end + 1 :].lstrip(" \t").startswith(">>>"):
                break
            end += 1
    return None, start


def _shown(text: str, end: int) -> tuple[list[str], int]:
    """The lines that the text shows as the answer, up to a blank line or the next prompt, and where they end."""
    lines: list[str] = []
    at = end + 1
    while at < len(text) and len(lines) < _MOST_LINES:
        stop = text.find("\n", at)
        stop = len(text) if stop < 0 else stop
        line = text[at:stop].strip()
        if not line or line.startswith((">>>", '"""', "'''", "```")):
            break
        lines.append(line)
        end, at = stop, stop + 1
    return lines, end


def _doctest(
    node: ast.expr, shown: Sequence[str], known: Mapping[str, FunctionInterface], span: Span
) -> Iterator[Stated]:
    if isinstance(node, ast.Compare) and len(node.ops) == 1 and isinstance(node.ops[0], ast.Eq):
        if shown in ([], ["True"]):
            yield from _call(node.left, ReturnExpectation(value=of_node(node.comparators[0])), known, span)
        return
    form = _last_name(node.func) if isinstance(node, ast.Call) else ""
    if isinstance(node, ast.Call) and form in FORMS and form not in known and len(node.args) == 1 and shown:
        wanted = ReturnExpectation.model_validate({"value": literal("\n".join(shown)), "form": form})
        yield from _call(node.args[0], wanted, known, span)
    elif shown and shown[0].startswith("Traceback"):
        raised = next(filter(None, map(_RAISED.match, shown[1:])), None)
        if raised is not None:
            message = (raised["message"] or "").strip()
            kept = message if message and "..." not in message else None
            yield from _call(node, RaiseExpectation(type=raised["type"], message=kept), known, span)
    elif shown:
        yield from _call(node, ReturnExpectation(value=_first_value(shown)), known, span)
    else:
        yield from _call(node, ReturnExpectation(value=None), known, span)


def _first_value(shown: Sequence[str]) -> Any:
    for count in range(len(shown), 0, -1):
        try:
            return literal("\n".join(shown[:count]))
        except NoLiteralError:
            continue
    raise NoLiteralError(shown[0])


def _call(
    node: ast.expr, expectation: Expectation, known: Mapping[str, FunctionInterface], span: Span
) -> Iterator[Stated]:
    if isinstance(node, ast.Call) and (name := _last_name(node.func)) in known:
        if any(keyword.arg is None for keyword in node.keywords):
            return
        yield Stated(
            function=name,
            arguments=tuple(of_node(argument) for argument in node.args),
            expectation=expectation,
            span=span,
            keywords={str(keyword.arg): of_node(keyword.value) for keyword in node.keywords},
        )


def _last_name(node: ast.expr) -> str:
    if isinstance(node, ast.Attribute):
        return node.attr
    return node.id if isinstance(node, ast.Name) else ""


def _written(text: str, known: Mapping[str, FunctionInterface]) -> Iterator[Stated]:
    """``f(2) == 4``, ``f(2) -> 4``, "f(2) returns 4", "f(-1) raises ValueError"."""
    names = "|".join(re.escape(name) for name in known) or r"(?!)"
    for match in re.finditer(rf"(?<![\w.])(?:{names})(?=\()", text):
        if text[: match.start()].endswith("def "):
            continue
        try:
            end = closing(text, match.end())
            node = ast.parse(" ".join(text[match.start() : end].split("\n")), mode="eval").body
            expectation, stop = _what_follows(text, end)
            yield from _call(node, expectation, known, Span(start=match.start(), end=stop))
        except (NoLiteralError, SyntaxError, ValueError):
            continue


def _what_follows(text: str, end: int) -> tuple[Expectation, int]:
    raised = _RAISES.match(text, end)
    if raised is not None:
        return RaiseExpectation(type=raised[1]), raised.end()
    joint = _IS.match(text, end)
    if joint is None:
        raise NoLiteralError(text[end : end + 40])
    value, stop = literal_at(text, joint.end())
    return ReturnExpectation(value=_alone(text, stop, value)), stop


def _alone(text: str, stop: int, value: Any) -> Any:
    """``value``, or what the sum that it begins comes to by the text: "19 - 5 - 6 = 8"."""
    summed = _ARITHMETIC.match(text, stop)
    if summed is not None:
        return literal(summed["value"])
    if _NOT_ALONE.match(text, stop):
        raise NoLiteralError("a part of something longer")
    return value


def _told(text: str, functions: Sequence[FunctionInterface]) -> Iterator[Stated]:
    """Sentences such as "For n = 5 and k = 2, the output should be 10", that give all parameters of the function."""
    if len(functions) != 1 or not functions[0].parameters:
        return
    names = "|".join(re.escape(item.name) for item in functions[0].parameters)
    for match in re.finditer(rf"(?<![\w.])(?={_NAMED.format(names=names)})", text):
        given, end = _assignments(text, match.start(), names)
        joint = _RESULT.match(text, end) if given else None
        if joint is None:
            continue
        try:
            value, stop = literal_at(text, joint.end())
            wanted = ReturnExpectation(value=_alone(text, stop, value))
        except NoLiteralError:
            continue
        yield Stated(functions[0].name, (), wanted, Span(start=match.start(), end=stop), given)


def _assignments(text: str, start: int, names: str) -> tuple[dict[str, Any], int]:
    """Values by parameter, and where they end."""
    pattern = re.compile(rf"(?:[\s,;`]|and\b)*(?P<name>{names})[ \t]*(?:=|:|is)[ \t]*`?")
    given: dict[str, Any] = {}
    while match := pattern.match(text, start):
        try:
            value, start = literal_at(text, match.end())
        except NoLiteralError:
            break
        given[match["name"]] = value
    return given, start


def _labelled(text: str, functions: Sequence[FunctionInterface]) -> Iterator[Stated]:
    """Pairs such as "Input: [1, 2], 3" and "Output: 5": values by the place of the parameters, whatever their names."""
    if len(functions) != 1:
        return
    names = r"[A-Za-z_]\w*"
    for match in _INPUT.finditer(text):
        values, end = _values(text, match.end(), names)
        joint = _OUTPUT.match(text, end)
        if joint is None or len(values) != len(functions[0].parameters):
            continue
        try:
            value, stop = literal_at(text, joint.end())
            wanted = ReturnExpectation(value=_alone(text, stop, value))
        except NoLiteralError:
            continue
        yield Stated(functions[0].name, tuple(values), wanted, Span(start=match.start(), end=stop))


def _values(text: str, start: int, names: str) -> tuple[list[Any], int]:
    pattern = re.compile(
        rf"(?:[\s,;`]|and\b)*(?:(?!output|result|return)(?:{names})[ \t]*(?:=|:)[ \t]*)?`?", re.IGNORECASE
    )
    values: list[Any] = []
    while match := pattern.match(text, start):
        try:
            value, start = literal_at(text, match.end())
        except NoLiteralError:
            break
        values.append(value)
    return values, start

"""Python values as texts write them, read without running anything."""

from __future__ import annotations

import ast
import re
from typing import Any

from contracts.value import ValueEncodingError, encode

LONGEST = 4_000
_WORD = re.compile(r"(?:true|false|null|none)\b", re.IGNORECASE)
_NUMBER = re.compile(r"-?(?:\d[\d_]*\.?\d*|\.\d+)(?:[eE][+-]?\d+)?\b")
_QUOTE = re.compile(r"[bB]?('(?:[^'\\\n]|\\.)*'|\"(?:[^\"\\\n]|\\.)*\")")
_WORDS = {"true": True, "false": False, "null": None, "none": None}
_CLOSING = {"(": ")", "[": "]", "{": "}"}


class NoLiteralError(ValueError):
    """A text is no literal."""


def literal(text: str) -> Any:
    """The encoding (`contracts.value`) of the value that ``text`` writes; ``true`` and ``false`` are booleans too.

    Raises:
        NoLiteralError: it writes something else.
    """
    try:
        return of_node(ast.parse(text.strip(), mode="eval").body)
    except (SyntaxError, ValueError, RecursionError, MemoryError) as error:
        raise NoLiteralError(text[:100]) from error


def of_node(node: ast.expr) -> Any:
    """The encoding of the value that an expression writes.

    Raises:
        NoLiteralError: it is no literal.
    """
    try:
        return encode(ast.literal_eval(_Words().visit(node)))
    except (ValueError, TypeError, SyntaxError, RecursionError, MemoryError, ValueEncodingError) as error:
        raise NoLiteralError("no literal") from error


class _Words(ast.NodeTransformer):
    """``true``, ``false`` and ``null`` for those who write other languages too; ``set()`` is a literal already."""

    def visit_Name(self, node: ast.Name) -> ast.expr:
        if node.id not in _WORDS:
            return node
        return ast.copy_location(ast.Constant(_WORDS[node.id]), node)


def literal_at(text: str, start: int) -> tuple[Any, int]:
    """The value that is written at ``start``, and where it ends.

    Raises:
        NoLiteralError: none is.
    """
    for pattern in (_WORD, _QUOTE, _NUMBER):
        match = pattern.match(text, start)
        if match is not None:
            return literal(_WORDS_AS.get(match.group().lower(), match.group())), match.end()
    if text[start : start + 1] in _CLOSING:
        end = closing(text, start)
        return literal(text[start:end]), end
    raise NoLiteralError(text[start : start + 40])


_WORDS_AS = {"true": "True", "false": "False", "null": "None", "none": "None"}


def closing(text: str, start: int) -> int:
    """The place behind the bracket that closes the one at ``start``; what stands in quotes does not count.

    Raises:
        NoLiteralError: nothing closes it.
    """
    expected: list[str] = []
    at = start
    while at < min(len(text), start + LONGEST):
        quote = _QUOTE.match(text, at) if text[at] in "'\"" else None
        if quote is not None:
            at = quote.end()
            continue
        if text[at] in _CLOSING:
            expected.append(_CLOSING[text[at]])
        elif text[at] in ")]}":
            if not expected or expected.pop() != text[at]:
                break
            if not expected:
                return at + 1
        at += 1
    raise NoLiteralError(text[start : start + 40])

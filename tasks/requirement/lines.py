"""Lines of a text and which of them belong together: headings, list items, entries of a docstring, notes, prose."""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator
from dataclasses import dataclass
from textwrap import dedent
from typing import Literal

BlockKind = Literal["heading", "item", "table", "code", "doctest", "paragraph"]

_HEADING = re.compile(r"[ \t]*#{1,6}(?:[ \t]|$)")
_RULE = re.compile(r"[ \t]*(?:=+|-{3,}|\*{3,}|_{3,}|\"{3}|'{3})[ \t]*$")
_UNDERLINE = re.compile(r"[ \t]*(?:={3,}|-{3,})[ \t]*$")
_SECTION = re.compile(r"[ \t]*[A-Z][A-Z /-]{3,}$")
_DOC_SECTION = re.compile(r"[ \t]*(?:Raises|Returns|Yields|Args|Arguments|Parameters|Examples?|Notes?|Exits?)[ \t]*:?$")
_RAISED = re.compile(r"[ \t]*\w+(?:Error|Exception|Warning|Interrupt)(?:[ \t]*[:,—–-]|[ \t]+(?:if|when)\b)")
_UNFINISHED = re.compile(r"(?:\b(?:a|an|the|or|and|raises?|raising)|,)[ \t]*$", re.IGNORECASE)
_ITEM = re.compile(
    r"[ \t]*(?:[-*•+][ \t]+(?:\[[ xX]?\][ \t]+)?|\(?\d{1,2}[.)][ \t]+|\(?[a-z]\)[ \t]+"
    r"|[A-Z]{1,3}-?\d{1,3}(?:[.:)][ \t]+|[ \t]{2,}))"
)
_NUMBERED = re.compile(r"[ \t]*\(?(\d{1,2})[.)][ \t]")
_ENTRY = re.compile(
    r"[ \t]*\d{1,3}(?:[ \t]{2,}|\t)(?=\S)"  # "2   the file is missing"
    r"|[ \t]*\d{1,3}[ \t]+[-–—:=]+[ \t]+(?=[A-Za-z])"
    r"|[ \t]*:(?:raises?|except(?:ion)?|returns?|rtype|param|type|yields?)\b[^:\n]*:"  # reST
    r"|[ \t]*\w+(?:Error|Exception|Warning|Interrupt)[ \t]*$"  # NumPy
)
_STEP = re.compile(r"[ \t]*(?:Given|When|Then|And|But)\b")
_NOTE = re.compile(r"(?:(?![.;!?][ \t]).)*\S[ \t]+(?:->|=>|→)[ \t]+\S(?:(?![.;!?][ \t]+\S).)*$")
_DASHED = re.compile(r"[^.;:,]{1,60}\s(?:—|–|--)\s")
_TABLE = re.compile(r"[ \t]*\|.*\|[ \t]*$")
_FENCE = re.compile(r"[ \t]*(```+|~~~+)")
_DOCTEST = re.compile(r"[ \t]*>>> ")
_QUOTES = {'"""', "'''"}
_SHORT_LINE = 72
"""A shorter line was not wrapped."""


@dataclass(frozen=True, slots=True)
class Block:
    """Characters ``start`` to ``end``; the content starts at ``body``, after a list marker or heading sign."""

    kind: BlockKind
    start: int
    body: int
    end: int


def blocks(text: str) -> Iterator[Block]:
    """All blocks in order; what lies between them is white space."""
    lines = [(match.start(), match.end()) for match in re.finditer(r"[^\n]*(?:\n|$)", text) if match.group()]
    at = number = 0
    closing: set[int] = set()
    while at < len(lines):
        start, end = lines[at]
        line = text[start:end].rstrip("\n")
        following = text[slice(*lines[at + 1])].rstrip("\n") if at + 1 < len(lines) else ""
        kind = "heading" if _is_title(line, following) else _kind_of(line)
        at += 1
        if kind == "blank":
            continue
        if kind == "code":
            closed = _after_fence(text, lines, at, line)
            if at - 1 not in closing and _only_declares(text[lines[at - 1][1] : lines[closed - 1][0]]):
                closing.add(closed - 1)
            elif at - 1 not in closing:
                at = closed
        elif kind in {"paragraph", "item", "doctest"}:
            counted = _NUMBERED.match(line)
            number = int(counted[1]) if counted else number
            while at < len(lines) and _continues(kind, text[slice(*lines[at - 1])], text[slice(*lines[at])], number):
                at += 1
        mark = (_HEADING if kind == "heading" else _ITEM).match(text, start) if kind in {"heading", "item"} else None
        yield Block(kind, start, mark.end() if mark else start, lines[at - 1][1])


def _is_title(line: str, following: str) -> bool:
    """A line that is underlined, or in capitals above an indented one."""
    if not line.strip() or _kind_of(line) != "paragraph":
        return False
    deeper = len(following) - len(following.lstrip()) > len(line) - len(line.lstrip())
    return bool(_UNDERLINE.match(following)) or (deeper and bool(_SECTION.match(line) or _DOC_SECTION.match(line)))


def _kind_of(line: str) -> BlockKind | Literal["blank"]:
    if not line.strip():
        return "blank"
    if _FENCE.match(line):
        return "code"
    if _HEADING.match(line) or _RULE.match(line):
        return "heading"
    if _TABLE.match(line):
        return "table"
    if _DOCTEST.match(line):
        return "doctest"
    return "item" if _ITEM.match(line) or _ENTRY.match(line) else "paragraph"


def _continues(kind: BlockKind, before: str, line: str, number: int) -> bool:
    """True iff the block goes on; a line that a sum or a status happens to start is no item of a list.

    As in CommonMark, only a 1 starts a numbered list inside of a paragraph; after item ``number`` the next one follows.
    """
    following = _kind_of(line.rstrip("\n"))
    if kind == "doctest":
        return following not in {"blank", "doctest"} and line.strip() not in _QUOTES
    counted = _NUMBERED.match(line)
    if counted and (int(counted[1]) not in {1, number + 1} or _is_wrapped(kind, before)):
        return True
    return following == "paragraph" and not _starts_anew(kind, before.rstrip("\n"), line.rstrip("\n"))


def _is_wrapped(kind: BlockKind, before: str) -> bool:
    """A full line of prose that ends in the middle of a sentence."""
    return kind == "paragraph" and len(before) > _SHORT_LINE and not before.rstrip().endswith((".", ":", ";", "!", "?"))


def _starts_anew(kind: BlockKind, before: str, line: str) -> bool:
    """True for the next note, the next step of a scenario, and what follows on a list."""
    if _NOTE.match(line) and (_NOTE.match(before) or before.rstrip().endswith((".", ":"))):
        return not before.rstrip().endswith((",", "->", "=>", "→"))
    if _RAISED.match(line) and not _UNFINISHED.search(before):
        return True
    if _DASHED.match(line) and before.rstrip().endswith(":"):
        return True
    if kind != "item" and _STEP.match(line) and not before.rstrip().endswith((",", ";")):
        return True
    unmarked = len(line) - len(line.lstrip()) <= len(before) - len(before.lstrip())
    after_item = kind == "item" and _ITEM.match(before) is not None and len(before) < _SHORT_LINE
    return after_item and unmarked and line.strip()[:1].isupper()


def _only_declares(code: str) -> bool:
    """True for functions without a body but with a docstring: it says what is asked for, fenced or not."""
    try:
        body = ast.parse(dedent(code)).body
    except (SyntaxError, ValueError, RecursionError, MemoryError):
        return False
    functions = [item for item in body if isinstance(item, ast.FunctionDef)]
    others = [item for item in body if not isinstance(item, ast.FunctionDef | ast.Import | ast.ImportFrom)]
    return bool(functions) and not others and all(_is_described(item) for item in functions)


def _is_described(function: ast.FunctionDef) -> bool:
    idle = [isinstance(item, ast.Pass) or _is_constant(item) for item in function.body]
    return all(idle) and bool(ast.get_docstring(function))


def _is_constant(statement: ast.stmt) -> bool:
    return isinstance(statement, ast.Expr) and isinstance(statement.value, ast.Constant)


def _after_fence(text: str, lines: list[tuple[int, int]], at: int, opening: str) -> int:
    fence = opening.strip()[:3]
    while at < len(lines):
        at += 1
        if text[slice(*lines[at - 1])].strip().startswith(fence):
            break
    return at

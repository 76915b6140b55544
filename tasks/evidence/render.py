"""Draws a report: Markdown for a page, rich text for a terminal. Nothing of a record is taken as markup (VIEW-07)."""

from __future__ import annotations

import re
from pathlib import Path
from typing import TYPE_CHECKING

from contracts.evidence import Record
from tasks.evidence.report import Drawn, Line, Mark, report
from tasks.evidence.store import Store
from tasks.evidence.trust import NOBODY, Trust

if TYPE_CHECKING:
    from rich.console import Console

SYMBOLS: dict[Mark, str] = {"good": "✓", "bad": "✗", "open": "?", "plain": "·"}
STYLES: dict[Mark, str] = {"good": "green", "bad": "bold red", "open": "yellow", "plain": ""}
_HTML = {"&": "&amp;", "<": "&lt;", ">": "&gt;"}
_PUNCTUATION = re.compile(r"[!-/:-@\[-`{-~]")


def render_markdown(record: Record, store: Store, trusted: Trust = NOBODY, beside: Path | None = None) -> str:
    """The report as Markdown; every text is escaped."""
    page = report(record, store, trusted, beside)
    parts = [f"**{SYMBOLS[page.banner.mark]} {_escaped(page.banner.text)}**"]
    for section in page.sections:
        parts.append(f"## {_escaped(section.title)}")
        parts.append("\n".join(_bullets(line, "") for line in _kept(section)))
    return "\n\n".join(parts) + "\n"


def render_terminal(
    record: Record, store: Store, console: Console, trusted: Trust = NOBODY, beside: Path | None = None
) -> None:
    """Print the report to ``console``; styles are ours, texts are plain."""
    from rich.text import Text

    page = report(record, store, trusted, beside)
    console.print(Text(f"{SYMBOLS[page.banner.mark]} {page.banner.text}", style=STYLES[page.banner.mark]))
    for section in page.sections:
        console.print(Text(f"\n{section.title}", style="bold"))
        for line in _kept(section):
            _print(line, 2, console)


def _print(line: Line, indent: int, console: Console) -> None:
    from rich.padding import Padding
    from rich.text import Text

    text = Text(f"{SYMBOLS[line.mark]} {line.text}", style=STYLES[line.mark])
    console.print(Padding(text, (0, 0, 0, indent)))
    for detail in (*line.details, *line.commands):
        console.print(Padding(Text(detail, style="dim"), (0, 0, 0, indent + 4)))
    for item in line.inner:
        _print(item, indent + 2, console)


def _kept(section: Drawn) -> tuple[Line, ...]:
    if section.shape != "long":
        return section.lines
    return (Line("plain", f"{len(section.lines)} lines, on the page that -o FILE.html writes"),)


def _bullets(line: Line, indent: str) -> str:
    below = [f"{indent}  - {_escaped(detail)}" for detail in (*line.details, *line.commands)]
    below += [_bullets(item, f"{indent}  ") for item in line.inner]
    return "\n".join([f"{indent}- {SYMBOLS[line.mark]} {_escaped(line.text)}", *below])


def _escaped(text: str) -> str:
    """Any ASCII punctuation may be escaped in Markdown; the three that HTML reads are written as entities."""
    return _PUNCTUATION.sub(lambda match: _HTML.get(match[0], "\\" + match[0]), text)

"""Draws a report as one page that needs nothing else: no script, nothing from elsewhere (VIEW-01)."""

from __future__ import annotations

import re
from collections.abc import Iterator
from html import escape
from pathlib import Path

from contracts.evidence import Record
from tasks.evidence.render import SYMBOLS
from tasks.evidence.report import Drawn, Line, Mark, anchor, report
from tasks.evidence.store import Store
from tasks.evidence.style import STYLE
from tasks.evidence.trust import NOBODY, Trust

WORDS: dict[Mark, str] = {"good": "good", "bad": "failed", "open": "open", "plain": "note"}
"""What a mark says to whoever does not see its colour or its symbol."""

_POLICY = "default-src 'none'; style-src 'unsafe-inline'"
_ESCAPE = re.compile(r"\\(?:x[0-9a-f]{2}|u[0-9a-f]{4}|U[0-9a-f]{8}|[abfnrtv0])")
"""What `tasks.validation.readable.plain` writes for what cannot be seen."""


def render_html(record: Record, store: Store, trusted: Trust = NOBODY, beside: Path | None = None) -> str:
    """The report as a self-contained page, under a banner that says whether the record is intact (VIEW-02)."""
    told = report(record, store, trusted, beside)
    places = "".join(f'<li><a href="#{_place(section)}">{escape(section.title)}</a></li>' for section in told.sections)
    sections = "\n".join(_section(section) for section in told.sections)
    return page(
        f"Forge record {escape(record.head)}",
        "<header>\n<h1>Forge record</h1>\n"
        f'<p class="banner {told.banner.mark}" role="status">{_said(told.banner)}</p>\n'
        f'<nav aria-label="Sections"><ul>{places}</ul></nav>\n</header>\n<main>\n{sections}\n</main>',
    )


def page(title: str, body: str) -> str:
    """A whole page; both are markup."""
    return (
        '<!DOCTYPE html>\n<html lang="en">\n<head>\n<meta charset="utf-8">\n'
        f'<meta http-equiv="Content-Security-Policy" content="{escape(_POLICY)}">\n'
        '<meta name="viewport" content="width=device-width, initial-scale=1">\n'
        f"<title>{title}</title>\n<style>{STYLE}</style>\n</head>\n<body>\n{body}\n</body>\n</html>\n"
    )


def link(line: Line, target: str | None) -> str:
    """A line of a list that leads to another page, where there is one."""
    said = _said(line) if target is None else f'<a href="{escape(target)}">{_said(line)}</a>'
    place = f' id="{escape(line.anchor)}"' if line.anchor else ""
    return f'<li class="line {line.mark}"{place}>{said}{"".join(_below(line))}</li>'


def _place(section: Drawn) -> str:
    return anchor("section", section.title)


def _section(section: Drawn) -> str:
    place, title = _place(section), escape(section.title)
    kind = "ol" if section.shape == "timeline" else "ul"
    lines = "\n".join(link(line, None) for line in section.lines)
    listed = f'<{kind} class="{section.shape}">\n{lines}\n</{kind}>'
    if section.shape == "long":
        listed = f"<details>\n<summary>{len(section.lines)} lines</summary>\n{listed}\n</details>"
    heading = f'<h2 id="{place}-title">{title}</h2>'
    return f'<section id="{place}" aria-labelledby="{place}-title">\n{heading}\n{listed}\n</section>'


def _below(line: Line) -> Iterator[str]:
    if line.details:
        yield f'<ul class="details">{"".join(f"<li>{_visible(detail)}</li>" for detail in line.details)}</ul>'
    if line.links:
        places = ", ".join(f'<a href="#{escape(place)}">{escape(words)}</a>' for place, words in line.links)
        yield f'<p class="links">runs: {places}</p>'
    for command in line.commands:
        yield f'<pre class="command" tabindex="0" aria-label="command to copy"><code>{escape(command)}</code></pre>'
    if line.inner:
        yield f'<ul class="inner">{"".join(link(item, None) for item in line.inner)}</ul>'


def _said(line: Line) -> str:
    symbol, word = SYMBOLS[line.mark], WORDS[line.mark]
    return (
        f'<span aria-hidden="true">{symbol}</span> <span class="said">{word}:</span> '
        f'<span class="text">{_visible(line.text)}</span>'
    )


def _visible(text: str) -> str:
    """Text as markup; what stands for a character that cannot be seen stands out."""
    return _ESCAPE.sub(r'<b class="escape">\g<0></b>', escape(text))

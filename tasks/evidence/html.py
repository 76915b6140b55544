"""Draws a report as one page that needs nothing else: no script, nothing from elsewhere (VIEW-01)."""

from __future__ import annotations

from collections.abc import Iterator
from html import escape
from pathlib import Path

from contracts.evidence import Record
from tasks.evidence.render import SYMBOLS
from tasks.evidence.report import Line, Mark, Section, report
from tasks.evidence.store import Store
from tasks.evidence.trust import NOBODY, Trust

WORDS: dict[Mark, str] = {"good": "good", "bad": "failed", "open": "open", "plain": "note"}
"""What a mark says to whoever does not see its colour or its symbol."""

_STYLE = """
:root { color-scheme: light dark; --good: #1a7f37; --bad: #b3261e; --open: #8a6100; --plain: #59636e; --line: #d0d7de; }
@media (prefers-color-scheme: dark) {
  :root { --good: #4ac26b; --bad: #ff8a80; --open: #e3b341; --plain: #9da7b1; --line: #3d444d; }
}
body { font: 16px/1.5 system-ui, sans-serif; max-width: 54rem; margin: 2rem auto; padding: 0 1rem; }
.banner { border: 2px solid; border-radius: 6px; padding: .75rem 1rem; font-weight: 600; overflow-wrap: anywhere; }
h2 { border-bottom: 1px solid var(--line); padding-bottom: .25rem; margin-top: 2rem; }
ul { list-style: none; padding: 0; }
li.line { border-left: 4px solid; padding: .1rem .75rem; margin: .4rem 0; overflow-wrap: anywhere; }
li.line > ul { color: var(--plain); font: .875rem/1.5 ui-monospace, monospace; margin: .25rem 0; }
.text { color: CanvasText; }
.good { color: var(--good); } .bad { color: var(--bad); } .open { color: var(--open); } .plain { color: var(--plain); }
.said { position: absolute; width: 1px; height: 1px; overflow: hidden; clip-path: inset(50%); }
@media print { body { max-width: none; margin: 0; } li.line { break-inside: avoid; } }
"""
_POLICY = "default-src 'none'; style-src 'unsafe-inline'"


def render_html(record: Record, store: Store, trusted: Trust = NOBODY, beside: Path | None = None) -> str:
    """The report as a self-contained page, under a banner that says whether the record is intact (VIEW-02)."""
    told = report(record, store, trusted, beside)
    sections = "\n".join(_section(section) for section in told.sections)
    return page(
        f"Forge record {escape(record.head)}",
        "<header>\n<h1>Forge record</h1>\n"
        f'<p class="banner {told.banner.mark}" role="status">{_said(told.banner)}</p>\n'
        f"</header>\n<main>\n{sections}\n</main>",
    )


def page(title: str, body: str) -> str:
    """A whole page; both are markup."""
    return (
        '<!DOCTYPE html>\n<html lang="en">\n<head>\n<meta charset="utf-8">\n'
        f'<meta http-equiv="Content-Security-Policy" content="{escape(_POLICY)}">\n'
        '<meta name="viewport" content="width=device-width, initial-scale=1">\n'
        f"<title>{title}</title>\n<style>{_STYLE}</style>\n</head>\n<body>\n{body}\n</body>\n</html>\n"
    )


def link(line: Line, target: str | None) -> str:
    """A line of a list that leads to another page, where there is one."""
    said = _said(line) if target is None else f'<a href="{escape(target)}">{_said(line)}</a>'
    return f'<li class="line {line.mark}">{said}{"".join(_details(line))}</li>'


def _section(section: Section) -> str:
    lines = "\n".join(link(line, None) for line in section.lines)
    return f"<section>\n<h2>{escape(section.title)}</h2>\n<ul>\n{lines}\n</ul>\n</section>"


def _details(line: Line) -> Iterator[str]:
    if line.details:
        items = "".join(f"<li>{escape(detail)}</li>" for detail in line.details)
        yield f"<ul>{items}</ul>"


def _said(line: Line) -> str:
    symbol, word = SYMBOLS[line.mark], WORDS[line.mark]
    return (
        f'<span aria-hidden="true">{symbol}</span> <span class="said">{word}:</span> '
        f'<span class="text">{escape(line.text)}</span>'
    )

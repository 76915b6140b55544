"""A static index of many records, each with its page, re-verified while it is drawn (VIEW-02, DEC-25)."""

from __future__ import annotations

import os
from collections.abc import Iterator
from html import escape
from pathlib import Path

from contracts.evidence import Record
from contracts.loading import RECORD_BYTES, DocumentError, load_document
from tasks.errors import OutputError, UsageError
from tasks.evidence.files import create_once
from tasks.evidence.html import link, page, render_html
from tasks.evidence.report import Line, printable, told
from tasks.evidence.trust import Trust
from tasks.evidence.verify import open_record


def write_site(folder: Path, destination: Path, trusted: Trust) -> int:
    """Write ``index.html`` and a page for each ``*/record.json`` below ``folder``; how many there are.

    Raises:
        UsageError: there is no record.
        OutputError: ``destination`` exists or cannot be written.
    """
    files = sorted(folder.glob("*/record.json"))
    if not files:
        raise UsageError(f"there is no */record.json in {folder}")
    pages = dict(_pages(files, trusted))
    if os.path.lexists(destination):
        raise OutputError(f"{destination} exists")
    try:
        destination.mkdir(parents=True)
        for name, (_, text) in pages.items():
            if text is not None:
                create_once(destination / name, text.encode("utf-8", "backslashreplace"), 0o644)
        create_once(destination / "index.html", _index(pages).encode("utf-8", "backslashreplace"), 0o644)
    except OSError as error:
        raise OutputError(f"{destination} cannot be written: {error.strerror}") from error
    return len(pages)


def _pages(files: list[Path], trusted: Trust) -> Iterator[tuple[str, tuple[Line, str | None]]]:
    """By file name: the line of the index, and the page; None for what is no record."""
    for number, file in enumerate(files):
        name = f"{number:04}.html"
        try:
            data, store, beside = open_record(file, None)
            record = load_document(Record, data, RECORD_BYTES)
        except DocumentError as error:
            yield name, (Line("bad", printable(f"{file.parent.name}: cannot be read: {error}")), None)
            continue
        banner, contents = told(record, store, trusted, beside)
        outcome = contents.outcome if contents is not None else None
        status = str(outcome.status) if outcome is not None else "no outcome"
        line = Line(banner.mark, printable(f"{file.parent.name}: {status}"), (banner.text,))
        yield name, (line, render_html(record, store, trusted, beside))


def _index(pages: dict[str, tuple[Line, str | None]]) -> str:
    lines = "\n".join(link(line, name if text is not None else None) for name, (line, text) in pages.items())
    body = f"<header>\n<h1>Forge records</h1>\n</header>\n<main>\n<ul>\n{lines}\n</ul>\n</main>"
    return page(escape(f"{len(pages)} Forge records"), body)

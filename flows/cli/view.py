"""``forge view``: the report of a record, in the terminal or as a file, or an index of many records (VIEW, DEC-25)."""

from __future__ import annotations

import sys
from collections.abc import Callable
from pathlib import Path
from typing import Annotated

import typer

from flows.cli.common import StoreOption, named, refuse, say
from flows.cli.verify import RecordArgument, TrustOption, located, trust_from


def view(
    record: RecordArgument,
    out: Annotated[
        str | None,
        typer.Option(
            "--output", "-o", metavar="FILE",
            help="Write FILE.html, .md, .xml (JUnit) or .sarif; or for a directory of records a site into a new SITE/.",
        ),
    ] = None,
    trust: TrustOption = None,
    store: StoreOption = None,
) -> int:  # fmt: skip
    """Show the report of a record.

    It stands under a banner that says whether the record is intact.
    """
    destination = named("--output", out) if out is not None else None
    source = named("RECORD", record)
    if source.is_dir() and not (source / "record.json").exists():
        if destination is None:
            refuse(f"{source} holds no record.json; -o SITE/ writes an index of the records below it")
        return _site(source, destination, trust)
    return _one(record, destination, trust, store)


def _one(record: str, destination: Path | None, trust: str | None, store: str | None) -> int:
    from contracts.evidence import Record
    from contracts.loading import RECORD_BYTES, load_document
    from tasks.evidence.verify import open_record

    source, kept = located(record, store)
    draw = _renderer(destination) if destination is not None else None
    trusted = trust_from(trust)
    data, kept, beside = open_record(source, kept)
    document = load_document(Record, data, RECORD_BYTES)
    if draw is None or destination is None:
        from rich.console import Console

        from tasks.evidence.render import render_terminal

        render_terminal(document, kept, Console(file=sys.stdout, highlight=False), trusted, beside)
        return 0
    from tasks.evidence.files import replace_regular

    protected = [source] if isinstance(source, Path) else []
    text = draw(document, kept, trusted, beside)
    replace_regular(destination, text.encode("utf-8", "backslashreplace"), protected)
    say(f"written: {destination}")
    return 0


def _renderer(destination: Path) -> Callable[..., str]:
    """By the ending of the file's name."""
    from tasks.evidence.html import render_html
    from tasks.evidence.junit import render_junit
    from tasks.evidence.render import render_markdown
    from tasks.evidence.sarif import render_sarif

    renderers = {".html": render_html, ".md": render_markdown, ".xml": render_junit, ".sarif": render_sarif}
    if destination.suffix not in renderers:
        refuse(f"--output: the name ends with none of {', '.join(renderers)}")
    return renderers[destination.suffix]


def _site(source: Path, destination: Path, trust: str | None) -> int:
    from tasks.evidence.site import write_site

    count = write_site(source, destination, trust_from(trust))
    say(f"written: {count} records in {destination / 'index.html'}")
    return 0

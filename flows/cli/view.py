"""``forge view``: the report of a record, in the terminal."""

from __future__ import annotations

import sys

from flows.cli.common import StoreOption
from flows.cli.verify import RecordArgument, located


def view(record: RecordArgument, store: StoreOption = None) -> int:
    """Show the report of a record.

    It stands under a banner that says whether the record is intact.
    """
    from rich.console import Console

    from contracts.evidence import Record
    from contracts.loading import RECORD_BYTES, load_document
    from tasks.evidence.render import render_terminal
    from tasks.evidence.signing import trusted_keys
    from tasks.evidence.verify import open_record

    data, kept, _ = open_record(*located(record, store))
    console = Console(file=sys.stdout, highlight=False)
    render_terminal(load_document(Record, data, RECORD_BYTES), kept, console, trusted_keys())
    return 0

"""``forge gc``: reclaim what a killed run left behind."""

from __future__ import annotations

from flows.cli.common import Json, print_document, say


def gc(json: Json = False) -> int:
    """Reclaim what a killed run left behind.

    Containers, directories and processes of live runs are left alone.
    """
    from sandbox.gc import reap

    removed = reap()
    if json:
        print_document({"removed": list(removed)})
    else:
        for item in removed:
            say(f"removed {item}")
        say(f"{len(removed)} removed")
    return 0

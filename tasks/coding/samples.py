"""The samples that ship with Forge: answers and readings written by hand, found by the requirement's digest."""

from __future__ import annotations

from pathlib import Path

import tasks
from contracts.canonical import digest

EXAMPLES = Path(tasks.__file__).parents[1] / "examples"


def sample_of(text: str) -> Path | None:
    """The folder of the sample whose requirement is exactly ``text``, or None."""
    wanted = digest(text.encode("utf-8"))
    for requirement in sorted(EXAMPLES.glob("*/requirement.md")):
        if digest(requirement.read_bytes()) == wanted:
            return requirement.parent
    return None


def scripted(text: str, kind: str) -> tuple[Path, ...]:
    """The scripted trees of ``kind`` (``answers`` or ``readings``) for a requirement, in order of their names."""
    sample = sample_of(text)
    if sample is None:
        return ()
    return tuple(sorted(path for path in (sample / kind).glob("*") if path.is_dir()))

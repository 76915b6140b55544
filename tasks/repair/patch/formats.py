"""The three forms of an edit that are read: a unified diff, search/replace blocks, whole files in fences."""

from __future__ import annotations

from tasks.repair.patch.blocks import find_blocks
from tasks.repair.patch.errors import Code, PatchError, refusal
from tasks.repair.patch.model import FilePatch
from tasks.repair.patch.parse import find_diff, parse


def read(text: bytes) -> list[FilePatch]:
    """The changes of a proposal, in whichever form it has them.

    Raises:
        PatchError: it holds none, or cannot be read as a whole, or has a diff beside blocks.
    """
    blocks, rest = find_blocks(text)
    if not blocks:
        return parse(text)
    if _holds_diff(rest):
        raise refusal(Code.MIXED, "a diff stands beside blocks: give one or the other")
    return blocks


def _holds_diff(text: bytes) -> bool:
    try:
        return bool(find_diff(text))
    except PatchError:
        return True

"""One function: a proposed change onto a directory, whole or not at all."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path

from tasks.repair.patch.commit import commit
from tasks.repair.patch.formats import read
from tasks.repair.patch.parse import encode
from tasks.repair.patch.stage import Change, Tree, stage


@dataclass(frozen=True)
class Applied:
    """What a patch did, in its order."""

    changes: tuple[Change, ...]

    @property
    def paths(self) -> tuple[str, ...]:
        """The names that were written or removed, sorted, as `path_text`."""
        moved = {change.source for change in self.changes if change.kind == "rename"}
        return tuple(sorted({change.path for change in self.changes} | moved))


def apply_patch(root: Path, patch: str | bytes) -> Applied:
    """Apply a unified diff, search/replace blocks or whole files to the directory ``root`` (PAT-01 to PAT-39).

    A ``str`` stands for its UTF-8 bytes; a proposal of other bytes is given as it is. Nothing is guessed: a hunk whose
    lines, all of them, do not stand in their place refuses the whole patch, and the tree keeps every byte.

    Raises:
        PatchError: the patch is refused, with a reason for each hunk and file; the tree is untouched.
        ValueError: ``root`` is no path, or its tree is beyond the bounds of a candidate (PAT-34).
        FileNotFoundError: ``root`` is no directory.
        OSError: the file system failed; the tree has been put back.
    """
    tree = Tree(root)
    staged = stage(tree, read(encode(patch)))
    commit(root, staged)
    return Applied(staged.changes)

"""Why a patch was refused: one class of error, a closed list of reasons, one line for each (PAT-36)."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from enum import StrEnum

from contracts.paths import path_text

MAX_REASONS = 100
MAX_DETAIL = 300


class Code(StrEnum):
    """The classes of refusal."""

    TOO_LARGE = "patch_too_large"
    TEXT = "text_not_utf8"
    NO_DIFF = "no_unified_diff"
    HEADER = "bad_header"
    NOTHING = "nothing_to_do"
    MODE = "mode_not_allowed"
    BINARY = "binary_patch"
    NAME = "name_not_allowed"
    CORRUPT = "corrupt_hunk"
    SURPLUS = "change_beyond_counts"
    UNTERMINATED = "unterminated_line"
    STRAY = "hunk_without_file"
    MISSING = "file_missing"
    OCCUPIED = "destination_exists"
    NOT_A_FILE = "not_a_regular_file"
    CONTENT_LEFT = "deletion_leaves_content"
    CONTEXT = "context_not_found"
    AMBIGUOUS = "context_ambiguous"
    CONFLICT = "conflicting_changes"
    BOUNDS = "result_too_large"


@dataclass(frozen=True)
class Reason:
    """One refusal. ``path`` is `path_text`; ``hunk`` counts from 1 in its file, ``line`` from 1 in the patch."""

    code: Code
    detail: str
    path: str = ""
    hunk: int | None = None
    line: int | None = None

    def __str__(self) -> str:
        hunk = f"hunk {self.hunk}: " if self.hunk else ""
        place = f" (patch line {self.line})" if self.line else ""
        path = f"{_short(self.path)}: " if self.path else ""
        return f"{path}{hunk}{self.code}: {_short(self.detail)}{place}"


class PatchError(Exception):
    """The patch is refused as a whole and the tree is as it was; the text is one line for each reason (BND-16)."""

    def __init__(self, reasons: Iterable[Reason]) -> None:
        self.reasons = tuple(reasons)[:MAX_REASONS]
        super().__init__("\n".join(str(reason) for reason in self.reasons))


def refusal(
    code: Code, detail: str, *, path: bytes = b"", hunk: int | None = None, line: int | None = None
) -> PatchError:
    """A `PatchError` with one reason."""
    return PatchError([Reason(code, detail, path_text(path), hunk, line)])


def _short(text: str) -> str:
    return text if len(text) <= MAX_DETAIL else text[:MAX_DETAIL] + "..."

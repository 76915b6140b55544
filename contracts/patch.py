"""Why a proposed change was refused, for a machine to read: one entry for each hunk, block or file (PAT-36)."""

from __future__ import annotations

from enum import StrEnum
from typing import Annotated

from pydantic import Field

from contracts.model import Count, Model

MAX_REJECTIONS = 100
MAX_DETAIL = 300


class RejectionCode(StrEnum):
    """The classes of refusal; docs/repair.md has a line for each."""

    TOO_LARGE = "patch_too_large"
    TEXT = "text_not_utf8"
    NO_DIFF = "no_unified_diff"
    MIXED = "mixed_formats"
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
    REPEATED = "leads_to_a_judged_tree"


class Rejection(Model):
    """One refusal. ``path`` is `path_text`; ``hunk`` counts from 1 in its file, ``line`` from 1 in the proposal."""

    code: RejectionCode
    detail: Annotated[str, Field(max_length=MAX_DETAIL)]
    path: Annotated[str, Field(max_length=MAX_DETAIL)] = ""
    hunk: Count | None = None
    line: Count | None = None

    def __str__(self) -> str:
        hunk = f"hunk {self.hunk}: " if self.hunk else ""
        place = f" (patch line {self.line})" if self.line else ""
        path = f"{self.path}: " if self.path else ""
        return f"{path}{hunk}{self.code}: {self.detail}{place}"

"""Why a patch was refused: one class of error, a closed list of reasons, one line for each (PAT-36)."""

from __future__ import annotations

from collections.abc import Iterable

from contracts.patch import MAX_DETAIL, MAX_REJECTIONS, Rejection
from contracts.patch import RejectionCode as Code
from contracts.paths import path_text

__all__ = ["Code", "PatchError", "refusal", "rejection"]


class PatchError(Exception):
    """The patch is refused as a whole and the tree is as it was; the text is one line for each reason (BND-16)."""

    def __init__(self, reasons: Iterable[Rejection]) -> None:
        self.reasons = tuple(reasons)[:MAX_REJECTIONS]
        super().__init__("\n".join(str(reason) for reason in self.reasons))


def rejection(
    code: Code, detail: str, *, path: bytes = b"", hunk: int | None = None, line: int | None = None
) -> Rejection:
    """A reason within the bounds of its model."""
    return Rejection(code=code, detail=_short(detail), path=_short(path_text(path)), hunk=hunk, line=line)


def refusal(
    code: Code, detail: str, *, path: bytes = b"", hunk: int | None = None, line: int | None = None
) -> PatchError:
    """A `PatchError` with one reason."""
    return PatchError([rejection(code, detail, path=path, hunk=hunk, line=line)])


def _short(text: str) -> str:
    return text if len(text) <= MAX_DETAIL else text[: MAX_DETAIL - 3] + "..."

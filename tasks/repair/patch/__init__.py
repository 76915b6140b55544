"""The patch applier that never forces."""

from tasks.repair.patch.apply import Applied, apply_patch
from tasks.repair.patch.errors import Code, PatchError
from tasks.repair.patch.stage import Change

__all__ = ["Applied", "Change", "Code", "PatchError", "apply_patch"]

"""Which calls may be made by a copy of an interpreter that has imported their module before (DEC-10)."""

from __future__ import annotations

import json

from .wire import Frame

_MOST_LOST = 2


class Calls:
    """What is known of the calls so far. A module is known together with the environment that it is imported in."""

    def __init__(self) -> None:
        self._key = ""
        self._refused: dict[str, str] = {}
        self._lost: dict[str, int] = {}
        self._made: set[int] = set()

    def changes(self, probe: Frame) -> bool:
        """Whether this probe is another's than the call before: then nothing of that one may be left."""
        key = json.dumps([probe["imports"], probe["environment"]]) if "imports" in probe else ""
        before, self._key = self._key, key
        return key != before

    def objection(self, probe: Frame) -> str | None:
        """Why it is to be made in an interpreter of its own; empty for a probe that is no call.

        A repeated call is asked for to see whether two runs agree: those of one import would say less.
        """
        if not self._key:
            return ""
        if probe["files"]:
            return "it brings files, which its import may read"
        if self._key in self._refused:
            return self._refused[self._key]
        made = hash((self._key, probe["request"]))
        if made in self._made:
            return "it repeats a call"
        self._made.add(made)
        return None

    def refuse(self, reason: str) -> None:
        """The module cannot be kept."""
        self._refused[self._key] = reason

    def lose(self) -> None:
        """A call has used up the interpreter that was kept."""
        lost = self._lost[self._key] = self._lost.get(self._key, 0) + 1
        if lost == _MOST_LOST:
            self._refused.setdefault(self._key, "its calls leave more behind than values")

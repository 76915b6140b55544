"""Required tests against the manifest of those executed (GAME D2). Pure."""

from __future__ import annotations

from contracts.gate import Tally
from contracts.taskspec import Suite
from tasks.gate.manifest import Manifest


def tally(suite: Suite, manifest: Manifest) -> Tally:
    """How many tests were executed and passed, and which required ones were not.

    An id stands for itself and for all below it; it is met iff there is one, and none of them is anything but passed.
    """
    outcomes = () if manifest.broken is not None else manifest.outcomes
    missing = [name for name in suite.required if not _is_met(name, outcomes, _mark(suite))]
    passed = [name for name, outcome in outcomes if outcome == "passed"]
    executed = [name for name, outcome in outcomes if outcome in ("passed", "failed", "xfailed")]
    return Tally(executed=len(executed), passed=len(passed), missing=tuple(missing))


def fate(name: str, suite: Suite, manifest: Manifest) -> str:
    """What became of a required test that is missing, in a word."""
    found = {outcome for test, outcome in manifest.outcomes if _is_below(test, name, _mark(suite))} - {"passed"}
    return "/".join(sorted(found)) if found else "not executed"


def _mark(suite: Suite) -> str:
    return "." if suite.runner == "unittest" else "::"


def _is_met(name: str, outcomes: tuple[tuple[str, str], ...], mark: str) -> bool:
    found = [outcome for test, outcome in outcomes if _is_below(test, name, mark)]
    return bool(found) and all(outcome == "passed" for outcome in found)


def _is_below(test: str, name: str, mark: str) -> bool:
    return test == name or test.startswith((f"{name}{mark}", f"{name}["))

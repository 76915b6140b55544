"""Two runs over one bundle, case by case: what a change of Forge mended, and what it broke."""

from __future__ import annotations

from collections import Counter
from typing import Literal

from benchmarks.blind.layout import BundleError
from contracts.bundle import BenchRun, Case, CaseResult
from contracts.model import Model
from contracts.score import is_right

Change = Literal["fixed", "still_failing", "regressed", "still_right", "new", "gone"]


class CaseChange(Model):
    """How one case fared; ``before`` and ``after`` are short facts for a person."""

    case_id: str
    change: Change
    before: str | None
    after: str | None


class Comparison(Model):
    """A paired comparison: the cases, and how many of them changed in which way."""

    changes: tuple[CaseChange, ...]
    counts: dict[Change, int]


def compare(first: BenchRun, second: BenchRun, cases: tuple[Case, ...]) -> Comparison:
    """What differs between two runs of one bundle.

    Raises:
        BundleError: they are runs of different bundles.
    """
    if first.settings.bundle != second.settings.bundle:
        raise BundleError("the two runs are of different bundles")
    before = {result.case_id: result for result in first.results}
    after = {result.case_id: result for result in second.results}
    ran = [case for case in cases if case.case_id in before or case.case_id in after]
    changes = tuple(_change(case, before.get(case.case_id), after.get(case.case_id)) for case in ran)
    return Comparison(changes=changes, counts=dict(Counter(change.change for change in changes)))


def _change(case: Case, before: CaseResult | None, after: CaseResult | None) -> CaseChange:
    change: Change
    if before is None or after is None:
        change = "new" if before is None else "gone"
    else:
        was, now = is_right(before, case), is_right(after, case)
        change = ("still_right" if now else "regressed") if was else ("fixed" if now else "still_failing")
    return CaseChange(case_id=case.case_id, change=change, before=_facts(before), after=_facts(after))


def _facts(result: CaseResult | None) -> str | None:
    if result is None:
        return None
    status = result.status or f"error: {result.error}"
    signatures = f" ({', '.join(result.signatures)})" if result.signatures else ""
    return f"{status}{signatures}, oracle {result.oracle.state}"

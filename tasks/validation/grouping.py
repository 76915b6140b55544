"""Many failures of one kind become one, with the smallest input as its witness. Pure."""

from __future__ import annotations

from collections.abc import Sequence

from contracts.verdict import Failure


def grouped(failures: Sequence[Failure]) -> tuple[Failure, ...]:
    """One failure for each signature and set of clauses, in order of first appearance."""
    groups: dict[tuple[str, tuple[str, ...]], list[Failure]] = {}
    for failure in failures:
        groups.setdefault((failure.signature, failure.requirement_ids), []).append(failure)
    return tuple(_smallest(group) for group in groups.values())


def _smallest(group: list[Failure]) -> Failure:
    chosen = min(group, key=_size)
    more = len(group) - 1
    if not more:
        return chosen
    return chosen.model_copy(update={"detail": f"{chosen.detail} (and {more} more input{'s' if more > 1 else ''})"})


def _size(failure: Failure) -> tuple[int, int, str]:
    witness = failure.witness
    if witness is None:
        return 0, 0, ""
    return sum(map(len, witness.files.values())), len(witness.command), witness.probe

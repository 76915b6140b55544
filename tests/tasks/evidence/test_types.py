"""What every type of record promises, whoever added it (docs/evidence.md, "A type of record")."""

from __future__ import annotations

import pytest

from contracts.evidence import Ending, EntryKind
from tasks.evidence.arrangement import TYPES, may_follow, type_of
from tasks.evidence.kinds import NOTES, model_of
from tests.tasks.evidence.independent import PREDICATES


@pytest.mark.parametrize("about", TYPES)
def test_ver_06_an_order_that_ends_and_ends_once(about: EntryKind) -> None:
    known = type_of(about)
    assert issubclass(model_of(known.ENDING), Ending)
    assert about in known.FOLLOWS
    assert known.ENDING not in known.FOLLOWS, "nothing comes after the end"
    reached, pending = {about}, [about]
    while pending:
        for kind in set(known.FOLLOWS[pending.pop()]) - reached - {known.ENDING}:
            reached.add(kind)
            pending.append(kind)
    assert reached == set(known.FOLLOWS), "each kind can be reached, and an end from each"
    assert not reached & (NOTES | {EntryKind.RUN})


@pytest.mark.parametrize("about", TYPES)
def test_a_run_is_about_one_thing(about: EntryKind) -> None:
    assert may_follow(None, None, EntryKind.RUN)
    assert may_follow(None, EntryKind.RUN, about)
    assert not may_follow(None, None, about)
    for other in set(TYPES) - {about}:
        assert not may_follow(about, about, type_of(other).ENDING)


def test_types_and_ends_are_told_apart() -> None:
    """Pitfall 2: a statement about one type of record is none about another."""
    types = [type_of(about) for about in TYPES]
    assert len({known.TYPE for known in types}) == len(types) == len({known.ENDING for known in types})
    assert {f"urn:forge-verdict:predicate:{known.TYPE}:v1" for known in types} == PREDICATES


def test_rec_14_an_end_of_no_type_has_not_passed() -> None:
    fields = {"status": "verified", "fault": "none", "failures": (), "finished": "", "stage_ms": {}}
    assert Ending.model_validate(fields).passed is False

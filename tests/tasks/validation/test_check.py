"""Comparing observations with expectations (law 1): each relation with what it must accept and must refuse."""

from __future__ import annotations

from typing import Any

import pytest

from contracts.probe import ExitExpectation, Expectation, FileExpectation, RepeatExpectation, TextExpectation
from tasks.validation.check import check, is_cut


def text(value: str, relation: str = "equals", newline: str = "optional", channel: str = "stdout") -> TextExpectation:
    return TextExpectation.model_validate({"channel": channel, "relation": relation, "text": value, "newline": newline})


def table(content: bytes, relation: str = "csv", **given: Any) -> FileExpectation:
    return FileExpectation.model_validate({"path": "OUTPUT", "relation": relation, "content": content, **given})


MET: list[tuple[Expectation, dict[str, Any]]] = [
    (ExitExpectation(status=2), {"status": 2}),
    (ExitExpectation(relation="differs", status=0), {"status": 1}),
    (text("EMPTY"), {"stdout": b"EMPTY"}),
    (text("EMPTY"), {"stdout": b"EMPTY\n"}),
    (text("EMPTY"), {"stdout": b"EMPTY\r\n"}),
    (text("EMPTY", newline="required"), {"stdout": b"EMPTY\n"}),
    (text("EMPTY", newline="forbidden"), {"stdout": b"EMPTY"}),
    (text("a\nb"), {"stdout": b"a\r\nb\r\n"}),
    (text("é", "contains"), {"stdout": "caféé".encode()}),
    (text("", "empty"), {}),
    (text("", "not_empty", channel="stderr"), {"stderr": b"oops"}),
    (table(b"", "exists"), {"files": {"OUTPUT": b""}}),
    (table(b"", "absent"), {"files": {"other": b""}}),
    (table(b"a,b\n1,2\n"), {"files": {"OUTPUT": b'"a","b"\r\n"1","2"'}}),
    (table(b'a\n"x\ny"\n'), {"files": {"OUTPUT": b'a\n\n"x\ny"\n\n'}}),
    (table(b"id,days\nx,5\n", ignore=("days",)), {"files": {"OUTPUT": b"id,days\nx,6\n"}}),
    (table(b"a;b\n1;2,5\n", separator=";"), {"files": {"OUTPUT": b'"a";"b"\n1;"2,5"\n'}}),
    (table(b"one\ntwo\n", "text"), {"files": {"OUTPUT": b"one\r\ntwo"}}),
    (table(b"\0\xff", "bytes"), {"files": {"OUTPUT": b"\0\xff"}}),
]

UNMET: list[tuple[Expectation, dict[str, Any], str]] = [
    (ExitExpectation(status=2), {"status": 0}, "exit status is 0, expected 2"),
    (ExitExpectation(relation="differs", status=0), {"status": 0}, "other than 0"),
    (ExitExpectation(status=0), {"status": None, "outcome": "signalled", "signal": 9}, "did not exit"),
    (text("EMPTY"), {"stdout": b"EMPTY\n\n"}, "stdout"),
    (text("EMPTY"), {"stdout": b"EMPTY "}, "stdout"),
    (text("EMPTY"), {"stdout": b"empty"}, "stdout"),
    (text("EMPTY"), {"stderr": b"EMPTY"}, "stdout"),
    (text("EMPTY", newline="required"), {"stdout": b"EMPTY"}, "and a newline"),
    (text("EMPTY", newline="forbidden"), {"stdout": b"EMPTY\n"}, "and no newline"),
    (text("EMPTY"), {"stdout": b"EMPTY", "cut": True}, "too long"),
    (text("x", "contains"), {"stdout": b"\xff x"}, "not UTF-8"),
    (text("", "empty"), {"stdout": b"\n"}, "expected nothing"),
    (text("", "not_empty"), {"stdout": b" \n"}, "expected something"),
    (table(b"", "exists"), {}, "was not written"),
    (table(b"", "absent"), {"files": {"OUTPUT": b""}}, "was written"),
    (table(b"a,b\n1,2\n"), {"files": {"OUTPUT": b"a,b\n1,02\n"}}, "row 2"),
    (table(b"a,b\n1,2\n"), {"files": {"OUTPUT": b"a,b\n"}}, "1 rows, expected 2"),
    (table(b"a\n1\n2\n"), {"files": {"OUTPUT": b"a\n2\n1\n"}}, "row 2"),
    (table(b"a\n"), {"files": {"OUTPUT": b'a\n"never closed'}}, "not readable as CSV"),
    (table(b"a\n"), {"files": {"OUTPUT": b"\xff\n"}}, "not readable as CSV"),
    (table(b"a\n"), {"files": {"OUTPUT": None}}, "too long"),
    (table(b"id,days\nx,5\n", ignore=("days",)), {"files": {"OUTPUT": b"id,days\nx\n"}}, "row 2"),
    (table(b"id,days\nx,5\n", ignore=("days",)), {"files": {"OUTPUT": b"id,left\nx,5\n"}}, "row 1"),
    (table(b"one\n", "text"), {"files": {"OUTPUT": b"one\n\n"}}, "holds"),
    (table(b"x", "bytes"), {"files": {"OUTPUT": b"x\n"}}, "holds"),
]


@pytest.mark.parametrize(("expectation", "given"), MET)
def test_what_meets_an_expectation(expectation, given, seen):
    assert check(expectation, seen(**given), {}) is None


@pytest.mark.parametrize(("expectation", "given", "reason"), UNMET)
def test_what_does_not_meet_it_and_why(expectation, given, reason, seen):
    assert reason in (check(expectation, seen(**given), {}) or "")


def test_a_link_or_directory_is_no_file(seen):
    observation = seen(files={"OUTPUT": b"a\n"})
    link = observation.files[0].model_copy(update={"kind": "link", "content": None})
    changed = observation.model_copy(update={"files": (link,)})
    assert "is a link" in (check(table(b"a\n"), changed, {}) or "")
    assert not is_cut(table(b"a\n"), changed)


@pytest.mark.parametrize(
    ("given", "reason"),
    [
        ({"status": 1}, "ended with status 1"),
        ({"stdout": b"b"}, "printed"),
        ({"stdout": b"a", "files": {"OUTPUT": b"2"}}, "wrote"),
        ({"stdout": b"a", "files": {"OUTPUT": b"1", "more": b""}}, "wrote"),
    ],
)
def test_a_repeated_run_that_differs(given, reason, seen):
    first = seen("first", stdout=b"a", files={"OUTPUT": b"1"})
    again = RepeatExpectation(of="first")
    assert reason in (check(again, seen("again", **given), {"first": first}) or "")


def test_a_repeated_run_may_differ_in_messages_and_time_only(seen):
    """DEC-09: standard error is free."""
    first = seen("first", stdout=b"a", stderr=b"took 1 ms")
    assert check(RepeatExpectation(of="first"), seen(stdout=b"a", stderr=b"took 2 ms"), {"first": first}) is None


def test_a_repeat_without_its_first_run_is_no_pass(seen):
    """Law 3."""
    assert check(RepeatExpectation(of="first"), seen(), {})


def test_cut_outputs_are_noticed_where_they_matter(seen):
    """Law 3: what is truncated is not a pass (GAME-42)."""
    assert is_cut(text("x", "contains"), seen(stdout=b"x", cut=True))
    assert is_cut(table(b"a\n"), seen(files={"OUTPUT": None}))
    assert not is_cut(ExitExpectation(status=0), seen(stdout=b"x", cut=True))
    assert not is_cut(table(b"", "exists"), seen(files={"OUTPUT": None}))

"""Values, exceptions, arguments and responses compared outside (DEC-08): each kind with what it must catch (law 7)."""

from __future__ import annotations

import json
from typing import Any

import pytest

from contracts.canonical import digest
from contracts.probe import (
    ArgumentExpectation,
    HttpResponse,
    RaiseExpectation,
    RepeatExpectation,
    ResponseExpectation,
    Returned,
    ReturnExpectation,
    Stream,
    TypeExpectation,
    Unreadable,
)
from contracts.value import encode
from contracts.valuetype import ValueType
from tasks.validation.check import check
from tasks.validation.readable import value_text

NAN = float("nan")
INT, TEXT = ValueType(name="int"), ValueType(name="str")
LISTED = ValueType(name="list", of=(TEXT,))


def fine(seen, expectation, **given):
    return check(expectation, seen("p", **given), {}) is None


@pytest.mark.parametrize(
    ("wanted", "same", "other"),
    [
        (1, [1, 1.0], [True, 2, "1", None, [1]]),
        (True, [True], [1, 1.0, "True", False]),
        (0.1 + 0.2, [0.3], [0.3001, "0.3", NAN]),
        (NAN, [NAN], [0.0, None]),
        ([1, 2], [[1, 2]], [(1, 2), [2, 1], [1], {1, 2}]),
        ({1, 2}, [{2, 1}], [[1, 2], {1}, frozenset({1, 2})]),
        ({"a": 1}, [{"a": 1.0}], [{"a": True}, {}, [("a", 1)]]),
        ("é", ["é"], ["e", b"\xc3\xa9"]),
        (None, [None], [0, "", [], False]),
    ],
)
def test_types_are_exact_but_for_numbers_of_one_value(seen, wanted, same, other):
    expectation = ReturnExpectation(value=encode(wanted))
    assert all(fine(seen, expectation, value=Returned(value=encode(value))) for value in same)
    assert not any(fine(seen, expectation, value=Returned(value=encode(value))) for value in other)


def test_a_form_in_which_the_text_shows_the_value(seen):
    expectation = ReturnExpectation(value=[1, 2], form="list")
    assert fine(seen, expectation, value=Returned(value={"iterator": [1, 2]}))
    assert fine(seen, ReturnExpectation(value=[1, 2], form="sorted"), value=Returned(value={"set": [1, 2]}))
    assert not fine(seen, expectation, value=Returned(value={"iterator": [2, 1]}))
    assert not fine(seen, expectation, value=Returned(value=7))
    assert not fine(seen, ReturnExpectation(value=[1, 2]), value=Returned(value={"iterator": [1, 2]}))


def test_no_value_is_no_value(seen):
    for expectation in (ReturnExpectation(value=None), TypeExpectation(type=INT, must_return=True)):
        assert not fine(seen, expectation)
        assert not fine(seen, expectation, value=Unreadable(reason="the program ended first"))


def test_the_type_of_every_value(seen):
    expectation = TypeExpectation(type=LISTED)
    assert fine(seen, expectation, value=Returned(value=["a"]))
    for wrong in (["a", 1], "a", None, {"tuple": ["a"]}):
        assert not fine(seen, expectation, value=Returned(value=wrong))
    assert fine(seen, TypeExpectation(type=ValueType(name="float")), value=Returned(value=3))
    assert not fine(seen, TypeExpectation(type=INT), value=Returned(value=True))


def test_an_exception_by_its_class_and_message(seen):
    raised = {"kind": "raised", "stage": "call", "type": "app.Bad", "bases": ["ValueError"], "message": "too small"}
    for name in ("app.Bad", "Bad", "ValueError"):
        assert fine(seen, RaiseExpectation(type=name), value=raised)
    assert fine(seen, RaiseExpectation(type="Bad", message="too small"), value=raised)
    assert not fine(seen, RaiseExpectation(type="KeyError"), value=raised)
    assert not fine(seen, RaiseExpectation(type="Bad", message="small"), value=raised)
    assert not fine(seen, RaiseExpectation(type="ValueError"), value={**raised, "stage": "import"})
    assert not fine(seen, RaiseExpectation(type="ValueError"), value=Returned(value=None))


def test_an_argument_afterwards(seen):
    expectation = ArgumentExpectation(place=0, value=[1, 2])
    assert fine(seen, expectation, value=Returned(value=None, arguments=([1, 2],)))
    assert not fine(seen, expectation, value=Returned(value=None, arguments=([2, 1],)))
    assert not fine(seen, expectation, value=Returned(value=None))


def test_a_second_call_that_differs(seen):
    first = seen("first", value=Returned(value=[1, 2]))
    expectation = RepeatExpectation(of="first")
    assert check(expectation, seen("p", value=Returned(value=[1, 2])), {"first": first}) is None
    assert check(expectation, seen("p", value=Returned(value=[2, 1])), {"first": first})


def response(body: bytes = b"", status: int = 200, **given: Any) -> HttpResponse:
    return HttpResponse(
        fault=given.pop("fault", None),
        status=status,
        body=body,
        raw=Stream(length=len(body), digest=digest(body), head=body, tail=b"", truncated=False),
        **given,
    )


@pytest.mark.parametrize(
    ("body", "right", "wrong"),
    [
        ({"body": "json", "value": encode({"a": [1]})}, b'{ "a": [1.0] }', b'{"a": [true]}'),
        ({"body": "json", "value": encode({"a": 1})}, b'{"a": 1}', b'{"a": 1, "b": 2}'),
        ({"body": "part", "value": encode({"a": {"b": 1}})}, b'{"x": 0, "a": {"b": 1, "c": 2}}', b'{"a": {"c": 1}}'),
        ({"body": "json", "value": encode(1)}, b"1", b"NaN"),
        ({"body": "json", "value": encode({"a": 1})}, b'{"a": 1}', b'{"a": 2, "a": 1}'),
        ({"body": "text", "text": "ok"}, b"ok\n", b"ok "),
        ({"body": "empty"}, b"", b" "),
        ({"status": 404, "body": "any"}, None, b"x"),
    ],
)
def test_a_response(seen, body, right, wrong):
    expectation = ResponseExpectation(place=0, **body)
    answer = response(status=404) if right is None else response(right)
    assert fine(seen, expectation, outcome="stopped", status=None, responses=(answer,))
    assert not fine(seen, expectation, outcome="stopped", status=None, responses=(response(wrong),))
    assert not fine(seen, expectation, outcome="stopped", status=None, responses=(response(b"", fault="unfinished"),))
    assert not fine(seen, expectation, outcome="stopped", status=None)


def test_headers_whatever_the_case_of_their_names(seen):
    expectation = ResponseExpectation(place=0, headers=(("Content-Type", "text/plain"),))
    for headers, good in (((("content-type", "text/plain"),), True), ((), False)):
        given = response(headers=headers)
        assert fine(seen, expectation, outcome="stopped", status=None, responses=(given,)) is good


def test_the_text_of_a_value_is_the_same_in_every_process() -> None:
    """Verification derives every detail again: no order of a set, no address."""
    values = encode([{"b", "a", "c"}, (1,), {"k": b"x"}, frozenset({2}), 10**30, range(2)])
    assert value_text(values) == (
        "[{'a', 'b', 'c'}, (1,), {'k': b'x'}, frozenset([2]), 1000000000000000000000000000000, iter([0, 1])]"
    )
    assert json.dumps(values)


def test_what_a_candidate_alone_can_send_is_its_own_fault(seen):
    """Law 3: digits beyond what Python writes, and a list within a set, are a wrong value and no failure of Forge."""
    for strange in ({"int": "1" + "0" * 10_000}, {"set": [[1]]}, {"dict": [[[1], 2]]}):
        for expectation in (
            ReturnExpectation(value=1),
            TypeExpectation(type=TEXT),
            ReturnExpectation(value=[1], form="list"),
        ):
            assert check(expectation, seen("p", value=Returned(value=strange)), {}) is not None
    assert fine(seen, TypeExpectation(type=INT), value=Returned(value={"int": "1" + "0" * 10_000}))

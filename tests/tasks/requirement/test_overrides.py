"""A contract file: what it settles, how that is sealed, and what is refused in one line."""

from __future__ import annotations

import pytest

from contracts.loading import DocumentError
from contracts.requirement import BuildSpec, Requirement
from tasks.requirement.compiler import compile_requirement
from tasks.requirement.conventions import ConventionError
from tasks.requirement.overrides import parse_overrides

TEXT = "A command line tool prints the rows of a CSV file."
FILE = b"""
assume:
  print.newline: required
  exit.success: 3
interface:
  arguments:
    - {name: INPUT, role: input_file, format: csv}
    - {name: --today, role: date, required: false}
    - {name: N, role: integer}
  columns:
    - {name: id, kind: identifier}
    - {name: due, kind: date}
  reads_stdin: false
  bound: [exit, stdout]
"""


def compiled(data: bytes) -> BuildSpec:
    return compile_requirement(Requirement(text=TEXT), parse_overrides(data))


def test_a_file_settles_conventions_and_the_interface() -> None:
    spec = compiled(FILE)
    arguments = [(item.name, item.role, item.format, item.required) for item in spec.interface.arguments]
    assert arguments == [
        ("INPUT", "input_file", "csv", True),
        ("--today", "date", None, False),
        ("N", "integer", None, True),
    ]
    assert [(item.name, item.kind) for item in spec.interface.columns] == [("id", "identifier"), ("due", "date")]
    assert spec.interface.bound == ("exit", "stdout")
    settled = {item.key: (item.value, item.source) for item in spec.conventions}
    assert settled["exit.success"] == ("3", "override")
    assert settled["interface.stdin"] == ("unused", "override")


def test_json_says_the_same_as_yaml() -> None:
    assert parse_overrides(b'{"assume": {"exit.success": 3}}') == parse_overrides(b"assume: {exit.success: 3}")


def test_without_a_file_no_fact_of_the_interface_stands_among_the_conventions() -> None:
    keys = {item.key for item in compiled(b"assume: {}").conventions}
    assert keys.isdisjoint({"interface.arguments", "interface.stdin", "interface.channels", "csv.kinds"})


@pytest.mark.parametrize(
    "data",
    [
        b"",
        b"- 1",
        b"assume: [x]",
        b"surplus: 1",
        b"assume: {a: 1.5}\nassume: {}",
        b"interface: {arguments: [{name: A, role: spoon}]}",
        b"interface: {columns: []}",
        b"assume: {csv.columns: 'a,b'}\ninterface: {columns: [{name: a, kind: text}]}",
        b"x: &a 1\ny: *a",
        b"\xff",
    ],
)
def test_what_is_no_contract_file_is_refused_in_one_line(data: bytes) -> None:
    with pytest.raises(DocumentError) as caught:
        parse_overrides(data)
    assert "\n" not in str(caught.value)


@pytest.mark.parametrize(
    "data",
    [
        b"assume: {unknown.key: x}",
        b"assume: {interface.arguments: 'A=spoon'}",
        b"assume: {interface.arguments: '[A=spoon]'}",
        b"assume: {interface.arguments: 'A=text A=text'}",
        b"interface: {arguments: [{name: 'A B', role: text}]}",
        b"assume: {csv.kinds: 'text'}",
        b"interface: {bound: []}",
    ],
)
def test_what_has_no_place_is_refused_in_one_line(data: bytes) -> None:
    with pytest.raises(ConventionError) as caught:
        compiled(data)
    assert "\n" not in str(caught.value)

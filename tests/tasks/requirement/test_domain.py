"""Facts on the inputs, typed, for generators: each phrasing, and what must not be taken for a fact."""

from __future__ import annotations

import pytest

from contracts.requirement import Requirement
from tasks.requirement.compiler import compile_requirement

FACTS = [
    ("Read an integer between 1 and 3999 from stdin.", [("range", "integer", 1, 3999, None)]),
    ("A password has at least 12 characters.", [("length", "password", 12, None, None)]),
    ("Each line holds at most 80 characters.", [("length", "line", None, 80, None)]),
    ("Each line holds fewer than 80 characters.", [("length", "line", None, 79, None)]),
    ("The program reads exactly two numbers.", [("count", "numbers", 2, 2, None)]),
    ("The size is a positive integer.", [("range", "size", 1, None, None)]),
    ("The offset is a non-negative number.", [("range", "offset", 0, None, None)]),
    ("A code consists only of uppercase letters and digits.", [("alphabet", "code", None, None, "[A-Z0-9]")]),
    ("The fields are separated by a semicolon.", [("separator", "fields", None, None, ";")]),
    ("The fields are separated by '::'.", [("separator", "fields", None, None, "::")]),
    ("A name matches the pattern `[a-z]+`.", [("pattern", "name", None, None, "[a-z]+")]),
    ("Each line has the form `name,points`.", [("form", "line", None, None, "name,points")]),
    ("The sum of the numbers is printed.", []),
    ("The words are separated by white space.", []),
    ("The program exits with status 2.", []),
]


@pytest.mark.parametrize(("text", "wanted"), FACTS, ids=[row[0][:50] for row in FACTS])
def test_facts_of_the_input(text: str, wanted: list[tuple[object, ...]]) -> None:
    spec = compile_requirement(Requirement(text=text), {})
    found = [(item.kind, item.subject, item.minimum, item.maximum, item.value) for item in spec.interface.domain]
    assert found == wanted
    for item in spec.interface.domain:
        assert text[item.span.start : item.span.end].strip()

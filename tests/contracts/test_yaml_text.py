"""Tasks in YAML follow the rules of JSON documents: SPEC-10 to 12, BND-05, BND-06, CLI-12."""

from __future__ import annotations

import json
from contextlib import suppress

import pytest
from hypothesis import given
from hypothesis import strategies as st

from contracts.loading import SPEC_BYTES, DocumentError
from contracts.yaml_text import load_yaml


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("a: &x 1\nb: *x", "anchor"),
        ("a: &x [1]", "anchor"),
        ("- &a [x, x]\n- &b [*a, *a]\n- [*b, *b]", "anchor"),
        ("a: 1\na: 2", "repeated key"),
        ('"a": 1\n"\\x61": 2', "repeated key"),
        ("{a: {b: 1, b: 2}}", "repeated key"),
        ("!!python/object/apply:os.system [id]", "tag"),
        ("a: !!str 1", "tag"),
        ("a: !own 1", "tag"),
        ("%TAG ! tag:x,2000:\n---\na: 1", "tag directive"),
        ("---\na: 1\n---\nb: 1", "second document"),
        ("", "empty"),
        ("# only words", "empty"),
        ("[1]: 2", "key"),
        ("1: 2", "key"),
        ("~: 2", "key"),
        ("{[a]: b}", "key"),
        ("a: [", "not YAML"),
        ("a: \x00", "special|unacceptable|control"),
        ('a: "\\ud800"', "not YAML|surrogate"),
        ("ä: 1", "ASCII"),
        ("- " * 101 + "x", "nested"),
        ("[" * 101 + "]" * 101, "nested"),
        ("{a: " * 101 + "1" + "}" * 101, "nested"),
    ],
)
def test_spec_11_spec_12_what_json_cannot_say_is_refused(text: str, words: str) -> None:
    with pytest.raises(DocumentError, match=words):
        load_yaml(text.encode())


def test_spec_10_too_large_or_not_utf_8() -> None:
    with pytest.raises(DocumentError, match="larger"):
        load_yaml(b" " * (SPEC_BYTES + 1))
    with pytest.raises(DocumentError, match="UTF-8"):
        load_yaml(b"a: \xff")


def test_plain_words_stay_words() -> None:
    lines = ["a: no", "b: 1.50", "c: ~", "d: 'null'", "e: 07", "f: -3", "g: true", "h: 0x1f", "i: 12:30"]
    text = "\n".join([*lines, "j: 2026-01-01", "k: '1'", "l:"])
    assert load_yaml(text.encode()) == {
        "a": "no",
        "b": "1.50",
        "c": None,
        "d": "null",
        "e": "07",
        "f": -3,
        "g": True,
        "h": "0x1f",
        "i": "12:30",
        "j": "2026-01-01",
        "k": "1",
        "l": None,
    }


def test_a_deep_document_costs_nothing() -> None:
    with pytest.raises(DocumentError):
        load_yaml(b"[" * 1_000_000)


VALUES = st.recursive(
    st.none() | st.booleans() | st.integers(-(2**50), 2**50) | st.text(st.characters(codec="utf-8"), max_size=20),
    lambda inner: (
        st.lists(inner, max_size=4) | st.dictionaries(st.text("abcdef-_ :#", min_size=1, max_size=6), inner, max_size=4)
    ),
    max_leaves=12,
)


@given(VALUES)
def test_json_is_read_as_json(value: object) -> None:
    """Whatever JSON says, the YAML reader says too, or refuses it: never something else."""
    text = json.dumps(value)
    try:
        found = load_yaml(text.encode())
    except DocumentError:
        return
    assert found == value


@given(st.binary(max_size=200))
def test_bnd_06_any_bytes_are_a_value_or_one_line(data: bytes) -> None:
    with suppress(DocumentError):
        load_yaml(data)

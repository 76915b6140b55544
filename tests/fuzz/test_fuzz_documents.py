"""Every loader of a document from outside, on any bytes: a value, or its own error in one line (CLI-05, CLI-12)."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from hypothesis import strategies as st
from hypothesis.strategies import SearchStrategy

from contracts.loading import DocumentError, load_document, load_json
from contracts.model import Model
from contracts.schemas import PUBLISHED
from contracts.taskspec import TaskSpec
from contracts.yaml_text import load_yaml
from tasks.errors import UsageError
from tasks.evidence import dsse
from tasks.evidence.signing import key_from, parse_public
from tasks.evidence.store import DirectoryStore
from tasks.evidence.trust import read_policy
from tasks.evidence.verify import NotIntact, verify_bytes

RELEASED = sorted((Path(__file__).parents[1] / "tasks" / "evidence" / "released").glob("*/*/record.json"))
TASK = b"""{"brief": "b", "checks": [{"name": "n", "run": "true", "timeout_s": 3}], "protected": ["a/**"],
"scope": {"paths": ["x"], "max_files": 1}}"""
YAML = b"brief: b\nchecks:\n  - name: n\n    run: |\n      true\n    repeats: 2\nprotected: [a, 'b']\n"
POLICY = b"""{"name": "t", "number": 1, "threshold": 1, "keys": [{"name": "ci", "key":
"11qYAYKxCrfVS/7TyWQHOg7hcvPapiMlrwIaaPcHURo=", "uses": ["record"], "expires": null, "revoked": false}]}"""
PEM = b"""-----BEGIN PUBLIC KEY-----
MCowBQYDK2VwAyEA11qYAYKxCrfVS/7TyWQHOg7hcvPapiMlrwIaaPcHURo=
-----END PUBLIC KEY-----
"""
FIELDS = sorted({name for model in (*PUBLISHED, TaskSpec) for name in model.model_fields})

text = st.text(max_size=20) | st.sampled_from(["\0", "\ud800", "a/../b", "../x", "sha256:" + "0" * 64, "é" * 40])
scalars = st.one_of(st.none(), st.booleans(), st.integers(), st.floats(), text)
values = st.recursive(
    scalars,
    lambda inner: st.lists(inner, max_size=4) | st.dictionaries(st.sampled_from(FIELDS) | text, inner, max_size=6),
    max_leaves=20,
)
MARKS = [b'"', b"{", b"[", b"]", b":", b"\n", b"&a ", b"*a", b"!!x ", b"- ", b"%YAML 1.1\n---\n"]
SEEDS = [TASK, YAML, POLICY, PEM, *(path.read_bytes()[:20_000] for path in RELEASED[:2])]


@st.composite
def damaged(draw: st.DrawFn) -> bytes:
    """A valid document with a few bytes or stretches changed."""
    data = draw(st.sampled_from(SEEDS))
    for _ in range(draw(st.integers(0, 3))):
        at = draw(st.integers(0, len(data)))
        new = draw(
            st.binary(max_size=4) | st.sampled_from([b'"', b"{", b"[", b"]", b":", b"\n", b"&a ", b"*a", b"!!x "])
        )
        data = data[:at] + new + data[at + draw(st.integers(0, 8)) :]
    return data


@st.composite
def edited(draw: st.DrawFn) -> bytes:
    """A valid document with one of its values replaced."""
    document = json.loads(draw(st.sampled_from([TASK, POLICY])))
    place = document
    while isinstance(place, (dict, list)) and place:
        keys = sorted(place) if isinstance(place, dict) else range(len(place))
        key = draw(st.sampled_from(list(keys)))
        if not isinstance(place[key], (dict, list)) or draw(st.booleans()):
            place[key] = draw(values)
            break
        place = place[key]
    return json.dumps(document).encode()


documents: SearchStrategy[bytes] = st.one_of(
    values.map(lambda value: json.dumps(value).encode()),
    damaged(),
    edited(),
    st.binary(max_size=200),
    st.builds(bytes.__mul__, st.sampled_from([b'{"a":', b"[", b"- ", b"9"]), st.sampled_from([200, 5_000, 100_000])),
    st.sampled_from([b"[" * 200 + b"]" * 200, b'{"a":1,"\\u0061":2}']),
)


def loaders(place: Path) -> dict[str, tuple[Callable[[bytes], object], tuple[type[Exception], ...]]]:
    """Every loader with the errors that it may raise."""

    def from_file(load: Callable[[Path], object]) -> Callable[[bytes], object]:
        def read(data: bytes) -> object:
            (place / "file").write_bytes(data)
            (place / "file").chmod(0o600)
            return load(place / "file")

        return read

    def model(kind: type[Model]) -> Callable[[bytes], object]:
        return lambda data: load_document(kind, data)

    def bundle(data: bytes) -> object:
        value = load_json(data)
        return dsse.open_bundle(value) if isinstance(value, dict) else None

    store = DirectoryStore(place / "blobs")
    return {
        "json": (load_json, (DocumentError,)),
        "yaml": (load_yaml, (DocumentError,)),
        **{kind.__name__: (model(kind), (DocumentError,)) for kind in (*PUBLISHED, TaskSpec)},
        "record": (lambda data: verify_bytes(data, store, integrity_only=True), (DocumentError, NotIntact)),
        "policy": (from_file(read_policy), (UsageError,)),
        "private key": (from_file(key_from), (UsageError,)),
        "public key": (lambda data: parse_public(data, "key"), (UsageError,)),
        "bundle": (bundle, (DocumentError, dsse.EnvelopeError)),
    }


def property_of(place: Path) -> tuple[SearchStrategy[tuple[str, bytes]], Callable[[tuple[str, bytes]], None]]:
    """A loader and a document; and that the one stands the other."""
    every = loaders(place)

    def holds(example: tuple[str, bytes]) -> None:
        load, errors = every[example[0]]
        words = ""
        try:
            load(example[1])
        except errors as error:
            words = str(error)
        assert len(words) < 2_000

    return st.tuples(st.sampled_from(sorted(every)), documents), holds


def test_documents(tmp_path: Path, once: Any) -> None:
    assert once(*property_of(tmp_path)) == 1


@pytest.mark.slow
@pytest.mark.timeout(1_200)
def test_many_documents(tmp_path: Path, long: Any) -> None:
    assert long(*property_of(tmp_path)) > 1


def test_the_seeds_are_documents(tmp_path: Path) -> None:
    """Law 7: what is damaged was whole, and an error of another class would be seen."""
    every = loaders(tmp_path)
    assert load_document(TaskSpec, TASK).brief == "b"
    assert every["yaml"][0](YAML)
    assert every["policy"][0](POLICY)
    assert every["public key"][0](PEM)
    with pytest.raises(DocumentError):
        every["json"][0](PEM)

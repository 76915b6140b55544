"""The bounded loader: what two parsers could read in two ways is refused (EVI pitfall 7, CLI-12, BND-06)."""

from __future__ import annotations

import json

import pytest

from contracts.candidate import FileEntry
from contracts.canonical import digest
from contracts.loading import DocumentError, load_canonical, load_document, load_json
from contracts.log import Checkpoint, Inclusion, LogLeaf
from contracts.probe import InputFile
from contracts.schemas import PUBLISHED
from contracts.taskspec import TaskSpec

REFUSED = {
    "repeated key": b'{"a":1,"a":2}',
    "repeated key after decoding": b'{"a":1,"\\u0061":2}',
    "repeated key deep down": b'[{"x":{"b":1,"b":1}}]',
    "not utf-8": b'"\xff"',
    "byte order mark": b"\xef\xbb\xbf{}",
    "lone surrogate": b'"\\ud800"',
    "float": b"1.0",
    "exponent": b"1e2",
    "not a number": b"NaN",
    "infinity": b"-Infinity",
    "large integer": b"9007199254740992",
    "very large integer": b"1" * 10_000,
    "too deep": b"[" * 101 + b"]" * 101,
    "absurdly deep": b"[" * 1_000_000,
    "trailing text": b"{} {}",
    "nothing": b"",
    "too large": b" " * 101,
}


@pytest.mark.parametrize("data", REFUSED.values(), ids=REFUSED.keys())
def test_cli_12_malformed_documents_give_one_line(data: bytes) -> None:
    with pytest.raises(DocumentError) as caught:
        load_json(data, max_bytes=100 if data.startswith(b" ") else 2_000_000)
    assert "\n" not in str(caught.value)


def test_documents_at_the_bounds_are_read() -> None:
    assert load_json(b"[" * 100 + b"]" * 100) is not None
    assert load_json(b'{"a":9007199254740991}', max_bytes=22) == {"a": 2**53 - 1}


@pytest.mark.parametrize(
    "document",
    [
        b'{"path":"a","content":"aGk=","extra":1}',
        b'{"path":"a"}',
        b'{"path":"a","content":"aGk"}',
        b'{"path":"a","content":"aGl="}',
        b'{"path":"a","content":"a Gk="}',
        b'{"path":1,"content":""}',
        b'{"path":"a","content":"","executable":"yes"}',
        b"[]",
    ],
)
def test_a_document_that_is_not_the_model_is_refused(document: bytes) -> None:
    """EVI pitfall 6: base64 in its canonical form only; unknown fields, missing fields and wrong types too."""
    with pytest.raises(DocumentError):
        load_document(InputFile, document)


def test_a_document_survives_the_round_trip() -> None:
    entry = InputFile(path="a%FF", content=b"\x00\xff", executable=True)
    assert load_document(InputFile, entry.canonical()) == entry


def test_the_pattern_of_a_digest_binds() -> None:
    good = {"path": "a", "kind": "file", "executable": False, "size": 0, "digest": "sha256:" + "0" * 64}
    assert FileEntry.model_validate(good)
    with pytest.raises(ValueError, match="digest"):
        FileEntry.model_validate({**good, "digest": "sha1:00"})


def test_what_a_model_writes_meets_the_published_schema() -> None:
    """`load_canonical` needs no validator of schemas: whatever it accepts, the schema accepts."""
    import jsonschema

    leaf = LogLeaf(run="run-1", status="verified", payload=digest(b"x"))
    proof = Inclusion(leaf=leaf, index=3, proof=(digest(b"y"),), checkpoint="text")
    data = proof.canonical()
    assert load_canonical(Inclusion, data) == proof
    assert Inclusion in PUBLISHED
    jsonschema.validate(json.loads(data), Inclusion.model_json_schema())
    changed = [data.replace(b'"index":3', other) for other in (b'"index":3.0', b'"index":"3"', b'"index":3,"x":1')]
    for other in (data + b"\n", b"[]", *changed):
        with pytest.raises(DocumentError):
            load_canonical(Inclusion, other)
    with pytest.raises(DocumentError, match="larger"):
        load_canonical(Inclusion, data, 10)
    with pytest.raises(DocumentError):
        load_canonical(Checkpoint, data)


def test_cli_12_a_message_speaks_of_the_document_and_not_of_python() -> None:
    with pytest.raises(DocumentError, match=r"^integer of 2\^53 or more$"):
        load_json(b"1" * 10_000)
    task = {"brief": "b", "checks": [{"name": "a", "run": "true"}] * 2}
    with pytest.raises(DocumentError, match=r"^\$: two checks have the same name$"):
        load_document(TaskSpec, json.dumps(task).encode())

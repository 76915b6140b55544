"""Seals, names of files, the chain, the enum of signatures, the published schemas."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

import contracts.schemas
from contracts.candidate import FileEntry, tree_digest
from contracts.evidence import FORMAT, Entry, EntryKind, Record, append, chain_fault
from contracts.model import Model
from contracts.paths import is_contained, path_bytes, path_text, slug
from contracts.requirement import Requirement
from contracts.schemas import PUBLISHED, schema_text
from contracts.verdict import FailureSignature, Fault, fault_of

ROOT = Path(contracts.schemas.__file__).parent


def _entry(path: str, content: str = "0") -> FileEntry:
    return FileEntry(path=path, kind="file", executable=False, size=1, digest="sha256:" + content * 64)


def test_law_5_a_seal_changes_with_every_field() -> None:
    base = _entry("a")
    others = [
        base.model_copy(update=change)
        for change in ({"path": "b"}, {"kind": "link"}, {"executable": True}, {"size": 2})
    ]
    assert len({base.seal(), *(other.seal() for other in others)}) == 5
    assert base.seal() == _entry("a").seal()


def test_models_are_frozen() -> None:
    with pytest.raises(ValueError, match="frozen"):
        _entry("a").path = "b"  # type: ignore[misc]


@pytest.mark.parametrize(
    "raw", [b"a", b"a b", "é/ü".encode(), b"\xff", b"100%", b"%41", b"new\nline", b"\x7f\x80", b"\xed\xa0\x80"]
)
def test_enc_05_names_are_bytes(raw: bytes) -> None:
    text = path_text(raw)
    assert path_bytes(text) == raw
    assert text.encode("utf-8").decode("utf-8").isprintable()


def test_rec_11_distinct_raw_names_never_collapse() -> None:
    raws = [bytes([one, two]) for one in range(1, 256) for two in (0x41, 0x25, 0xC3, 0xFF)]
    assert len({path_text(raw) for raw in raws}) == len(raws)


@pytest.mark.parametrize("path", ["", "/a", "a//b", "a/../b", "..", ".", "a/.", "a%00b", "%2E%2E/a", "a/"])
def test_paths_that_leave_or_blur_the_root_are_not_contained(path: str) -> None:
    assert not is_contained(path)
    assert is_contained("a/b.txt")


def test_slug_is_bounded_and_plain() -> None:
    assert slug("Contract Expiry: summary!", "x") == "contract-expiry-summary"
    assert slug("***", "x") == "x"
    assert len(slug("a" * 100, "x")) == 40


def test_tree_digest_depends_on_order_and_content() -> None:
    one, two = _entry("a"), _entry("b")
    assert (
        len(
            {
                tree_digest((one, two)),
                tree_digest((two, one)),
                tree_digest((one,)),
                tree_digest((one, _entry("b", "1"))),
            }
        )
        == 4
    )


def _record(texts: list[str]) -> tuple[Record, dict[str, bytes]]:
    entries: tuple[Entry, ...] = ()
    blobs: dict[str, bytes] = {}
    for text in texts:
        entry, blob = append(entries, EntryKind.REQUIREMENT, Requirement(text=text).document())
        entries = (*entries, entry)
        if blob is not None:
            blobs[entry.content] = blob
    return Record(format=FORMAT, entries=entries, head=entries[-1].digest, bundle={}), blobs


def test_evi_01_a_sound_chain_has_no_fault_and_long_bodies_are_blobs() -> None:
    record, blobs = _record(["a", "b" * 5000, "c"])
    assert chain_fault(record) is None
    assert [entry.body is None for entry in record.entries] == [False, True, False]
    assert set(blobs) == {record.entries[1].content}


def _with(record: Record, at: int, **changes: object) -> Record:
    entries = list(record.entries)
    entries[at] = entries[at].model_copy(update=changes)
    return record.model_copy(update={"entries": tuple(entries)})


def test_evi_01_every_change_of_the_chain_is_found() -> None:
    record, _ = _record(["a", "b", "c"])
    first, second, third = record.entries
    defects = [
        _with(record, 1, kind=EntryKind.OUTCOME),
        _with(record, 1, body={"text": "x"}),
        _with(record, 1, content=first.content),
        _with(record, 1, length=3),
        _with(record, 1, previous=third.digest),
        _with(record, 1, index=2),
        _with(record, 1, digest=first.digest),
        record.model_copy(update={"entries": (first, third)}),
        record.model_copy(update={"entries": (second, first, third)}),
        record.model_copy(update={"entries": (first, second)}),
        record.model_copy(update={"entries": ()}),
        record.model_copy(update={"head": second.digest}),
        record.model_copy(update={"format": "forge-record/2"}),
    ]
    assert [chain_fault(defect) is None for defect in defects] == [False] * len(defects)


def test_law_3_every_signature_has_a_fault_and_a_paragraph() -> None:
    page = Path(__file__).parents[2].joinpath("docs", "signatures.md").read_text(encoding="utf-8")
    described = set(re.findall(r"^### `(\w+)`", page, flags=re.MULTILINE))
    assert described == {signature.value for signature in FailureSignature}
    assert {fault_of(signature) for signature in FailureSignature} == set(Fault)


@pytest.mark.parametrize("model", PUBLISHED, ids=lambda model: model.__name__)
def test_the_published_schema_is_current(model: type[Model]) -> None:
    assert ROOT.joinpath(f"{model.__name__}.json").read_text(encoding="utf-8") == schema_text(model)


def test_no_schema_is_left_over() -> None:
    assert {path.stem for path in ROOT.glob("*.json")} == {model.__name__ for model in PUBLISHED}

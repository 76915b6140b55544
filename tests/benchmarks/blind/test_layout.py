"""A bundle is what its manifest says, or it is nothing (law 6): each way to differ is one clear line."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path

import pytest

from benchmarks.blind import layout
from benchmarks.blind.layout import BundleError
from contracts.bundle import root_of
from tests.benchmarks.blind.conftest import case, provenance


def freeze(root: Path) -> layout.Bundle:
    """As the command freezes, but for the cryptographic signature, which reading leaves to its caller."""
    bundle = layout.draft(root, "small", "1", regression=False)
    (root / layout.MANIFEST).write_bytes(bundle.manifest.canonical())
    (root / layout.ENVELOPE).write_bytes(b"{}")
    return bundle


def test_a_frozen_bundle_reads_as_it_was_frozen(unfrozen: Path) -> None:
    frozen = freeze(unfrozen)
    read, envelope = layout.read(unfrozen)
    assert read == frozen
    assert read.seal == frozen.manifest.seal()
    assert envelope == b"{}"
    assert list(read.oracle("S-1")) == ["oracle.py"]
    assert [case.case_id for case in read.cases] == ["S-1"]


def test_trees_of_a_case_come_by_name(unfrozen: Path) -> None:
    for name in ("plain", "short"):
        (unfrozen / "references" / "S-1" / name / "shout").mkdir(parents=True)
        (unfrozen / "references" / "S-1" / name / "shout" / "cli.py").write_text(name)
    trees = layout.draft(unfrozen, "small", "1", regression=True).trees("references", "S-1")
    assert trees == {name: {"shout/cli.py": name.encode()} for name in ("plain", "short")}


def _changed(root: Path) -> None:
    (root / "oracles" / "S-1" / "oracle.py").write_text("changed")


def _unlisted(root: Path) -> None:
    (root / "oracles" / "S-1" / "more.txt").write_text("more")


def _missing(root: Path) -> None:
    (root / "provenance.json").unlink()


def _relisted(root: Path) -> None:
    """The file and its entry are changed together, the root is not."""
    manifest = json.loads((root / layout.MANIFEST).read_bytes())
    (root / "cases.json").write_text(json.dumps({"cases": [case(tags=["other"])]}))
    from contracts.canonical import digest

    for file in manifest["files"]:
        if file["path"] == "cases.json":
            data = (root / "cases.json").read_bytes()
            file["digest"], file["size"] = digest(data), len(data)
    (root / layout.MANIFEST).write_text(json.dumps(manifest))


def _linked(root: Path) -> None:
    (root / "oracles" / "S-1" / "link.py").symlink_to("oracle.py")


def _outside(root: Path) -> None:
    (root / "oracles" / "S-1" / "link.py").symlink_to("/etc/hostname")


@pytest.mark.parametrize(
    ("change", "message"),
    [
        (_changed, "oracles/S-1/oracle.py was changed after the bundle was frozen"),
        (_unlisted, "oracles/S-1/more.txt is not listed in the manifest"),
        (_missing, "provenance.json is missing"),
        (_relisted, "the manifest does not describe its files"),
        (_linked, "is a link"),
        (_outside, "is no plain file"),
    ],
)
def test_a_tampered_bundle_is_refused(unfrozen: Path, change: Callable[[Path], None], message: str) -> None:
    freeze(unfrozen)
    change(unfrozen)
    with pytest.raises(BundleError, match=message) as refused:
        layout.read(unfrozen)
    assert "\n" not in str(refused.value)


def test_what_is_not_frozen_is_not_read(unfrozen: Path) -> None:
    with pytest.raises(BundleError, match="not frozen"):
        layout.read(unfrozen)


def test_nothing_is_frozen_twice(unfrozen: Path) -> None:
    freeze(unfrozen)
    with pytest.raises(BundleError, match="exists"):
        layout.draft(unfrozen, "small", "2", regression=False)


@pytest.mark.parametrize(
    ("path", "text", "message"),
    [
        ("cases.json", {"cases": [case(), case(case_id="s-1")]}, "a case stands twice: s-1"),
        ("cases.json", {"cases": []}, "cases"),
        ("cases.json", {"cases": [case(expected_terminal_status="maybe")]}, "expected_terminal_status"),
        ("cases.json", {"cases": [case(case_id="../x")]}, "case_id"),
        ("cases.json", {"cases": [case(), case(case_id="S-2")]}, "S-2 has no oracle"),
        ("cases.json", {"cases": [case(case_id="S-3")]}, "oracles/S-1/oracle.py belongs to no case"),
        ("notes/read.me", provenance(), "notes/read.me stands in a folder of no meaning"),
        ("provenance.json", {"parts": []}, "provenance.json"),
        ("provenance.json", {"parts": [{**provenance()["parts"][0], "made": "yesterday"}]}, "made"),
    ],
)
def test_what_does_not_hold_is_not_frozen(unfrozen: Path, path: str, text: object, message: str) -> None:
    (unfrozen / path).parent.mkdir(exist_ok=True)
    (unfrozen / path).write_text(json.dumps(text))
    with pytest.raises(BundleError, match=message):
        layout.draft(unfrozen, "small", "1", regression=False)


def test_the_root_is_that_of_the_standard(unfrozen: Path) -> None:
    """RFC 6962 over three leaves: ((a b) c)."""
    from contracts import merkle

    files = layout.draft(unfrozen, "small", "1", regression=False).manifest.files
    assert len(files) == 3
    a, b, c = (merkle.leaf_hash(file.canonical()) for file in files)
    assert root_of(files) == "sha256:" + merkle.node_hash(merkle.node_hash(a, b), c).hex()

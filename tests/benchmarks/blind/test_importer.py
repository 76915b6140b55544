"""Bundles of the known layout come in whole, and bring no authority with them."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from benchmarks.blind import layout
from benchmarks.blind.importer import import_bundle
from benchmarks.blind.layout import BundleError
from contracts.bundle import PartProvenance
from tests.benchmarks.blind.conftest import ORACLE, case

PART = PartProvenance(part=".", producer="others", made="2026-01-02", tools="not known", having_seen="not known")


@pytest.fixture
def foreign(tmp_path: Path) -> Path:
    root = tmp_path / "foreign"
    (root / "oracles" / "S-1").mkdir(parents=True)
    (root / "oracles" / "S-1" / "oracle.py").write_text(ORACLE)
    (root / "cases.json").write_text(json.dumps([{**case(), "score": 3, "notes": "theirs"}]))
    (root / "manifest.json").write_text('{"sha": "theirs"}')
    return root


def test_a_foreign_bundle_is_copied_and_can_be_frozen(foreign: Path, tmp_path: Path) -> None:
    import_bundle(foreign, tmp_path / "ours", PART)
    bundle = layout.draft(tmp_path / "ours", "foreign", "1", regression=False)
    assert [case.case_id for case in bundle.cases] == ["S-1"]
    assert bundle.oracle("S-1") == {"oracle.py": ORACLE.encode()}


def test_nothing_is_overwritten(foreign: Path, tmp_path: Path) -> None:
    (tmp_path / "ours").mkdir()
    with pytest.raises(BundleError, match="exists"):
        import_bundle(foreign, tmp_path / "ours", PART)


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("{", "not JSON"),
        ('"x"', "no list of cases"),
        ("[1]", "cases"),
        ("[]", "cases"),
        ('[{"case_id": "a"}]', "requirement"),
    ],
)
def test_what_is_no_bundle_is_refused_before_anything_is_written(
    foreign: Path, tmp_path: Path, text: str, message: str
) -> None:
    (foreign / "cases.json").write_text(text)
    with pytest.raises(BundleError, match=message):
        import_bundle(foreign, tmp_path / "ours", PART)
    assert not (tmp_path / "ours").exists()


def test_the_known_bundles_have_the_known_number_of_cases(corpora: Path, tmp_path: Path) -> None:
    for version, count in (("v2", 10), ("v3", 12), ("v7", 12)):
        source = tmp_path / version
        source.mkdir()
        (source / "cases.json").write_bytes((corpora / "requirements" / f"{version}.json").read_bytes())
        assert len(import_bundle(source, tmp_path / f"ours-{version}", PART).cases) == count

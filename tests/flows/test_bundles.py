"""Freezing and opening bundles (law 6): what was signed is what is read, or one line says why not."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest

from benchmarks.blind.layout import BundleError
from flows.bundles import freeze, open_frozen
from tasks.evidence.signing import load_key, new_key
from tasks.evidence.trust import NOBODY, own_trust
from tests.benchmarks.blind.conftest import unfrozen  # noqa: F401 - a fixture


def test_a_bundle_is_frozen_once_and_opens(unfrozen: Path) -> None:  # noqa: F811 - the fixture
    frozen = freeze(unfrozen, "small", "1", load_key(), regression=False)
    assert open_frozen(unfrozen, own_trust()).seal == frozen.seal
    with pytest.raises(BundleError, match="frozen already"):
        freeze(unfrozen, "small", "1", load_key(), regression=False)


def test_a_stranger_is_not_trusted(unfrozen: Path, tmp_path: Path) -> None:  # noqa: F811
    load_key()
    freeze(unfrozen, "small", "1", new_key(tmp_path / "other.pem"), regression=False)
    for trusted in (own_trust(), NOBODY):
        with pytest.raises(BundleError, match="not trusted"):
            open_frozen(unfrozen, trusted)


def _renamed(root: Path) -> None:
    _edit(root / "manifest.json", b'"name":"small"', b'"name":"other"')


def _promoted(root: Path) -> None:
    """A regression corpus that would like to be blind."""
    _edit(root / "manifest.json", b'"regression":true', b'"regression":false')


def _cut(root: Path) -> None:
    _edit(root / "manifest.sigstore.json", b'"sig":"', b'"sig":"A')


def _spelled(root: Path) -> None:
    _edit(root / "manifest.sigstore.json", b"{", b"{ ")


def _empty(root: Path) -> None:
    _edit(root / "manifest.sigstore.json", b"", b"", b"[]")


def _edit(path: Path, old: bytes, new: bytes, whole: bytes | None = None) -> None:
    data = path.read_bytes()
    path.chmod(0o644)
    path.write_bytes(whole if whole is not None else data.replace(old, new, 1))
    assert path.read_bytes() != data


@pytest.mark.parametrize("change", [_renamed, _promoted, _cut, _spelled, _empty])
def test_a_changed_manifest_or_envelope_is_refused(unfrozen: Path, change: Callable[[Path], None]) -> None:  # noqa: F811
    freeze(unfrozen, "small", "1", load_key(), regression=True)
    change(unfrozen)
    with pytest.raises(BundleError) as refused:
        open_frozen(unfrozen, own_trust())
    assert "\n" not in str(refused.value)

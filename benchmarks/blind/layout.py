"""A bundle on disk: which files it has, what each folder means, and that nothing in it differs from its manifest.

cases.json  provenance.json  manifest.json  manifest.sigstore.json
oracles/CASE/oracle.py       pytest files, with their fixtures beside them
references/CASE/NAME/...     programs that are right
mutants/CASE/NAME/...        programs that are wrong in one way each
readings/CASE/NAME/...       reference readings for Forge
candidates/CASE/QUALITY/...  scripted answers, written by hand

There is nothing else in it.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import TypeVar

from contracts.bundle import BundleFile, BundleProvenance, Case, Cases, Manifest, root_of
from contracts.canonical import digest
from contracts.loading import DocumentError, load_document
from contracts.model import Model
from contracts.verdict import TerminalStatus
from sandbox import workspace

CASES, PROVENANCE, MANIFEST, ENVELOPE = "cases.json", "provenance.json", "manifest.json", "manifest.sigstore.json"
FOLDERS = ("oracles", "references", "mutants", "readings", "candidates")
ORACLE = "oracle.py"

M = TypeVar("M", bound=Model)


class BundleError(ValueError):
    """A bundle is not what it has to be: one line for a person (exit 2 or 1)."""


@dataclass(frozen=True)
class Bundle:
    """A bundle in memory: ``files`` by path text, manifest and envelope left out. ``seal`` is the manifest's digest."""

    manifest: Manifest
    cases: tuple[Case, ...]
    files: Mapping[str, bytes]

    @property
    def seal(self) -> str:
        """The digest that names this bundle everywhere."""
        return self.manifest.seal()

    def trees(self, folder: str, case_id: str) -> dict[str, dict[str, bytes]]:
        """The trees of a case in a folder, by name; each maps path text below the tree to bytes."""
        found: dict[str, dict[str, bytes]] = {}
        start = f"{folder}/{case_id}/"
        for path, data in self.files.items():
            name, slash, rest = path.removeprefix(start).partition("/")
            if path.startswith(start) and slash:
                found.setdefault(name, {})[rest] = data
        return found

    def oracle(self, case_id: str) -> dict[str, bytes]:
        """The files of a case's oracle, by path text; empty where it has none."""
        start = f"oracles/{case_id}/"
        return {path.removeprefix(start): data for path, data in self.files.items() if path.startswith(start)}


def draft(root: Path, name: str, version: str, *, regression: bool) -> Bundle:
    """What freezing would seal: the bundle of a directory that has no manifest yet.

    Raises:
        BundleError: a manifest exists, a file is no plain one, a document does not hold, an oracle is missing.
    """
    files = _scan(root)
    for taken in (MANIFEST, ENVELOPE):
        if taken in files:
            raise BundleError(f"{taken} exists: the bundle is frozen already")
    provenance = _document(BundleProvenance, files, PROVENANCE).parts
    try:
        listed = _listed(files)
        manifest = Manifest(
            name=name, version=version, regression=regression, provenance=provenance, files=listed, root=root_of(listed)
        )
    except ValueError as error:
        raise BundleError(f"the manifest would not hold: {_first_line(error)}") from error
    return _checked(manifest, files)


def read(root: Path) -> tuple[Bundle, bytes]:
    """A frozen bundle, every byte of it checked against its manifest; and the envelope's bytes, unchecked.

    Raises:
        BundleError: it is not frozen; a file was changed, is missing or is unlisted; a document does not hold.
    """
    files = _scan(root)
    if MANIFEST not in files or ENVELOPE not in files:
        raise BundleError("the bundle is not frozen: forge bench freeze")
    manifest, envelope = _document(Manifest, files, MANIFEST), files[ENVELOPE]
    del files[MANIFEST], files[ENVELOPE]
    listed = {file.path: file.digest for file in manifest.files}
    for path, data in files.items():
        if path not in listed:
            raise BundleError(f"{path} is not listed in the manifest")
        if digest(data) != listed[path]:
            raise BundleError(f"{path} was changed after the bundle was frozen")
    missing = sorted(listed.keys() - files.keys())
    if missing:
        raise BundleError(f"{missing[0]} is missing")
    if manifest.files != _listed(files) or manifest.root != root_of(manifest.files):
        raise BundleError("the manifest does not describe its files")
    return _checked(manifest, files), envelope


def _checked(manifest: Manifest, files: dict[str, bytes]) -> Bundle:
    cases = _document(Cases, files, CASES).cases
    names = {case.case_id for case in cases}
    for path in files:
        folder, _, rest = path.partition("/")
        if folder in FOLDERS and rest.partition("/")[0] not in names:
            raise BundleError(f"{path} belongs to no case")
        if folder not in (*FOLDERS, CASES, PROVENANCE) and rest:
            raise BundleError(f"{path} stands in a folder of no meaning")
    bundle = Bundle(manifest, cases, files)
    for case in cases:
        if case.expected_terminal_status is TerminalStatus.VERIFIED and ORACLE not in bundle.oracle(case.case_id):
            raise BundleError(f"{case.case_id} has no oracle: oracles/{case.case_id}/{ORACLE}")
    return bundle


def _scan(root: Path) -> dict[str, bytes]:
    try:
        files, dropped = workspace.scan(root)
    except (OSError, ValueError) as error:
        raise BundleError(f"the bundle cannot be read: {error}") from error
    if dropped:
        raise BundleError(f"{dropped[0].path} is no plain file ({dropped[0].reason})")
    links = [file.entry.path for file in files if file.entry.kind != "file"]
    if links:
        raise BundleError(f"{links[0]} is a link")
    return {file.entry.path: file.data for file in files}


def _listed(files: dict[str, bytes]) -> tuple[BundleFile, ...]:
    return tuple(BundleFile(path=path, digest=digest(data), size=len(data)) for path, data in sorted(files.items()))


def _document(model: type[M], files: dict[str, bytes], name: str) -> M:
    if name not in files:
        raise BundleError(f"{name} is missing")
    try:
        return load_document(model, files[name])
    except DocumentError as error:
        raise BundleError(f"{name}: {error}") from error


def _first_line(error: ValueError) -> str:
    return str(error).splitlines()[0]

"""Bundles in the layout that others publish: ``cases.json`` as a list, ``manifest.json``, ``oracles/CASE/oracle.py``.

What such a bundle does not say (reviews, references, mutants) stays unsaid: its labels do not count until two reviewers
share them, and its oracles are not valid until a reference passes.
"""

from __future__ import annotations

import json
from pathlib import Path

from benchmarks.blind.layout import CASES, PROVENANCE, BundleError
from contracts.bundle import BundleProvenance, Case, Cases, PartProvenance
from contracts.canonical import Json
from contracts.loading import DocumentError, load_json, parse_document
from sandbox import workspace

_OURS = set(Case.model_fields)


def import_bundle(source: Path, destination: Path, provenance: PartProvenance) -> Cases:
    """Copy a bundle of the known layout into a new directory, ready to be completed and frozen.

    Fields of a case that are not ours are left out, and so is the bundle's own manifest, which describes other bytes.

    Raises:
        BundleError: the source is no such bundle, or the destination exists.
    """
    if destination.exists():
        raise BundleError(f"{destination} exists")
    try:
        files, _ = workspace.scan(source)
    except (OSError, ValueError) as error:
        raise BundleError(f"the bundle cannot be read: {error}") from error
    kept = [file for file in files if file.entry.path.startswith("oracles/") and file.entry.kind == "file"]
    listed = next((file.data for file in files if file.entry.path == CASES), None)
    if listed is None:
        raise BundleError(f"{CASES} is missing")
    cases = _cases(listed)
    destination.mkdir(parents=True)
    workspace.populate(destination, [(file.entry, file.data) for file in kept])
    for name, document in ((CASES, cases), (PROVENANCE, BundleProvenance(parts=(provenance,)))):
        text = json.dumps(document.document(), indent=1, ensure_ascii=False)
        (destination / name).write_text(text + "\n", encoding="utf-8")
    return cases


def _cases(data: bytes) -> Cases:
    try:
        loaded = load_json(data)
        if isinstance(loaded, dict):
            loaded = loaded.get("cases")
        if not isinstance(loaded, list):
            raise BundleError(f"{CASES} holds no list of cases")
        return parse_document(Cases, {"cases": [_ours(case) for case in loaded]})
    except DocumentError as error:
        raise BundleError(f"{CASES}: {error}") from error


def _ours(case: Json) -> Json:
    return {key: value for key, value in case.items() if key in _OURS} if isinstance(case, dict) else case

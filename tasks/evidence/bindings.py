"""What lies outside a record and may be held against it: requirement or task, candidate, package (VER-02)."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

from contracts.candidate import tree_digest
from contracts.canonical import Digest, digest
from tasks.errors import UsageError
from tasks.evidence.contents import Contents
from tasks.evidence.files import read_regular
from tasks.evidence.statement import text_digest
from tasks.evidence.store import BLOB_BYTES


@dataclass(frozen=True)
class Bindings:
    """Digests of what the user wrote, of a candidate's tree and a package's bytes; None where none is given."""

    spec: Digest | None = None
    candidate: Digest | None = None
    package: Digest | None = None


def read_bindings(spec: Path | None, candidate: Path | None, package: Path | None) -> Bindings:
    """Digests of the given files and directory.

    Raises:
        UsageError: one of them cannot be read.
    """
    from sandbox.workspace import scan

    try:
        return Bindings(
            spec=digest(read_regular(spec, BLOB_BYTES)) if spec is not None else None,
            candidate=tree_digest(tuple(file.entry for file in scan(candidate)[0])) if candidate is not None else None,
            package=digest(read_regular(package, BLOB_BYTES)) if package is not None else None,
        )
    except (OSError, ValueError) as error:
        raise UsageError(str(error)) from error


def binding_faults(contents: Contents, bindings: Bindings, beside: Path | None) -> Iterator[str]:
    """Whatever is given, or lies beside the record in the directory ``beside``, and is not what was sealed."""
    candidate, package = contents.candidate, contents.package
    if bindings.spec not in (None, text_digest(contents)):
        yield f"the given {contents.SUBJECT} is another one"
    if bindings.candidate not in (None, candidate.tree if candidate is not None else ""):
        yield "the given directory is another candidate"
    if bindings.package not in (None, package.wheel if package is not None else ""):
        yield "the given package is another one"
    folder = package_folder(beside)
    if folder is not None:
        sealed = {package.filename: package.wheel} if package is not None else {}
        if {path.name: digest(read_regular(path, BLOB_BYTES)) for path in folder.iterdir()} != sealed:
            yield "what lies in package/ is not the package of this record"


def package_folder(beside: Path | None) -> Path | None:
    """``package/`` in the directory of the record, where there is one."""
    folder = beside / "package" if beside is not None else None
    return folder if folder is not None and folder.exists() else None

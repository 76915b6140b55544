"""Packages a verified candidate as a wheel: the same bytes for the same candidate, and none of it is executed."""

from __future__ import annotations

import base64
import csv
import hashlib
import io
import re
import zipfile
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path

from contracts.candidate import Candidate, FileEntry
from contracts.canonical import digest
from contracts.package import PackageManifest
from contracts.paths import path_bytes, path_text
from contracts.requirement import BuildSpec, Requirement
from contracts.settings import BuildSettings
from contracts.verdict import ValidationArtifact
from tasks.errors import InfrastructureError, SealMismatch
from tasks.evidence.store import Store, open_store
from tasks.reading.libraries import module_of
from tasks.trees import materialise
from tasks.validation.placing import place_of

VERSION = "0.1.0"
REQUIRES_PYTHON = ">=3.11"
_COMMAND = re.compile(r"[A-Za-z0-9][A-Za-z0-9._-]{0,99}")
_FILENAME = re.compile(r"[A-Za-z0-9][A-Za-z0-9._+-]{0,250}\.whl")
_EPOCH = (1980, 1, 1, 0, 0, 0)
_FILE = 0o100644
_EXECUTABLE = 0o100755

_LAUNCHER = '''\
"""Starts the program as ``python3 ENTRY`` does: its directory first on the path, its name ``__main__``."""

import pathlib
import runpy
import sys


def main():
    entry = pathlib.Path(__file__).resolve().parent / "app" / {entry!r}
    if sys.flags.safe_path:
        sys.path.insert(0, str(entry.parent))
    else:
        sys.path[0] = str(entry.parent)
    runpy.run_path(str(entry), run_name="__main__")
'''

_EXPORTS = '''\
"""Gives the functions of the library, whose files lie below ``app``."""

import importlib
import pathlib
import sys

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parent / "app" / {root!r}))
'''
_EXPORT = "{name} = importlib.import_module({module!r}).{name}\n"


class PackagingError(InfrastructureError):
    """The candidate holds something that a wheel cannot."""


@dataclass(frozen=True)
class Member:
    """A file of a wheel."""

    data: bytes
    executable: bool = False


def package(
    spec: BuildSpec,
    candidate: Candidate,
    artifact: ValidationArtifact,
    requirement: Requirement,
    settings: BuildSettings,
) -> PackageManifest:
    """Build the wheel of a passed candidate, put it into the store, and say what it holds (laws 3 and 5).

    Raises:
        SealMismatch: the artifact does not pass, or is of another candidate, contract or requirement.
        PackagingError: a name, or a link to a directory, that a wheel cannot hold.
        StoreError: the store lacks a file or cannot keep the wheel.
    """
    if not artifact.passed:
        raise SealMismatch("a candidate that did not pass is not packaged")
    if artifact.build_spec != spec.seal():
        raise SealMismatch("the artifact judges another contract")
    if artifact.candidate != candidate.tree:
        raise SealMismatch("the artifact judges another candidate")
    if spec.requirement != requirement.seal():
        raise SealMismatch("the contract is of another requirement")
    store = open_store(settings.store)
    with materialise(candidate, store) as tree:
        files = app_files(candidate.files, tree)
    command = spec.interface.program
    started = {"launcher.py": _LAUNCHER.format(entry=spec.interface.entry)}
    own = _exports(spec, candidate, store) if spec.functions else started
    filename, wheel = build_wheel(command, own, files, candidate, requirement)
    return PackageManifest(
        build_spec=artifact.build_spec,
        artifact=artifact.seal(),
        candidate=candidate.tree,
        filename=filename,
        wheel=store.put(wheel),
        size=len(wheel),
        command=command,
    )


def _exports(spec: BuildSpec, candidate: Candidate, store: Store) -> dict[str, str]:
    """The package of a library: each function by its name, from the module that was judged."""
    places = {item.name: place_of(candidate, store, module_of(spec), item.name) for item in spec.functions}
    root = next(iter(places.values())).root
    lines = [_EXPORT.format(name=name, module=place.module) for name, place in places.items()]
    return {"__init__.py": "".join([_EXPORTS.format(root=root), *lines])}


def build_wheel(
    command: str, own: Mapping[str, str], files: Mapping[str, Member], candidate: Candidate, requirement: Requirement
) -> tuple[str, bytes]:
    """File name and bytes of the wheel. Stored, not compressed: the bytes depend on no version of zlib.

    ``own`` are the files of ours in its package: a launcher, which becomes a command, or what gives the functions.

    Raises:
        PackagingError: ``command`` cannot be the name of a program.
    """
    if _COMMAND.fullmatch(command) is None:
        raise PackagingError(f"not a name for a command: {command!r}")
    project = re.sub(r"[-_.]+", "_", command).lower().strip("_")
    module = f"{project}_app"
    version = f"{VERSION}+tree.{candidate.tree.removeprefix('sha256:')[:12]}"
    information = f"{project}-{version}.dist-info"
    members = {
        f"{module}/__init__.py": Member(b""),
        **{f"{module}/{name}": Member(text.encode()) for name, text in own.items()},
        **{f"{module}/app/{path}": member for path, member in files.items()},
        f"{information}/METADATA": Member(_metadata(command, version, candidate, requirement)),
        f"{information}/WHEEL": Member(
            b"Wheel-Version: 1.0\nGenerator: forge\nRoot-Is-Purelib: true\nTag: py3-none-any\n"
        ),
    }
    if "launcher.py" in own:
        script = f"[console_scripts]\n{command} = {module}.launcher:main\n"
        members[f"{information}/entry_points.txt"] = Member(script.encode())
    record = f"{information}/RECORD"
    return f"{project}-{version}-py3-none-any.whl", _zip({**members, record: Member(_record(members, record))})


def is_wheel_name(filename: str) -> bool:
    """True for a plain file name such as `build_wheel` gives: no directory, nothing hidden, nothing to escape."""
    return _FILENAME.fullmatch(filename) is not None


def wheel_fault(wheel: bytes, candidate: Candidate) -> str | None:
    """Why the program inside a wheel is not the candidate, or None; for links only that they are there (law 5)."""
    files = {entry.path: entry.digest for entry in candidate.files if entry.kind == "file"}
    held: dict[str, str] = {}
    try:
        with zipfile.ZipFile(io.BytesIO(wheel)) as archive:
            for member in archive.infolist():
                module, _, name = member.filename.partition("/app/")
                if name and module.endswith("_app") and member.compress_type == zipfile.ZIP_STORED:
                    held[path_text(name.encode())] = digest(archive.read(member))
    except (zipfile.BadZipFile, ValueError, NotImplementedError, EOFError) as error:
        return f"not a wheel: {error}"
    if set(held) != {entry.path for entry in candidate.files}:
        return "the wheel holds other files than the candidate"
    changed = [path for path, sealed in files.items() if held[path] != sealed]
    return f"the wheel holds other bytes than the candidate: {changed[0]}" if changed else None


def app_files(entries: tuple[FileEntry, ...], tree: Path) -> dict[str, Member]:
    """The candidate's files by name, links as the files that they lead to.

    Raises:
        PackagingError: a name that is not UTF-8, or a link to a directory.
    """
    return {_name(entry): _member(entry, tree) for entry in entries}


def _name(entry: FileEntry) -> str:
    try:
        return path_bytes(entry.path).decode("utf-8")
    except UnicodeDecodeError:
        raise PackagingError(f"{entry.path}: a wheel holds only names in UTF-8") from None


def _member(entry: FileEntry, tree: Path) -> Member:
    path = tree / _name(entry)
    try:
        return Member(path.read_bytes(), executable=bool(path.stat().st_mode & 0o111))
    except OSError as error:
        raise PackagingError(f"{entry.path}: a wheel cannot hold it: {error.strerror}") from error


def _metadata(command: str, version: str, candidate: Candidate, requirement: Requirement) -> bytes:
    title = next((line.strip("# \t") for line in requirement.text.splitlines() if line.strip("# \t")), command)
    summary = "".join(char if char.isprintable() else " " for char in title)[:200]
    lines = (
        "Metadata-Version: 2.1",
        f"Name: {command}",
        f"Version: {version}",
        f"Summary: {summary}",
        f"Requires-Python: {REQUIRES_PYTHON}",
        "Description-Content-Type: text/plain",
        "",
        f"Verified by Forge as candidate tree {candidate.tree}.",
        "",
    )
    return "\n".join(lines).encode()


def _record(members: Mapping[str, Member], record: str) -> bytes:
    text = io.StringIO()
    writer = csv.writer(text, lineterminator="\n")
    for name, member in members.items():
        hashed = base64.urlsafe_b64encode(hashlib.sha256(member.data).digest()).rstrip(b"=").decode()
        writer.writerow((name, f"sha256={hashed}", len(member.data)))
    writer.writerow((record, "", ""))
    return text.getvalue().encode()


def _zip(members: Mapping[str, Member]) -> bytes:
    buffer = io.BytesIO()
    with zipfile.ZipFile(buffer, "w", zipfile.ZIP_STORED) as archive:
        for name, member in members.items():
            information = zipfile.ZipInfo(name, _EPOCH)
            information.create_system = 3
            information.external_attr = (_EXECUTABLE if member.executable else _FILE) << 16
            archive.writestr(information, member.data)
    return buffer.getvalue()

"""A revision of a git repository, read without trusting the repository (SCN-05, SCN-47).

git works in an empty repository of ours that borrows the other's objects and the names of its revisions. So nothing of
the other's configuration is read: no hook, filter, attribute, alias, pager or helper can run, no object is fetched, and
none is replaced. Only the files of the one revision leave it; history, other branches and later commits do not.
"""

from __future__ import annotations

import os
import shutil
import stat
from collections.abc import Iterator
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path

from contracts.candidate import Candidate, FileEntry, Provenance
from contracts.canonical import digest
from contracts.paths import path_text
from sandbox.owner import run_directory
from sandbox.process import run_tool
from sandbox.workspace import MAX_BYTES, MAX_FILES, populate
from tasks.errors import InfrastructureError, UsageError
from tasks.evidence.files import read_regular
from tasks.evidence.store import Store
from tasks.trees import ingest

_TIMEOUT_S = 60
_NAMES_BYTES = 16 * 1024 * 1024
_MOST_NAMES = 20_000
_PATH = "/usr/local/bin:/usr/bin:/bin"


@dataclass(frozen=True)
class _Blob:
    path: bytes
    mode: bytes
    name: bytes
    size: int


def read_revision(repository: Path, revision: str, store: Store) -> Candidate:
    """The files of one revision, as a directory of them would be ingested; its label is the commit.

    Raises:
        UsageError: it is no repository, or has no such revision, or its files are out of bounds (BND-01 to 03).
        InfrastructureError: there is no git.
    """
    with run_directory() as private:
        git = _Git(private / "git", repository)
        commit = git.commit(revision)
        tree = private / "tree"
        tree.mkdir(mode=0o755)
        try:
            populate(tree, git.files(commit))
            return ingest(tree, store, Provenance(source="directory", label=f"git {commit}"), 0)
        except (ValueError, OSError) as error:
            raise UsageError(f"--git {revision}: {error}") from error


class _Git:
    def __init__(self, directory: Path, repository: Path) -> None:
        program = shutil.which("git", path=_PATH)
        if program is None:
            raise InfrastructureError("git is not installed: a revision cannot be read")
        self._program = program
        self._environment = {
            "PATH": _PATH,
            "HOME": "/nonexistent",
            "LC_ALL": "C",
            "GIT_DIR": str(directory),
            "GIT_CONFIG_NOSYSTEM": "1",
            "GIT_CONFIG_GLOBAL": os.devnull,
            "GIT_NO_REPLACE_OBJECTS": "1",
            "GIT_TERMINAL_PROMPT": "0",
        }
        try:
            own, shared = _directories(repository)
            names = dict(_names(own, shared))
        except OSError as error:
            raise UsageError(f"--git: the repository cannot be read: {error.filename}: {error.strerror}") from error
        kind = "sha256" if any(len(value.strip()) == 64 for value in names.values()) else "sha1"
        self._run("init", "--quiet", "--bare", "--template=", f"--object-format={kind}", str(directory))
        for name, value in names.items():
            target = directory / name
            target.parent.mkdir(parents=True, exist_ok=True)
            target.write_bytes(value)
        (directory / "objects/info").mkdir(exist_ok=True)
        (directory / "objects/info/alternates").write_bytes(os.fsencode(shared / "objects") + b"\n")

    def commit(self, revision: str) -> str:
        """The full name of a commit."""
        if not revision or "\0" in revision or not revision.isprintable():
            raise UsageError("--git: that is no name of a revision")
        found = run_tool(
            [self._program, "rev-parse", "--verify", "--quiet", "--end-of-options", revision + "^{commit}"],
            timeout_s=_TIMEOUT_S,
            environment=self._environment,
        )
        if found.exit_code != 0:
            raise UsageError(f"--git: the repository has no revision {revision}")
        return found.stdout.decode("ascii").strip()

    def files(self, commit: str) -> Iterator[tuple[FileEntry, bytes]]:
        """Entries and bytes; submodules are no files. Raises ValueError, before a file is read, where out of bounds."""
        blobs = [blob for blob in self._list(commit) if blob.mode != b"160000"]
        if len(blobs) > MAX_FILES or sum(blob.size for blob in blobs) > MAX_BYTES:
            raise ValueError(f"more than {MAX_FILES} files or {MAX_BYTES} bytes")
        wanted = b"".join(blob.name + b"\n" for blob in blobs)
        stream = memoryview(self._run("cat-file", "--batch", stdin=wanted))
        for blob in blobs:
            header = b"%b blob %d\n" % (blob.name, blob.size)
            if bytes(stream[: len(header)]) != header:
                raise ValueError(f"the object {blob.name.decode()} cannot be read")
            data = bytes(stream[len(header) : len(header) + blob.size])
            stream = stream[len(header) + blob.size + 1 :]
            yield _entry(blob, data), data

    def _list(self, commit: str) -> Iterator[_Blob]:
        for line in self._run("ls-tree", "-r", "-z", "-l", "--full-tree", commit).split(b"\0")[:-1]:
            facts, _, path = line.partition(b"\t")
            mode, _, name, size = facts.split()
            yield _Blob(path, mode, name, int(size) if size.isdigit() else 0)

    def _run(self, *arguments: str, stdin: bytes = b"") -> bytes:
        found = run_tool([self._program, *arguments], timeout_s=_TIMEOUT_S, environment=self._environment, stdin=stdin)
        if found.exit_code != 0:
            words = " ".join(found.stderr.decode("utf-8", "replace").split())[:300]
            raise UsageError(f"--git: the repository cannot be read: {words}")
        return found.stdout


def _entry(blob: _Blob, data: bytes) -> FileEntry:
    return FileEntry(
        path=path_text(blob.path),
        kind="link" if blob.mode == b"120000" else "file",
        executable=blob.mode == b"100755",
        size=len(data),
        digest=digest(data),
    )


def _directories(repository: Path) -> tuple[Path, Path]:
    """The directories of a repository's own names and of its shared ones and objects: they differ in a worktree."""
    own = repository / ".git"
    if own.is_file():
        own = repository / _line(own).removeprefix("gitdir: ")
    elif not own.is_dir():
        own = repository
    shared = own / _line(own / "commondir") if (own / "commondir").is_file() else own
    if not (shared / "objects").is_dir() or "\n" in str(shared):
        raise UsageError(f"--git: {repository} is no git repository")
    return own, shared.resolve()


def _line(path: Path) -> str:
    return os.fsdecode(read_regular(path, 4_096)).strip()


def _names(own: Path, shared: Path) -> Iterator[tuple[str, bytes]]:
    """What names revisions: HEAD, packed and loose references, as bytes of small regular files."""
    yield "HEAD", read_regular(own / "HEAD", 4_096)
    with suppress(FileNotFoundError):
        yield "packed-refs", read_regular(shared / "packed-refs", _NAMES_BYTES)
    count = 0
    for directory, folders, files in os.walk(shared / "refs"):
        folders.sort()
        for name in sorted(files):
            path = Path(directory, name)
            count += 1
            if count > _MOST_NAMES:
                raise UsageError(f"--git: more than {_MOST_NAMES} references; pack them")
            if stat.S_ISREG(path.lstat().st_mode):
                yield str(path.relative_to(shared)), read_regular(path, 4_096)

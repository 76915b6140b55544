"""A revision is read without trusting its repository: SCN-05, SCN-47."""

from __future__ import annotations

import os
import subprocess
import zlib
from collections.abc import Callable
from pathlib import Path

import pytest

from contracts.candidate import Candidate
from tasks.errors import UsageError
from tasks.evidence.store import open_store
from tasks.gate.git import read_revision

ENVIRONMENT = {
    "PATH": os.environ["PATH"],
    "HOME": "/nonexistent",
    "GIT_CONFIG_NOSYSTEM": "1",
    "GIT_CONFIG_GLOBAL": os.devnull,
    **{f"GIT_{role}_{what}": "a@b" for role in ("AUTHOR", "COMMITTER") for what in ("NAME", "EMAIL")},
}


class Repository:
    def __init__(self, path: Path) -> None:
        self.path = path
        self.git("init", "-q", "-b", "main", str(path), cwd=path.parent)

    def git(self, *arguments: str, cwd: Path | None = None) -> str:
        done = subprocess.run(
            ["git", *arguments], cwd=cwd or self.path, env=ENVIRONMENT, check=True, capture_output=True, timeout=30
        )
        return done.stdout.decode().strip()

    def commit(self, files: dict[str, str]) -> str:
        for name, text in files.items():
            (self.path / name).parent.mkdir(parents=True, exist_ok=True)
            (self.path / name).write_text(text)
        self.git("add", "-A")
        self.git("commit", "-q", "-m", "x")
        return self.git("rev-parse", "HEAD")


@pytest.fixture
def repository(tmp_path: Path) -> Repository:
    return Repository(tmp_path / "repository")


@pytest.fixture
def read(tmp_path: Path, repository: Repository) -> Callable[..., Candidate]:
    store = open_store(str(tmp_path / "store"))
    return lambda revision, path=repository.path: read_revision(path, revision, store)


def names(candidate: Candidate) -> list[str]:
    return [entry.path for entry in candidate.files]


def content(candidate: Candidate, path: str, store: Path) -> bytes:
    (entry,) = (entry for entry in candidate.files if entry.path == path)
    return open_store(str(store)).get(entry.digest)


def test_the_files_of_one_revision(repository: Repository, read: Callable[..., Candidate], tmp_path: Path) -> None:
    """SCN-05: neither history, nor a later commit, nor what is not committed."""
    first = repository.commit({"a.py": "one", "b/c.py": "c"})
    repository.commit({"a.py": "two", "secret.py": "later"})
    (repository.path / "a.py").write_text("not committed")
    found = read(first)
    assert names(found) == ["a.py", "b/c.py"]
    assert content(found, "a.py", tmp_path / "store") == b"one"
    assert found.provenance.label == f"git {first}"
    assert read("main~1").tree == found.tree
    assert names(read("HEAD")) == ["a.py", "b/c.py", "secret.py"]


def test_modes_and_links_are_kept(repository: Repository, read: Callable[..., Candidate]) -> None:
    (repository.path / "run.sh").write_text("true")
    (repository.path / "run.sh").chmod(0o755)
    (repository.path / "link").symlink_to("run.sh")
    (repository.path / "out").symlink_to("/etc/passwd")
    found = read(repository.commit({"a": ""}))
    assert [(entry.path, entry.kind, entry.executable) for entry in found.files] == [
        ("a", "file", False),
        ("link", "link", False),
        ("run.sh", "file", True),
    ]
    assert [item.path for item in found.dropped] == ["out"]


def test_scn_47_nothing_of_the_repository_runs(
    repository: Repository, read: Callable[..., Candidate], tmp_path: Path
) -> None:
    """Planted: a monitor, hooks, filters, a pager, aliases, an include and a fetch that would leave a file."""
    repository.commit({"a.txt": "as committed\r\n"})
    commit = repository.commit({".gitattributes": "* filter=evil ident export-subst\n"})
    trap = tmp_path / "trap"
    trap.write_text(f"#!/bin/sh\necho ran >> {tmp_path}/ran\nexit 1\n")
    trap.chmod(0o755)
    settings = {
        "core.fsmonitor": str(trap),
        "core.pager": str(trap),
        "core.sshCommand": str(trap),
        "core.hooksPath": str(tmp_path),
        "core.alternateRefsCommand": str(trap),
        "filter.evil.smudge": str(trap),
        "filter.evil.clean": str(trap),
        "alias.rev-parse": f"!{trap}",
        "alias.cat-file": f"!{trap}",
        "remote.origin.url": f"ext::{trap}",
        "remote.origin.promisor": "true",
        "remote.origin.uploadpack": str(trap),
        "extensions.partialClone": "origin",
        "protocol.ext.allow": "always",
    }
    for name, value in settings.items():
        repository.git("config", name, value)
    for hook in ("post-checkout", "reference-transaction", "pre-auto-gc"):
        (repository.path / ".git" / "hooks").mkdir(exist_ok=True)
        (repository.path / ".git" / "hooks" / hook).write_text(trap.read_text())
        (repository.path / ".git" / "hooks" / hook).chmod(0o755)
    found = read(commit)
    assert content(found, "a.txt", tmp_path / "store") == b"as committed\r\n"
    objects = (repository.path / ".git" / "objects").glob("[0-9a-f][0-9a-f]/*")
    (blob,) = (path for path in objects if b"as committed" in zlib.decompress(path.read_bytes()))
    blob.unlink()
    with pytest.raises(UsageError):
        read(commit)
    assert not (tmp_path / "ran").exists()
    with pytest.raises(subprocess.CalledProcessError):  # the trap is a real one: git itself falls into it
        repository.git("cat-file", "-p", f"{commit}:a.txt")
    assert (tmp_path / "ran").exists()


def test_objects_are_not_replaced(repository: Repository, read: Callable[..., Candidate], tmp_path: Path) -> None:
    commit = repository.commit({"a": "real"})
    (tmp_path / "false").write_text("false")
    false = repository.git("hash-object", "-w", str(tmp_path / "false"))
    repository.git("replace", repository.git("rev-parse", f"{commit}:a"), false)
    assert content(read(commit), "a", tmp_path / "store") == b"real"


def test_submodules_pointers_and_nested_repositories(
    repository: Repository, read: Callable[..., Candidate], tmp_path: Path
) -> None:
    """SCN-47: a submodule is no file, a large-file pointer stays the pointer that was committed."""
    pointer = "version https://git-lfs.github.com/spec/v1\noid sha256:0\nsize 1\n"
    commit = repository.commit({"big.bin": pointer, ".gitattributes": "*.bin filter=lfs\n"})
    repository.git("update-index", "--add", "--cacheinfo", f"160000,{commit},sub")
    repository.git("commit", "-q", "-m", "submodule")
    found = read("HEAD")
    assert names(found) == [".gitattributes", "big.bin"]
    assert content(found, "big.bin", tmp_path / "store").decode() == pointer


def test_packed_bare_and_linked_repositories(
    repository: Repository, read: Callable[..., Candidate], tmp_path: Path
) -> None:
    commit = repository.commit({"a": "x"})
    repository.git("tag", "-a", "-m", "x", "v1")
    repository.git("gc", "-q")
    assert read("v1").provenance.label == f"git {commit}"
    repository.git("worktree", "add", "-q", str(tmp_path / "linked"), "-b", "other")
    assert names(read("HEAD", tmp_path / "linked")) == ["a"]
    repository.git("clone", "-q", "--bare", str(repository.path), str(tmp_path / "bare"))
    assert names(read("main", tmp_path / "bare")) == ["a"]


def test_no_bytes_of_a_name_are_lost(repository: Repository, read: Callable[..., Candidate]) -> None:
    """ENC-05, SBX-18."""
    (repository.path / b"caf\xe9\n".decode("utf-8", "surrogateescape")).write_text("x")
    assert names(read(repository.commit({"a": ""}))) == ["a", "caf%E9%0A"]


@pytest.mark.parametrize("revision", ["", "nowhere", "--help", "HEAD:a", "-c", "a\0b", "a\nb", "--output=/tmp/x"])
def test_a_name_of_no_revision_is_a_usage_error(
    repository: Repository, read: Callable[..., Candidate], revision: str
) -> None:
    repository.commit({"a": "x"})
    with pytest.raises(UsageError):
        read(revision)


def test_bnd_03_bounds_are_checked_before_a_file_is_read(
    repository: Repository, read: Callable[..., Candidate], monkeypatch: pytest.MonkeyPatch
) -> None:
    commit = repository.commit({"a": "x" * 10, "b": "y"})
    monkeypatch.setattr("tasks.gate.git.MAX_BYTES", 10)
    with pytest.raises(UsageError, match="10 bytes"):
        read(commit)


def test_a_directory_that_is_no_repository(tmp_path: Path, read: Callable[..., Candidate]) -> None:
    (tmp_path / "plain").mkdir()
    with pytest.raises(UsageError, match="no git repository"):
        read("HEAD", tmp_path / "plain")
    (tmp_path / "plain" / ".git").write_text("gitdir: /nonexistent\n")
    with pytest.raises(UsageError, match="no git repository"):
        read("HEAD", tmp_path / "plain")


def test_a_repository_with_a_pipe_for_a_name_is_a_usage_error(repository: Repository, tmp_path: Path) -> None:
    """CLI-12: what a user points at cannot be read; the infrastructure is not at fault."""
    repository.commit({"a": "1"})
    head = repository.path / ".git/HEAD"
    head.unlink()
    os.mkfifo(head)
    with pytest.raises(UsageError, match="HEAD: not a regular file"):
        read_revision(repository.path, "HEAD", open_store(str(tmp_path / "store")))

"""Law 5: what goes into the store comes out again, to the byte, or not at all. EVI-05: plain git agrees."""

from __future__ import annotations

import os
import subprocess
import tempfile
from collections.abc import Callable
from pathlib import Path

import pytest

from contracts.candidate import Candidate, FileEntry, Provenance, tree_digest
from contracts.canonical import digest
from sandbox.workspace import remove
from tasks.errors import SealMismatch, StoreError
from tasks.evidence.store import DirectoryStore
from tasks.trees import git_tree, ingest, materialise

PROVENANCE = Provenance(source="directory", label="test")


@pytest.fixture
def store(tmp_path: Path) -> DirectoryStore:
    return DirectoryStore(tmp_path / "store")


@pytest.fixture
def tree(tmp_path: Path) -> Path:
    root = tmp_path / "candidate"
    (root / "pkg.d" / "sub").mkdir(parents=True)
    (root / "pkg").mkdir()
    (root / "main.py").write_bytes(b"print('EMPTY')\n")
    (root / "run.sh").write_bytes(b"#!/bin/sh\n")
    (root / "run.sh").chmod(0o755)
    (root / "pkg" / "empty").write_bytes(b"")
    (root / "pkg-x").write_bytes(b"sorts between pkg and pkg/ in git\r\n")
    (root / "pkg.d" / "sub" / "100%.txt").write_bytes(b"%")
    Path(os.fsdecode(os.fsencode(root) + b"/latin-\xe9")).write_bytes(b"\xe9")
    (root / "link").symlink_to("pkg.d/sub/100%.txt")
    return root


def test_a_tree_comes_back_to_the_byte(tree: Path, store: DirectoryStore) -> None:
    candidate = ingest(tree, store, PROVENANCE, 3)
    assert candidate.attempt == 3
    assert candidate.tree == tree_digest(candidate.files)
    with materialise(candidate, store) as copy:
        assert ingest(copy, store, PROVENANCE, 3) == candidate
        assert copy.joinpath("run.sh").stat().st_mode & 0o777 == 0o755
        assert copy.joinpath("link").read_bytes() == b"%"
        assert copy.stat().st_mode & 0o777 == 0o755
        assert copy.parent.stat().st_mode & 0o777 == 0o711
    assert not copy.parent.exists()


def test_evi_05_git_computes_the_same_tree(tree: Path, store: DirectoryStore, tmp_path: Path) -> None:
    candidate = ingest(tree, store, PROVENANCE, 0)
    environment = {
        "GIT_DIR": str(tmp_path / "git"),
        "GIT_WORK_TREE": str(tree),
        "PATH": os.environ["PATH"],
        "HOME": "/",
    }

    def git(*arguments: str) -> str:
        command = ["git", "-c", "core.autocrlf=false", "-c", "init.defaultBranch=main", *arguments]
        done = subprocess.run(command, env=environment, cwd=tree, check=True, capture_output=True, text=True)
        return done.stdout.strip()

    git("init", "--quiet")
    git("add", "--all")
    assert git_tree(candidate, store) == git("write-tree")


def test_an_empty_tree_has_gits_well_known_name(tmp_path: Path, store: DirectoryStore) -> None:
    (tmp_path / "nothing").mkdir()
    candidate = ingest(tmp_path / "nothing", store, PROVENANCE, 0)
    assert git_tree(candidate, store) == "4b825dc642cb6eb9a060e54bf8d69288fbee4904"
    with materialise(candidate, store) as copy:
        assert list(copy.iterdir()) == []


def entry(path: str, data: bytes = b"x", kind: str = "file") -> FileEntry:
    return FileEntry(path=path, kind=kind, executable=False, size=len(data), digest=digest(data))


def candidate_of(*files: FileEntry) -> Candidate:
    return Candidate(files=files, tree=tree_digest(files), dropped=(), provenance=PROVENANCE, attempt=0)


FORGED: dict[str, Callable[[], Candidate]] = {
    "other_tree_digest": lambda: candidate_of(entry("a")).model_copy(update={"tree": digest(b"another")}),
    "path_outside": lambda: candidate_of(entry("../a")),
    "absolute_path": lambda: candidate_of(entry("/a")),
    "escaped_path_outside": lambda: candidate_of(entry("%2E%2E/a")),
    "link_outside": lambda: candidate_of(entry("a", b"/etc/passwd", "link")),
    "wrong_size": lambda: candidate_of(entry("a").model_copy(update={"size": 2})),
    "unsorted": lambda: candidate_of(entry("b"), entry("a")),
}


@pytest.mark.parametrize("defect", FORGED)
def test_law_5_a_forged_candidate_is_refused(defect: str, store: DirectoryStore) -> None:
    for data in (b"x", b"/etc/passwd"):
        store.put(data)
    with pytest.raises(SealMismatch), materialise(FORGED[defect](), store):
        pytest.fail("the tree was handed out")


def test_a_file_below_a_link_is_not_written_through_it(store: DirectoryStore, tmp_path: Path) -> None:
    target = os.fsencode(tmp_path)
    store.put(target)
    store.put(b"x")
    forged = candidate_of(entry("a", target, "link"), entry("a/planted"))
    with pytest.raises(Exception, match="tree"), materialise(forged, store):
        pytest.fail("the tree was handed out")
    assert not (tmp_path / "planted").exists()


def test_a_missing_or_changed_blob_is_refused(tree: Path, store: DirectoryStore) -> None:
    candidate = ingest(tree, store, PROVENANCE, 0)
    blob = store.root / "sha256" / digest(b"%").removeprefix("sha256:")
    blob.unlink()
    with pytest.raises(StoreError), materialise(candidate, store):
        pytest.fail("the tree was handed out")
    blob.write_bytes(b"&")
    with pytest.raises(StoreError), materialise(candidate, store):
        pytest.fail("the tree was handed out")


def test_nothing_is_left_after_a_refusal(
    store: DirectoryStore, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / "private").mkdir()
    monkeypatch.setattr(tempfile, "tempdir", str(tmp_path / "private"))
    store.put(b"x")
    with pytest.raises(SealMismatch), materialise(candidate_of(entry("../a")), store):
        pytest.fail("the tree was handed out")
    assert list((tmp_path / "private").iterdir()) == []


def test_sbx_15_any_depth(tmp_path: Path, store: DirectoryStore) -> None:
    """Deeper than Python's recursion limit and than the longest path that the system takes."""
    deep = candidate_of(entry("/".join(["directory"] * 1_500) + "/file"))
    store.put(b"x")
    with materialise(deep, store) as copy:
        assert ingest(copy, store, PROVENANCE, 0) == deep
    assert not copy.parent.exists()
    assert len(git_tree(deep, store)) == 40
    remove(tmp_path / "gone already")

"""EVI-20, EVI-23: content-addressed, create-once, whole or absent, hashed again on every read."""

from __future__ import annotations

import errno
import hashlib
import os
import signal
import subprocess
import sys
from pathlib import Path

import pytest

from contracts.canonical import digest
from tasks.errors import StoreError, UsageError
from tasks.evidence import files
from tasks.evidence.store import DirectoryStore, open_store

ROOT = Path(__file__).parents[3]


@pytest.fixture
def store(tmp_path: Path) -> DirectoryStore:
    return DirectoryStore(tmp_path / "store")


def blob_path(store: DirectoryStore, name: str) -> Path:
    return store.root / "sha256" / name.removeprefix("sha256:")


@pytest.mark.parametrize("data", [b"", b"x", b"\0" * 100_000], ids=["empty", "byte", "long"])
def test_evi_20_put_and_get(store: DirectoryStore, data: bytes) -> None:
    name = store.put(data)
    assert name == digest(data)
    assert store.put(data) == name
    assert store.get(name) == data


def test_evi_23_layout_is_what_sha256sum_reads(store: DirectoryStore) -> None:
    name = store.put(b"words\n")
    assert [path.name for path in (store.root / "sha256").iterdir()] == [hashlib.sha256(b"words\n").hexdigest()]
    assert blob_path(store, name).read_bytes() == b"words\n"


@pytest.mark.parametrize("wrong", [b"wordz", b"word", b"wordss", b""])
def test_evi_pitfall_19_right_name_wrong_bytes(store: DirectoryStore, wrong: bytes) -> None:
    name = store.put(b"words")
    path = blob_path(store, name)
    path.unlink()
    path.write_bytes(wrong)
    with pytest.raises(StoreError, match="other bytes"):
        store.get(name)
    with pytest.raises(StoreError):
        store.put(b"words")


def test_a_missing_blob_is_a_store_error(store: DirectoryStore) -> None:
    with pytest.raises(StoreError, match="has no"):
        store.get(digest(b"never"))


@pytest.mark.parametrize("name", ["", "sha256:..", "sha256:../../etc/passwd", "md5:" + "0" * 64, digest(b"") + "\n"])
def test_names_that_are_no_digests_reach_no_file(store: DirectoryStore, name: str) -> None:
    with pytest.raises(StoreError, match="not a digest"):
        store.get(name)


def test_a_pipe_under_the_name_does_not_block(store: DirectoryStore) -> None:
    name = store.put(b"words")
    blob_path(store, name).unlink()
    os.mkfifo(blob_path(store, name))
    with pytest.raises(StoreError, match="not a regular file"):
        store.get(name)


def test_evi_20_a_record_is_created_once(store: DirectoryStore) -> None:
    store.put_record("run-1", b"{}")
    store.put_record("run-1", b"{}")
    with pytest.raises(StoreError, match="other bytes"):
        store.put_record("run-1", b"[]")
    assert store.get_record("run-1") == b"{}"
    with pytest.raises(StoreError, match="has no"):
        store.get_record("run-2")


@pytest.mark.parametrize("run", ["", "../x", "a/b", ".hidden", "a\n", "a" * 101])
def test_names_of_runs_reach_no_other_file(store: DirectoryStore, run: str) -> None:
    """REC-18: a name is one, or it is refused."""
    with pytest.raises(StoreError, match="not the name"):
        store.put_record(run, b"{}")


@pytest.mark.parametrize("location", ["", "gs://bucket/prefix"])
def test_a_location_of_another_kind_is_a_usage_error(location: str) -> None:
    with pytest.raises(UsageError):
        open_store(location)


def test_evi_23_file_systems_without_unnamed_files(store: DirectoryStore, monkeypatch: pytest.MonkeyPatch) -> None:
    real = os.open

    def without_tmpfile(path: str, flags: int, mode: int = 0o777, *, dir_fd: int | None = None) -> int:
        if flags & os.O_TMPFILE == os.O_TMPFILE:
            raise OSError(errno.EOPNOTSUPP, "not supported")
        return real(path, flags, mode, dir_fd=dir_fd)

    monkeypatch.setattr(files.os, "open", without_tmpfile)
    name = store.put(b"words")
    assert store.put(b"words") == name
    assert store.get(name) == b"words"
    assert len(list((store.root / "sha256").iterdir())) == 1, "the hidden file is gone"


def test_a_full_disk_is_a_store_error(store: DirectoryStore, monkeypatch: pytest.MonkeyPatch) -> None:
    def full(descriptor: int, data: object) -> int:
        raise OSError(errno.ENOSPC, os.strerror(errno.ENOSPC))

    monkeypatch.setattr(files.os, "write", full)
    with pytest.raises(StoreError, match="No space left"):
        store.put(b"words")
    assert list((store.root / "sha256").iterdir()) == []


WRITER = """
import sys
from pathlib import Path
from tasks.evidence.store import DirectoryStore
store = DirectoryStore(Path(sys.argv[1]))
print("ready", flush=True)
for number in range(int(sys.argv[2])):
    store.put(b"%d" % number * 50_000)
    store.put_record("run-%d" % number, b"%d" % number * 1_000)
"""


def writer(root: Path, count: int) -> subprocess.Popen[bytes]:
    command = [sys.executable, "-c", WRITER, str(root), str(count)]
    return subprocess.Popen(command, stdout=subprocess.PIPE, cwd=ROOT)


def test_evi_23_concurrent_writers(store: DirectoryStore) -> None:
    writers = [writer(store.root, 25) for _ in range(4)]
    for process in writers:
        with process:
            assert process.wait(60) == 0
    for number in range(25):
        data = b"%d" % number * 50_000
        assert store.get(digest(data)) == data
        assert store.get_record(f"run-{number}") == b"%d" % number * 1_000


HALF = """
import os, signal, sys
from pathlib import Path
from tasks.evidence import files
from tasks.evidence.store import DirectoryStore
def half(descriptor, data, write=os.write):
    write(descriptor, data[: len(data) // 2])
    os.kill(os.getpid(), signal.SIGKILL)
if sys.argv[2] == "named":
    files._link_new = files._link_named
files.os.write = half
DirectoryStore(Path(sys.argv[1])).put(b"words" * 1_000)
"""


@pytest.mark.parametrize("way", ["unnamed", "named"])
def test_evi_23_a_killed_writer_leaves_no_half_written_file(store: DirectoryStore, way: str) -> None:
    """The child is killed inside a write, between two chunks: the worst moment there is."""
    child = subprocess.run([sys.executable, "-c", HALF, str(store.root), way], cwd=ROOT, check=False)
    assert child.returncode == -signal.SIGKILL
    data = b"words" * 1_000
    with pytest.raises(StoreError, match="has no"):
        store.get(digest(data))
    assert list((store.root / "sha256").glob("[!.]*")) == []
    assert store.get(store.put(data)) == data


@pytest.mark.slow
def test_evi_23_writers_killed_at_any_moment(store: DirectoryStore) -> None:
    for delay in range(20):
        process = writer(store.root, 10_000)
        with process:
            assert process.stdout is not None
            process.stdout.readline()
            try:
                process.wait(delay / 200)
            except subprocess.TimeoutExpired:
                process.kill()
        for path in store.root.glob("sha256/[!.]*"):
            store.get(f"sha256:{path.name}")
        for path in store.root.glob("runs/*.json"):
            number = path.stem.removeprefix("run-")
            assert store.get_record(path.stem) == number.encode() * 1_000


def test_what_is_kept_already_is_not_written_again(store: DirectoryStore, monkeypatch: pytest.MonkeyPatch) -> None:
    """A tree of thousands of files is checked again and again; each write of one waits for the disk."""
    name = store.put(b"words")
    monkeypatch.setattr(files, "_link_new", None)
    assert store.put(b"words") == name

"""OUT: a record directory is written whole or not at all, and never over something that is there."""

from __future__ import annotations

import fcntl
import os
import signal
import subprocess
import sys
import textwrap
from pathlib import Path
from typing import Any

import pytest

from contracts.canonical import digest
from tasks.errors import OutputError, StoreError
from tasks.evidence.export import export
from tasks.evidence.trust import Trust
from tasks.evidence.verify import verify_record

ROOT = Path(__file__).parents[3]


def test_what_is_exported_stands_alone(maker: Any, tmp_path: Path) -> None:
    """VER-01: neither the store nor a network is needed."""
    record = maker.record("verified")
    file = export(record, maker.store, tmp_path / "a" / "out")
    assert file == tmp_path / "a" / "out" / "record.json"
    assert file.read_bytes() == record.canonical()
    for blob in (file.parent / "blobs" / "sha256").iterdir():
        assert digest(blob.read_bytes()) == f"sha256:{blob.name}"
    maker.store.root.rename(tmp_path / "store elsewhere")
    assert verify_record(file, trusted=Trust.of(maker.key.public)).run == "run-1"


@pytest.mark.parametrize("kind", ["file", "directory", "empty", "dangling"])
def test_an_existing_destination_is_refused_and_left_alone(maker: Any, tmp_path: Path, kind: str) -> None:
    """REC-20, OUT-05, OUT-13: what stands there is never touched."""
    out = tmp_path / "out"
    if kind == "file":
        out.write_bytes(b"mine")
    elif kind == "dangling":
        out.symlink_to("nowhere")
    else:
        out.mkdir()
        if kind == "directory":
            (out / "mine").touch()
    before = sorted(tmp_path.rglob("*"))
    record = maker.record("underspecified")
    with pytest.raises(OutputError, match="exists"):
        export(record, maker.store, out)
    assert [path for path in before if not os.path.lexists(path)] == []
    assert not list(tmp_path.glob(".out*"))


def test_a_parent_that_is_no_directory_is_an_output_error(maker: Any, tmp_path: Path) -> None:
    (tmp_path / "file").touch()
    with pytest.raises(OutputError):
        export(maker.record("underspecified"), maker.store, tmp_path / "file" / "out")


def test_a_missing_blob_leaves_nothing_behind(maker: Any, tmp_path: Path) -> None:
    record = maker.record("verified")
    for blob in (maker.store.root / "sha256").iterdir():
        blob.unlink()
    with pytest.raises(StoreError):
        export(record, maker.store, tmp_path / "out")
    assert not (tmp_path / "out").exists()
    assert not list(tmp_path.glob(".out*"))


KILLED = """
import os, signal, sys
from pathlib import Path
from contracts.evidence import Record
from contracts.loading import load_document
from tasks.evidence import export as module
from tasks.evidence.store import DirectoryStore
count = int(sys.argv[3])
def create(path, data, mode=0o444, real=module.create_once):
    if path.name == "record.json":
        os.kill(os.getpid(), signal.SIGKILL)
    return real(path, data, mode)
module.create_once = create
store = DirectoryStore(Path(sys.argv[1]))
record = load_document(Record, store.get_record("run-1"))
module.export(record, store, Path(sys.argv[2]))
"""


def test_leftovers_of_a_killed_export_are_removed_by_the_next(maker: Any, tmp_path: Path) -> None:
    """OUT-06, OUT-12: all or nothing."""
    record = maker.record("verified")
    maker.store.put_record("run-1", record.canonical())
    out = tmp_path / "out[1]*"
    code = textwrap.dedent(KILLED)
    command = [sys.executable, "-c", code, str(maker.store.root), str(out), "0"]
    child = subprocess.run(command, cwd=ROOT, check=False, capture_output=True)
    assert child.returncode == -signal.SIGKILL, child.stderr
    assert not out.exists()
    assert len([path for path in tmp_path.iterdir() if path.name.startswith(".out[1]*")]) == 1
    export(record, maker.store, out)
    assert not [path for path in tmp_path.iterdir() if path.name.startswith(".out[1]*")]


def test_what_a_living_export_builds_is_left_alone(maker: Any, tmp_path: Path) -> None:
    building = tmp_path / ".out.export-0123"
    building.mkdir()
    descriptor = os.open(building, os.O_RDONLY)
    try:
        fcntl.flock(descriptor, fcntl.LOCK_EX)
        export(maker.record("underspecified"), maker.store, tmp_path / "out")
        assert building.exists()
    finally:
        os.close(descriptor)


def test_a_link_in_the_place_of_leftovers_is_not_followed(maker: Any, tmp_path: Path) -> None:
    (tmp_path / "mine").mkdir()
    (tmp_path / "mine" / "file").touch()
    (tmp_path / ".out.export-0123").symlink_to("mine")
    export(maker.record("underspecified"), maker.store, tmp_path / "out")
    assert (tmp_path / "mine" / "file").exists()


@pytest.mark.parametrize("name", ["../tool.whl", "a/b.whl", ".hidden", ""])
def test_a_package_name_stays_inside(maker: Any, tmp_path: Path, name: str) -> None:
    models = maker.all_models("verified")
    models[-2] = models[-2].model_copy(update={"filename": name})
    with pytest.raises(OutputError, match="not a name"):
        export(maker.seal(models), maker.store, tmp_path / "out")
    assert not (tmp_path / "tool.whl").exists()

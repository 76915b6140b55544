"""The one traversal: bounded, contained, bytes for names, any depth."""

from __future__ import annotations

import os
from pathlib import Path

import pytest

from contracts.candidate import FileEntry
from contracts.canonical import digest
from sandbox import workspace
from sandbox.workspace import populate, remove, scan


def names(root: Path) -> list[str]:
    return [file.entry.path for file in scan(root)[0]]


def test_files_come_sorted_by_raw_path_with_mode_and_bytes(tmp_path: Path) -> None:
    """SBX-11, SBX-16."""
    (tmp_path / "b").mkdir()
    (tmp_path / "b" / "x").write_bytes(b"\0\xff")
    (tmp_path / "a").write_bytes(b"run")
    (tmp_path / "a").chmod(0o755)
    files, dropped = scan(tmp_path)
    assert [(file.entry.path, file.entry.executable, file.data) for file in files] == [
        ("a", True, b"run"),
        ("b/x", False, b"\0\xff"),
    ]
    assert files[1].entry.digest == digest(b"\0\xff")
    assert dropped == []


def test_links_inside_survive_and_absolute_ones_become_relative(tmp_path: Path) -> None:
    """SCN-45, DEC-07."""
    (tmp_path / "d").mkdir()
    (tmp_path / "d" / "file").write_text("x")
    (tmp_path / "d" / "up").symlink_to("../top")
    (tmp_path / "top").write_text("t")
    (tmp_path / "absolute").symlink_to(tmp_path / "d" / "file")
    (tmp_path / "directory").symlink_to("d")
    (tmp_path / "through").symlink_to("directory/up")
    files, dropped = scan(tmp_path)
    links = {file.entry.path: file.data for file in files if file.entry.kind == "link"}
    assert links == {
        "absolute": b"d/file",
        "d/up": b"../top",
        "directory": b"d",
        "through": b"directory/up",
    }
    assert dropped == []


@pytest.mark.parametrize(
    ("target", "reason"),
    [
        ("nothing", "dangling"),
        ("file/below", "dangling"),
        ("/etc/passwd", "points outside the tree"),
        ("../outside", "points outside the tree"),
        ("sub/../../outside", "points outside the tree"),
        ("link", "loops"),
        ("other", "loops"),
    ],
)
def test_links_that_lead_nowhere_inside_are_dropped_and_listed(tmp_path: Path, target: str, reason: str) -> None:
    """SBX-12, SBX-13."""
    root = tmp_path / "root"
    (root / "sub").mkdir(parents=True)
    (tmp_path / "outside").write_text("secret")
    (root / "file").write_text("kept")
    (root / "other").symlink_to("link")
    (root / "link").symlink_to(target)
    files, dropped = scan(root)
    assert [file.entry.path for file in files] == ["file"]
    assert {item.path: item.reason for item in dropped}["link"] == f"link: {reason}"


def test_special_files_are_dropped_and_listed(tmp_path: Path) -> None:
    """SBX-12: a FIFO is never opened, so nothing blocks."""
    os.mkfifo(tmp_path / "fifo")
    files, dropped = scan(tmp_path)
    assert files == []
    assert [(item.path, item.reason) for item in dropped] == [("fifo", "special file: FIFO")]


def test_scn_05_and_47_version_control_and_caches_are_left_out_and_listed(tmp_path: Path) -> None:
    for directory in (".git/objects", "vendored/.hg", "lib/__pycache__"):
        (tmp_path / directory).mkdir(parents=True)
        (tmp_path / directory / "file").write_text("x")
    (tmp_path / "module").mkdir()
    (tmp_path / "module" / ".git").write_text("gitdir: ../elsewhere\n")
    (tmp_path / "module" / ".gitignore").write_text("x\n")
    files, dropped = scan(tmp_path)
    assert [file.entry.path for file in files] == ["module/.gitignore"]
    assert {item.path for item in dropped} == {".git", "vendored/.hg", "lib/__pycache__", "module/.git"}


def test_names_are_bytes(tmp_path: Path) -> None:
    """SBX-18, ENC-05, SCN-43."""
    raw = os.fsencode(tmp_path) + b"/\xff\n%"
    Path(os.fsdecode(raw)).write_bytes(b"z")
    assert names(tmp_path) == ["%FF%0A%25"]
    copy = tmp_path / "copy"
    copy.mkdir()
    populate(copy, [(file.entry, file.data) for file in scan(tmp_path)[0]])
    assert [os.fsencode(item.name) for item in copy.iterdir()] == [b"\xff\n%"]


def test_any_depth_is_read_written_and_removed(tmp_path: Path) -> None:
    """SBX-15: deeper than the recursion limit and than PATH_MAX."""
    entry = FileEntry(
        path="/".join(["dddd"] * 1_100 + ["f"]), kind="file", executable=False, size=1, digest=digest(b"x")
    )
    root, copy = tmp_path / "root", tmp_path / "copy"
    root.mkdir()
    copy.mkdir()
    populate(root, [(entry, b"x")])
    files, _ = scan(root)
    assert [file.entry for file in files] == [entry]
    populate(copy, [(file.entry, file.data) for file in files])
    remove(root)
    remove(copy)
    assert not root.exists()
    assert not copy.exists()


def test_bounds_are_found_before_the_bytes_are_read(tmp_path: Path) -> None:
    """BND-01 to BND-03: a sparse terabyte costs nothing."""
    with (tmp_path / "huge").open("wb") as file:
        file.truncate(1 << 40)
    with pytest.raises(ValueError, match="268435456 bytes"):
        scan(tmp_path)


def test_the_number_of_files_is_bounded(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """BND-01."""
    monkeypatch.setattr(workspace, "MAX_FILES", 3)
    for index in range(3):
        (tmp_path / str(index)).touch()
    assert len(names(tmp_path)) == 3
    (tmp_path / "3").symlink_to("0")
    with pytest.raises(ValueError, match="more than 3 files"):
        scan(tmp_path)


def test_the_root_is_checked_at_once(tmp_path: Path) -> None:
    """SBX-17."""
    (tmp_path / "file").touch()
    for wrong in ("", 123, "a-string"):
        with pytest.raises(ValueError, match="not a path"):
            scan(wrong)  # type: ignore[arg-type]  # what a caller without a type checker passes
    for wrong in ("missing", "file"):
        with pytest.raises(FileNotFoundError):
            scan(tmp_path / wrong)


def test_what_is_written_is_what_was_sealed(tmp_path: Path) -> None:
    """Law 5: bytes that do not match, and paths that leave the tree, are refused."""
    entry = FileEntry(path="a", kind="file", executable=False, size=1, digest=digest(b"x"))
    with pytest.raises(ValueError, match="digest"):
        populate(tmp_path, [(entry, b"y")])
    for path in ("../a", "/a", "b//a", "%2E%2E/a"):
        with pytest.raises(ValueError, match="not a path inside"):
            populate(tmp_path, [(entry.model_copy(update={"path": path}), b"x")])


def test_writing_follows_no_link(tmp_path: Path) -> None:
    """A link among the entries cannot carry a later entry outside the tree."""
    link = FileEntry(path="d", kind="link", executable=False, size=3, digest=digest(b"../"))
    file = FileEntry(path="d/f", kind="file", executable=False, size=1, digest=digest(b"x"))
    root = tmp_path / "root"
    root.mkdir()
    with pytest.raises(OSError, match="d"):
        populate(root, [(link, b"../"), (file, b"x")])
    assert not (tmp_path / "f").exists()

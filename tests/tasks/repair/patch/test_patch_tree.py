"""The tree around a patch: links, roots, bounds, names of one file, failures of the disk, what is reported."""

from __future__ import annotations

import errno
import os
import stat
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest

from contracts.patch import MAX_REJECTIONS
from sandbox.workspace import remove
from tasks.repair.patch import Code, PatchError, apply_patch, commit, parse, stage
from tasks.repair.patch.errors import refusal, rejection
from tasks.repair.patch.hunks import How, Placement
from tasks.repair.patch.model import Kind

EDIT = "--- a/f\n+++ b/f\n@@ -1,3 +1,3 @@\n a\n-b\n+x\n c\n"
NEW = "--- /dev/null\n+++ b/{0}\n@@ -0,0 +1 @@\n+new\n"
GONE = "--- a/{0}\n+++ /dev/null\n@@ -1 +0,0 @@\n-old\n"


@pytest.fixture
def root(tmp_path: Path) -> Path:
    root = tmp_path / "root"
    root.mkdir()
    (root / "f").write_bytes(b"a\nb\nc\n")
    return root


def snapshot(root: Path) -> dict[str, tuple[int, int, bytes]]:
    """Every name with its mode, its content or target, and the inode but of a directory."""
    found = {}
    for path in root.rglob("*"):
        status = path.lstat()
        data = os.fsencode(path.readlink()) if path.is_symlink() else path.read_bytes() if path.is_file() else b""
        found[str(path.relative_to(root))] = (status.st_mode, 0 if path.is_dir() else status.st_ino, data)
    return found


@pytest.fixture
def deep(tmp_path: Path) -> Iterator[Path]:
    """A directory for trees so deep that only `remove` takes them away again."""
    place = tmp_path / ("r" * 150)
    place.mkdir()
    yield place
    remove(place)


def dig(root: Path, name: str, depth: int) -> int:
    """A descriptor of a directory ``depth`` levels down."""
    descriptor = os.open(root, os.O_RDONLY)
    for _ in range(depth):
        os.mkdir(name, dir_fd=descriptor)
        below = os.open(name, os.O_RDONLY, dir_fd=descriptor)
        os.close(descriptor)
        descriptor = below
    return descriptor


def codes(root: Path, patch: str) -> set[Code]:
    """The codes of a refusal that leaves the tree as it is (PAT-37)."""
    before = snapshot(root.parent)
    with pytest.raises(PatchError) as caught:
        apply_patch(root, patch)
    assert snapshot(root.parent) == before
    return {reason.code for reason in caught.value.reasons}


def test_a_target_that_is_a_link_is_refused(root: Path) -> None:
    (root / "g").write_bytes(b"a\nb\nc\n")
    (root / "inside").symlink_to("g")
    (root / "dangling").symlink_to("nothing")
    for name in ("inside", "dangling"):
        assert codes(root, EDIT.replace("/f", f"/{name}")) == {Code.NOT_A_FILE}
        assert codes(root, GONE.format(name)) == {Code.NOT_A_FILE}
        assert codes(root, NEW.format(name)) == {Code.OCCUPIED}


def test_a_target_below_a_linked_directory_is_refused(root: Path) -> None:
    (root.parent / "outside").mkdir()
    (root.parent / "outside" / "f").write_bytes(b"a\nb\nc\n")
    (root / "d").mkdir()
    (root / "away").symlink_to("../outside")
    (root / "near").symlink_to("d")
    assert codes(root, EDIT.replace("/f", "/away/f")) == {Code.NOT_A_FILE}
    for name in ("away", "near"):
        assert codes(root, NEW.format(f"{name}/new")) == {Code.OCCUPIED}
        assert codes(root, f"diff --git a/f b/{name}/g\nrename from f\nrename to {name}/g\n") == {Code.OCCUPIED}


def test_a_link_that_leads_out_would_be_followed_without_the_guards(
    root: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Law 7: staging refuses first; with staging blinded, the commit does not follow either."""
    (root.parent / "outside").mkdir()
    (root / "away").symlink_to("../outside")
    monkeypatch.setattr(stage.Tree, "kind", lambda *_: "nothing")
    before = snapshot(root.parent)
    with pytest.raises(OSError, match="away"):
        apply_patch(root, NEW.format("away/new"))
    assert snapshot(root.parent) == before
    monkeypatch.setattr(commit, "_DIRECTORY", os.O_RDONLY | os.O_DIRECTORY)
    apply_patch(root, NEW.format("away/new"))
    assert (root.parent / "outside" / "new").exists()


def test_links_and_special_files_elsewhere_stay(root: Path) -> None:
    (root / "dangling").symlink_to("nothing")
    os.mkfifo(root / "pipe")
    apply_patch(root, EDIT)
    assert (root / "dangling").is_symlink()
    assert stat.S_ISFIFO((root / "pipe").lstat().st_mode)
    assert codes(root, NEW.format("pipe")) == {Code.OCCUPIED}


def test_a_directory_with_something_left_never_becomes_a_file(root: Path) -> None:
    """PAT-32: an empty directory, a link and a special file are entries too."""
    (root / "x").mkdir()
    assert codes(root, NEW.format("x")) == {Code.CONFLICT}
    (root / "x" / "a").write_bytes(b"old\n")
    (root / "x" / "empty").mkdir()
    assert codes(root, GONE.format("x/a") + NEW.format("x")) == {Code.CONFLICT}
    (root / "x" / "empty").rmdir()
    (root / "x" / "link").symlink_to("nothing")
    assert codes(root, GONE.format("x/a") + NEW.format("x")) == {Code.CONFLICT}
    (root / "x" / "link").unlink()
    apply_patch(root, GONE.format("x/a") + NEW.format("x"))
    assert (root / "x").read_bytes() == b"new\n"


def test_emptied_directories_go_and_no_others(root: Path) -> None:
    """As git does it."""
    for name in ("d/e/old", "d/keep", "gone/old"):
        (root / name).parent.mkdir(parents=True, exist_ok=True)
        (root / name).write_bytes(b"old\n")
    apply_patch(root, GONE.format("d/e/old") + GONE.format("gone/old"))
    assert sorted(path.name for path in root.iterdir()) == ["d", "f"]
    assert [path.name for path in (root / "d").iterdir()] == ["keep"]


def test_other_names_of_a_file_keep_content_and_mode(root: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """PAT-33, and the fault it guards against: writing into the file itself."""
    other = root.parent / "other"
    other.hardlink_to(root / "f")
    apply_patch(root, "diff --git a/f b/f\nold mode 100644\nnew mode 100755\n" + EDIT)
    assert (root / "f").read_bytes() == b"a\nx\nc\n"
    assert (other.read_bytes(), stat.S_IMODE(other.stat().st_mode)) == (b"a\nb\nc\n", 0o644)

    (root / "f").unlink()
    (root / "f").hardlink_to(other)
    monkeypatch.setattr("tasks.repair.patch.apply.commit", lambda top, _: (top / "f").write_bytes(b"forced\n"))
    apply_patch(root, EDIT)
    assert other.read_bytes() == b"forced\n"


@pytest.mark.parametrize(("wrong", "error"), [("", ValueError), (123, ValueError), (None, ValueError)])
def test_a_root_that_is_no_path(wrong: object, error: type[Exception]) -> None:
    """PAT-34."""
    with pytest.raises(error):
        apply_patch(wrong, EDIT)  # type: ignore[arg-type]  # the wrong type is the case


def test_a_root_that_is_missing_is_never_made(root: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """PAT-34, and the fault: an applier that looks at nothing before it writes."""
    for wrong in (root / "missing", root / "f"):
        with pytest.raises(FileNotFoundError):
            apply_patch(wrong, NEW.format("n"))
    assert not (root / "missing").exists()
    monkeypatch.setattr(stage, "scan", lambda top: (top.mkdir(), ([], []))[1])
    apply_patch(root / "missing", NEW.format("n"))
    assert (root / "missing" / "n").exists()


def test_the_result_is_measured_before_it_is_written(root: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """PAT-39, BND-18: files, bytes and directories, each to the last one allowed."""
    (root / "dangling").symlink_to("nothing")
    grown = NEW.format("n") + NEW.format("d/m")
    for name, limit in (("MAX_FILES", 4), ("MAX_BYTES", 14), ("MAX_DIRECTORIES", 1)):
        with monkeypatch.context() as patched:
            patched.setattr(stage, name, limit - 1)
            assert codes(root, grown) == {Code.BOUNDS}
            patched.setattr(stage._Staging, "problems", lambda _: [])
            stage.stage(stage.Tree(root), [])
    with monkeypatch.context() as patched:
        for name, limit in (("MAX_FILES", 4), ("MAX_BYTES", 14), ("MAX_DIRECTORIES", 1)):
            patched.setattr(stage, name, limit)
        apply_patch(root, grown)


def test_unmeasured_growth_would_be_written(root: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Law 7 for PAT-39."""
    monkeypatch.setattr(stage, "MAX_FILES", 1)
    monkeypatch.setattr(stage._Staging, "problems", lambda _: [])
    apply_patch(root, NEW.format("n"))
    assert (root / "n").exists()


@pytest.mark.slow
def test_ten_thousand_files_are_full(tmp_path: Path) -> None:
    """BND-01, BND-18: a diff that puts one for one still applies."""
    for number in range(10_000):
        (tmp_path / str(number)).touch()
    (tmp_path / "0").write_bytes(b"old\n")
    assert codes(tmp_path, NEW.format("n")) == {Code.BOUNDS}
    apply_patch(tmp_path, GONE.format("0") + NEW.format("n"))
    assert (tmp_path / "n").exists()


def test_a_name_that_the_file_system_refuses(root: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """PAT-29, PAT-36: whatever `lstat` says, it is a refusal."""
    real = os.lstat

    def refuse(path: Any, **options: Any) -> os.stat_result:
        if os.fsencode(path).endswith(b"/n"):
            raise OSError(errno.ENAMETOOLONG, "File name too long")
        return real(path, **options)

    monkeypatch.setattr(os, "lstat", refuse)
    assert codes(root, NEW.format("n")) == {Code.NAME}


def test_a_file_deeper_than_a_path_may_be(deep: Path) -> None:
    """PAT-29, PAT-36: it is in the tree, yet no path of the system leads to it."""
    part = "d" * 198
    name = "/".join([part] * 20)
    descriptor = dig(deep, part, 20)
    with os.fdopen(os.open("f", os.O_WRONLY | os.O_CREAT, dir_fd=descriptor), "wb") as file:
        file.write(b"a\nb\nc\n")
    os.close(descriptor)
    before = stage.Tree(deep).files
    for patch in (EDIT.replace("/f", f"/{name}/f"), NEW.format(f"{name}/n")):
        with pytest.raises(PatchError, match="name_not_allowed"):
            apply_patch(deep, patch)
    assert stage.Tree(deep).files == before


LARGE = (
    NEW.format("new/deep/n") + GONE.format("x/old") + NEW.format("x")
    + "--- a/m\n+++ b/m\n@@ -1 +1 @@\n-m\n+M\n" + "diff --git a/f b/g\nrename from f\nrename to g\n"
)  # fmt: skip


@pytest.fixture
def large(root: Path) -> Path:
    (root / "x").mkdir(mode=0o750)
    (root / "x" / "old").write_bytes(b"old\n")
    (root / "m").write_bytes(b"m\n")
    return root


@pytest.mark.parametrize("call", ["rename", "mkdir", "rmdir", "open", "fchmod"])
@pytest.mark.parametrize("error", [OSError(errno.ENOSPC, "No space left on device"), KeyboardInterrupt()])
def test_a_failure_at_any_step_puts_everything_back(
    large: Path, monkeypatch: pytest.MonkeyPatch, call: str, error: BaseException
) -> None:
    """PAT-37, CLI-06: the same names, inodes, modes and bytes, wherever the disk fails or the user stops it."""
    before = snapshot(large)
    real: Callable[..., Any] = getattr(os, call)
    for step in range(60):
        left = [step]

        def fail(*arguments: Any, left: list[int] = left, **options: Any) -> Any:
            left[0] -= 1
            if left[0] == -1:
                raise error
            return real(*arguments, **options)

        staged = stage.stage(stage.Tree(large), parse.parse(LARGE.encode()))
        with monkeypatch.context() as patched:
            patched.setattr(commit, "os", _Os(call, fail))
            try:
                commit.commit(large, staged)
            except (OSError, KeyboardInterrupt):
                assert snapshot(large) == before, step
                continue
        break
    else:
        pytest.fail("never got through")
    assert {path.name for path in large.iterdir()} == {"g", "m", "new", "x"}


class _Os:
    """The module `os`, with one function of our own."""

    def __init__(self, name: str, function: Callable[..., Any]) -> None:
        setattr(self, name, function)

    def __getattr__(self, name: str) -> Any:
        return getattr(os, name)


def test_without_the_way_back_a_failure_would_leave_a_part(large: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Law 7 for PAT-37."""
    before = snapshot(large)
    monkeypatch.setattr(commit._Aside, "_make_directories", lambda *_: Path("/nonexistent").stat())
    with pytest.raises(FileNotFoundError):
        apply_patch(large, LARGE)
    assert snapshot(large) == before
    real = commit._Aside.run

    def forgetful(aside: Any, staged: Any) -> None:
        aside._undo = _Nothing()
        real(aside, staged)

    monkeypatch.setattr(commit._Aside, "run", forgetful)
    with pytest.raises(FileNotFoundError):
        apply_patch(large, LARGE)
    assert snapshot(large) != before


class _Nothing(list[Any]):
    def append(self, _: Any) -> None:
        """Forget."""


def test_what_is_reported(large: Path) -> None:
    (large / "s").write_bytes(b"top\n" * 5 + b"a\nb\nc\n" + b"end\n")
    stale = "--- a/s\n+++ b/s\n@@ -2,3 +2,3 @@\n a\n-b\n+x\n c\n"
    applied = apply_patch(large, stale + LARGE + "diff --git a/s b/s\nold mode 100644\nnew mode 100755\n")
    assert applied.paths == ("f", "g", "m", "new/deep/n", "s", "x", "x/old")
    assert [change.kind for change in applied.changes] == [
        Kind.MODIFY, Kind.CREATE, Kind.DELETE, Kind.CREATE, Kind.MODIFY, Kind.RENAME, Kind.MODIFY
    ]  # fmt: skip
    assert applied.changes[5].source == "f"
    assert applied.changes[0].placements == (Placement(1, 6, How.MOVED),)
    assert applied.changes[6].executable is True


def test_a_line_for_each_reason(root: Path) -> None:
    """PAT-36, SCN-42, REP-02: file, hunk, class, what is missing, and the line of the patch."""
    (root / "g").write_bytes(b"1\n2\n3\n4\n5\n6\n")
    two = "@@ -1,2 +1,2 @@\n 1\n-two\n+2\n@@ -4,3 +4,3 @@\n 4\n-five\n+5\n 6\n"
    with pytest.raises(PatchError) as caught:
        apply_patch(root, EDIT + f"--- a/g\n+++ b/g\n{two}" + GONE.format("h%"))
    assert str(caught.value).splitlines() == [
        "g: hunk 1: context_not_found: no line of the file reads 'two' (patch line 10)",
        "g: hunk 2: context_not_found: no line of the file reads 'five' (patch line 14)",
        "h%25: file_missing: nothing is there (patch line 19)",
    ]
    assert [(reason.path, reason.hunk) for reason in caught.value.reasons] == [("g", 1), ("g", 2), ("h%25", None)]


def test_reasons_have_caps_and_one_line_each() -> None:
    """BND-16, ENC-01: also where a name holds a newline or bytes that are no text."""
    error = PatchError([rejection(Code.CONTEXT, "x" * 10_000, path=b"p" * 10_000, hunk=1, line=1)] * 1_000)
    assert len(error.reasons) == MAX_REJECTIONS
    assert len(str(error)) < 100_000
    text = str(refusal(Code.NAME, "no", path=b"a\nb\xff", line=1))
    assert text == "a%0Ab%FF: name_not_allowed: no (patch line 1)"


def test_line_ends_of_what_is_not_touched(root: Path) -> None:
    """SCN-39: of CRLF, mixed, CR-only and unterminated files one line's bytes change."""
    head = b"".join(b"line %d\r\n" % number for number in range(8))
    for tail in (b"", b"last", b"lf\ncrlf\r\n", b"cr\rcr\r", b"\r"):
        (root / "f").write_bytes(head + tail)
        apply_patch(root, "--- a/f\n+++ b/f\n@@ -3,3 +3,3 @@\n line 2\n-line 3\n+three\n line 4\n")
        assert (root / "f").read_bytes() == head.replace(b"line 3", b"three") + tail


def test_bytes_that_are_no_text_survive_beside_a_change(root: Path) -> None:
    """SCN-43, ENC-05: a `str` patch of a Latin-1 source."""
    (root / "f").write_bytes(b"\xe9\xff\n\na\nb\nc\n")
    apply_patch(root, EDIT.replace("@@ -1,3 +1,3 @@", "@@ -3,3 +3,3 @@"))
    assert (root / "f").read_bytes() == b"\xe9\xff\n\na\nx\nc\n"


def test_a_deep_tree(deep: Path) -> None:
    """SBX-15: a change beside a directory deeper than any path may be."""
    os.close(dig(deep, "deep", 1_500))
    (deep / "f").write_bytes(b"a\nb\nc\n")
    apply_patch(deep, EDIT)
    assert (deep / "f").read_bytes() == b"a\nx\nc\n"


def test_a_file_that_repeats_itself_ends_in_time(root: Path) -> None:
    """A hostile tree and diff cost a bounded search."""
    (root / "f").write_bytes(b"a\nb\n" * 10_000)
    hunk = "@@ -9{0:03},5 +9{0:03},5 @@\n a\n b\n-a\n+x\n a\n b\n"
    assert codes(root, "--- a/f\n+++ b/f\n" + "".join(hunk.format(number) for number in range(60))) >= {Code.BOUNDS}

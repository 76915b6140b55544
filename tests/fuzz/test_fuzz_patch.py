"""The judge of proposed changes on whatever a model may send: refused in words or applied whole (PAT-36, PAT-37)."""

from __future__ import annotations

import os
import shutil
from collections import Counter
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from hypothesis import strategies as st
from hypothesis.strategies import SearchStrategy

from contracts.paths import path_text
from tasks.repair.patch import Code, PatchError, apply_patch
from tasks.repair.patch.errors import refusal

Tree = dict[str, tuple[bytes, int]]

NAMES = ["f", "d/g.py", "n.py", "d", "../x", ".git/config", "/abs", "a b", "é", "d/", "x" * 300]
LINES = [b"a", b"b", b"c", b"", b"  x", b"caf\xe9", "é".encode(), b"\0", b"a\r", b"=======", b"@@", b"```", b"--- a/f"]
BASE: Tree = {"f": (b"a\nb\nc\n", 0o644), "d/g.py": (b"a\r\nb\r\nb\r\nc", 0o755), "e": (b"", 0o644)}

name = st.sampled_from(NAMES).map(os.fsencode)
line = st.sampled_from(LINES) | st.binary(max_size=8).map(lambda data: data.replace(b"\n", b""))
end = st.sampled_from([b"\n", b"\n", b"\n", b"\r\n", b""])
number = st.integers(0, 6).map(lambda value: b"%d" % value) | st.sampled_from([b"", b"99999999999", b"x"])
mode = st.sampled_from([b"100644", b"100755", b"120000", b"160000", b"10x", b""])
body = st.lists(st.builds(bytes.__add__, st.sampled_from([b" ", b"-", b"+", b"\\", b""]), line), max_size=6)
ranges = st.builds(b"@@ -%b,%b +%b,%b @@".__mod__, st.tuples(number, number, number, number)) | st.just(b"@@")
header = st.one_of(
    st.builds(b"diff --git a/%b b/%b".__mod__, st.tuples(name, name)),
    st.builds(b"--- a/%b\n+++ b/%b".__mod__, st.tuples(name, name)),
    st.builds(b"--- /dev/null\n+++ b/%b".__mod__, name),
    st.builds(b"--- a/%b\n+++ /dev/null".__mod__, name),
    st.builds(b"rename from %b\nrename to %b".__mod__, st.tuples(name, name)),
    st.builds(b"copy from %b\ncopy to %b".__mod__, st.tuples(name, name)),
    st.builds(b"old mode %b\nnew mode %b".__mod__, st.tuples(mode, mode)),
    st.builds(b"new file mode %b".__mod__, mode) | st.builds(b"deleted file mode %b".__mod__, mode),
    st.sampled_from([b"GIT binary patch", b"Binary files a/f and b/f differ", b"index 1..2 100644"]),
)
joined = body.map(b"\n".join)
block = st.one_of(
    st.builds(b"%b\n<<<<<<< SEARCH\n%b\n=======\n%b\n>>>>>>> REPLACE".__mod__, st.tuples(name, joined, joined)),
    st.builds(b"%b\n```python\n%b\n```".__mod__, st.tuples(name, joined)),
    st.sampled_from([b"<<<<<<< SEARCH", b"=======", b">>>>>>> REPLACE", b"```", b"~~~~", b"File: f", b"prose"]),
)
valid = st.sampled_from([
    b"--- a/f\n+++ b/f\n@@ -1,3 +1,3 @@\n a\n-b\n+x\n c", b"diff --git a/e b/n.py\nrename from e\nrename to n.py",
    b"f\n<<<<<<< SEARCH\nb\n=======\nx\n>>>>>>> REPLACE", b"n.py\n```python\nnew\n```",
    b"diff --git a/f b/f\nold mode 100644\nnew mode 100755", b"--- a/e\n+++ /dev/null",
])  # fmt: skip
piece = st.one_of(header, ranges, joined, block, line, valid)
proposals: SearchStrategy[bytes | str] = st.one_of(
    st.lists(st.builds(bytes.__add__, piece, end), max_size=12).map(b"".join),
    st.binary(max_size=300),
    st.text(max_size=300),
)


def write(root: Path, tree: Tree) -> None:
    for path, (data, bits) in tree.items():
        (root / path).parent.mkdir(parents=True, exist_ok=True)
        (root / path).write_bytes(data)
        (root / path).chmod(bits)


def read(root: Path) -> Tree:
    files = (path for path in root.rglob("*") if path.is_symlink() or not path.is_dir())
    return {str(path.relative_to(root)): (path.read_bytes(), path.stat().st_mode & 0o777) for path in files}


def property_of(place: Path, counts: Counter[bool]) -> Callable[[bytes | str], None]:
    """A proposal changes what it says it changes, or nothing; ``counts`` of what was applied and was not."""
    root = place / "root"

    def holds(proposal: bytes | str) -> None:
        shutil.rmtree(root, ignore_errors=True)
        root.mkdir()
        write(root, BASE)
        changed: set[str] = set()
        refused: PatchError | None = None
        try:
            changed = set(apply_patch(root, proposal).paths)
        except PatchError as error:
            refused = error
        assert refused is None or len(str(refused).splitlines()) == len(refused.reasons) > 0
        counts[refused is None] += 1
        after = read(root)
        differs = {path for path in after.keys() | BASE.keys() if after.get(path) != BASE.get(path)}
        assert {path_text(os.fsencode(path)) for path in differs} <= changed
        assert [path.name for path in place.iterdir()] == ["root"]
        assert not [path for path in root.iterdir() if path.name.startswith(".forge")]

    return holds


def test_proposals(tmp_path: Path, once: Any) -> None:
    counts: Counter[bool] = Counter()
    once(proposals, property_of(tmp_path, counts))
    assert min(counts[True], counts[False]) > 5


@pytest.mark.slow
@pytest.mark.timeout(1_200)
def test_many_proposals(tmp_path: Path, long: Any) -> None:
    counts: Counter[bool] = Counter()
    assert long(proposals, property_of(tmp_path, counts)) > 1
    assert min(counts[True], counts[False]) > 5


def test_a_partial_tree_would_be_seen(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, once: Any) -> None:
    """Law 7: a commit that writes into the tree and then fails as a refusal does."""

    def partial(root: Path, _: object) -> None:
        (root / "f").write_bytes(b"half")
        raise refusal(Code.BOUNDS, "too much")

    monkeypatch.setattr("tasks.repair.patch.apply.commit", partial)
    with pytest.raises(AssertionError):
        once(st.just("--- a/f\n+++ b/f\n@@ -1,3 +1,3 @@\n a\n-b\n+x\n c\n"), property_of(tmp_path, Counter()))

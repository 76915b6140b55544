"""Search/replace blocks and whole files as chats send them: applied where they say one thing, refused otherwise."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from tasks.repair.patch import Code, PatchError, apply_patch, blocks, formats, stage

ABC = {"f": b"a\nb\nc\n"}
AXC = {"f": b"a\nx\nc\n"}


def block(search: str, replace: str) -> str:
    return f"<<<<<<< SEARCH\n{search}=======\n{replace}>>>>>>> REPLACE\n"


def fenced(text: str, info: str = "", marks: str = "```") -> str:
    return f"{marks}{info}\n{text}{marks}\n"


B = block("b\n", "x\n")
AY, CY, QY, RY, XY = (block(f"{letter}\n", "y\n") for letter in "acqrx")
ABY, FENCED = block("a\nb\n", "y\n"), block("b\n", "```\ncode\n```\n")
DIFF = "--- a/f\n+++ b/f\n@@ -1,3 +1,3 @@\n a\n-b\n+x\n c\n"
Row = tuple[str, dict[str, bytes], str, dict[str, bytes] | set[Code]]
CASES: list[Row] = [
    # search/replace: where the name may stand
    ("bare", ABC, f"f\n{B}", AXC),
    ("in a fence, named above it", ABC, "f\n" + fenced(B, "python"), AXC),
    ("in a fence, named in it", ABC, fenced("f\n" + B), AXC),
    ("named as code", ABC, f"`f`\n{B}", AXC),
    ("named in bold", ABC, f"**f**\n{B}", AXC),
    ("named by a heading", ABC, f"### `f`:\n{B}", AXC),
    ("named by a label", {"my f.txt": b"b\n"}, f"File: my f.txt\n{B}", {"my f.txt": b"x\n"}),
    ("named by a bold label", ABC, f"**File:** `f`\n{B}", AXC),
    ("with prose around", ABC, f"I change one line.\n\nf\n{fenced(B)}\nThat is all.\n", AXC),
    ("of two files", {"f": b"b\n", "d/g.py": b"b\n"}, f"f\n{B}\nd/g.py\n{B}", {"f": b"x\n", "d/g.py": b"x\n"}),
    ("twice in one file, named once", ABC, f"f\n{B}\n{CY}", {"f": b"a\nx\ny\n"}),
    ("twice in one file, named twice", ABC, f"f\n{B}\nf\n{AY}", {"f": b"y\nx\nc\n"}),
    ("named by prose", ABC, f"Change this line:\n{B}", {Code.HEADER}),
    ("named by nothing", ABC, B, {Code.HEADER}),
    ("named two lines above", ABC, f"f\n\n{B}", {Code.HEADER}),
    ("the second is named by nothing", ABC, f"f\n{fenced(B)}Then:\n\n{fenced(CY)}", {Code.HEADER}),
    # search/replace: the text
    ("a text that is absent", ABC, "f\n" + block("q\n", "x\n"), {Code.CONTEXT}),
    ("a text that differs in a space", ABC, "f\n" + block("b \n", "x\n"), {Code.CONTEXT}),
    ("a text that differs in its indentation", {"f": b"  b\n"}, f"f\n{B}", {Code.CONTEXT}),
    ("a text that stands twice", {"f": b"b\na\nb\n"}, f"f\n{B}", {Code.AMBIGUOUS}),
    ("a part of a line", {"f": b"abc\n"}, f"f\n{B}", {Code.CONTEXT}),
    ("a text of blank lines", {"f": b"a\n\nb\n"}, "f\n" + block("\n", "x\n"), {Code.CONTEXT}),
    ("an ellipsis is no text", ABC, "f\n" + block("a\n...\nc\n", "x\n"), {Code.CONTEXT}),
    ("two that share a line", ABC, f"f\n{ABY}\n{B}", {Code.CONFLICT}),
    ("one that speaks of another's result", ABC, f"f\n{B}\n{XY}", {Code.CONTEXT}),
    ("one bad of two", ABC, f"f\n{B}\n{QY}", {Code.CONTEXT}),
    ("nothing changed", ABC, "f\n" + block("b\n", "b\n"), {Code.NOTHING}),
    ("a line deleted", ABC, "f\n" + block("b\n", ""), {"f": b"a\nc\n"}),
    ("a line added", ABC, "f\n" + block("b\n", "b\nx\n"), {"f": b"a\nb\nx\nc\n"}),
    ("a line added before", ABC, "f\n" + block("b\n", "x\nb\n"), {"f": b"a\nx\nb\nc\n"}),
    ("a fence within", {"f.md": b"b\n"}, f"f.md\n{FENCED}", {"f.md": b"```\ncode\n```\n"}),
    ("a diff within", {"f": b"b\n"}, "f\n" + block("b\n", DIFF), {"f": DIFF.encode()}),
    # search/replace: ends of lines and of the file
    ("the last line has no newline", {"f": b"a\nb"}, f"f\n{B}", {"f": b"a\nx"}),
    ("the only line has no newline", {"f": b"b"}, f"f\n{B}", {"f": b"x"}),
    ("the last line has no newline and stays", {"f": b"b\nc"}, "f\n" + block("b\nc\n", "x\nc\n"), {"f": b"x\nc"}),
    ("the last line has no newline and goes", {"f": b"a\nb"}, "f\n" + block("b\n", ""), {"f": b"a\n"}),
    ("added after a last line without newline", {"f": b"b"}, "f\n" + block("b\n", "b\nx\n"), {"f": b"b\nx"}),
    ("a file of CRLF", {"f": b"a\r\nb\r\n"}, f"f\n{B}", {"f": b"a\r\nx\r\n"}),
    ("a file of CRLF without the last", {"f": b"a\r\nb"}, "f\n" + block("a\nb\n", "a\nx\ny\n"), {"f": b"a\r\nx\r\ny"}),
    ("a reply of CRLF", ABC, f"f\n{B}".replace("\n", "\r\n"), AXC),
    ("both of CRLF", {"f": b"b\r\n"}, f"f\n{B}".replace("\n", "\r\n"), {"f": b"x\r\n"}),
    ("mixed ends at hand", {"f": b"a\r\nb\nc\r\n"}, "f\n" + block("a\nb\nc\n", "x\n"), {Code.CONTEXT}),
    ("mixed ends elsewhere", {"f": b"a\r\nb\nc\r\n"}, f"f\n{B}", {"f": b"a\r\nx\nc\r\n"}),
    # search/replace: creation
    ("created", ABC, "d/n.py\n" + block("", "new\n"), {**ABC, "d/n.py": b"new\n"}),
    ("created by a label", ABC, "File: Makefile\n" + block("", "new\n"), {**ABC, "Makefile": b"new\n"}),
    ("created by a mere word", ABC, "Makefile\n" + block("", "new\n"), {Code.HEADER}),
    ("created over a file", ABC, "File: f\n" + block("", "new\n"), {Code.CONTEXT}),
    ("an empty file filled", {"f": b""}, "File: f\n" + block("", "new\n"), {"f": b"new\n"}),
    ("a missing file edited", ABC, f"g.py\n{B}", {Code.MISSING}),
    # search/replace: malformed
    ("cut before the divider", ABC, "f\n<<<<<<< SEARCH\nb\n", {Code.UNTERMINATED}),
    ("cut before the end", ABC, "f\n<<<<<<< SEARCH\nb\n=======\nx\n", {Code.UNTERMINATED}),
    ("the fence is cut", ABC, f"f\n```\n{B}", {Code.UNTERMINATED}),
    ("two dividers", ABC, "f\n" + block("b\n", "x\n=======\ny\n"), {Code.CORRUPT}),
    ("one within another", ABC, f"f\n<<<<<<< SEARCH\n{B}", {Code.UNTERMINATED}),
    ("marks of another length", ABC, "f\n" + B.replace("<<<<<<<", "<<<<<"), {Code.STRAY}),
    ("an end without a beginning", ABC, "f\nb\n=======\nx\n>>>>>>> REPLACE\n", {Code.STRAY}),
    ("a conflict of git is prose", ABC, "<<<<<<< HEAD\na\n=======\nb\n>>>>>>> main\n", {Code.NO_DIFF}),
    # whole files
    ("whole", ABC, "f.py\n" + fenced("new\n", "python"), {**ABC, "f.py": b"new\n"}),
    ("whole, replaced", {"f.py": b"a\n"}, "`f.py`:\n" + fenced("new\n", "python"), {"f.py": b"new\n"}),
    ("whole, with prose", {"f.py": b"a\n"}, "See.\n\n## src/f.py\n" + fenced("n\n") + "Run:\n" + fenced("$ x\n", "sh"),
     {"f.py": b"a\n", "src/f.py": b"n\n"}),
    ("whole, by a label", ABC, "File: f\n" + fenced("new\n"), {"f": b"new\n"}),
    ("whole, tildes", ABC, "File: f\n" + fenced("```\n", marks="~~~"), {"f": b"```\n"}),
    ("whole, empty", ABC, "d/__init__.py\n" + fenced(""), {**ABC, "d/__init__.py": b""}),
    ("whole, empty, before a block", ABC, "d/__init__.py\n" + fenced("") + f"\nf\n{B}", {**AXC, "d/__init__.py": b""}),
    ("a diff whose fence stands below words that no file may bear", ABC, "../f.py\n" + fenced(DIFF, "diff"), AXC),
    ("whole, dot file", ABC, ".gitignore\n" + fenced("*\n"), {**ABC, ".gitignore": b"*\n"}),
    ("whole, two", ABC, "a.py\n" + fenced("1\n") + "b.py\n" + fenced("2\n"), {**ABC, "a.py": b"1\n", "b.py": b"2\n"}),
    ("whole, twice the same", ABC, "a.py\n" + fenced("1\n") + "a.py\n" + fenced("2\n"), {Code.CONFLICT}),
    ("whole, unchanged", ABC, "File: f\n" + fenced("a\nb\nc\n"), {Code.NOTHING}),
    ("whole, without final newline", {"f": b"a\nb"}, "File: f\n" + fenced("x\ny\n"), {"f": b"x\ny"}),
    ("whole, CRLF", {"f": b"a\r\nb\r\n"}, "File: f\n" + fenced("x\ny\n"), {"f": b"x\r\ny\r\n"}),
    ("whole, reply of CRLF", ABC, ("File: f\n" + fenced("x\ny\n")).replace("\n", "\r\n"), {"f": b"x\ny\n"}),
    ("whole, mixed ends", {"f": b"a\r\nb\n"}, "File: f\n" + fenced("x\ny\n"), {"f": b"x\ny\n"}),
    ("whole, fences inside", ABC, "r.md\n" + fenced("```py\n1\n```\n", marks="````"),
     {**ABC, "r.md": b"```py\n1\n```\n"}),
    ("whole, Markdown in three marks", ABC, "r.md\n" + fenced("# t\n"), {Code.CORRUPT}),
    ("whole, a fence that opens inside", ABC, "File: f\n" + fenced("x\n```python\ny\n"), {Code.CORRUPT}),
    ("whole, cut", ABC, "f.py\n```python\nnew\n", {Code.UNTERMINATED}),
    ("whole, cut after another", ABC, "a.py\n" + fenced("1\n") + "more:\n```python\nnew\n", {Code.UNTERMINATED}),
    ("whole, beside one whose name is elsewhere", ABC,
     "a.py\n" + fenced("1\n") + "x\n" + fenced("2\n", "py title=b.py"), {Code.HEADER}),
    ("whole, a mere word is prose", ABC, "Example\n" + fenced("x\n"), {Code.NO_DIFF}),
    ("whole, bold prose", ABC, "**Before**\n" + fenced("x\n"), {Code.NO_DIFF}),
    ("whole, no name", ABC, fenced("x\n", "python"), {Code.NO_DIFF}),
    ("whole, a NUL", ABC, "File: f\n" + fenced("a\0b\n"), {Code.BINARY}),
    ("whole, of a binary file", {"f": b"\0\n"}, "File: f\n" + fenced("a\n"), {Code.BINARY}),
    # several forms
    ("a diff in a fence with a path line", ABC, "f.py\n" + fenced(DIFF, "diff"), AXC),
    ("a diff in a bare fence with a path line", ABC, "f.py\n" + fenced(DIFF), AXC),
    ("a diff and a block", {**ABC, "g": b"b\n"}, f"{DIFF}\ng\n{B}", {Code.MIXED}),
    ("a diff and a whole file", ABC, fenced(DIFF, "diff") + "g.py\n" + fenced("1\n"), {Code.MIXED}),
    ("a stray hunk beside a block", ABC, f"@@ -1 +1 @@\n-a\n+y\n\nf\n{B}", {Code.MIXED}),
    ("a block and a new whole file", ABC, f"f\n{B}\ng.py\n" + fenced("1\n"), {**AXC, "g.py": b"1\n"}),
    ("a block and an excerpt of a file", {**ABC, "g.py": b"1\n2\n"}, "g.py\n" + fenced("1\n") + f"f\n{B}",
     {Code.OCCUPIED}),
    ("a block and the same file whole", {"f.py": b"b\n"}, f"f.py\n{B}\nf.py\n" + fenced("1\n"), {Code.CONFLICT}),
    # names, under the judgement of diffs
    *((f"the name {name}", ABC, text, {Code.NAME})
      for name in ("../n.py", "/etc/n.py", ".git/config", "d/../../n.py", "a//b.py", "./n.py", "d/.GIT/x.py",
                   "n" * 300 + ".py")
      for text in (f"{name}\n" + block("", "x\n"), f"{name}\n" + fenced("x\n"))),
    ("an ancestor of a file", {"x": b"1\n"}, "x/y.py\n" + fenced("1\n"), {Code.CONFLICT}),
    ("a file for a directory", {"x.d/y": b"1\n"}, "x.d\n" + fenced("1\n"), {Code.CONFLICT}),
]  # fmt: skip


def write(root: Path, tree: dict[str, bytes]) -> Path:
    root.mkdir()
    for name, data in tree.items():
        (root / name).parent.mkdir(parents=True, exist_ok=True)
        (root / name).write_bytes(data)
    return root


def read(root: Path) -> dict[str, bytes]:
    return {str(path.relative_to(root)): path.read_bytes() for path in root.rglob("*") if path.is_file()}


def check(where: Path, row: Row) -> None:
    _, before, proposal, expected = row
    root = write(where, before)
    found: dict[str, bytes] | set[Code] | None = None
    try:
        apply_patch(root, proposal)
    except PatchError as error:
        found = {reason.code for reason in error.reasons}
    assert read(root) == (expected if found is None else before)
    assert found in (None, expected)


@pytest.mark.parametrize("row", CASES, ids=[row[0] for row in CASES])
def test_block(tmp_path: Path, row: Row) -> None:
    """PAT-01, 02, 23, 24, 27 to 30, 35 to 37 for edits by blocks."""
    check(tmp_path / "tree", row)


def test_a_link_is_not_written_through(tmp_path: Path) -> None:
    """PAT-30: neither a link nor a directory that is one."""
    root = write(tmp_path / "tree", {"real/f.py": b"b\n"})
    (root / "l.py").symlink_to("real/f.py")
    (root / "d").symlink_to("real")
    for name in ("l.py", "d/f.py"):
        for text in (f"{name}\n{B}", f"{name}\n" + fenced("x\n")):
            with pytest.raises(PatchError):
                apply_patch(root, text)
    assert (root / "real/f.py").read_bytes() == b"b\n"


def test_a_rejection_is_machine_readable(tmp_path: Path) -> None:
    """PAT-36: for each block its file, its number in the file, the line of the proposal."""
    root = write(tmp_path / "tree", ABC)
    with pytest.raises(PatchError) as caught:
        apply_patch(root, f"f\n{B}\nf\n{QY}\nf\n{RY}")
    first, second = (reason.document() for reason in caught.value.reasons)
    assert first == {
        "code": "context_not_found", "detail": "no line of the file reads 'q'", "path": "f", "hunk": 2, "line": 9,
    }  # fmt: skip
    assert (second["hunk"], second["line"]) == (3, 16)


FAULTS: dict[str, tuple[Any, str, Any]] = {
    "a text that stands twice": (stage, "apply_hunks", lambda data, hunks, _: (data.replace(b"b", b"x", 1), ())),
    "a diff and a block": (formats, "_holds_diff", lambda _: False),
    "a file of CRLF": (stage, "apply_hunks", lambda data, hunks, _: (data.replace(b"b", b"x\n"), ())),
    "whole, CRLF": (stage, "with_own_ends", lambda content, _: content),
    "whole, Markdown in three marks": (blocks, "_NESTING", ()),
    "the name ../n.py": (blocks, "check_name", lambda *_: None),
    "cut before the end": (blocks._Reader, "_until", lambda reader, mark, at, _: min(at + 1, len(reader._lines) - 1)),
    "a block and an excerpt of a file": (stage._Staging, "_require_free", lambda *_: None),
}


@pytest.mark.parametrize("about", FAULTS)
def test_a_planted_fault_is_caught(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, about: str) -> None:
    """Law 7."""
    row = next(row for row in CASES if row[0] == about)
    monkeypatch.setattr(*FAULTS[about])
    with pytest.raises((AssertionError, IndexError, PatchError)):
        check(tmp_path / "tree", row)

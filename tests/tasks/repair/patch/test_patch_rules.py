"""Every rule of the patch applier: what it lets through and refuses, and a planted fault that turns it red (law 7).

A case is a tree, a diff, and either the tree afterwards or the codes of the refusal. A refused patch leaves every byte
and mode as it was (PAT-37), whatever the case is about.
"""

from __future__ import annotations

import os
import re
import shutil
import stat
from collections.abc import Callable
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import pytest

from tasks.repair.patch import (
    Code,
    PatchError,
    apply,
    apply_patch,
    commit,
    formats,
    headers,
    hunks,
    names,
    parse,
    stage,
)
from tasks.repair.patch.errors import refusal
from tasks.repair.patch.model import FilePatch, Kind, Line

Files = dict[str, bytes | tuple[bytes, int]]
NEVER = re.compile(rb"(?!)")
TEN = b"".join(b"line %d\n" % number for number in range(1, 11))


@dataclass
class Case:
    """``after`` is the whole tree; None where the patch is refused with ``codes``."""

    rule: str
    about: str
    before: Files
    patch: str | bytes
    after: Files | None = None
    codes: set[Code] = field(default_factory=set)


def write(root: Path, files: Files) -> Path:
    root.mkdir()
    for name, value in files.items():
        data, mode = value if isinstance(value, tuple) else (value, 0o644)
        path = root / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_bytes(data)
        path.chmod(mode)
    return root


def read(root: Path) -> dict[str, tuple[bytes, int]]:
    found = {}
    for path in root.rglob("*"):
        if path.is_file() or path.is_symlink():
            data = os.fsencode(path.readlink()) if path.is_symlink() else path.read_bytes()
            found[str(path.relative_to(root))] = (data, stat.S_IMODE(path.lstat().st_mode))
    return found


def expect(files: Files) -> dict[str, tuple[bytes, int]]:
    return {name: value if isinstance(value, tuple) else (value, 0o644) for name, value in files.items()}


def outcome(root: Path, patch: str | bytes) -> PatchError | None:
    try:
        apply_patch(root, patch)
    except PatchError as error:
        return error
    return None


def check(where: Path, case: Case) -> None:
    root = write(where / "tree", case.before)
    try:
        error = outcome(root, case.patch)
        assert read(root) == expect(case.before if case.after is None else case.after), str(error)
        assert {reason.code for reason in error.reasons} == case.codes if error else case.after is not None, str(error)
        assert error or not [path for path in root.rglob("*") if path.is_dir() and not any(path.iterdir())]
        assert [path.name for path in where.iterdir()] == ["tree"]
    finally:
        shutil.rmtree(where)
        where.mkdir()


def edit(name: str, body: str, header: str = "@@ -1,3 +1,3 @@") -> str:
    return f"--- a/{name}\n+++ b/{name}\n{header}\n{body}"


def git(name: str, *lines: str) -> str:
    return f"diff --git a/{name} b/{name}\n" + "".join(f"{line}\n" for line in lines)


ABC: Files = {"f": b"a\nb\nc\n"}
AXC: Files = {"f": b"a\nx\nc\n"}
BODY = " a\n-b\n+x\n c\n"
WRONG = " a\n-y\n+x\n c\n"
BODY5 = " line 4\n-line 5\n+five\n line 6\n"
ONE = "@@ -4,3 +4,3 @@\n" + BODY5
EDIT5 = "--- a/f\n+++ b/f\n" + ONE
FIVE = TEN.replace(b"line 5", b"five")
NEW = "--- /dev/null\n+++ b/{0}\n@@ -0,0 +1 @@\n+new\n"
GONE = "--- a/{0}\n+++ /dev/null\n@@ -1 +0,0 @@\n-old\n"

CASES = [
    Case("PAT-01", "two files, both apply", {**ABC, "g": b"old\n"}, edit("f", BODY) + GONE.format("g"), AXC),
    Case("PAT-01", "the second does not", {**ABC, "g": b"other\n"}, edit("f", BODY) + GONE.format("g"), None,
         {Code.CONTEXT}),
    Case("PAT-01", "a file in two parts of one diff", {"f": TEN}, EDIT5 + edit("f", " five\n-line 6\n+six\n line 7\n",
         "@@ -5,3 +5,3 @@"),
         {"f": FIVE.replace(b"line 6", b"six")}),
    Case("PAT-02", "context that the file lacks", ABC, edit("f", WRONG), None, {Code.CONTEXT}),
    Case("PAT-02", "context that differs in a space", ABC, edit("f", " a\n-b \n+x\n c\n"), None, {Code.CONTEXT}),
    Case("PAT-02", "a hunk that shares lines with another", {"f": TEN},
         EDIT5 + ONE, None, {Code.CONFLICT}),
    Case("PAT-03", "a body short of its counts", ABC, edit("f", BODY, "@@ -1,4 +1,4 @@"), None, {Code.CORRUPT}),
    Case("PAT-03", "a second hunk without its body", {"f": TEN}, EDIT5
         + "@@ -8,3 +8,3 @@\n", None, {Code.CORRUPT}),
    Case("PAT-03", "a change beyond the counts", ABC, edit("f", " a\n-b\n+x\n+y\n c\n", "@@ -1,2 +1,2 @@"), None,
         {Code.SURPLUS}),
    Case("PAT-04", "prose inside a hunk", ABC, edit("f", " a\nprose\n-b\n+x\n c\n"), None, {Code.CORRUPT}),
    Case("PAT-04", "prose inside a bare hunk", ABC, edit("f", " a\n-b\n+x\nprose\n c\n", "@@"), None, {Code.CORRUPT}),
    Case("PAT-04", "a hunk that changes nothing", ABC, edit("f", " a\n b\n c\n"), None, {Code.CORRUPT}),
    Case("PAT-04", "a header with half its numbers", ABC, edit("f", BODY, "@@ -1,3 @@"), None, {Code.CORRUPT}),
    Case("PAT-05", "context beyond the counts", ABC, edit("f", " a\n-b\n+x\n c\n d\n"), AXC),
    Case("PAT-05", "and another hunk after it", {"f": TEN}, edit("f", BODY5 + " line 7\n", "@@ -4,3 +4,3 @@")
         + "@@ -7,3 +7,3 @@\n line 7\n-line 8\n+eight\n line 9\n", {"f": FIVE.replace(b"line 8", b"eight")}),
    Case("PAT-06", "a bare hunk", {"f": TEN}, edit("f", BODY5, "@@"), {"f": FIVE}),
    Case("PAT-06", "a bare hunk with a section", {"f": TEN}, edit("f", BODY5, "@@ ... @@ def x():"), {"f": FIVE}),
    Case("PAT-06", "a bare hunk that fits two places", {"f": TEN + TEN}, edit("f", BODY5, "@@"), None,
         {Code.AMBIGUOUS}),
    Case("PAT-06", "a bare hunk of additions", ABC, edit("f", "+x\n", "@@"), None, {Code.CONTEXT}),
    Case("PAT-07", "a stale start line", {"f": TEN}, edit("f", BODY5, "@@ -40,3 +40,3 @@"), {"f": FIVE}),
    Case("PAT-07", "line 1 for every hunk, as models have it", {"f": TEN}, edit("f", BODY5), {"f": FIVE}),
    Case("PAT-07", "a stale start line and two places", {"f": TEN + TEN}, edit("f", BODY5, "@@ -9,3 +9,3 @@"),
         None, {Code.AMBIGUOUS}),
    Case("PAT-07", "numbers that decide between two places", {"f": TEN + TEN}, edit("f", BODY5, "@@ -14,3 +14,3 @@"),
         {"f": TEN + FIVE}),
    Case("PAT-07", "after a hunk that moved no number is believed", {"f": b"new\n" * 10 + b"u\n" + TEN + TEN},
         edit("f", " new\n-u\n+U\n line 1\n", "@@ -2,3 +2,3 @@") + ONE.replace("-4,3 +4,3", "-15,3 +15,3"), None,
         {Code.AMBIGUOUS}),
    Case("PAT-07", "no context after, and not at the end", {"f": TEN}, edit("f", " line 4\n-line 5\n+five\n",
         "@@ -4,2 +4,2 @@"),
         None, {Code.CONTEXT}),
    Case("PAT-08", "a file created executable", {}, git("s", "new file mode 100755", "--- /dev/null", "+++ b/s",
         "@@ -0,0 +1 @@", "+x"),
         {"s": (b"x\n", 0o755)}),
    Case("PAT-08", "a diff of modes alone", ABC, git("f", "old mode 100644", "new mode 100755"), {"f": (b"a\nb\nc\n",
         0o755)}),
    Case("PAT-08", "and back, for those who may read", {"f": (b"x\n", 0o750)}, git("f", "old mode 100755",
         "new mode 100644"),
         {"f": (b"x\n", 0o640)}),
    *(Case("PAT-09", f"mode {mode}", {}, git("l", f"new file mode {mode}") + NEW.format("l"), None, {Code.MODE})
      for mode in ("120000", "160000", "040000", "104755")),
    Case("PAT-09", "a link by its index line", ABC, git("f", "index 1..2 120000") + edit("f", BODY), None, {Code.MODE}),
    *(Case("PAT-10", f"mode {mode!r}", ABC, git("f", "old mode 100644", f"new mode {mode}"), None, {Code.MODE})
      for mode in ("100x55", "", "rwx", "100 755")),
    Case("PAT-11", "a pure rename", ABC, "diff --git a/f b/g\nsimilarity index 100%\nrename from f\nrename to g\n",
         {"g": b"a\nb\nc\n"}),
    Case("PAT-11", "a rename with a change", ABC,
         "diff --git a/f b/d/g\nrename from f\nrename to d/g\n--- a/f\n+++ b/d/g\n"
         "@@ -1,3 +1,3 @@\n" + BODY, {"d/g": b"a\nx\nc\n"}),
    Case("PAT-11", "two files that swap their names", {"f": b"1\n", "g": b"2\n"},
         "diff --git a/f b/g\nrename from f\nrename to g\n"
         "diff --git a/g b/f\nrename from g\nrename to f\n", {"f": b"2\n", "g": b"1\n"}),
    Case("PAT-11", "changed, then renamed away", ABC, edit("f",
         BODY) + "diff --git a/f b/g\nrename from f\nrename to g\n",
         None, {Code.CONFLICT}),
    Case("PAT-12", "a pure copy", ABC, "diff --git a/f b/g\ncopy from f\ncopy to g\n", {**ABC, "g": b"a\nb\nc\n"}),
    Case("PAT-12", "a copy with a change, of a file that changes too", ABC, edit("f", " a\n-b\n+y\n c\n")
         + "diff --git a/f b/g\ncopy from f\ncopy to g\n--- a/f\n+++ b/g\n@@ -1,3 +1,3 @@\n" + BODY,
         {"f": b"a\ny\nc\n", "g": b"a\nx\nc\n"}),
    Case("PAT-13", "two names in a git header", ABC, "diff --git a/f b/g\n--- a/f\n+++ b/g\n@@ -1,3 +1,3 @@\n" + BODY,
         {"g": b"a\nx\nc\n"}),
    Case("PAT-13", "a plain pair of two names is neither", ABC, "--- a/f\n+++ b/g\n@@ -1,3 +1,3 @@\n" + BODY, None,
         {Code.MISSING}),
    Case("PAT-13", "but for a backup's name", ABC, "--- a/f.orig\n+++ b/f\n@@ -1,3 +1,3 @@\n" + BODY, AXC),
    Case("PAT-14", "the destination inherits", {"f": (b"a\r\nb\r\nc", 0o750)},
         "diff --git a/f b/g\nrename from f\nrename to g\n"
         "--- a/f\n+++ b/g\n@@ -1,3 +1,3 @@\n" + BODY, {"g": (b"a\r\nx\r\nc", 0o750)}),
    Case("PAT-15", "a destination that is taken", {**ABC, "g": b"g\n"},
         "diff --git a/f b/g\nrename from f\nrename to g\n",
         None, {Code.OCCUPIED}),
    Case("PAT-15", "a creation over a file", ABC, NEW.format("f"), None, {Code.OCCUPIED}),
    Case("PAT-15", "one destination twice", ABC, NEW.format("g") + NEW.format("g"), None, {Code.CONFLICT}),
    Case("PAT-16", "an empty file deleted", {**ABC, "e": b""}, git("e", "deleted file mode 100644",
         "index e69de29..0000000"), ABC),
    Case("PAT-16", "within a larger diff", {**ABC, "e": b""}, git("e",
         "deleted file mode 100644") + git("f") + edit("f", BODY), AXC),
    Case("PAT-17", "an empty file created by its header pair", ABC, "--- /dev/null\n+++ b/e\n", {**ABC, "e": b""}),
    Case("PAT-17", "an empty file deleted by its header pair", {**ABC, "e": b""}, "--- a/e\n+++ /dev/null\n", ABC),
    Case("PAT-17", "a git header without its mode line", ABC, git("n") + NEW.format("n"), {**ABC, "n": b"new\n"}),
    Case("PAT-17", "a pair whose hunk header is lost", ABC, "--- /dev/null\n+++ b/e\n+new\n", None, {Code.SURPLUS}),
    Case("PAT-18", "a deletion without hunks, not empty", ABC, git("f", "deleted file mode 100644"), None,
         {Code.CONTENT_LEFT}),
    Case("PAT-18", "a deletion that leaves a line", {"f": b"old\nmore\n", "g": b"old\n"},
         GONE.format("g") + GONE.format("f"),
         None, {Code.CONTEXT}),
    Case("PAT-19", "a binary patch", ABC, edit("f", BODY) + git("i", "index 1..2", "GIT binary patch", "literal 0",
         "HcmV?d00001"),
         None, {Code.BINARY}),
    Case("PAT-19", "binary files differ", ABC, edit("f", BODY) + "Binary files a/i and b/i differ\n", None,
         {Code.BINARY}),
    Case("PAT-20", "a text that adds such a line", ABC, edit("f", " a\n-b\n+GIT binary patch\n c\n"),
         {"f": b"a\nGIT binary patch\nc\n"}),
    Case("PAT-21", "a binary file", {"f": b"a\nb\0\nc\n"}, edit("f", " a\n-b\0\n+x\n c\n"), None, {Code.BINARY}),
    Case("PAT-22", "no newline before", {"f": b"a\nb"}, edit("f", " a\n-b\n\\ No newline at end of file\n+b\n",
         "@@ -1,2 +1,2 @@"),
         {"f": b"a\nb\n"}),
    Case("PAT-22", "no newline after", {"f": b"a\nb\n"}, edit("f", " a\n-b\n+b\n\\ No newline at end of file\n",
         "@@ -1,2 +1,2 @@"),
         {"f": b"a\nb"}),
    Case("PAT-22", "a mark that is not at an end", ABC, edit("f", " a\n-b\n+x\n\\ No newline at end of file\n c\n"),
         None, {Code.CORRUPT}),
    Case("PAT-22", "a bare hunk that would join two lines", ABC, edit("f",
         " a\n-b\n+x\n\\ No newline at end of file\n", "@@"),
         None, {Code.CONFLICT}),
    Case("PAT-23", "the end out of reach", {"f": TEN[:-1]}, EDIT5, {"f": FIVE[:-1]}),
    Case("PAT-23", "the end as unmarked context", {"f": b"a\nb\nc"}, edit("f", BODY), {"f": b"a\nx\nc"}),
    Case("PAT-24", "CRLF in file and diff", {"f": b"a\r\nb\r\nc\r\n"}, edit("f", BODY.replace("\n", "\r\n")),
         {"f": b"a\r\nx\r\nc\r\n"}),
    Case("PAT-24", "CRLF in the file alone", {"f": b"a\r\nb\r\nc\r\n"}, edit("f", BODY), {"f": b"a\r\nx\r\nc\r\n"}),
    Case("PAT-24", "CRLF in the diff alone", ABC, edit("f", BODY).replace("\n", "\r\n"), AXC),
    Case("PAT-24", "mixed ends far away stay", {"f": TEN.replace(b"9\n", b"9\r\n")}, EDIT5,
         {"f": FIVE.replace(b"9\n", b"9\r\n")}),
    Case("PAT-24", "mixed ends at hand decide nothing", {"f": b"a\r\nb\nc\r\n"}, edit("f", BODY), None, {Code.CONTEXT}),
    Case("PAT-24", "a diff that changes the ends themselves", {"f": b"a\r\nb\r\n"}, edit("f", "-a\r\n-b\r\n+a\n+b\n",
         "@@ -1,2 +1,2 @@"),
         {"f": b"a\nb\n"}),
    Case("PAT-24", "and was applied before", {"f": b"a\nb\n"}, edit("f", "-a\r\n-b\r\n+a\n+b\n", "@@ -1,2 +1,2 @@"),
         None, {Code.CONTEXT}),
    Case("SCN-39", "a lone carriage return is content", {"f": b"a\rb\nc\n"}, edit("f", "-a\rb\n+x\rb\n c\n",
         "@@ -1,2 +1,2 @@"), {"f": b"x\rb\nc\n"}),
    Case("PAT-25", "a name with a space and a time stamp", {"my file.txt": b"a\nb\nc\n"},
         "--- a/my file.txt\t2020-01-01 10:00:00 +0000\n+++ b/my file.txt\t2020-01-01 10:00:01 +0000\n"
         "@@ -1,3 +1,3 @@\n" + BODY,
         {"my file.txt": b"a\nx\nc\n"}),
    Case("PAT-25", "a creation by the time stamp of GNU diff", ABC, "--- a/n\t1970-01-01 01:00:00.000000000 +0100\n"
         "+++ b/n\t2020-01-01 10:00:01 +0000\n@@ -0,0 +1 @@\n+new\n", {**ABC, "n": b"new\n"}),
    Case("PAT-26", "a quoted name", {"t\tä\"": b"a\nb\nc\n"}, edit("x", BODY).replace("a/x",
         '"a/t\\t\\303\\244\\""').replace("b/x", '"b/t\\t\\303\\244\\""'),
         {"t\tä\"": b"a\nx\nc\n"}),
    Case("PAT-26", "a quoted way out", {}, '--- /dev/null\n+++ "b/\\056\\056/n"\n@@ -0,0 +1 @@\n+new\n', None,
         {Code.NAME}),
    *(Case("PAT-27", f"the name {name!r}", {}, NEW.format(name), None, {Code.NAME})
      for name in ("../n", "d/../../n", "./n", "d//n", "/n", "d/")),
    Case("PAT-27", "an absolute name", {}, "--- /dev/null\n+++ /etc/n\n@@ -0,0 +1 @@\n+new\n", None, {Code.NAME}),
    Case("PAT-27", "a rename that leaves", ABC, "diff --git a/f b/g\nrename from f\nrename to ../g\n", None,
         {Code.NAME}),
    Case("PAT-27", "an absolute name without a slash to strip", ABC, "--- /f\n+++ /f\n@@ -1,3 +1,3 @@\n" + BODY, None,
         {Code.NAME}),
    *(Case("SCN-47", f"the name {name!r}", {}, NEW.format(name), None, {Code.NAME})
      for name in (".git/hooks/pre-commit", "d/.GIT/config", ".git./config", "git~1/x", ".git::$INDEX/x")),
    Case("PAT-28", "a NUL in a name", {}, '--- /dev/null\n+++ "b/n\\000"\n@@ -0,0 +1 @@\n+new\n', None, {Code.NAME}),
    Case("PAT-28", "a lone surrogate", ABC, edit("f", " a\n-b\n+\ud800\n c\n"), None, {Code.TEXT}),
    Case("PAT-29", "a name that is too long", {}, NEW.format("n" * 300), None, {Code.NAME}),
    Case("PAT-29", "a path that is too long", {}, NEW.format("/".join(["d" * 200] * 25)), None, {Code.NAME}),
    Case("PAT-30", "x and x/y", {}, NEW.format("x") + NEW.format("x/y"), None, {Code.CONFLICT}),
    Case("PAT-30", "x/y and x", {}, NEW.format("x/y") + NEW.format("x"), None, {Code.CONFLICT}),
    Case("PAT-30", "below a file that stays", {"x": b"old\n"}, NEW.format("x/y"), None, {Code.CONFLICT}),
    Case("PAT-31", "a file becomes a directory", {"x": b"old\n"}, GONE.format("x") + NEW.format("x/y"),
         {"x/y": b"new\n"}),
    Case("PAT-31", "in the other order", {"x": b"old\n"}, NEW.format("x/y") + GONE.format("x"), {"x/y": b"new\n"}),
    Case("PAT-32", "a directory becomes a file", {"x/a": b"old\n", "x/b/c": b"old\n"},
         GONE.format("x/a") + GONE.format("x/b/c")
         + NEW.format("x"), {"x": b"new\n"}),
    Case("PAT-32", "something is left in it", {"x/a": b"old\n", "x/b": b""}, GONE.format("x/a") + NEW.format("x"),
         None, {Code.CONFLICT}),
    Case("PAT-35", "prose", ABC, "I would change line 2.\n", None, {Code.NO_DIFF}),
    Case("PAT-35", "nothing", ABC, "", None, {Code.NO_DIFF}),
    Case("PAT-35", "a header and no change", ABC, git("f", "index 1..2 100644"), None, {Code.NOTHING}),
    Case("PAT-36", "a hunk without a file", ABC, "@@ -1,3 +1,3 @@\n" + BODY, None, {Code.STRAY}),
    Case("PAT-36", "a git header without a name", ABC, "diff --git f f\nnew file mode 100644\n", None, {Code.HEADER}),
    Case("PAT-36", "two purposes", ABC, git("f", "new file mode 100644", "deleted file mode 100644"), None,
         {Code.HEADER}),
    Case("PAT-38", "65,536 characters", ABC, edit("f", BODY).ljust(65_536, "\n"), AXC),
    Case("PAT-38", "one more", ABC, edit("f", BODY).ljust(65_537, "\n"), None, {Code.TOO_LARGE}),
    Case("SCN-40", "the last line of the patch is cut, the file has it", ABC, edit("f", BODY).removesuffix("\n"), AXC),
    Case("SCN-40", "the last line of the patch is cut within an addition", ABC, NEW.format("n").removesuffix("\n"),
         None, {Code.UNTERMINATED}),
    Case("SCN-40", "a header is cut", ABC, "diff --git a/f b/g\nrename from f\nrename to g", None, {Code.UNTERMINATED}),
    Case("SCN-40", "trailing spaces of blank context", {"f": b"a\n\nc\n"}, edit("f", " a\n\n-c\n+x\n"),
         {"f": b"a\n\nx\n"}),
    Case("SCN-40", "prose and a fence around", ABC, "So:\n```diff\n" + edit("f", BODY) + "```\n- done\n+ better\n",
         AXC),
    Case("SCN-42", "one bad hunk of two", {"f": TEN}, EDIT5
         + "@@ -7,3 +7,3 @@\n line 7\n-line eight\n+eight\n line 9\n", None, {Code.CONTEXT}),
    Case("SCN-43", "a name and a content that are not UTF-8", {"\udcff": b"# coding: latin-1\n\xe9\nc\n"},
         b'--- "a/\\377"\n+++ "b/\\377"\n@@ -1,3 +1,3 @@\n # coding: latin-1\n-\xe9\n+\xe8\n c\n',
         {"\udcff": b"# coding: latin-1\n\xe8\nc\n"}),
]  # fmt: skip


@pytest.mark.parametrize("case", CASES, ids=lambda case: f"{case.rule}: {case.about}")
def test_rule(tmp_path: Path, case: Case) -> None:
    place = tmp_path / "place"
    place.mkdir()
    check(place, case)


def _lenient_body(parser: Any, *_: object) -> list[Line]:
    body = []
    while parser._at < len(parser._lines) and parser._lines[parser._at][:1] in (b" ", b"+", b"-"):
        text = parser._lines[parser._at]
        body.append(Line(chr(text[0]), text[1:]))
        parser._at += 1
    return body


def _partial(tree: Any, patches: Any) -> Any:
    good = []
    for patch in patches:
        try:
            stage.stage(tree, [*good, patch])
        except PatchError:
            continue
        good.append(patch)
    return stage.stage(tree, good)


def _in_place(root: Path, staged: Any) -> None:
    for path, file in staged.written.items():
        (root / os.fsdecode(path)).write_bytes(file.data)


def _forced_text(text: bytes) -> Any:
    if b"GIT binary patch" in text:
        raise refusal(Code.BINARY, "")
    return parse.parse(text)


def _by_number(_: object, hunk: Any, own_ends: bool = False) -> Any:
    return iter([(hunk.numbers.old_start - 1, hunk.new)])


def _strict_check(patch: FilePatch) -> None:
    if not patch.hunks:
        raise refusal(Code.NOTHING, "")


def _always(kind: Kind) -> Callable[..., Kind]:
    return lambda *_: kind


FAULTS: dict[str, list[tuple[object, str, object]]] = {
    "PAT-01": [(apply, "stage", _partial)],
    "PAT-02": [(hunks._Image, "_places", _by_number)],
    "PAT-03": [(parse._Parser, "_counted", _lenient_body)],
    "PAT-04": [(parse._Parser, "_counted", _lenient_body), (parse._Parser, "_bare", _lenient_body)],
    "PAT-05": [(parse._Parser, "_surplus", lambda *_: None)],
    "PAT-06": [(parse, "_BARE", NEVER)],
    "PAT-07": [(hunks._Image, "_places", lambda *_, **__: iter(()))],
    "PAT-08": [(stage, "_mode", lambda mode, _: mode)],
    "PAT-09": [(headers, "read_mode", lambda *_: 0o100644)],
    "PAT-10": [(headers, "read_mode", lambda *_: 0o100755)],
    "PAT-11": [(stage._Staging, "_kind", _always(Kind.COPY))],
    "PAT-12": [(stage._Staging, "_kind", _always(Kind.RENAME))],
    "PAT-13": [(stage._Staging, "_kind", _always(Kind.MODIFY))],
    "PAT-14": [(stage.Tree, "mode", lambda *_: 0o644)],
    "PAT-15": [(stage._Staging, "_require_free", lambda *_: None)],
    "PAT-16": [(parse, "_check", _strict_check)],
    "PAT-17": [(parse, "is_null", lambda _: False)],
    "PAT-18": [(stage, "apply_hunks", lambda *_: (b"", ()))],
    "PAT-19": [(parse, "_BINARY", NEVER)],
    "PAT-20": [(formats, "parse", _forced_text)],
    "PAT-21": [(stage, "_BINARY_PREFIX", 0)],
    "PAT-22": [(parse, "_NO_NEWLINE", NEVER)],
    "PAT-23": [(hunks._Image, "result", lambda image, real=hunks._Image.result: real(image).rstrip(b"\n") + b"\n")],
    "PAT-24": [(hunks._Image, "_with_own_ends", lambda _, hunk, __: hunk.new)],
    "PAT-25": [(headers, "plain_name", lambda text: text.split(b" ")[0])],
    "PAT-26": [(names, "_unescape", lambda body: body)],
    "PAT-27": [(headers, "check_name", lambda *_: None)],
    "PAT-28": [(apply, "encode", lambda text: text.encode("utf-8", "surrogatepass"))],
    "PAT-29": [(names, "MAX_PART", 1_000_000), (names, "MAX_PATH", 1_000_000), (stage.Tree, "_kind",
         lambda *_: "nothing")],
    "PAT-30": [(stage._Staging, "_beside", lambda *_: "")],
    "PAT-31": [(commit._Aside, "_set_aside", lambda *_: None)],
    "PAT-32": [(commit._Aside, "_remove_emptied", lambda *_: None)],
    "PAT-35": [(formats, "parse", lambda text: parse._Parser(text).patches())],
    "PAT-36": [(parse, "refusal", lambda *_, **__: ValueError("escaped"))],
    "PAT-37": [(apply, "stage", _partial)],
    "PAT-38": [(parse, "MAX_PATCH", 1_000_000)],
    "SCN-39": [(hunks, "_split", lambda data: data.splitlines(keepends=True))],
    "SCN-40": [(apply, "encode", lambda patch: parse.encode(patch) + b"\n")],
    "SCN-42": [(hunks._Image, "_places", _by_number)],
    "SCN-43": [(apply, "encode", lambda patch: patch.encode() if isinstance(patch,
         str) else patch.decode("latin-1").encode())],
    "SCN-47": [(names, "_is_git", lambda _: False)],
}  # fmt: skip


@pytest.mark.parametrize("rule", FAULTS)
def test_planted_fault_turns_the_rule_red(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, rule: str) -> None:
    """Law 7."""
    about = "PAT-01" if rule == "PAT-37" else rule
    for where, name, fault in FAULTS[rule]:
        monkeypatch.setattr(where, name, fault)
    red = 0
    for number, case in enumerate(case for case in CASES if case.rule == about):
        place = tmp_path / str(number)
        place.mkdir()
        try:
            check(place, case)
        except (AssertionError, OSError, ValueError):
            red += 1
    assert red


def test_every_rule_has_cases_and_a_fault() -> None:
    """The others, on links, roots, failures and bounds, stand in `test_patch_tree.py`."""
    elsewhere = {"PAT-33", "PAT-34", "PAT-37", "PAT-39"}
    ruled = {f"PAT-{number:02}" for number in range(1, 40)} - elsewhere
    assert ruled <= {case.rule for case in CASES}
    assert {case.rule for case in CASES} <= FAULTS.keys()

"""Cases against git, byte for byte: encodings, line ends, final newlines, modes, renames, copies, names, file types.

All trees before and after stand in one repository, a directory for each case; git's diff of the case and git's result
of applying it are what is compared with.
"""

from __future__ import annotations

import shutil
from collections.abc import Iterator
from dataclasses import dataclass
from itertools import product
from pathlib import Path

import pytest

from tasks.repair.patch import PatchError, apply_patch
from tests.tasks.repair.patch.trees import Tree, git, read, write

WORDS = ["one", "two", "three", "four", "five", "six", "seven", "eight", "nine", "ten"]
TEXTS = {
    "ascii": b"plain %s\n",
    "utf-8": "grün %s ✓\n".encode(),
    "bom": b"\xef\xbb\xbfmark %s\n",
    "latin-1": b"caf\xe9 %s\n",
    "shift-jis": "日本 %s\n".encode("shift-jis"),
    "gb18030": "汉字 %s\n".encode("gb18030"),
    "koi8-r": "слово %s\n".encode("koi8-r"),
    "control": b"\x01\x1b[0m %s \x7f\n",
    "diff-like": b"--- a/x\n+++ b/x\n@@ -1 +1 @@\n-%s\n",
    "marks": b"<<<<<<< SEARCH\n=======\n>>>>>>> REPLACE\n```\n%s\n",
    "spaces": b" \t %s \t \n\n",
    "long": b"%s" + b"x" * 3_000 + b"\n",
}
NAMES = [
    b"a.py", b"with space.md", b"tab\there", b'quo"te', b"back\\slash", b"new\nline", b"\xff\xfe.txt",
    "ä/ß.txt".encode(),
    b"-dash", b"trailing ", b" leading", b"a b/b c", b"d/e/f/g", b"b/x", b"a/x", b"dev/null", b"x.patch", b"\x01",
    b"semi;colon", b"dollar$(x)", b"percent%41", b"star*", b"...", b"..x", "e\u0301".encode(),
]  # fmt: skip


@dataclass
class Case:
    about: str
    before: Tree
    after: Tree
    context: int = 3


def lines(pattern: bytes, words: list[str] = WORDS) -> bytes:
    return b"".join(pattern % word.encode() for word in words)


def ended(data: bytes, style: str) -> bytes:
    """All lines ended alike, or every third by CRLF, or with carriage returns inside."""
    parts = data.split(b"\n")[:-1]
    ends = {"lf": [b"\n"], "crlf": [b"\r\n"], "mixed": [b"\n", b"\n", b"\r\n"], "cr-inside": [b"\rmore\n"]}[style]
    return b"".join(part + ends[index % len(ends)] for index, part in enumerate(parts))


def swapped(at: int) -> list[str]:
    return [*WORDS[:at], WORDS[at].upper(), *WORDS[at + 1 :]]


def cases() -> Iterator[Case]:
    plain = lines(b"%s\n")
    for style, ends, at in product(("lf", "crlf", "mixed", "cr-inside"), ("++", "+-", "-+", "--"), (0, 4, 9)):
        texts = [ended(lines(b"%s\n", words), style) for words in (WORDS, swapped(at))]
        old, new = (text if end == "+" else text[:-1] for text, end in zip(texts, ends, strict=True))
        yield Case(f"ends {style} {ends} line {at}", {b"f": (old, False)}, {b"f": (new, False)})
    for name, pattern in TEXTS.items():
        old, new = lines(pattern), lines(pattern, swapped(4))
        yield Case(f"text {name} edited", {b"f": (old, False)}, {b"f": (new, False)})
        yield Case(f"text {name} edited, little context", {b"f": (old, False)}, {b"f": (new, False)}, 1)
        yield Case(f"text {name} gains a newline", {b"f": (old[:-1], False)}, {b"f": (new, False)})
        yield Case(f"text {name} loses a newline", {b"f": (old, False)}, {b"f": (new[:-1], False)})
        yield Case(f"text {name} created", {b"k": (b"k\n", False)}, {b"k": (b"k\n", False), b"f": (old, False)})
        yield Case(f"text {name} deleted", {b"f": (old, False), b"k": (b"k\n", False)}, {b"k": (b"k\n", False)})
        yield Case(f"text {name} renamed and edited", {b"f": (old, False)}, {b"g": (new, False)})
        yield Case(f"text {name} copied and edited", {b"f": (old, False)}, {b"f": (old, False), b"g": (new, False)})
    for name in NAMES:
        kept: Tree = {b"keep": (b"k\n", False)}
        yield Case(f"name {name!r} edited", {name: (plain, False)}, {name: (lines(b"%s\n", swapped(4)), False)})
        yield Case(f"name {name!r} created", kept, {**kept, name: (plain, False)})
        yield Case(f"name {name!r} deleted", {**kept, name: (plain, False)}, kept)
        yield Case(f"name {name!r} renamed to", {b"from": (plain, False)}, {name: (plain, False)})
        yield Case(f"name {name!r} renamed from", {name: (plain, False)}, {b"moved/to": (plain, False)})
    edited = lines(b"%s\n", swapped(4))
    for old, new in product((False, True), repeat=2):
        yield Case(f"mode {old} to {new}, edited", {b"f": (plain, old)}, {b"f": (edited, new)})
        yield Case(f"mode {old} to {new}, renamed", {b"f": (plain, old)}, {b"g": (plain, new)})
        yield Case(f"mode {old} to {new}, renamed and edited", {b"f": (plain, old)}, {b"g": (edited, new)})
        yield Case(f"mode {old} to {new}, copied", {b"f": (plain, old)}, {b"f": (plain, old), b"g": (edited, new)})
    yield Case("mode alone", {b"f": (plain, False)}, {b"f": (plain, True)})
    yield Case("mode back alone", {b"f": (plain, True)}, {b"f": (plain, False)})
    yield Case("mode of an empty file", {b"f": (b"", False)}, {b"f": (b"", True)})
    for executable in (False, True):
        kept = {b"keep": (b"k\n", False)}
        yield Case(f"created, executable {executable}", kept, {**kept, b"s": (plain, executable)})
        yield Case(f"created empty, executable {executable}", kept, {**kept, b"s": (b"", executable)})
        yield Case(f"deleted, executable {executable}", {**kept, b"s": (plain, executable)}, kept)
        yield Case(f"deleted empty, executable {executable}", {**kept, b"s": (b"", executable)}, kept)
    yield from shapes(plain, edited)


def shapes(plain: bytes, edited: bytes) -> Iterator[Case]:
    """Files for directories, directories for files, swaps, chains, several hunks."""
    yield Case("file to directory", {b"x": (plain, False)}, {b"x/y": (plain, False)})
    yield Case("file to directory, edited", {b"x": (plain, False)}, {b"x/y": (edited, False)})
    yield Case("file to deep directory", {b"x": (b"1\n", False)}, {b"x/y/z": (b"2\n", False)})
    yield Case("directory to file", {b"x/y": (plain, False)}, {b"x": (plain, False)})
    yield Case("directory of two to file", {b"x/y": (b"1\n", False), b"x/z": (b"2\n", False)}, {b"x": (b"3\n", False)})
    yield Case("deep directory to file", {b"x/y/z": (b"1\n", False)}, {b"x": (b"2\n", False)})
    yield Case(
        "swap",
        {b"f": (b"1\n" * 9, False), b"g": (b"2\n" * 9, True)},
        {b"g": (b"1\n" * 9, False), b"f": (b"2\n" * 9, True)},
    )
    yield Case(
        "chain of renames",
        {b"f": (plain, False), b"g": (b"2\n" * 9, False)},
        {b"g": (plain, False), b"h": (b"2\n" * 9, False)},
    )
    yield Case("copied twice", {b"f": (plain, False)}, dict.fromkeys((b"f", b"g", b"h"), (plain, False)))
    yield Case("renamed and copied", {b"f": (plain, False)}, dict.fromkeys((b"g", b"h"), (plain, False)))
    yield Case("emptied", {b"f": (plain, False)}, {b"f": (b"", False)})
    yield Case("filled", {b"f": (b"", False)}, {b"f": (plain, False)})
    yield Case("filled without final newline", {b"f": (b"", False)}, {b"f": (b"x", False)})
    yield Case("only the final newline goes", {b"f": (plain, False)}, {b"f": (plain[:-1], False)})
    yield Case("only the final newline comes", {b"f": (plain[:-1], False)}, {b"f": (plain, False)})
    yield Case("lf to crlf", {b"f": (plain, False)}, {b"f": (ended(plain, "crlf"), False)})
    yield Case("crlf to lf", {b"f": (ended(plain, "crlf"), False)}, {b"f": (plain, False)})
    many = b"".join(b"%d\n" % number for number in range(200))
    for context in (0, 1, 2, 10):
        new = (
            many.replace(b"\n50\n", b"\nfifty\n").replace(b"\n51\n", b"\n").replace(b"\n150\n", b"\n150\n150a\n150b\n")
        )
        if context:
            yield Case(f"hunks with {context} lines of context", {b"f": (many, False)}, {b"f": (new, False)}, context)
    yield Case(
        "three files",
        {b"a": (plain, False), b"b": (plain, True), b"c": (b"c\n", False)},
        {b"a": (edited, False), b"b": (edited, True), b"d/c": (b"other\n", False)},
    )
    yield Case("everything goes", {b"a/b": (plain, False), b"c": (b"", False)}, {})


CASES = list(cases())


@pytest.fixture(scope="module")
def repository(tmp_path_factory: pytest.TempPathFactory) -> tuple[Path, str, str]:
    """The repository, and the names of the trees before and after."""
    root = tmp_path_factory.mktemp("cases") / "repository"
    root.mkdir()
    git(root, "init", "-q", "--template=")
    trees = []
    for side in ("before", "after"):
        for path in root.iterdir():
            if path.name != ".git":
                shutil.rmtree(path)
        for index, case in enumerate(CASES):
            write(root / f"c{index}", getattr(case, side))
        git(root, "add", "-Af")
        trees.append(git(root, "write-tree").stdout.decode().strip())
    return root, trees[0], trees[1]


def diff_of(repository: tuple[Path, str, str], index: int) -> bytes:
    root, before, after = repository
    options = [f"-U{CASES[index].context}", "-M", "-C", "--find-copies-harder", "-l0", "--text"]
    return git(root, "diff", *options, f"--relative=c{index}", before, after, "--", f"c{index}").stdout


@pytest.mark.parametrize("index", range(len(CASES)), ids=[case.about for case in CASES])
def test_as_git(tmp_path: Path, repository: tuple[Path, str, str], index: int) -> None:
    """PAT-01, 08, 11 to 14, 16, 17, 22 to 26, 31, 32, ENC-05: git's diff gives git's tree."""
    case = CASES[index]
    diff = diff_of(repository, index)
    ours, theirs = write(tmp_path / "ours", case.before), write(tmp_path / "theirs", case.before)
    (tmp_path / "diff").write_bytes(diff)
    applied = git(theirs, "apply", "--whitespace=nowarn", str(tmp_path / "diff"))
    apply_patch(ours, diff)
    assert applied.returncode == 0, applied.stderr
    assert read(ours) == read(theirs) == case.after


def test_there_are_enough_cases() -> None:
    assert len(CASES) > 300
    assert len({case.about for case in CASES}) == len(CASES)


def test_a_wrong_byte_would_be_seen(tmp_path: Path, repository: tuple[Path, str, str]) -> None:
    """Law 7: a diff of another case is refused, and a result that lost its last newline is not git's."""
    index = next(index for index, case in enumerate(CASES) if case.about == "ends crlf +- line 9")
    ours = write(tmp_path / "ours", {b"f": (b"other\n", False)})
    with pytest.raises(PatchError):
        apply_patch(ours, diff_of(repository, index))
    assert read(ours) == {b"f": (b"other\n", False)}
    assert CASES[index].after != CASES[index].before

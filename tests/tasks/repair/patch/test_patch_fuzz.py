"""Random trees and diffs against git: what git makes applies to git's result, what is damaged is never forced."""

from __future__ import annotations

import random
import re
import shutil
from collections.abc import Callable, Iterator
from contextlib import suppress
from pathlib import Path

import pytest

from contracts.paths import path_bytes
from tasks.repair.patch import Applied, PatchError, apply_patch
from tasks.repair.patch.hunks import How
from tasks.repair.patch.model import Hunk
from tasks.repair.patch.parse import parse
from tests.tasks.repair.patch.trees import Tree, git, read, write

NAMES = [
    b"a.py", b"b.txt", b"with space.md", b"tab\there", b'quo"te', b"back\\slash", b"new\nline", b"\xff\xfe.bin",
    "grün/ä.txt".encode(), b"sub/a.py", b"sub/deep/c.py", b"b/x", b"a b/b c", b"-dash", b"trailing ", b"sub dir/q\x01",
]  # fmt: skip
WORDS = [b"", b"", b"}", b"x = 1", b"return", b"  pass", b"\tcall()", b"caf\xe9", "naïve".encode(), b"a\rb", b"-- sql"]


def content(rng: random.Random) -> bytes:
    """A text of few distinct lines, so that contexts repeat, with unique ones strewn in."""
    end = rng.choice([b"\n", b"\n", b"\n", b"\r\n"])
    lines = [line(rng) for _ in range(rng.choice([0, 1, 3, 10, 30, 60]))]
    text = b"".join(line + (rng.choice([b"\n", b"\r\n"]) if rng.random() < 0.02 else end) for line in lines)
    return text.removesuffix(b"\n") if rng.random() < 0.2 else text


def line(rng: random.Random) -> bytes:
    return b"line %d" % rng.randrange(10_000) if rng.random() < 0.5 else rng.choice(WORDS)


def edited(rng: random.Random, data: bytes) -> bytes:
    lines = data.split(b"\n")
    for _ in range(rng.randint(1, 4)):
        at = rng.randrange(len(lines) + 1)
        end = b"\r" if data.count(b"\r\n") * 2 > data.count(b"\n") else b""
        lines[at : at + rng.choice([0, 0, 1, 2])] = [line(rng) + end for _ in range(rng.choice([0, 1, 1, 2]))]
    return b"\n".join(lines)


def fits(name: bytes, tree: Tree) -> bool:
    """No file is a directory of another."""
    return not any(other.startswith(name + b"/") or name.startswith(other + b"/") for other in tree)


def tree_of(rng: random.Random) -> Tree:
    tree: Tree = {}
    for name in rng.sample(NAMES, rng.randint(2, 7)):
        if fits(name, tree):
            tree[name] = (content(rng), rng.random() < 0.2)
    return tree


def changed(rng: random.Random, before: Tree) -> Tree:
    """Edits, modes, deletions, renames, copies, creations, and files for directories."""
    after = dict(before)
    for _ in range(rng.randint(1, 5)):
        name = rng.choice([*after, b""])
        other = rng.choice([*NAMES, b"moved/to.py", b"sub", b"a.py/inner"])
        if not name or rng.random() < 0.15:
            name, data, executable = other, content(rng), rng.random() < 0.3
        else:
            data, executable = after[name]
            kind = rng.choice(["edit", "edit", "edit", "mode", "delete", "rename", "copy"])
            if kind in ("delete", "rename"):
                del after[name]
            if kind == "delete":
                continue
            executable ^= kind == "mode"
            name = other if kind in ("rename", "copy") else name
            data = edited(rng, data) if kind == "edit" or rng.random() < 0.5 else data
        if fits(name, after):
            after[name] = (data, executable)
    return after


def empty_directories(root: Path) -> list[Path]:
    return [path for path in root.rglob("*") if path.is_dir() and not any(path.iterdir())]


class World:
    """A tree, another one, and git's diff between the two."""

    def __init__(self, where: Path, seed: int, context: tuple[int, ...] = (1, 2, 3, 3, 3, 10)) -> None:
        self.where, self.rng = where, random.Random(seed)
        self.before = tree_of(self.rng)
        self.after = changed(self.rng, self.before)
        repository = write(where / "repository", self.before)
        git(repository, "init", "-q", "--template=")
        git(repository, "add", "-Af")
        base = git(repository, "write-tree").stdout.decode().strip()
        for path in repository.iterdir():
            if path.name != ".git":
                shutil.rmtree(path) if path.is_dir() else path.unlink()
        write(repository, self.after)
        git(repository, "add", "-Af")
        detect = self.rng.choice([["-M"], ["-M", "-C", "--find-copies-harder"], ["--no-renames"]])
        self.diff = git(repository, "diff", "--cached", f"-U{self.rng.choice(context)}", *detect, base).stdout

    def ours(self, patch: bytes | str) -> tuple[Applied | PatchError, Tree]:
        root = write(self.where / "ours", self.before)
        try:
            result: Applied | PatchError = apply_patch(root, patch)
        except PatchError as error:
            result = error
        tree, empty = read(root), empty_directories(root)
        shutil.rmtree(root)
        assert not empty
        return result, tree

    def theirs(self, patch: bytes) -> tuple[bool, Tree]:
        root = write(self.where / "theirs", self.before)
        (self.where / "patch").write_bytes(patch)
        done = git(root, "apply", "--whitespace=nowarn", str(self.where / "patch"))
        tree = read(root)
        shutil.rmtree(root)
        return done.returncode == 0, tree


def worlds(where: Path, seeds: range, **options: tuple[int, ...]) -> Iterator[tuple[int, World]]:
    for seed in seeds:
        place = where / str(seed)
        place.mkdir()
        world = World(place, seed, **options)
        if world.diff and b"\nBinary files " not in world.diff:
            yield seed, world
        shutil.rmtree(place)


def check_faithful(where: Path, seeds: range) -> int:
    """Every diff of git gives git's tree."""
    count = 0
    for seed, world in worlds(where, seeds):
        result, tree = world.ours(world.diff)
        assert isinstance(result, Applied), (seed, str(result))
        assert tree == world.after, seed
        count += 1
    return count


def renumbered(diff: bytes, rng: random.Random) -> bytes:
    shift = rng.randint(1, 50)
    return re.sub(
        rb"(?m)^@@ -(\d+)(.*) \+(\d+)", lambda m: b"@@ -%d%s +%d" % (int(m[1]) + shift, m[2], int(m[3]) + shift), diff
    )


DAMAGES: dict[str, Callable[[bytes, random.Random], bytes]] = {
    "bare": lambda diff, _: re.sub(rb"(?m)^@@ -.*? @@", b"@@", diff),
    "renumbered": renumbered,
    "crlf": lambda diff, _: diff.replace(b"\n", b"\r\n"),
    "lf": lambda diff, _: diff.replace(b"\r\n", b"\n"),
    "no final newline": lambda diff, _: diff.removesuffix(b"\n"),
    "fenced": lambda diff, _: b"Here it is:\n\n```diff\n" + diff + b"```\n\nDone.\n",
    "blank context": lambda diff, _: re.sub(rb"(?m)^ $", b"", diff),
    "unmarked end": lambda diff, _: re.sub(rb"(?m)^\\ No newline.*\n", b"", diff),
}


def check_transport(where: Path, seeds: range) -> dict[str, int]:
    """What a chat does to a whole diff: applied as it was meant, but for ends that no context has, or refused."""
    applied = dict.fromkeys(DAMAGES, 0)
    for seed, world in worlds(where, seeds, context=(2, 3, 3, 5)):
        for name, damage in DAMAGES.items():
            result, tree = world.ours(damage(world.diff, world.rng))
            if isinstance(result, PatchError):
                assert tree == world.before, (seed, name)
                continue
            applied[name] += 1
            same = tree == world.after
            if not same and name in ("crlf", "lf", "unmarked end", "no final newline"):
                same = {key: (_plain(data), mode) for key, (data, mode) in tree.items()} == {
                    key: (_plain(data), mode) for key, (data, mode) in world.after.items()
                }
            assert same, (seed, name)
    return applied


def _plain(data: bytes) -> bytes:
    return data.replace(b"\r", b"").rstrip(b"\n")


def mutated(rng: random.Random, diff: bytes) -> bytes:
    """A diff with one to three small damages."""
    lines = [part + b"\n" for part in diff.split(b"\n")][:-1]
    for _ in range(rng.randint(1, 3)):
        if lines:
            rng.choice(MUTATIONS)(rng, lines, rng.randrange(len(lines)))
    return b"".join(lines)


STRAY = [b"\n", b"prose\n", b" context\n", b"+added\n", b"-gone\n", b"-- \n", b"@@ -1 +1 @@\n"]


def _replace(lines: list[bytes], at: int, new: list[bytes], count: int = 1) -> None:
    lines[at : at + count] = new


def _byte(rng: random.Random, lines: list[bytes], at: int) -> None:
    spot = rng.randrange(len(lines[at]))
    lines[at] = lines[at][:spot] + bytes([rng.randrange(256)]) + lines[at][spot + 1 :]


def _number(rng: random.Random, lines: list[bytes], at: int) -> None:
    lines[at] = re.sub(rb"\d+", lambda _: b"%d" % rng.randrange(40), lines[at], count=1)


def _prefix(rng: random.Random, lines: list[bytes], at: int) -> None:
    lines[at] = re.sub(rb"[ab]/", lambda _: rng.choice([b"a/../", b"/", b"", b"x/"]), lines[at], count=1)


MUTATIONS: list[Callable[[random.Random, list[bytes], int], None]] = [
    lambda _, lines, at: _replace(lines, at, []),
    lambda _, lines, at: _replace(lines, at, [lines[at], lines[at]]),
    lambda rng, lines, at: _replace(lines, at, [rng.choice(lines), lines[at]]),
    lambda rng, lines, at: _replace(lines, at, [rng.choice([b" ", b"+", b"-", b"@", b"\\ "]) + lines[at][1:]]),
    lambda rng, lines, at: _replace(lines, at, [rng.choice(STRAY), lines[at]]),
    lambda _, lines, at: _replace(lines, at, [lines[at].rstrip() + b"\n"]),
    lambda rng, lines, at: _replace(lines, at, lines[at : at + 2][::-1], 2),
    lambda rng, lines, at: _replace(lines, at, lines[at : at + rng.randint(1, 8)], 0),
    lambda rng, lines, at: _replace(lines, at, lines[rng.randrange(len(lines)) :][: rng.randint(1, 8)], 0),
    lambda _, lines, at: _replace(lines, at, [], len(lines)),
    _byte, _number, _number, _prefix,
]  # fmt: skip


def rescued(patch: bytes, applied: Applied) -> bool:
    """Whether git refuses what the context decides; each kind is a rule with a test of its own."""
    changes = parse(patch)
    bare = any(hunk.numbers is None for change in changes for hunk in change.hunks)
    placed = {place.how for change in applied.changes for place in change.placements}
    return bare or placed != {How.NUMBERED} or not patch.endswith(b"\n") or _no_mode(patch) or _surplus(patch)


def _no_mode(patch: bytes) -> bool:
    """PAT-17: /dev/null on one side says creation or deletion, with or without a mode line."""
    return b"/dev/null" in patch


def _surplus(patch: bytes) -> bool:
    """PAT-05, SMP-05: context beyond the counts, with a further hunk after it."""
    return bool(re.search(rb"(?m)^(?: .*)?\n@@", patch))


def decided(before: Tree, patch: bytes, applied: Applied) -> bool:
    """Whether each hunk that does not stand where its numbers say has one place only, looked for naively."""
    for file, change in zip(parse(patch), applied.changes, strict=True):
        lines = [
            line.rstrip(b"\r") for line in before.get(path_bytes(change.source or change.path), (b"",))[0].split(b"\n")
        ]
        for hunk, placement in zip(file.hunks, change.placements, strict=True):
            wanted = [line.rstrip(b"\r\n") for line in hunk.old]
            places = [at for at in range(len(lines)) if lines[at : at + len(wanted)] == wanted]
            twice = sum(other.path == change.path for other in applied.changes) > 1
            if placement.how is not How.NUMBERED and places != [placement.line - 1] and not twice:
                return False
    return True


def check_mutated(where: Path, seeds: range, each: int) -> dict[str, int]:
    """A damaged diff is refused with the tree untouched, or gives what git gives.

    Where a header names /dev/null without a mode line git takes it for the name of a file; here it is PAT-17.
    """
    counts = {"both applied": 0, "both refused": 0, "ours refused": 0, "rescued": 0}
    for seed, world in worlds(where, seeds):
        for turn in range(each):
            patch = mutated(world.rng, world.diff)
            (result, tree), (they_applied, their_tree) = world.ours(patch), world.theirs(patch)
            if isinstance(result, PatchError):
                assert tree == world.before, (seed, turn)
                counts["ours refused" if they_applied else "both refused"] += 1
            elif they_applied:
                assert tree == their_tree or b"dev/null" in their_tree, (seed, turn)
                counts["both applied"] += 1
            else:
                assert rescued(patch, result), (seed, turn)
                assert decided(world.before, patch, result), (seed, turn)
                counts["rescued"] += 1
    return counts


def test_diffs_of_git_apply_to_gits_result(tmp_path: Path) -> None:
    """PAT-01, 08, 11, 12, 14, 16, 22 to 26, 31, 32 on random trees: names as bytes, CRLF, modes, renames, copies."""
    assert check_faithful(tmp_path, range(40)) > 25


def test_transport_damage_is_undone_or_refused(tmp_path: Path) -> None:
    """PAT-06, PAT-07, PAT-24, SCN-39, SCN-40: the context decides, or the patch is refused."""
    applied = check_transport(tmp_path, range(1_000, 1_020))
    assert all(count for count in applied.values()), applied


def test_mutated_diffs_are_never_forced(tmp_path: Path) -> None:
    """PAT-02 to PAT-05, PAT-37, SCN-42."""
    counts = check_mutated(tmp_path, range(2_000, 2_020), 10)
    assert counts["both applied"] > 20
    assert counts["both refused"] > 50


PIECES = [
    b"diff --git a/f b/f\n", b"--- a/f\n", b"+++ b/f\n", b"--- /dev/null\n", b"+++ /dev/null\n",
    b"@@ -1,2 +1,2 @@\n", b"@@ -0,0 +1 @@\n", b"@@\n", b"@@ -1 +1,99999999999 @@\n", b" a\n", b"-b\n", b"+c\n",
    b"\\ No newline at end of file\n", b"rename from f\n", b"rename to g\n", b'copy from "\\377"\n', b"index 1..2\n",
    b"new file mode 100644\n", b"deleted file mode 100644\n", b"GIT binary patch\n", b"\n", b"\r\n", b"```\n",
    b'+++ "b/\\q"\n', b'--- "a/', b"\0\xff", b"+++ b/" + b"x/" * 999 + b"\n",
]  # fmt: skip


def check_garbage(where: Path, seed: int, count: int) -> int:
    """Pieces of diffs in any order: refused or applied, and nothing but `PatchError` escapes (PAT-36)."""
    rng = random.Random(seed)
    refused = 0
    root = write(where / "garbage", {b"f": (b"a\nb\n", False)})
    for _ in range(count):
        before = read(root)
        with suppress(PatchError):
            apply_patch(root, b"".join(rng.choice(PIECES) for _ in range(rng.randint(1, 12))))
            continue
        refused += 1
        assert read(root) == before
    return refused


def test_garbage_is_refused_in_words(tmp_path: Path) -> None:
    assert check_garbage(tmp_path, 4_000, 2_000) > 1_000


@pytest.mark.slow
def test_much_garbage(tmp_path: Path) -> None:
    assert check_garbage(tmp_path, 40_000, 30_000) > 15_000


@pytest.mark.slow
def test_many_diffs_of_git(tmp_path: Path) -> None:
    assert check_faithful(tmp_path, range(10_000, 10_400)) > 280


@pytest.mark.slow
def test_much_transport_damage(tmp_path: Path) -> None:
    assert all(check_transport(tmp_path, range(20_000, 20_120)).values())


@pytest.mark.slow
def test_many_mutated_diffs(tmp_path: Path) -> None:
    assert check_mutated(tmp_path, range(30_000, 30_100), 20)["both applied"] > 160


def test_a_forcing_applier_would_be_caught(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Law 7: with a placement that goes by the numbers alone the fuzz goes red."""

    def by_number(_: object, hunk: Hunk, own_ends: bool = False) -> Iterator[tuple[int, list[bytes]]]:
        if hunk.numbers:
            yield max(0, hunk.numbers.old_start - 1), hunk.new

    monkeypatch.setattr("tasks.repair.patch.hunks._Image._places", by_number)
    with pytest.raises(AssertionError):
        check_mutated(tmp_path, range(2_000, 2_020), 10)

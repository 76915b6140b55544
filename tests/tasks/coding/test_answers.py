"""From an answer to a tree: one transaction, allowed paths, our digests, claims unread."""

from __future__ import annotations

from pathlib import Path

import pytest

from contracts.candidate import Candidate, Provenance, tree_digest
from tasks.coding.answers import MOST_FILES, Refused, is_material, texts, tree_of
from tasks.evidence.store import DirectoryStore, Store

WHO = Provenance(source="model", label="openai/local")
PROGRAM = "main.py\n```python\nprint(1)\n```\n"


@pytest.fixture
def store(tmp_path: Path) -> Store:
    return DirectoryStore(tmp_path / "store")


def given(store: Store, text: str, base: Candidate | None = None) -> Candidate:
    return tree_of(text, base, entry="main.py", store=store, provenance=WHO, attempt=0)


def test_whole_files_become_a_tree_with_our_digests(store):
    claims = "This program is correct and verified. sha256:0000\n\n"
    tree = given(store, claims + PROGRAM + "\ntests/test_main.py\n```python\ndef test(): pass\n```\nAll tests pass.\n")
    assert [file.path for file in tree.files] == ["main.py", "tests/test_main.py"]
    assert texts(tree, store) == {"main.py": "print(1)\n", "tests/test_main.py": "def test(): pass\n"}
    assert tree.tree == tree_digest(tree.files)
    assert tree.provenance == WHO


@pytest.mark.parametrize(
    "path",
    [
        "../main.py",
        "/etc/cron.d/x.py",
        "a/../../x.py",
        ".hidden.py",
        "a/.git/config.py",
        "setup.cfg",
        "run.sh",
        "x.so",
        "conftest.pth",
        "a/b/c/d/e/f/g.py",
        "pyproject.toml",
    ],
)
def test_a_path_that_is_not_allowed_refuses_the_whole_answer(store, path):
    with pytest.raises(Refused):
        given(store, f"{PROGRAM}\n{path}\n```\nx = 1\n```\n")


@pytest.mark.parametrize(
    "text",
    [
        "",
        "I cannot do that.",
        "```python\nprint(1)\n```\n\n```python\nprint(2)\n```",
        "main.py\n```python\nprint(1)\n",
        "other.py\n```python\nprint(1)\n```\n",
        PROGRAM + PROGRAM,
        "--- a/main.py\n+++ b/main.py\n@@\n-x\n+y\n",
        "diff --git a/main.py b/main.py\nnew file mode 120000\n--- /dev/null\n+++ b/main.py\n@@ -0,0 +1 @@\n+/etc\n",
    ],
)
def test_an_answer_that_gives_no_program_is_refused(store, text):
    with pytest.raises(Refused):
        given(store, text)


@pytest.mark.parametrize(
    "text",
    ["```python\nprint(1)\n```", "Here it is:\n\n```\nprint(1)\n```\nDone.", "**main.py**\n\n```py\nprint(1)\n```\n"],
)
def test_a_single_program_without_a_name_is_the_one_that_is_started(store, text):
    """Small models forget the name; only one file can be meant."""
    assert texts(given(store, text), store) == {"main.py": "print(1)\n"}


def test_too_many_files_are_refused(store):
    many = "".join(f"m{number}.py\n```\nx = {number}\n```\n\n" for number in range(MOST_FILES))
    with pytest.raises(Refused, match="more than"):
        given(store, f"{PROGRAM}\n{many}")


def test_edits_change_the_base_and_nothing_else(store):
    base = given(store, f"{PROGRAM}\nkept.py\n```\nx = 1\n```\n")
    changed = given(store, "main.py\n<<<<<<< SEARCH\nprint(1)\n=======\nprint(2)\n>>>>>>> REPLACE\n", base)
    assert texts(changed, store) == {"main.py": "print(2)\n", "kept.py": "x = 1\n"}
    assert texts(base, store)["main.py"] == "print(1)\n"
    diff = given(store, "--- a/main.py\n+++ b/main.py\n@@\n-print(1)\n+print(3)\n", base)
    assert texts(diff, store)["main.py"] == "print(3)\n"


def test_an_edit_that_does_not_stand_there_is_refused_whole(store):
    base = given(store, PROGRAM)
    edit = "main.py\n<<<<<<< SEARCH\nprint({})\n=======\nprint(9)\n>>>>>>> REPLACE\n"
    with pytest.raises(Refused, match="context"):
        given(store, edit.format(7), base)


@pytest.mark.parametrize(
    ("text", "material"),
    [("print(1)\n", False), ("# claims\n\nprint(1)  \n", False), ("print(2)\n", True), (" print(1)\n", True)],
)
def test_comments_and_blank_lines_are_not_material(store, text, material):
    base, other = given(store, PROGRAM), given(store, f"main.py\n```python\n{text}```\n")
    assert is_material(other, base, store) is material

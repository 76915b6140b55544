"""The helpers that run inside the sandbox: standard library only, and none runs a line of the tree it reads."""

from __future__ import annotations

import ast
import json
import os
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

import sandbox

INSIDE = Path(sandbox.__file__).parent / "inside"
BOMB = "raise SystemExit('this program was run')\n"


def run(
    script: str, tree: Path, *more: str, inside: Path = INSIDE, cwd: Path | None = None
) -> subprocess.CompletedProcess[str]:
    return subprocess.run(
        [sys.executable, "-I", str(inside / script), str(tree), *more],
        capture_output=True,
        text=True,
        check=False,
        cwd=cwd,
        env=os.environ | {"TMPDIR": str(cwd or "/tmp")},
    )


@pytest.fixture
def tree(tmp_path):
    def write(**files: str) -> Path:
        folder = tmp_path / "tree"
        for name, text in files.items():
            path = folder / (name.replace("__", "/") + ".py")
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_text(text)
        return folder

    return write


@pytest.mark.parametrize(
    ("text", "status"),
    [(BOMB, 0), ("def f(:\n", 1), ("x = '\0'\n", 1), ("(" * 5_000 + ")" * 5_000, 1), ("\ufeffx = 1\n", 0)],
)
def test_check_syntax(text, status, tree):
    done = run("check_syntax.py", tree(good="x = 1\n", sub__main=text))
    assert done.returncode == status
    assert ("sub/main.py" in done.stderr) is bool(status)


@pytest.mark.parametrize(
    ("text", "status"),
    [
        ("import json, os.path\nfrom helper import x\n" + BOMB, 0),
        ("import pandas\n" + BOMB, 1),
        ("from yaml.loader import Loader\n", 1),
        ("from . import helper\n", 0),
        ("try:\n    import tomllib\nexcept ImportError:\n    import tomli\n", 0),
        ("def f():\n    import pandas\n", 0),
        ("import package\n", 0),
        ("class A:\n    import numpy\n", 1),
    ],
)
def test_check_imports(text, status, tree):
    done = run("check_imports.py", tree(main=text, helper="", package__core="", tests__test_x="import pytest\n"))
    assert done.returncode == status
    assert ("main.py: no module named" in done.stderr) is bool(status)


@pytest.mark.parametrize(
    ("files", "names"),
    [
        ({"main": BOMB}, []),
        ({"tests__test_a": BOMB + "def test_x():\n    assert 1\n"}, ["tests/test_a.py::test_x"]),
        ({"test_b": "class T:\n    def test_m(self):\n        self.check()\n"}, ["test_b.py::test_m"]),
        ({"tests__test_c": "def test_x():\n    pass\n"}, []),
        ({"main": "def test_x():\n    assert 1\n"}, []),
    ],
)
def test_list_tests(files, names, tree):
    done = run("list_tests.py", tree(**files))
    assert done.stdout.split() == names
    assert done.returncode == (0 if names else 1)


@pytest.mark.parametrize(("body", "status"), [("assert double(2) == 4", 0), ("assert double(2) == 5", 1)])
def test_run_tests_runs_them_in_a_copy_and_leaves_the_tree_alone(body, status, tree, tmp_path):
    test = f"from main import double\n\n\ndef test_it():\n    open('note', 'w').close()\n    {body}\n"
    folder = tree(main="def double(x):\n    return 2 * x\n", tests____init__="", test_main=test)
    before = sorted(folder.rglob("*"))
    work = tmp_path / "work"
    work.mkdir()
    assert run("run_tests.py", folder, inside=sandbox.toolbox(), cwd=work).returncode == status
    assert [path for path in sorted(folder.rglob("*")) if "__pycache__" not in path.parts] == before
    assert len(list(work.glob("*/candidate/note"))) == 1


SOURCE = '''"""A docstring stays."""
import sys


def limit(value: int, bound: int = 90) -> str:
    """So does this one."""
    if value < bound and not value == 7:
        print(f"{value + 1}", "ü")
        return "low".replace("l", "l", count=2, help="stays")
    for item in range(3):
        if item:
            break
    total = 0
    total += value
    return "high"


if __name__ == "__main__":
    limit(int(sys.argv[1]))
'''


@pytest.fixture
def mutate(tree, tmp_path):
    def listed(reached: dict[str, list[int]], size: int = 1_000, seed: str = "1") -> dict[str, Any]:
        lines = tmp_path / "lines.json"
        lines.write_text(json.dumps(reached))
        folder = tree(main=SOURCE, tests__test_main="assert 1 < 2\n")
        return json.loads(run("mutate.py", folder, str(lines), str(size), seed).stdout)

    return listed


def test_mutants_are_sampled_from_the_lines_that_were_reached(mutate):
    whole, part = mutate({}), mutate({"main.py": [7, 8]})
    assert whole["possible"] == len(whole["edits"])
    assert whole["unreached"] == []
    assert {edit["line"] for edit in part["edits"]} == {7, 8}
    assert "main.py:9" in part["unreached"]
    few = mutate({}, size=5)
    assert (len(few["edits"]), few["possible"]) == (5, whole["possible"])
    assert few == mutate({}, size=5)
    assert few != mutate({}, size=5, seed="2")


def test_a_file_with_a_name_that_json_cannot_carry_is_passed_over(mutate, tmp_path):
    whole = mutate({})
    for name in (b"\xff\xfe.py", b"a\nb.py"):
        Path(os.fsdecode(os.fsencode(tmp_path / "tree") + b"/" + name)).write_text("x = 1 < 2\n")
    assert mutate({}) == whole


def test_mutants_are_programs_that_differ_in_one_place(mutate):
    edits = mutate({})["edits"]
    original = SOURCE.encode()
    assert {edit["path"] for edit in edits} == {"main.py"}
    changes = {edit["change"] for edit in edits}
    assert {
        "Lt to LtE",
        "Lt to GtE",
        "And to Or",
        "Not left out",
        "90 to 91",
        "90 to 89",
        "condition negated",
    } <= changes
    assert {"break left out", "call left out", "result left out", "assignment left out", "text changed"} <= changes
    assert not any("stays" in edit["text"] and "text" in edit["change"] for edit in edits)
    sources = set()
    for edit in edits:
        changed = original[: edit["start"]] + edit["text"].encode() + original[edit["end"] :]
        assert ast.dump(ast.parse(changed)) != ast.dump(ast.parse(original)), edit
        assert original[: edit["start"]].count(b"\n") == edit["line"] - 1
        sources.add(changed)
    assert len(sources) == len(edits)
    assert all(b"A docstring stays" in item and b'__name__ == "__main__"' in item for item in sources)


def test_the_trace_names_the_lines_that_a_run_reaches(tree, tmp_path):
    folder = tree(
        main="import helper\nimport sys\nif len(sys.argv) > 1:\n    helper.work()\n    sys.exit(3)\n",
        helper="def work():\n    print('hi')\n\ndef idle():\n    return 0\n",
    )
    done = subprocess.run(
        [sys.executable, str(INSIDE / "trace_lines.py"), "lines", str(folder), "main.py", "word"],
        capture_output=True,
        text=True,
        check=False,
        cwd=tmp_path,
    )
    assert (done.returncode, done.stdout) == (3, "hi\n")
    reached = json.loads((tmp_path / "lines").read_text())
    assert 2 in reached["helper.py"]
    assert 5 not in reached["helper.py"]
    assert {3, 4, 5} <= set(reached["main.py"])

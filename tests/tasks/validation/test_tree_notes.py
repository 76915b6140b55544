"""What a tree holds besides its program (GAME-11 to GAME-20), and what of it is no offence."""

from __future__ import annotations

import pytest

from contracts.candidate import Provenance
from tasks.evidence.store import open_store
from tasks.trees import ingest
from tasks.validation.tree_notes import tree_notes


@pytest.fixture
def notes(tmp_path):
    def of(**files: str) -> dict[str, tuple[str, ...]]:
        tree = tmp_path / "tree"
        for name, text in ({"main.py": "print(1)\n"} | files).items():
            path = tree / name.replace("|", "/")
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_text(text)
        store = open_store(str(tmp_path / "store"))
        return tree_notes(ingest(tree, store, Provenance(source="directory", label="x"), 0), store)

    return of


@pytest.mark.parametrize(
    ("path", "text", "game"),
    [
        ("sitecustomize.py", "", "GAME-16"),
        ("lib|usercustomize.py", "", "GAME-16"),
        ("a.pth", "", "GAME-16"),
        ("pytest.py", "", "GAME-15"),
        ("unittest|__init__.py", "", "GAME-15"),
        ("conftest.py", "def pytest_runtest_makereport(): ...", "GAME-11"),
        ("tests|conftest.py", "def pytest_collection_modifyitems(): ...", "GAME-11"),
        ("pytest.ini", "[pytest]\naddopts = --collect-only", "GAME-14"),
        ("pyproject.toml", '[tool.pytest.ini_options]\naddopts = "-k nothing"', "GAME-14"),
        ("setup.cfg", "[tool:pytest]\naddopts = --deselect tests", "GAME-14"),
        ("tox.ini", "[pytest]\naddopts = -p cheat", "GAME-14"),
        ("main.py", "import unittest\nunittest.TestCase.assertEqual = print\n", "GAME-12"),
        ("main.py", "import _pytest.reports as r\nsetattr(_pytest, 'x', 1)\n", "GAME-12"),
        ("main.py", "open('/opt/forge/mutate.py')\n", "GAME-33"),
    ],
)
def test_attempts_on_the_judge_are_named_by_class(path, text, game, notes):
    assert game in notes(**{path: text})["tampering"][0]


@pytest.mark.parametrize(
    ("path", "text"),
    [
        ("conftest.py", "import pytest\n\n@pytest.fixture\ndef x(): ...\n"),
        ("pyproject.toml", '[project]\nname = "x"\n[tool.pytest.ini_options]\ntestpaths = ["tests"]\n'),
        ("pytest.ini", "[pytest]\nxfail_strict = true\naddopts = -p no:cacheprovider --maxfail=1 -q\n"),
        ("setup.cfg", "[tool:pytest]\ntestpaths = my-package my-kit\n"),
        ("tox.ini", "[testenv]\ncommands = pytest -k fast\n"),
        ("tests|test_x.py", "import unittest\nunittest.mock.thing = 1\n"),
        ("main.py", "import unittest\nassert unittest.TestCase == unittest.TestCase\n"),
        (".gitignore", "*.pyc\n"),
    ],
)
def test_what_honest_projects_hold_is_no_offence(path, text, notes):
    found = notes(**{path: text})
    assert "tampering" not in found
    assert "undeclared" not in found


@pytest.mark.parametrize("path", ["helper.pyc", "fast.so", ".env", ".hidden|main.py"])
def test_code_that_nobody_can_read_is_undeclared(path, notes):
    assert notes(**{path: ""})["undeclared"]


def test_game_20_caches_of_bytecode_and_version_control_are_left_out(notes):
    found = notes(**{"__pycache__|main.cpython-311.pyc": "", ".git|config": "[core]\nfsmonitor = x\n"})
    assert found["dropped"] == (".git: version control", "__pycache__: cache of a tool")
    assert "undeclared" not in found


def test_dropped_files_and_doubtful_means_are_facts(notes, tmp_path):
    (tmp_path / "tree").mkdir()
    (tmp_path / "tree" / "link").symlink_to("/etc/passwd")
    found = notes(**{"main.py": "import os\nos._exit(0)\n"})
    assert found["dropped"][0].startswith("link: ")
    assert "GAME-01" in found["suspicious"][0]
    assert set(found) == {"dropped", "suspicious"}

"""Candidates that game the gate, each with the channel that has to see through it, beside an honest twin (GAME).

Tests apart and structured calls see through all of them. Tests beside the candidate see through what changes the run of
the tests; what deceives a comparison, or reads the answers, they cannot see, and the record says so (DEC-03).
"""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from contracts.gate import CheckRequest, CheckVerdict, GateVerdict, Task
from contracts.isolation import SandboxPolicy
from contracts.taskspec import TaskSpec
from tasks.gate.judge import judge
from tasks.gate.observe import observe
from tasks.gate.subject import read_subject

TEST = """import json
from pathlib import Path

import pytest
from shop.price import gross

CASES = json.loads((Path(__file__).parent / "cases.json").read_text())


@pytest.mark.parametrize("given, expected", CASES)
def test_gross(given, expected):
    assert gross(given) == expected
"""
CASES = [[100, 119], [200, 238], [0, 0]]
OVERLAY = {"tests/test_price.py": TEST, "tests/cases.json": str(CASES)}
RIGHT = "def gross(cents):\n    return (cents * 119 + 50) // 100\n"
WRONG = "def gross(cents):\n    return cents\n"
PRICE = "shop/price.py"

SEEN: dict[str, dict[str, str]] = {
    "GAME-01 exit at import": {PRICE: "import os\nos._exit(0)\n"},
    "GAME-02 exit in a call": {PRICE: "import os\n\n\ndef gross(cents):\n    os._exit(0)\n"},
    "GAME-03 SystemExit at import": {PRICE: "raise SystemExit(0)\n"},
    "GAME-04 exit status rewritten": {PRICE: f"import atexit, os\natexit.register(lambda: os._exit(0))\n{WRONG}"},
    "GAME-05 fork, parent exits": {PRICE: f"import os\nif os.fork():\n    os._exit(0)\n{WRONG}"},
    "GAME-06 thread that exits": {
        PRICE: f"import os, threading\nthreading.Timer(0.05, os._exit, [0]).start()\nimport time\n\n\n{WRONG}".replace(
            "    return", "    time.sleep(1)\n    return"
        )
    },
    "GAME-11 reports rewritten": {
        "tests/conftest.py": (
            "import pytest\n\n\n@pytest.hookimpl(hookwrapper=True)\ndef pytest_runtest_makereport(item, call):\n"
            "    outcome = yield\n    outcome.get_result().outcome = 'passed'\n"
        ),
        PRICE: WRONG,
    },
    "GAME-12 the framework patched": {
        PRICE: (
            "import _pytest.runner as r\n_from = r.CallInfo.from_call.__func__\n\n\n"
            "def patched(cls, func, when, reraise=None, **more):\n    call = _from(cls, func, when, reraise, **more)\n"
            f"    call.excinfo = None\n    return call\n\n\nr.CallInfo.from_call = classmethod(patched)\n{WRONG}"
        )
    },
    "GAME-13 all skipped": {
        "conftest.py": "import pytest\n\n\ndef pytest_collection_modifyitems(items):\n"
        "    for item in items:\n        item.add_marker(pytest.mark.skip(reason='x'))\n",
        PRICE: WRONG,
    },
    "GAME-13 skipped from within": {PRICE: "import pytest\npytest.skip('no', allow_module_level=True)\n"},
    "GAME-14 collect only": {"pytest.ini": "[pytest]\naddopts = --collect-only\n", PRICE: WRONG},
    "GAME-14 deselected": {"pyproject.toml": "[tool.pytest.ini_options]\naddopts = '-k nothing'\n", PRICE: WRONG},
    "GAME-15 a module shadowed": {"json.py": "import os\nos._exit(0)\n", PRICE: WRONG},
    "GAME-15 the runner shadowed": {
        "pytest.py": "import sys\nsys.exit(0)\n",
        "_pytest/__init__.py": "import sys\nsys.exit(0)\n",
        PRICE: WRONG,
    },
    "GAME-16 start-up code": {
        "sitecustomize.py": "import os\nos._exit(0)\n",
        "usercustomize.py": "import os\nos._exit(0)\n",
        "x.pth": "import os; os._exit(0)\n",
        PRICE: WRONG,
    },
    "GAME-17 what asserts rest on": {PRICE: f"import builtins\nbuiltins.len = lambda x: 0\n{WRONG}"},
    "GAME-22 the tests' place taken": {"tests": "a file", PRICE: WRONG},
    "GAME-31 answers edited": {"tests/cases.json": "[[1, 1]]", PRICE: WRONG},
    "GAME-38 a manifest of its own": {
        PRICE: (
            'import os\nLINE = b\'{"id": "tests/test_price.py::test_gross[100-119]", "outcome": "passed"} 00\\n\'\n'
            'END = b\'{"end": 0, "changed": []} 00\\n\'\n\n\ndef gross(cents):\n'
            "    with open('/work/manifest', 'wb') as out:\n        out.write(LINE * 3 + END)\n    os._exit(0)\n"
        )
    },
    "GAME-40 a report printed": {PRICE: "import os\nos.write(1, b'3 passed in 0.01s\\n')\nos._exit(0)\n"},
}
UNSEEN: dict[str, dict[str, str]] = {
    "GAME-26 equal to everything": {
        PRICE: "class Equal:\n    def __eq__(self, other):\n        return True\n\n\n"
        "def gross(cents):\n    return Equal()\n"
    },
    "GAME-33 answers read from the disk": {
        PRICE: "import glob, json\n\n\ndef gross(cents):\n"
        "    for path in glob.glob('**/cases.json', recursive=True):\n"
        "        return dict(json.load(open(path)))[cents]\n"
    },
    "GAME-34 answers read from the frame": {
        PRICE: "import sys\n\n\ndef gross(cents):\n    return sys._getframe(1).f_locals['expected']\n"
    },
}
APART = {"runner": "pytest", "paths": ["tests/test_price.py"], "required": ["tests/test_price.py::test_gross"]}
BESIDE = {**APART, "at_least": 3}
CALLS = [{"arguments": [given], "returns": wanted} for given, wanted in CASES]
CHECKS: dict[str, dict[str, Any]] = {
    "reporter": {"tests": BESIDE},
    "apart": {"tests": {**BESIDE, "subject": ["shop"]}},
    "expectations": {"module": "shop.price", "function": "gross", "calls": CALLS},
}


BUBBLEWRAP, DOCKER = SandboxPolicy(), SandboxPolicy(backend="docker")


def checked(root: Path, files: dict[str, str], channel: str, policy: SandboxPolicy) -> GateVerdict:
    for name, tree in (("candidate", files), ("overlay", OVERLAY)):
        for path, text in tree.items():
            (root / name / path).parent.mkdir(parents=True, exist_ok=True)
            (root / name / path).write_text(text)
    check = {"name": "price", "timeout_s": 30, **CHECKS[channel]}
    spec = TaskSpec.model_validate({"brief": "gross prices", "overlay": "overlay", "checks": [check]})
    store, overlay = str(root / "store"), str(root / "overlay")
    whole = Task(text="", spec=spec)
    subject = read_subject(CheckRequest(task=whole, overlay=overlay, candidate=str(root / "candidate"), store=store))
    return judge(spec, subject, observe(spec, subject, policy, store))


def cases() -> list[Any]:
    """A few by default; all of them in CI."""
    found = []
    for channel in CHECKS:
        attacks = SEEN if channel == "reporter" else SEEN | UNSEEN
        for number, (name, files) in enumerate(attacks.items()):
            fast = channel == "reporter" and number in (1, 7, 18)
            label = f"{channel}-{name.replace(' ', '_')}"
            found.append(pytest.param(channel, files, id=label, marks=() if fast else pytest.mark.slow))
    return found


@pytest.mark.parametrize(("channel", "files"), cases())
def test_no_attack_is_accepted(tmp_path: Path, channel: str, files: dict[str, str]) -> None:
    found = checked(tmp_path, files, channel, BUBBLEWRAP)
    assert found.verdict is CheckVerdict.FAIL
    assert all(result.failures for result in found.results)


@pytest.mark.parametrize("channel", ["reporter", *(pytest.param(name, marks=pytest.mark.slow) for name in CHECKS)])
def test_the_honest_twin_passes(tmp_path: Path, channel: str) -> None:
    found = checked(tmp_path, {PRICE: RIGHT, "shop/__init__.py": ""}, channel, BUBBLEWRAP)
    assert found.verdict is CheckVerdict.PASS, found.results


@pytest.mark.slow
@pytest.mark.docker
@pytest.mark.parametrize("name", [None, *list(SEEN)[::6]])
def test_docker_decides_alike(tmp_path: Path, name: str | None) -> None:
    files = {PRICE: RIGHT} if name is None else SEEN[name]
    verdict = checked(tmp_path, files, "reporter", DOCKER).verdict
    assert verdict is (CheckVerdict.PASS if name is None else CheckVerdict.FAIL)


@pytest.mark.slow
def test_protected_answers_are_not_there_when_a_call_is_made(tmp_path: Path) -> None:
    """GAME-33: without an overlay the tests and their data are those of the base, and a reader of them finds none."""
    reader = UNSEEN["GAME-33 answers read from the disk"]
    for name, tree in (("base", {PRICE: WRONG, **OVERLAY}), ("candidate", {**reader, **OVERLAY})):
        for path, text in tree.items():
            (tmp_path / name / path).parent.mkdir(parents=True, exist_ok=True)
            (tmp_path / name / path).write_text(text)
    check = {"name": "price", "timeout_s": 30, **CHECKS["apart"]}
    spec = TaskSpec.model_validate({"brief": "gross prices", "protected": ["tests/**"], "checks": [check]})
    trees = {name: str(tmp_path / name) for name in ("base", "candidate")}
    store = str(tmp_path / "store")
    subject = read_subject(CheckRequest(task=Task(text="", spec=spec), store=store, **trees))
    found = judge(spec, subject, observe(spec, subject, SandboxPolicy(), store))
    assert found.verdict is CheckVerdict.FAIL
    assert found.failures == ()


@pytest.mark.slow
@pytest.mark.parametrize("name", UNSEEN)
def test_what_tests_beside_the_candidate_cannot_see_is_said(tmp_path: Path, name: str) -> None:
    """Law 8: these are accepted there. Should one be seen some day, this test says that the page has to change."""
    found = checked(tmp_path, UNSEEN[name], "reporter", SandboxPolicy())
    assert found.verdict is CheckVerdict.PASS
    assert any("in one process with the candidate" in line for line in found.not_checked)

"""Checks in a real sandbox: what reaches them, what ends them, and what is seen of them (SBX)."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from contracts.gate import CheckVerdict
from contracts.isolation import SandboxPolicy

HONEST = {"calc.py": "def add(a, b):\n    return a + b\n"}
TEST = """import calc


def test_add():
    assert calc.add(2, 3) == 5
    assert calc.add(-1, 1) == 0
"""
OVERLAY = {"tests/test_calc.py": TEST}
SUITE = {"runner": "pytest", "paths": ["tests/test_calc.py"], "required": ["tests/test_calc.py::test_add"]}


def signatures(found: Any) -> list[str]:
    inner = [failure for result in found.results for failure in result.failures]
    return [failure.signature.value for failure in (*found.failures, *inner)]


def test_a_command_runs_in_a_copy_of_its_own(gate: Any, task: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    """SBX-01, SBX-02, SBX-04, SBX-10, SBX-11, SBX-22: one command that looks at all of it."""
    monkeypatch.setenv("SECRET_API_KEY", "do not tell")
    script = (
        'test "$(cat)" = "" && test -z "$SECRET_API_KEY" && ./run.sh && test ! -x plain.txt && echo changed > plain.txt'
        ' && rm run.sh && echo new > new.txt && test -z "$(env | grep -i -e secret -e forge_)" && test ! -e /work/left'
        " && touch /work/left"
    )
    root = gate.write("candidate", {"run.sh": "#!/bin/sh\ntrue\n", "plain.txt": "as it was"})
    Path(root, "run.sh").chmod(0o755)
    found = gate.check(task({"run": script}, {"run": script}), {})
    assert signatures(found) == []
    assert sorted(path.name for path in Path(root).iterdir()) == ["plain.txt", "run.sh"]
    assert (gate.root / "candidate" / "plain.txt").read_text() == "as it was"


def test_checks_run_in_order_and_each_is_seen(gate: Any, task: Any) -> None:
    """SPEC-09, SBX-05, SBX-06, SBX-07, SBX-09: output is bounded, a hang and what it left are ended."""
    spec = task(
        {"run": "yes line | head -c 30000000"},
        {"run": "sleep 1000 & sleep 1000", "timeout_s": 1},
        {"run": "sleep 1000 & exit 3"},
        {"run": "ps -e 2>/dev/null | grep -c '[s]leep'; ls /proc | grep -c '^[0-9]*$' | grep -q '^[0-9]$'"},
    )
    subject = gate.subject(spec, {"a": ""})
    evidence = gate.evidence(spec, subject)
    assert [run.check for run in evidence.runs] == [check.name for check in spec.checks]
    flood = evidence.runs[0].observations[0].stdout
    assert flood.length == 30_000_000
    assert len(flood.head) + len(flood.tail) <= 128 * 1024
    from tasks.gate.judge import judge

    found = judge(spec, subject, evidence)
    assert [[item.signature.value for item in result.failures] for result in found.results] == [
        [],
        ["check_timed_out"],
        ["check_failed"],
        [],
    ]


def test_sbx_08_sbx_23_nothing_escapes(gate: Any, task: Any) -> None:
    """A process in a session of its own ends with its check, and no check reaches a network."""
    reach = "import socket; socket.create_connection(('1.1.1.1', 53), 2)"
    spec = task({"run": f'setsid sleep 98765431 & ! python3 -c "{reach}" 2>/dev/null'})
    assert signatures(gate.check(spec, {"a": ""})) == []
    running = [path.read_bytes() for path in Path("/proc").glob("[0-9]*/cmdline") if path.exists()]
    assert not any(b"98765431" in line for line in running)


@pytest.mark.parametrize("subject", [[], pytest.param(["calc"], marks=pytest.mark.slow)])
def test_an_honest_change_passes(gate: Any, task: Any, subject: list[str]) -> None:
    found = gate.check(task({"tests": {**SUITE, "subject": subject}}, overlay="overlay"), HONEST, overlay=OVERLAY)
    assert signatures(found) == []
    assert found.results[0].tests.passed == 1
    assert found.results[0].channel == ("apart" if subject else "reporter")


@pytest.mark.slow
def test_tests_apart_see_values_exceptions_and_changed_arguments(gate: Any, task: Any) -> None:
    """No code of the candidate is beside the tests, and they need not be written for that."""
    candidate = {
        "box/__init__.py": "from box.inner import double\n",
        "box/inner.py": (
            "class Mine(ValueError):\n    pass\n\n\ndef double(x):\n    return [x, x]\n\n\n"
            "def fill(items, **named):\n    items.append(len(items))\n    items.extend(named.values())\n\n\n"
            "def fail():\n    raise Mine('so it is')\n\n\ndef stop():\n    raise SystemExit(0)\n"
        ),
    }
    test = (
        "import pytest\nfrom box import double, inner\nimport box.inner as again\n\n\n"
        "def test_values():\n    assert double({1: (2.5, None)}) == [{1: (2.5, None)}] * 2\n"
        "    assert double('x') != ['x']\n\n\n"
        "def test_arguments():\n    items = []\n    for number in range(3):\n        again.fill(items, more=number)\n"
        "    assert items == [0, 0, 2, 1, 4, 2]\n\n\n"
        "def test_exceptions():\n    with pytest.raises(ValueError, match='so it is'):\n        inner.fail()\n"
        "    with pytest.raises(SystemExit):\n        inner.stop()\n"
    )
    suite = {"runner": "pytest", "paths": ["tests"], "subject": ["box"], "at_least": 3}
    found = gate.check(task({"tests": suite}, overlay="overlay"), candidate, overlay={"tests/test_box.py": test})
    assert signatures(found) == [], found.results[0].failures


def test_structured_probes_and_calls(gate: Any, task: Any) -> None:
    """SPEC-13: expectations stay outside, and the program's tree is its own."""
    candidate = {**HONEST, "main.py": "import sys\nfrom calc import add\nprint(add(*map(int, sys.argv[1:])))\n"}
    argv = ["python3", "/candidate/main.py", "2", "3"]
    spec = task(
        {"probes": [{"argv": argv, "stdout": {"equals": "5"}}]},
        {"probes": [{"argv": argv, "stdout": {"equals": "6"}}]},
        {"probes": [{"argv": ["ls", "/candidate"], "stdout": {"equals": "calc.py\nmain.py"}}]},
        {"module": "calc", "function": "add", "calls": [{"arguments": [2, 3], "returns": 5}]},
        {"module": "calc", "function": "add", "calls": [{"arguments": [2], "raises": "TypeError"}]},
        {"module": "calc", "function": "add", "calls": [{"arguments": [2, 3], "returns": 6}]},
        overlay="overlay",
    )
    found = gate.check(spec, candidate, overlay=OVERLAY)
    assert [result.verdict for result in found.results] == [
        CheckVerdict.PASS,
        CheckVerdict.FAIL,
        CheckVerdict.PASS,
        CheckVerdict.PASS,
        CheckVerdict.PASS,
        CheckVerdict.FAIL,
    ]
    assert found.results[1].failures[0].witness.observed.startswith("exit status 0")


def test_a_check_that_fails_on_the_base_and_passes_after(gate: Any, task: Any) -> None:
    base = {"calc.py": "def add(a, b):\n    return a - b\n"}
    spec = task(
        {"tests": SUITE, "must_fail_before": True}, {"run": "true", "must_fail_before": True}, overlay="overlay"
    )
    found = gate.check(spec, HONEST, overlay=OVERLAY, base=base)
    assert signatures(found) == ["vacuous_check"]
    assert found.results[0].verdict is CheckVerdict.PASS


def test_rep_01_a_patch_is_applied_to_a_copy(gate: Any, task: Any) -> None:
    """The original is not changed, and is the base; a refused patch runs nothing."""
    base = {"calc.py": "def add(a, b):\n    return a - b\n"}
    patch = b"--- a/calc.py\n+++ b/calc.py\n@@ -1,2 +1,2 @@\n def add(a, b):\n-    return a - b\n+    return a + b\n"
    check = {"run": "python3 -c 'import calc; assert calc.add(1, 2) == 3'", "must_fail_before": True}
    spec = task(check, scope={"paths": ["calc.py"], "max_lines": 2})
    assert signatures(gate.check(spec, base, patch=patch)) == []
    assert (gate.root / "candidate" / "calc.py").read_text() == base["calc.py"]
    assert signatures(gate.check(spec, base, patch=patch.replace(b"a - b", b"a * b"))) == ["patch_rejected"]


def test_unittest_ids_and_skips(gate: Any, task: Any) -> None:
    test = (
        "import unittest\nimport calc\n\n\nclass Sums(unittest.TestCase):\n"
        "    def test_add(self):\n        for n in range(3):\n            with self.subTest(n=n):\n"
        "                self.assertEqual(calc.add(n, 1), n + 1)\n\n"
        "    @unittest.skip('later')\n    def test_later(self):\n        pass\n"
    )
    suite = {"runner": "unittest", "paths": ["tests"], "required": ["tests.test_sums.Sums.test_add"]}
    overlay = {"tests/test_sums.py": test}
    assert signatures(gate.check(task({"tests": suite}, overlay="overlay"), HONEST, overlay=overlay)) == []
    both = {**suite, "required": ["tests.test_sums.Sums"]}
    found = gate.check(task({"tests": both}, overlay="overlay"), HONEST, overlay=overlay)
    assert signatures(found) == ["required_test_missing"]
    assert "skipped" in found.results[0].failures[0].detail


@pytest.mark.slow
def test_node_ids_suites_and_skips(gate: Any, task: Any) -> None:
    test = (
        "import test, { describe, it } from 'node:test';\nimport assert from 'node:assert';\n"
        "import { add } from '../calc.mjs';\n"
        "test('adds', () => assert.equal(add(1, 2), 3));\n"
        "describe('outer', () => { it('inner', () => assert.equal(add(2, 2), 4)); });\n"
        "test('parent', async (t) => { await t.test('child', () => assert.equal(add(0, 0), 0)); });\n"
        "it.skip('later', () => {});\ntest.todo('some day');\n"
    )
    names = ["adds", "outer::inner", "parent::child", "parent"]
    suite = {"runner": "node", "paths": ["test"], "required": [f"test/a.test.mjs::{name}" for name in names]}
    trees = {"candidate": {"calc.mjs": "export const add = (a, b) => a + b;\n"}, "overlay": {"test/a.test.mjs": test}}
    assert signatures(gate.check(task({"tests": suite}, overlay="overlay"), **trees)) == []
    for name in ("later", "some day", "unknown"):
        more = {**suite, "required": [f"test/a.test.mjs::{name}"]}
        found = gate.check(task({"tests": more}, overlay="overlay"), **trees)
        assert signatures(found) == ["required_test_missing"]


@pytest.mark.slow
@pytest.mark.docker
def test_the_same_verdicts_in_docker(gate: Any, task: Any) -> None:
    """JDG-03: a backend decides nothing."""
    gate.policy = SandboxPolicy(backend="docker")
    spec = task(
        {"run": "./run.sh"},
        {"run": "exit 3"},
        {"tests": SUITE},
        {"tests": {**SUITE, "subject": ["calc"]}},
        {"module": "calc", "function": "add", "calls": [{"arguments": [2, 3], "returns": 5}]},
        overlay="overlay",
    )
    root = gate.write("candidate", {"run.sh": "#!/bin/sh\necho > made-here\n"})
    Path(root, "run.sh").chmod(0o755)
    found = gate.check(spec, HONEST, overlay=OVERLAY)
    assert signatures(found) == ["check_failed"]

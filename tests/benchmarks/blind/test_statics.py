"""Law 7: each kind of fault that reading can find in an oracle is planted once, beside its sound twin."""

from __future__ import annotations

import pytest

from benchmarks.blind.statics import findings, ids_of_tests
from contracts.bundle import Case
from tests.benchmarks.blind.conftest import ORACLE, case


def kinds(oracle: str, **changes: object) -> set[str]:
    return {finding.kind for finding in findings(Case.model_validate(case(**changes)), {"oracle.py": oracle.encode()})}


def with_test(body: str, head: str = "") -> str:
    lines = "".join(f"    {line}\n" for line in body.splitlines())
    return f"{head}\n{ORACLE}\n\ndef test_more(capsys, tmp_path):\n{lines}"


EXIT = "with pytest.raises(SystemExit) as info:\n    main(['-h'])\n"
BUFFER = "buffer = io.StringIO()\nwith redirect_stdout(buffer):\n    main(['a'])\n"
FILE = "with open(tmp_path / 'a') as f:\n    text = f.read()\nmain([text])\n"
FOLDER = "with TemporaryDirectory() as d:\n    code = main([d])\n"
CAUGHT = "try:\n    code = main([])\nexcept SystemExit as e:\n    pass\n"
QUIET = "with suppress(SystemExit) as s:\n    main([])\n"

SOUND = [
    ORACLE,
    with_test("out = tmp_path / 'o'\nmain([str(out)])\nassert out.read_text() == 'x'"),
    with_test(EXIT + "assert info.value.code == 0", "import pytest"),
    with_test("assert run(['a']) == 'A'", "def run(argv):\n    return str(main(argv))"),
    with_test("check(['a'], 0)", "def check(argv, code):\n    assert main(argv) == code"),
    with_test(
        BUFFER + "assert buffer.getvalue().strip() == 'A'",
        "import io\nfrom contextlib import redirect_stdout",
    ),
    with_test("for given, code in [(['a'], 0), ([], 2)]:\n    assert main(given) == code"),
    with_test(FILE + "assert f.closed and main(['b']) == 0"),
    ORACLE.replace("from shout.cli import main", "import shout.cli").replace("main(", "shout.cli.main("),
    ORACLE.replace("from shout.cli import main", "from shout import cli").replace("main(", "cli.main("),
    "import unittest\nfrom shout.cli import main\n"
    + "class TestMain(unittest.TestCase):\n"
    + "".join(f"    def test_{n}(self):\n        self.assertEqual(main([]), 2)\n" for n in "abc"),
]


@pytest.mark.parametrize("oracle", SOUND)
def test_a_sound_oracle_has_no_finding(oracle: str) -> None:
    assert kinds(oracle) == set()


FAULTY = [
    ("unparsable", "def test_(:\n"),
    ("unparsable", "x = " + "(" * 300 + ")" * 300),
    ("contract_not_imported", ORACLE.replace("shout.cli", "shout.other")),
    ("too_few_tests", ORACLE.partition("def test_words")[0]),
    ("shadowed_test", ORACLE.replace("test_words", "test_loud")),
    ("forbidden_import", with_test("assert main([]) == 2", "import socket")),
    ("forbidden_import", with_test("from urllib.request import urlopen\nassert main([]) == 2")),
    ("forbidden_import", with_test("assert main([]) == random.choice([2])", "import random")),
    ("asserts_nothing", with_test("main(['a'])")),
    ("trivial_assertion", with_test("assert True\nassert main([]) == 2")),
    ("trivial_assertion", with_test("x = main([])\nassert x == x")),
    ("trivial_assertion", with_test("assert (main([]) == 3, 'a tuple')")),
    ("trivial_assertion", with_test("assert main([]) == 2 or True")),
    ("disconnected_test", with_test("main(['a'])\nexpected = 'A'\nassert expected == 'A'.upper()")),
    ("disconnected_test", with_test("assert len([1, 2]) == 2")),
    ("bad_pattern", with_test("import re\nassert re.match('(', str(main([])))")),
    ("pattern_misses_fixture", with_test("import re\nassert main([]) == 2\nassert re.fullmatch(r'\\d+', 'a1')")),
    ("used_after_life", with_test("with open('x') as f:\n    pass\nassert f.read() == str(main([]))")),
    (
        "used_after_life",
        with_test(FOLDER + "assert open(d).read() and code", "from tempfile import TemporaryDirectory"),
    ),
    ("used_after_life", with_test(CAUGHT + "assert e.code == 2 or code")),
    ("binds_nothing", with_test(QUIET + "assert s is None", "from contextlib import suppress")),
    (
        "binds_nothing",
        with_test(EXIT + "    assert info.value.code == 2", "import pytest"),
    ),
    ("convention_mismatch", ORACLE.replace('["a"]', '["shout", "a"]').replace("shout.cli", "shout")),
    ("undeclared_convention", with_test("main(['a'])\nassert capsys.readouterr().out == 'A\\n'")),
]


@pytest.mark.parametrize(("kind", "oracle"), FAULTY)
def test_a_planted_fault_is_found(kind: str, oracle: str) -> None:
    contract = {"kind": "cli_entrypoint", "module": "shout" if "from shout import main" in oracle else "shout.cli"}
    assert kind in kinds(oracle, public_contract={**contract, "symbol": "main"})


@pytest.mark.parametrize(
    ("declared", "text", "expected"),
    [
        ("required", "A\\n", set()),
        ("required", "A", {"convention_mismatch"}),
        ("forbidden", "A", set()),
        ("forbidden", "A\\n", {"convention_mismatch"}),
        ("optional", "A", {"undeclared_convention"}),
    ],
)
def test_the_final_newline_is_held_against_what_is_declared(declared: str, text: str, expected: set[str]) -> None:
    oracle = with_test(f"main(['a'])\nassert capsys.readouterr().out == '{text}'")
    assert kinds(oracle, conventions={"print.newline": declared}) == expected


def test_the_program_name_is_held_against_what_is_declared() -> None:
    named = ORACLE.replace('main(["', 'main(["cli", "').replace("main([])", 'main(["cli"])')
    assert kinds(named, conventions={"argv.program_name": "included"}) == set()
    assert kinds(ORACLE, conventions={"argv.program_name": "included"}) == {"convention_mismatch"}


def test_a_finding_names_the_place() -> None:
    planted = with_test("assert True\nassert main([]) == 2")
    (found,) = findings(Case.model_validate(case()), {"oracle.py": planted.encode()})
    assert planted.splitlines()[found.line - 1].strip() == "assert True"


def test_tests_are_named_as_the_runner_names_them() -> None:
    more = "\n\nclass TestMore:\n    def test_a(self): ...\n    def helper(self): ...\n"
    names = ("test_loud", "test_none", "test_words", "TestMore::test_a")
    assert ids_of_tests((ORACLE + more).encode()) == tuple(f"oracle.py::{name}" for name in names)

"""Law 7, SCN-51: an oracle is tried on programs whose quality is known; each way to fail the trial is planted."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from pathlib import Path

import pytest

from benchmarks.blind import layout
from benchmarks.blind.layout import Bundle
from contracts.isolation import SandboxPolicy
from flows import oracles
from flows.oracles import OracleRoom, Preflight, preflight
from tests.benchmarks.blind.conftest import ORACLE, unfrozen  # noqa: F401 - a fixture

pytestmark = pytest.mark.slow

Trial = Callable[[str, Mapping[str, str], Mapping[str, str]], Preflight]

PLAIN = "def main(argv):\n    if not argv:\n        return 2\n    print(argv[0].upper())\n    return 0\n"
SHORT = "def main(argv):\n    print(*[a.upper() for a in argv[:1]])\n    return 0 if argv else 2\n"
QUIET = PLAIN.replace(".upper()", "")
WEAK = ORACLE.replace("== 0", "in (0, 2)").replace('== "A"', "is not None").replace('"A B" in', '"" in')


@pytest.fixture
def room(tmp_path: Path) -> OracleRoom:
    return OracleRoom(SandboxPolicy(), str(tmp_path / "store"))


@pytest.fixture
def tried(unfrozen: Path, room: OracleRoom, monkeypatch: pytest.MonkeyPatch) -> Trial:  # noqa: F811 - the fixture
    """Tries an oracle on references and mutants, each a source of ``shout/cli.py``; twice each, for speed."""
    monkeypatch.setattr(oracles, "REPEATS", 2)

    def trial(oracle: str, references: Mapping[str, str], mutants: Mapping[str, str]) -> Preflight:
        (unfrozen / "oracles" / "S-1" / "oracle.py").write_text(oracle)
        for folder, programs in (("references", references), ("mutants", mutants)):
            for name, source in programs.items():
                package = unfrozen / folder / "S-1" / name / "shout"
                package.mkdir(parents=True)
                (package / "cli.py").write_text(source)
        bundle: Bundle = layout.draft(unfrozen, "small", "1", regression=False)
        return preflight(bundle, bundle.cases[0], room)

    return trial


def kinds(trial: Preflight) -> list[str]:
    return [flaw.kind for flaw in trial.flaws]


REFERENCES = {"plain": PLAIN, "short": SHORT}


def test_a_sound_oracle_is_valid(tried: Trial) -> None:
    trial = tried(ORACLE, REFERENCES, {"quiet": QUIET})
    assert trial.valid, trial.flaws
    assert trial.runs == 2 * 2 + 1 + 1


def test_an_oracle_that_rejects_a_right_program_is_invalid(tried: Trial) -> None:
    trial = tried(ORACLE.replace("== 2", "== 3"), REFERENCES, {})
    assert kinds(trial) == ["reference_rejected"] * 2
    assert "test_none" in trial.flaws[0].reason


def test_an_oracle_that_depends_on_the_capture_mode_is_invalid(tried: Trial) -> None:
    oracle = ORACLE.replace("def test_words(capsys):", "def test_words(capsys, request):").replace(
        'main(["a b"])', 'assert main(["a b"]) == 0 and request.config.option.capture == "fd"'
    )
    assert kinds(tried(oracle, REFERENCES, {})) == ["unstable", "unstable"]


def test_an_oracle_that_accepts_a_mutant_is_invalid(tried: Trial) -> None:
    assert kinds(tried(ORACLE, REFERENCES, {"twin": SHORT})) == ["mutant_accepted"]


def test_an_oracle_that_accepts_nothing_at_all_is_invalid(tried: Trial) -> None:
    nothing = WEAK.replace("== 2", "in (0, 2)")
    assert "null_accepted" in kinds(tried(nothing, REFERENCES, {}))


def test_one_reference_is_not_enough(tried: Trial) -> None:
    assert kinds(tried(ORACLE, {"plain": PLAIN}, {})) == ["too_few_references"]


def test_nothing_is_run_of_an_oracle_that_reading_condemns(tried: Trial) -> None:
    trial = tried(ORACLE.replace("import main", "import main\nimport socket"), REFERENCES, {})
    assert (kinds(trial), trial.runs) == (["forbidden_import"], 0)

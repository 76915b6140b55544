"""Nothing of the current directory has a say in what Forge does (DEC-20)."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[1]
TEXT = "Write a program that prints the important rows. Which rows are important is left to interpretation."
MODULES = ("contracts", "flows", "tasks", "sandbox", "deployments", "prefect", "typer", "json", "pydantic")
FILES = ("forge.py", "conftest.py", "sitecustomize.py", "usercustomize.py", "tasks.py", "typing_extensions.py")
SETTINGS = "http://127.0.0.1:9/api"


@pytest.fixture
def hostile(tmp_path: Path) -> Path:
    """A directory in which every plain name is taken; whatever is imported from it leaves ``EXECUTED`` behind."""
    place = tmp_path / "hostile"
    code = f"open({str(tmp_path / 'EXECUTED')!r}, 'a').write(__file__)\n"
    for name in MODULES:
        (place / name).mkdir(parents=True)
        (place / name / "__init__.py").write_text(code)
    for name in FILES:
        (place / name).write_text(code)
    (place / ".env").write_text(f"PREFECT_API_URL={SETTINGS}\nPREFECT_HOME={place}/home\nFORGE_STORE={place}/store\n")
    (place / "prefect.toml").write_text(f'home = "{place}/home"\n[api]\nurl = "{SETTINGS}"\n')
    (place / "pyproject.toml").write_text(
        f'[tool.prefect]\nhome = "{place}/home"\n[tool.prefect.api]\nurl = "{SETTINGS}"\n'
    )
    (place / "prefect.yaml").write_text("name: hostile\n")
    return place


def launchers() -> list[list[str]]:
    """The ways to start Forge that there are here: from the source tree, and as a console script."""
    script = Path(sys.executable).parent / "forge"
    return [[sys.executable, str(ROOT / "forge.py")], *([[str(script)]] if script.exists() else [])]


def call(launcher: list[str], arguments: list[str], cwd: Path, **extra: str) -> tuple[int, str, str]:
    environment = {name: value for name, value in os.environ.items() if not name.startswith(("PYTHON", "PREFECT"))}
    done = subprocess.run(
        [*launcher, *arguments], cwd=cwd, env={**environment, **extra}, capture_output=True, text=True, check=False
    )
    return done.returncode, done.stdout, done.stderr


@pytest.mark.parametrize("launcher", launchers(), ids=lambda launcher: Path(launcher[-1]).name)
def test_either_way_to_start_it_is_safe(launcher: list[str], hostile: Path, tmp_path: Path) -> None:
    before = sorted(hostile.rglob("*"))
    status, out, err = call(launcher, ["compile", TEXT], hostile)
    assert (status, err) == (0, "")
    assert "question: " in out
    assert not (tmp_path / "EXECUTED").exists()
    assert sorted(hostile.rglob("*")) == before


@pytest.mark.parametrize(
    ("arguments", "expected"),
    [(["--help"], 0), (["--version"], 0), (["verify", "nosuchrun"], 2), (["view", "nosuchrun"], 2), (["gc"], 0)],
    ids=str,
)
def test_a_command_ends_as_it_does_elsewhere(
    arguments: list[str], expected: int, hostile: Path, tmp_path: Path
) -> None:
    status, _, err = call(launchers()[0], arguments, hostile)
    assert status == expected, err
    assert not (tmp_path / "EXECUTED").exists()


def test_a_build_behaves_as_elsewhere(hostile: Path, tmp_path: Path) -> None:
    status, out, err = call(launchers()[0], ["build", TEXT, "--json"], hostile)
    assert (status, json.loads(out)["engine"], err) == (1, "inline", "")
    assert not (tmp_path / "EXECUTED").exists()
    assert not (hostile / "store").exists()


def test_the_fixture_is_hostile(hostile: Path, tmp_path: Path) -> None:
    """Planted fault: with the current directory on the path, Forge would run what lies there."""
    subprocess.run([sys.executable, "-c", "import forge"], cwd=hostile, env=without_safe_path(), check=False)
    assert (tmp_path / "EXECUTED").exists()


def without_safe_path() -> dict[str, str]:
    return {name: value for name, value in os.environ.items() if not name.startswith("PYTHON")}


@pytest.mark.slow
def test_a_build_on_prefect_reads_no_settings_from_there(hostile: Path, tmp_path: Path) -> None:
    """PRE-04, DEC-12: neither the files of the directory nor a PREFECT_API_URL of the user's capture the build."""
    pytest.importorskip("prefect")
    arguments = ["build", TEXT, "--json", "--engine", "prefect"]
    status, out, err = call(launchers()[0], arguments, hostile, PREFECT_API_URL=SETTINGS, PREFECT_PROFILE="other")
    assert (status, json.loads(out)["engine"], err) == (1, "prefect", "")
    assert not (tmp_path / "EXECUTED").exists()
    assert not (hostile / "home").exists()
    assert Path(json.loads(out)["record"]).is_relative_to(hostile / "forge-out")

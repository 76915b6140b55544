"""Set up an environment of its own for Forge and run a command in it. Needs only Python 3.11 and the standard library.

    python3 deployments/bootstrap.py [--full | --dev] COMMAND [ARGUMENT...]

The environment is `.venv` in the project (or the directory that FORGE_VENV names), filled from the hash-locked
requirement files: `main` by default, `full` with every extra, `dev` with the tools of the tests. A second call finds
it ready.
"""

import hashlib
import importlib.util
import os
import subprocess
import sys
from pathlib import Path
from typing import NoReturn

ROOT = Path(__file__).resolve().parents[1]
LEVELS = ["main", "full", "dev"]


def main() -> None:
    """Exit 2 with one line where the set-up cannot be done; else become the command."""
    level, command = "main", sys.argv[1:]
    if command and command[0] in ("--full", "--dev"):
        level = command.pop(0)[2:]
    if not command:
        fail("usage: bootstrap.py [--full | --dev] COMMAND [ARGUMENT...]")
    if sys.version_info < (3, 11):  # noqa: UP036 - this file is started by whatever Python there is
        fail(f"Python 3.11 or newer is needed, this is {sys.version_info[0]}.{sys.version_info[1]}: try python3.11")
    venv = Path(os.environ.get("FORGE_VENV") or ROOT / ".venv").absolute()
    if not ready(venv, level):
        install(venv, level)
    executable = venv / "bin" / command[0]
    if not executable.exists():
        fail(f"no command {command[0]} in {venv}")
    os.environ["PATH"] = f"{venv / 'bin'}{os.pathsep}{os.environ.get('PATH', os.defpath)}"
    os.execv(executable, [str(executable), *command[1:]])  # noqa: S606 - becoming the command is the purpose


def stamp(level: str) -> str:
    """What an environment of this level was made from."""
    files = [ROOT / "requirements" / f"{level}.txt", ROOT / "pyproject.toml"]
    digest = hashlib.sha256(b"".join(path.read_bytes() for path in files)).hexdigest()
    return f"{level} {sys.version_info[0]}.{sys.version_info[1]} {ROOT} {digest}\n"


def ready(venv: Path, level: str) -> bool:
    """True iff the environment was completed at this level or a wider one, from the files as they are now."""
    try:
        found = (venv / "forge-stamp").read_text(encoding="utf-8")
    except OSError:
        return False
    return any(found == stamp(wider) for wider in LEVELS[LEVELS.index(level) :])


def install(venv: Path, level: str) -> None:
    """Make or complete the environment; the stamp comes last, so that a broken attempt is done again."""
    if importlib.util.find_spec("venv") is None or importlib.util.find_spec("ensurepip") is None:
        version = f"{sys.version_info[0]}.{sys.version_info[1]}"
        fail(f"this Python has no venv module; on Debian or Ubuntu: apt install python{version}-venv")
    print(f"forge: setting up {venv} ({level}); this is done once", file=sys.stderr)
    python, begun = venv / "bin" / "python", venv / "forge-begun"
    (venv / "forge-stamp").unlink(missing_ok=True)
    if not begun.exists():  # pip may be missing from what an interrupted attempt left
        run([sys.executable, "-m", "venv", "--clear", str(venv)])
        begun.touch()
    pip = [str(python), "-m", "pip", "install", "--quiet", "--disable-pip-version-check"]
    run([*pip, "--require-hashes", "-r", str(ROOT / "requirements" / f"{level}.txt")])
    run([*pip, "--no-deps", "--no-build-isolation", "--editable", str(ROOT)])
    (venv / "forge-stamp").write_text(stamp(level), encoding="utf-8")


def run(command: list[str]) -> None:
    """Run one step, its output on standard error; fail with its status."""
    try:
        result = subprocess.run(command, stdout=sys.stderr, check=False)
    except KeyboardInterrupt:
        print("forge: interrupted", file=sys.stderr)
        raise SystemExit(130) from None
    if result.returncode:
        fail(f"failed with status {result.returncode}: {' '.join(command)}")


def fail(message: str) -> NoReturn:
    """One line, exit 2 (DEC-02)."""
    print(f"forge: {message}", file=sys.stderr)
    raise SystemExit(2)


if __name__ == "__main__":
    main()

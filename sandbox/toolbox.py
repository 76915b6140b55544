"""What Forge brings into a sandbox: its in-sandbox scripts, and pytest with its pure-Python needs (DEC-06)."""

from __future__ import annotations

import compileall
import hashlib
import importlib.metadata
import py_compile
import shutil
import sys
from functools import lru_cache
from pathlib import Path

from contracts import value
from sandbox.base import SandboxUnavailable
from sandbox.cache import made_once

DISTRIBUTIONS = ("pytest", "pluggy", "iniconfig", "packaging", "pygments")

_INSIDE = Path(__file__).resolve().parent / "inside"
_VALUE = "forge_value.py"
"""`contracts.value` under the name that call.py imports: one encoding on both sides."""


@lru_cache(maxsize=1)
def toolbox() -> Path:
    """A directory to pass as ``tools``: scripts at its top, the packages below ``site/``. Readable to all.

    Raises:
        SandboxUnavailable: one of the packages is not installed where Forge runs.
    """
    key = hashlib.sha256(sys.version.encode())
    for name in DISTRIBUTIONS:
        key.update(f"{name} {_distribution(name).version}\n".encode())
    for name, script in _scripts().items():
        key.update(name.encode() + script.read_bytes())
    return made_once(f"toolbox-{key.hexdigest()[:32]}", _fill)


def _fill(target: Path) -> None:
    for name, script in _scripts().items():
        _copy(script, target / name)
    for name in DISTRIBUTIONS:
        distribution = _distribution(name)
        for file in distribution.files or ():
            if file.parts[0] != ".." and file.suffix != ".pyc":
                _copy(Path(str(distribution.locate_file(file))), target / "site" / file)
    mode = py_compile.PycInvalidationMode.UNCHECKED_HASH
    compileall.compile_dir(target, quiet=2, invalidation_mode=mode, stripdir=str(target), prependdir="/opt/forge")
    for path in target.rglob("*"):
        path.chmod(0o755 if path.is_dir() else 0o644)


def _copy(source: Path, target: Path) -> None:
    target.parent.mkdir(parents=True, exist_ok=True)
    shutil.copyfile(source, target)


def _scripts() -> dict[str, Path]:
    scripts = {path.name: path for path in sorted(_INSIDE.glob("*.*")) if path.name != "__init__.py"}
    return {**scripts, _VALUE: Path(value.__file__)}


def _distribution(name: str) -> importlib.metadata.Distribution:
    try:
        return importlib.metadata.distribution(name)
    except importlib.metadata.PackageNotFoundError as error:
        raise SandboxUnavailable(f"the package {name} is not installed beside Forge") from error

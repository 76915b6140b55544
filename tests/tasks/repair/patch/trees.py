"""Trees of raw names on disk, and git beside them with no configuration of anybody's."""

from __future__ import annotations

import os
import stat
import subprocess
from pathlib import Path

GIT = {
    "PATH": os.environ["PATH"], "HOME": "/nonexistent", "GIT_CONFIG_GLOBAL": "/dev/null", "GIT_CONFIG_NOSYSTEM": "1",
    "GIT_CONFIG_COUNT": "1", "GIT_CONFIG_KEY_0": "core.fsync", "GIT_CONFIG_VALUE_0": "none",
}  # fmt: skip
Tree = dict[bytes, tuple[bytes, bool]]


def git(where: Path, *arguments: str) -> subprocess.CompletedProcess[bytes]:
    environment = GIT | {"GIT_CEILING_DIRECTORIES": str(where.parent)}
    return subprocess.run(["git", *arguments], cwd=where, env=environment, capture_output=True, check=False)


def write(root: Path, tree: Tree) -> Path:
    root.mkdir(exist_ok=True)
    for name, (data, executable) in tree.items():
        path = root / os.fsdecode(name)
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_bytes(data)
        path.chmod(0o755 if executable else 0o644)
    return root


def read(root: Path) -> Tree:
    return {
        os.fsencode(path.relative_to(root)): (path.read_bytes(), bool(path.stat().st_mode & stat.S_IXUSR))
        for path in root.rglob("*")
        if path.is_file() and ".git" not in path.parts
    }

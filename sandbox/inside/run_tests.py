"""Run a tree's own tests in a writable copy: ``run_tests.py TREE``. The status is the candidate's claim, no more.

The runner's configuration and plugins are ours: no file of the tree configures it (GAME-14, GAME-16).
"""

import os
import shutil
import sys
import tempfile
from pathlib import Path

PYTEST = ["-m", "pytest", "-q", "-p", "no:cacheprovider", "-c", "/dev/null"]
PYTEST += ["--rootdir", ".", "--import-mode", "prepend", "."]


def main(tree: str) -> None:
    """Become the test runner, inside the copy."""
    site = Path(__file__).parent / "site"
    copy = Path(tempfile.mkdtemp()) / "candidate"  # not below the working directory, whose files are observed
    shutil.copytree(tree, copy, symlinks=True)
    os.chdir(copy)
    environment = os.environ | {
        "PYTHONPATH": os.pathsep.join((str(copy), str(site))),
        "PYTEST_DISABLE_PLUGIN_AUTOLOAD": "1",
    }
    os.execve(sys.executable, [sys.executable, *PYTEST], environment)  # noqa: S606 - no shell is meant


if __name__ == "__main__":
    main(sys.argv[1])

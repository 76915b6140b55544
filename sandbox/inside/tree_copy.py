"""A writable copy of the tree, at one place that says nothing about the host; nothing of the tree runs meanwhile."""

import os
import shutil
import sys

TREE, COPY = "/candidate", "/tmp/candidate"  # noqa: S108 - paths inside the sandbox


def enter() -> None:
    """Copy the tree, permission bits included (SBX-11), and go there."""
    shutil.copytree(TREE, COPY, symlinks=True)
    for directory, names, files in os.walk(COPY):
        os.chmod(directory, 0o755)  # noqa: PTH101, S103 - bytes of any name, in a sandbox
        for name in (*names, *files):
            path = os.path.join(directory, name)  # noqa: PTH118
            if not os.path.islink(path):  # noqa: PTH114
                os.chmod(path, os.stat(path).st_mode | 0o200)  # noqa: PTH101, PTH116
    os.chdir(COPY)


if __name__ == "__main__":  # a command check: ``tree_copy.py COMMAND``
    enter()
    os.environ["PYTHONPATH"] = "/opt/forge/site"
    os.execv("/bin/sh", ["sh", "-c", sys.argv[1]])  # noqa: S606

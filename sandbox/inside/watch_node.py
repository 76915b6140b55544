"""Become node's test runner with a reporter of the judge's (watch_node.mjs); the request is as for watch_tests.py."""

import json
import os
import re
import shutil
import sys
from collections.abc import Iterator

sys.path.insert(0, "/opt/forge")
import tree_copy  # type: ignore[import-not-found]

NODE = ("/usr/bin/node", "/usr/local/bin/node", "/bin/node")
KEY = 3
TEST = re.compile(r"(test[-.].*|.*[-._]test)\.[cm]?js|test\.[cm]?js")
"""Names of files in a directory that hold tests."""


def main() -> None:
    """The key goes over a pipe that the reporter empties before a test's file is started."""
    request = json.load(sys.stdin)
    os.dup2(os.open(os.devnull, os.O_RDONLY), 0)
    reader, writer = os.pipe()
    os.write(writer, request["key"].encode())
    os.close(writer)
    os.dup2(reader, KEY, inheritable=True)
    if reader != KEY:
        os.close(reader)
    tree_copy.enter()
    node = next((path for path in NODE if os.access(path, os.X_OK)), shutil.which("node"))
    if node is None:
        sys.exit("node is not installed in the sandbox")
    reporter = ["--test-reporter=/opt/forge/watch_node.mjs", "--test-reporter-destination=/work/manifest"]
    spoken = ["--test-reporter=tap", "--test-reporter-destination=stdout"]
    os.execv(node, [node, "--test", *reporter, *spoken, *files(request["paths"])])  # noqa: S606


def files(paths: list[str]) -> Iterator[str]:
    """The paths, with the tests' files in the place of a directory: what node makes of one depends on its version."""
    for path in paths:
        if os.path.isdir(path):  # noqa: PTH112
            for directory, folders, names in os.walk(path):
                folders.sort()
                yield from (os.path.join(directory, name) for name in sorted(names) if TEST.fullmatch(name))  # noqa: PTH118
        else:
            yield path


if __name__ == "__main__":
    main()

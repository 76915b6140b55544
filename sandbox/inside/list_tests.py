"""Name the tests of a tree, without running any: ``list_tests.py TREE``; status 1 where there is none.

A test is a function named ``test...`` in a test file, or a method so named of a class, that can fail: it asserts,
raises, or calls something.
"""

import ast
import sys
import warnings
from collections.abc import Iterator
from pathlib import Path

CAN_FAIL = (ast.Assert, ast.Raise, ast.Call)


def tests(tree: Path) -> Iterator[str]:
    """Ids of the tests, as ``file::function``."""
    for path in sorted(tree.rglob("*.py")):
        if path.is_file() and (path.name.startswith("test") or path.name.endswith("_test.py") or "tests" in path.parts):
            try:
                module = ast.parse(path.read_bytes())
            except (SyntaxError, ValueError, RecursionError):
                continue  # check_syntax.py says so
            for node in ast.walk(module):
                if isinstance(node, ast.FunctionDef) and node.name.startswith("test") and can_fail(node):
                    yield f"{path.relative_to(tree)}::{node.name}"


def can_fail(function: ast.FunctionDef) -> bool:
    """False for an empty test."""
    return any(isinstance(node, CAN_FAIL) for statement in function.body for node in ast.walk(statement))


if __name__ == "__main__":
    warnings.simplefilter("ignore")
    found = list(tests(Path(sys.argv[1])))
    print("\n".join(found).encode("ascii", "backslashreplace").decode())
    sys.exit(0 if found else 1)

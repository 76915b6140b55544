"""Find imports that cannot resolve, without running any: ``check_imports.py TREE``; status 1 names them.

A name resolves if the standard library or any directory of the tree has it. Imports inside functions or ``try``, and
those of test files, are the program's own affair: a missing one shows when it runs.
"""

import ast
import sys
import warnings
from collections.abc import Iterator
from pathlib import Path

SKIPPED = (ast.FunctionDef, ast.AsyncFunctionDef, ast.Lambda, ast.Try, ast.If)


def is_test(path: Path) -> bool:
    """True for a file that a test runner would collect or load."""
    name = path.name
    return name == "conftest.py" or name.startswith("test") or name.endswith("_test.py") or "tests" in path.parts


def imported(node: ast.AST) -> Iterator[str]:
    """Top-level names that importing this module imports unconditionally."""
    for child in ast.iter_child_nodes(node):
        if isinstance(child, ast.Import):
            yield from (alias.name.partition(".")[0] for alias in child.names)
        elif isinstance(child, ast.ImportFrom) and not child.level and child.module:
            yield child.module.partition(".")[0]
        elif not isinstance(child, SKIPPED):
            yield from imported(child)


def missing(tree: Path) -> Iterator[str]:
    """One line for each import of the tree's programs that resolves nowhere."""
    here = {path.stem for path in tree.rglob("*.py")} | {path.name for path in tree.rglob("*") if path.is_dir()}
    known = here | sys.stdlib_module_names | set(sys.builtin_module_names)
    for path in sorted(tree.rglob("*.py")):
        relative = path.relative_to(tree)
        if not is_test(relative) and path.is_file():
            try:
                names = set(imported(ast.parse(path.read_bytes())))
            except (SyntaxError, ValueError, RecursionError):
                continue  # check_syntax.py says so
            yield from (f"{relative}: no module named {name}" for name in sorted(names - known))


if __name__ == "__main__":
    warnings.simplefilter("ignore")
    found = list(missing(Path(sys.argv[1])))
    print("\n".join(found).encode("ascii", "backslashreplace").decode(), file=sys.stderr)
    sys.exit(1 if found else 0)

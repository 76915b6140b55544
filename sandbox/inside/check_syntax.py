"""Compile every Python file of a tree and run none: ``check_syntax.py TREE``; status 1 names those that do not."""

import sys
import warnings
from collections.abc import Iterator
from pathlib import Path


def faults(tree: Path) -> Iterator[str]:
    """One line for each file that is not valid Python."""
    for path in sorted(tree.rglob("*.py")):
        if path.is_file():
            try:
                compile(path.read_bytes(), str(path.relative_to(tree)), "exec", dont_inherit=True)
            except (SyntaxError, ValueError, RecursionError, MemoryError) as error:
                yield f"{path.relative_to(tree)}: {type(error).__name__}: {error}"


if __name__ == "__main__":
    warnings.simplefilter("ignore")
    found = list(faults(Path(sys.argv[1])))
    print("\n".join(found).encode("ascii", "backslashreplace").decode(), file=sys.stderr)
    sys.exit(1 if found else 0)

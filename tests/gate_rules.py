"""Makes docs/gate-rules.md: each rule of the gate with the test files that name it.

``python tests/gate_rules.py > docs/gate-rules.md``; a test compares. A test names a rule in its own name
(``test_pat_07_...``) or in a docstring (``PAT-07``, ``PAT-07 to 09``).
"""

from __future__ import annotations

import ast
import re
import tomllib
from collections import defaultdict
from collections.abc import Iterator
from pathlib import Path

TESTS = Path(__file__).resolve().parent
GROUPS = "CLI|SPEC|SBX|BND|PAT|REP|ADP|OUT|ENC|JDG|SMP|DOG"
RULE = re.compile(rf"(?<![A-Za-z])({GROUPS})[-_](\d\d)(?!\d)(?: to (?:\w+-)?(\d\d))?", re.IGNORECASE)
HEAD = """# The rules of the gate and the tests that hold them

Made by `python tests/gate_rules.py`. "replaced" names what stands in the place of a rule; an empty last column is open.

| rule | in short | held by |
|---|---|---|
"""


def page() -> str:
    """The page."""
    rules = tomllib.loads((TESTS / "gate_rules.toml").read_text(encoding="utf-8"))
    held = by_rule()
    rows = [
        f"| {group}-{number} | {words} | {', '.join(sorted(held[f'{group}-{number}']))} |"
        for group, numbers in rules.items()
        for number, words in numbers.items()
    ]
    return HEAD + "\n".join(rows) + "\n"


def by_rule() -> dict[str, set[str]]:
    """The names of test files by rule."""
    held: dict[str, set[str]] = defaultdict(set)
    for path in sorted(TESTS.rglob("test_*.py")):
        for text in _texts(ast.parse(path.read_text(encoding="utf-8"))):
            for rule in named(text):
                held[rule].add(path.name)
    return held


def named(text: str) -> Iterator[str]:
    """The rules that a text names."""
    for group, first, last in RULE.findall(text):
        for number in range(int(first), int(last or first) + 1):
            yield f"{group.upper()}-{number:02}"


def _texts(module: ast.Module) -> Iterator[str]:
    yield ast.get_docstring(module) or ""
    for node in ast.walk(module):
        if isinstance(node, (ast.FunctionDef, ast.ClassDef)):
            yield f"{node.name} {ast.get_docstring(node) or ''}"


if __name__ == "__main__":
    print(page(), end="")

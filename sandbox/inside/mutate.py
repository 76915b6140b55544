"""List small faults that could be planted in a program: ``mutate.py TREE REACHED SIZE SEED [library]``.

Prints one JSON object: a sample of SIZE edits in the lines that REACHED names by file (all lines if it names none),
how many are possible there, and the other lines. An edit replaces bytes ``start`` to ``end`` of a file. Nothing of the
program is run. Tests, annotations, docstrings and the main guard are left alone, and in a library what a module does by
itself when it is imported.
"""

import ast
import json
import random
import sys
import warnings
from collections.abc import Iterator
from pathlib import Path
from typing import TypedDict

LONGEST = 2_000
SHOWN = 50
PRESENTATION = {"description", "epilog", "help", "metavar", "prog", "usage"}
"""Keyword arguments that change what a help page says, and nothing else."""
COMPARE = {
    ast.Lt: (ast.LtE, ast.GtE),
    ast.LtE: (ast.Lt, ast.Gt),
    ast.Gt: (ast.GtE, ast.LtE),
    ast.GtE: (ast.Gt, ast.Lt),
    ast.Eq: (ast.NotEq,),
    ast.NotEq: (ast.Eq,),
    ast.In: (ast.NotIn,),
    ast.NotIn: (ast.In,),
    ast.Is: (ast.IsNot,),
    ast.IsNot: (ast.Is,),
}
BINARY = {
    ast.Add: ast.Sub,
    ast.Sub: ast.Add,
    ast.Mult: ast.FloorDiv,
    ast.FloorDiv: ast.Mult,
    ast.Div: ast.Mult,
    ast.Mod: ast.Mult,
}


class Edit(TypedDict):
    """A mutant: bytes ``start`` to ``end`` of the file ``path`` become ``text``."""

    path: str
    line: int
    start: int
    end: int
    text: str
    change: str


class _Finder(ast.NodeVisitor):
    """Collects edits of one module, in the order of the text."""

    def __init__(self, path: str, source: bytes) -> None:
        self.path = path
        self.edits: list[Edit] = []
        self.offsets = [0]
        for line in source.splitlines(keepends=True):
            self.offsets.append(self.offsets[-1] + len(line))

    def edit(self, node: ast.expr | ast.stmt, text: str, change: str) -> None:
        """Note that ``node`` becomes ``text``."""
        start = self.offsets[node.lineno - 1] + node.col_offset
        end = self.offsets[(node.end_lineno or node.lineno) - 1] + (node.end_col_offset or 0)
        edit = Edit(path=self.path, line=node.lineno, start=start, end=end, text=text, change=change)
        self.edits.append(edit)

    def replace(self, node: ast.expr, new: ast.expr, change: str) -> None:
        """Note that an expression becomes another one."""
        self.edit(node, f"({ast.unparse(new)})", change)

    def visit_JoinedStr(self, _node: ast.JoinedStr) -> None:
        """Positions inside are not those of the text before Python 3.12."""

    def visit_AnnAssign(self, node: ast.AnnAssign) -> None:
        if node.value is not None:
            self.visit(node.value)

    def visit_FunctionDef(self, node: ast.FunctionDef | ast.AsyncFunctionDef) -> None:
        for part in (*node.args.defaults, *filter(None, node.args.kw_defaults), *node.body):
            self.visit(part)

    visit_AsyncFunctionDef = visit_FunctionDef  # noqa: N815 - the name that NodeVisitor asks for

    def visit_If(self, node: ast.If) -> None:
        if not is_guard(node.test):
            self.replace(node.test, ast.UnaryOp(ast.Not(), node.test), "condition negated")
            self.visit(node.test)
        for statement in (*node.body, *node.orelse):
            self.visit(statement)

    def visit_Compare(self, node: ast.Compare) -> None:
        if len(node.ops) == 1:
            for other in COMPARE.get(type(node.ops[0]), ()):
                new = ast.Compare(node.left, [other()], node.comparators)
                self.replace(node, new, f"{type(node.ops[0]).__name__} to {other.__name__}")
        self.generic_visit(node)

    def visit_BoolOp(self, node: ast.BoolOp) -> None:
        other = ast.Or() if isinstance(node.op, ast.And) else ast.And()
        self.replace(node, ast.BoolOp(other, node.values), f"{type(node.op).__name__} to {type(other).__name__}")
        self.generic_visit(node)

    def visit_BinOp(self, node: ast.BinOp) -> None:
        other = BINARY.get(type(node.op))
        if other is not None and not isinstance(node.left, ast.Constant | ast.JoinedStr):
            new = ast.BinOp(node.left, other(), node.right)
            self.replace(node, new, f"{type(node.op).__name__} to {other.__name__}")
        self.generic_visit(node)

    def visit_UnaryOp(self, node: ast.UnaryOp) -> None:
        if isinstance(node.op, ast.Not | ast.USub):
            self.replace(node, node.operand, f"{type(node.op).__name__} left out")
        self.generic_visit(node)

    def visit_Constant(self, node: ast.Constant) -> None:
        value = node.value
        if isinstance(value, bool):
            self.replace(node, ast.Constant(not value), f"{value} to {not value}")
        elif isinstance(value, int):
            for new in (value + 1, value - 1):
                self.replace(node, ast.Constant(new), f"{value} to {new}")
        elif isinstance(value, str) and value:
            self.replace(node, ast.Constant(value + "x"), "text changed")

    def visit_Return(self, node: ast.Return) -> None:
        if node.value is not None:
            if not isinstance(node.value, ast.Constant):  # a constant has mutants of its own
                self.edit(node, "return None", "result left out")
            self.visit(node.value)

    def visit_keyword(self, node: ast.keyword) -> None:
        if node.arg not in PRESENTATION:
            self.visit(node.value)

    def visit_Expr(self, node: ast.Expr) -> None:
        if isinstance(node.value, ast.Call):
            self.edit(node, "pass", "call left out")
            self.visit(node.value)

    def visit_AugAssign(self, node: ast.AugAssign) -> None:
        self.edit(node, "pass", "assignment left out")
        self.generic_visit(node)

    def visit_Continue(self, node: ast.Continue) -> None:
        self.edit(node, "pass", "continue left out")

    def visit_Break(self, node: ast.Break) -> None:
        self.edit(node, "pass", "break left out")


def is_guard(test: ast.expr) -> bool:
    """True for ``__name__ == ...``."""
    return any(isinstance(node, ast.Name) and node.id == "__name__" for node in ast.walk(test))


def is_test(path: Path) -> bool:
    """True for a file that belongs to the program's own tests."""
    name = path.name
    return name == "conftest.py" or name.startswith("test") or name.endswith("_test.py") or "tests" in path.parts


def edits(tree: Path, library: bool) -> Iterator[Edit]:
    """All edits of the programs of a tree; a name that JSON cannot carry is passed over."""
    for path in sorted(tree.rglob("*.py")):
        relative = path.relative_to(tree)
        if path.is_file() and not path.is_symlink() and not is_test(relative) and str(relative).isprintable():
            source = path.read_bytes()
            try:
                module = ast.parse(source)
            except (SyntaxError, ValueError, RecursionError):
                continue  # check_syntax.py says so
            if library:
                module.body = [item for item in module.body if not isinstance(item, ast.Expr | ast.Assert)]
            finder = _Finder(str(relative), source)
            finder.visit(module)
            yield from finder.edits


def sample(tree: Path, reached: dict[str, list[int]], size: int, seed: str, library: bool = False) -> dict[str, object]:
    """What is printed."""
    found = [edit for edit in edits(tree, library) if len(edit["text"]) <= LONGEST]
    inside = [edit for edit in found if not reached or edit["line"] in reached.get(edit["path"], ())]
    chosen = sorted(random.Random(seed).sample(range(len(inside)), min(size, len(inside))))  # noqa: S311
    lines = {(edit["path"], edit["line"]) for edit in found} - {(edit["path"], edit["line"]) for edit in inside}
    return {
        "possible": len(inside),
        "edits": [inside[place] for place in chosen],
        "unreached": [f"{path}:{line}" for path, line in sorted(lines)[:SHOWN]],
    }


if __name__ == "__main__":
    warnings.simplefilter("ignore")
    tree, lines, size, seed = sys.argv[1:5]
    reached_lines = json.loads(Path(lines).read_text())
    json.dump(sample(Path(tree), reached_lines, int(size), seed, sys.argv[5:] == ["library"]), sys.stdout)

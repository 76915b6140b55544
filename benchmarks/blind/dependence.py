"""What the assertions of an oracle depend on: a test that would pass whatever the program does says nothing of it.

A name *depends* where it is bound from an expression that reaches the program under test, where it is handed to a call
of it (a file to write, a buffer), or where it stands in a ``with`` around such a call (a captured stream).
"""

from __future__ import annotations

import ast
from collections.abc import Iterator

from benchmarks.blind.statics import Finding, called, tests_of

_CAPTURES = {"capsys", "capfd", "capsysbinary", "capfdbinary", "caplog", "tmp_path", "tmpdir", "recwarn"}


def findings(tree: ast.Module, target: frozenset[str]) -> Iterator[Finding]:
    """Tests without an assertion, with one that is always true, or with none that depends on the program."""
    reaching = _helpers(tree, target)
    asserting = {node.name for node in _functions(tree) if any(_assertions(node, frozenset()))}
    for test in tests_of(tree):
        asserted = list(_assertions(test, frozenset(asserting)))
        if not asserted:
            yield Finding("asserts_nothing", test.lineno, f"{test.name} asserts nothing")
            continue
        for node in asserted:
            if isinstance(node, ast.Assert) and _is_trivial(node.test):
                yield Finding("trivial_assertion", node.lineno, "it holds whatever the program does")
        depends = _dependent(test, target | reaching)
        if not any(_mentions(node, depends) for node in asserted):
            reason = f"no assertion of {test.name} depends on what the program does"
            yield Finding("disconnected_test", test.lineno, reason)


def _functions(tree: ast.Module) -> Iterator[ast.FunctionDef]:
    return (node for node in ast.walk(tree) if isinstance(node, ast.FunctionDef))


def _helpers(tree: ast.Module, target: frozenset[str]) -> frozenset[str]:
    """The functions and fixtures, other than tests, from which the program is reached."""
    reaching: set[str] = set()
    functions = [node for node in _functions(tree) if not node.name.startswith("test")]
    while True:
        more = {node.name for node in functions if _mentions(node, target | reaching)} - reaching
        if not more:
            return frozenset(reaching)
        reaching |= more


def _dependent(test: ast.FunctionDef, reaching: frozenset[str]) -> frozenset[str]:
    """The names in a test that depend on the program, to a fixed point."""
    arguments = {argument.arg for argument in test.args.args}
    found = set(reaching)
    if _mentions(test, reaching):
        found |= arguments & _CAPTURES
    while True:
        more = {name for node in ast.walk(test) for name in _spread(node, frozenset(found))} - found
        if not more:
            return frozenset(found)
        found |= more


def _spread(node: ast.AST, found: frozenset[str]) -> Iterator[str]:
    if isinstance(node, ast.Assign | ast.AnnAssign | ast.AugAssign | ast.NamedExpr):
        if node.value is not None and _mentions(node.value, found):
            targets = node.targets if isinstance(node, ast.Assign) else [node.target]
            yield from (name for part in targets for name in _names(part))
    elif isinstance(node, ast.For | ast.comprehension):
        if _mentions(node.iter, found):
            yield from _names(node.target)
    elif isinstance(node, ast.With):
        if any(_mentions(part, found) for part in (*node.items, *node.body)):
            yield from (name for item in node.items for name in _bound_by(item))
    elif isinstance(node, ast.Call) and _mentions(node.func, found):
        yield from (name for part in (*node.args, *node.keywords) for name in _names(part))


def _bound_by(item: ast.withitem) -> Iterator[str]:
    if item.optional_vars is not None:
        yield from _names(item.optional_vars)
    if isinstance(item.context_expr, ast.Call):  # the buffer of redirect_stdout(buffer)
        yield from (name for argument in item.context_expr.args for name in _names(argument))


def _assertions(function: ast.FunctionDef, helpers: frozenset[str]) -> Iterator[ast.AST]:
    for node in ast.walk(function):
        if isinstance(node, ast.Assert):
            yield node
        elif isinstance(node, ast.Call):
            last = called(node).rpartition(".")[2]
            if last.startswith("assert") or last in helpers or called(node) == "pytest.fail":
                yield node
        elif isinstance(node, ast.With) and any(_raises(item.context_expr) for item in node.items):
            yield node


def _raises(node: ast.expr) -> bool:
    return isinstance(node, ast.Call) and called(node).rpartition(".")[2] in (
        "raises",
        "assertRaises",
        "assertRaisesRegex",
    )


def _is_trivial(test: ast.expr) -> bool:
    if isinstance(test, ast.Constant):
        return bool(test.value)
    if isinstance(test, ast.Tuple):
        return bool(test.elts)
    if isinstance(test, ast.BoolOp) and isinstance(test.op, ast.Or):
        return any(_is_trivial(part) for part in test.values)
    if isinstance(test, ast.Compare) and len(test.ops) == 1:
        left, right = ast.dump(test.left), ast.dump(test.comparators[0])
        return isinstance(test.ops[0], ast.Eq | ast.Is | ast.LtE | ast.GtE) and left == right
    return False


def _mentions(node: ast.AST, names: frozenset[str]) -> bool:
    return any(name in names for name in _names(node))


def _names(node: ast.AST) -> Iterator[str]:
    return (part.id for part in ast.walk(node) if isinstance(part, ast.Name))

"""Names in an oracle that are bound to nothing, or used when what they name is gone."""

from __future__ import annotations

import ast
from collections.abc import Iterator

from benchmarks.blind.statics import Finding, called

_BIND_NONE = {"suppress", "disabled", "chdir"}
"""Context managers whose ``as`` gives None."""

_ENDS = {
    "open": "the file is closed",
    "TemporaryDirectory": "the directory is removed",
    "NamedTemporaryFile": "the file is gone",
}
_RAISES = {"raises", "warns"}


def findings(tree: ast.Module) -> Iterator[Finding]:
    """Context managers that bind nothing, and bindings that are used after their life."""
    for function in ast.walk(tree):
        if isinstance(function, ast.FunctionDef):
            yield from _in_function(function)


def _in_function(function: ast.FunctionDef) -> Iterator[Finding]:
    for node in ast.walk(function):
        if isinstance(node, ast.With):
            for item in node.items:
                yield from _of_item(function, node, item)
        elif isinstance(node, ast.ExceptHandler) and node.name:
            yield from _used_after(function, node, node.name, "the name of an exception ends with its handler")


def _of_item(function: ast.FunctionDef, node: ast.With, item: ast.withitem) -> Iterator[Finding]:
    kind = called(item.context_expr).rpartition(".")[2] if isinstance(item.context_expr, ast.Call) else ""
    name = item.optional_vars.id if isinstance(item.optional_vars, ast.Name) else None
    if name and kind in _BIND_NONE and _uses(function, name):
        yield Finding("binds_nothing", node.lineno, f"{kind}() binds None to {name}")
    if name and kind in _ENDS:
        yield from _used_after(function, node, name, _ENDS[kind])
    if name and kind in _RAISES:
        for inner in node.body:
            if any(isinstance(part, ast.Name) and part.id == name for part in ast.walk(inner)):
                reason = f"{name} holds nothing before the block ends"
                yield Finding("binds_nothing", inner.lineno, reason)


def _used_after(
    function: ast.FunctionDef, node: ast.With | ast.ExceptHandler, name: str, why: str
) -> Iterator[Finding]:
    end = node.end_lineno or node.lineno
    rebound = [line for line in _stores(function, name) if line > end]
    for line in _uses(function, name):
        if line > end and not any(again <= line for again in rebound):
            yield Finding("used_after_life", line, f"{name} is used after its block: {why}")
            return


def _uses(function: ast.FunctionDef, name: str) -> list[int]:
    """The lines in which a name is read for what it holds; ``f.closed`` and ``f.name`` of what has ended still hold."""
    kept = {
        id(node.value)
        for node in ast.walk(function)
        if isinstance(node, ast.Attribute) and node.attr in ("closed", "name", "mode")
    }
    return sorted(
        node.lineno
        for node in ast.walk(function)
        if isinstance(node, ast.Name) and node.id == name and isinstance(node.ctx, ast.Load) and id(node) not in kept
    )


def _stores(function: ast.FunctionDef, name: str) -> list[int]:
    return [
        node.lineno
        for node in ast.walk(function)
        if isinstance(node, ast.Name) and node.id == name and isinstance(node.ctx, ast.Store)
    ]

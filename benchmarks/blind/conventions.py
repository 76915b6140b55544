"""Conventions that an oracle uses, against those that its case declares: ten of 54 oracles fail on such a point alone.

The figure is that of the corpora of known bundles (see the README's section on blind benchmarks). A convention that the
case leaves open must not decide: the oracle would reject right programs.
"""

from __future__ import annotations

import ast
from collections.abc import Iterator

from benchmarks.blind.statics import Finding, called
from contracts.bundle import Case

PROGRAM_NAME = "argv.program_name"
"""``excluded`` (the default) or ``included``: whether the list that a command's symbol takes begins with its name."""

NEWLINE = "print.newline"
"""``required``, ``forbidden`` or ``optional``: whether one newline follows printed text."""


def findings(tree: ast.Module, target: frozenset[str], case: Case) -> Iterator[Finding]:
    """Where the oracle takes for granted what the case does not say, or says otherwise."""
    contract = case.public_contract
    if contract is None or contract.kind != "cli_entrypoint":
        return
    names = {contract.symbol, contract.module.rpartition(".")[2], "prog", "program"}
    declared = case.conventions.get(PROGRAM_NAME, "excluded")
    for call, first in _first_arguments(tree, target):
        named = isinstance(first, str) and first.removesuffix(".py") in names
        if named and declared == "excluded":
            reason = f"argv begins with the program's name {first!r}; the case says that it does not"
            yield Finding("convention_mismatch", call.lineno, reason)
        elif not named and declared == "included" and first is not None:
            reason = f"argv begins with {first!r}; the case says that it begins with the program's name"
            yield Finding("convention_mismatch", call.lineno, reason)
    yield from _newlines(tree, case)


def _first_arguments(tree: ast.Module, target: frozenset[str]) -> Iterator[tuple[ast.Call, object]]:
    """Each call of the program with a literal list, and the list's first item where that is a literal."""
    for node in ast.walk(tree):
        if isinstance(node, ast.Call) and called(node).partition(".")[0] in target and node.args:
            given = node.args[0]
            if isinstance(given, ast.List) and given.elts:
                first = given.elts[0]
                yield node, first.value if isinstance(first, ast.Constant) else None


def _newlines(tree: ast.Module, case: Case) -> Iterator[Finding]:
    """Captured output compared whole with a literal decides about the final newline."""
    declared = case.conventions.get(NEWLINE, "optional")
    for node in ast.walk(tree):
        if not isinstance(node, ast.Compare) or len(node.ops) != 1 or not isinstance(node.ops[0], ast.Eq):
            continue
        sides = (node.left, node.comparators[0])
        texts = [side.value for side in sides if isinstance(side, ast.Constant) and isinstance(side.value, str)]
        if len(texts) != 1 or not texts[0] or not any(_is_captured(side) for side in sides):
            continue
        ends = texts[0].endswith("\n")
        if declared == "optional":
            reason = f"output is compared whole with {texts[0][-20:]!r}; the case leaves the final newline open"
            yield Finding("undeclared_convention", node.lineno, reason)
        elif ends != (declared == "required"):
            reason = f"the case says that a final newline is {declared}; the oracle expects {texts[0][-20:]!r}"
            yield Finding("convention_mismatch", node.lineno, reason)


def _is_captured(node: ast.expr) -> bool:
    """True for ``capsys.readouterr().out``, ``buffer.getvalue()``, ``result.stdout`` and the like, unchanged."""
    if isinstance(node, ast.Attribute):
        return node.attr in ("out", "err", "stdout", "stderr")
    return isinstance(node, ast.Call) and called(node).rpartition(".")[2] == "getvalue"

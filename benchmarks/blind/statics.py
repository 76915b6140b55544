"""What can be said against an oracle by reading it: no execution, no judgement of any program (law 7).

Each finding makes the oracle `oracle_invalid`. The checks see one pytest module; `benchmarks.blind.dependence` follows
what its assertions depend on, `benchmarks.blind.lifetimes` what its names are bound to.
"""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass

from contracts.bundle import Case, PublicContract

LEAST_TESTS = 3
FORBIDDEN = {
    "aiohttp": "the network", "http": "the network", "httpx": "the network", "requests": "the network",
    "socket": "the network", "urllib": "the network", "ctypes": "native code", "gc": "the interpreter's objects",
    "multiprocessing": "processes of its own", "threading": "threads", "time": "the clock", "random": "chance",
}  # fmt: skip
"""Modules that an oracle must not import, and what it would depend on."""


@dataclass(frozen=True)
class Finding:
    """A fault of an oracle: its kind, the place, and the reason for a person."""

    kind: str
    line: int
    reason: str


def findings(case: Case, files: Mapping[str, bytes]) -> list[Finding]:
    """Everything that reading finds wrong with ``oracle.py`` of a case, in the order of the lines.

    ``files`` are the oracle's, by path text.
    """
    from benchmarks.blind import conventions, dependence, lifetimes

    try:
        tree = ast.parse(files["oracle.py"])
    except (SyntaxError, ValueError) as error:
        return [Finding("unparsable", getattr(error, "lineno", None) or 1, f"it is not Python: {error}")]
    except RecursionError:
        return [Finding("unparsable", 1, "it is nested too deeply")]
    found = [*_imports(tree), *_count(tree), *_patterns(tree), *lifetimes.findings(tree)]
    if case.public_contract is not None:
        target = targets(tree, case.public_contract)
        if not target:
            wanted = f"{case.public_contract.module}.{case.public_contract.symbol}"
            found.append(Finding("contract_not_imported", 1, f"it does not import {wanted}"))
        else:
            found += [*dependence.findings(tree, target), *conventions.findings(tree, target, case)]
    return sorted(found, key=lambda finding: (finding.line, finding.kind))


def tests_of(tree: ast.Module) -> Iterator[ast.FunctionDef]:
    """The test functions and methods, as pytest collects them by default."""
    return (function for _, function in _tests(tree))


def ids_of_tests(source: bytes) -> tuple[str, ...]:
    """The ids of the tests in an oracle, as a runner in its directory names them; raises SyntaxError, ValueError."""
    return tuple("::".join(("oracle.py", *classes, test.name)) for classes, test in _tests(ast.parse(source)))


def _tests(tree: ast.Module) -> Iterator[tuple[tuple[str, ...], ast.FunctionDef]]:
    for node in tree.body:
        if isinstance(node, ast.FunctionDef) and node.name.startswith("test"):
            yield (), node
        elif isinstance(node, ast.ClassDef) and _is_collected(node):
            for part in node.body:
                if isinstance(part, ast.FunctionDef) and part.name.startswith("test"):
                    yield (node.name,), part


def _is_collected(node: ast.ClassDef) -> bool:
    """By its name, or as a unittest case by its base."""
    bases = {ast.unparse(base).rpartition(".")[2] for base in node.bases}
    return node.name.startswith("Test") or "TestCase" in bases


def targets(tree: ast.Module, contract: PublicContract) -> frozenset[str]:
    """The names under which the module holds the symbol, or the module that defines it."""
    names: set[str] = set()
    for node in ast.walk(tree):
        if isinstance(node, ast.ImportFrom) and node.module == contract.module:
            names |= {alias.asname or alias.name for alias in node.names if alias.name == contract.symbol}
        elif isinstance(node, ast.ImportFrom) and node.module and contract.module.startswith(node.module + "."):
            rest = contract.module[len(node.module) + 1 :]
            names |= {alias.asname or alias.name for alias in node.names if alias.name == rest}
        elif isinstance(node, ast.Import):
            for alias in node.names:
                if alias.name == contract.module:
                    names.add(alias.asname or alias.name.partition(".")[0])
        elif isinstance(node, ast.Assign) and _imports_by_name(node.value, contract.module):
            names |= {target.id for target in node.targets if isinstance(target, ast.Name)}
    return frozenset(names)


def called(node: ast.Call) -> str:
    """The dotted name of what is called; its last part where it is no plain name."""
    parts: list[str] = []
    at: ast.expr = node.func
    while isinstance(at, ast.Attribute):
        parts.append(at.attr)
        at = at.value
    if isinstance(at, ast.Name):
        parts.append(at.id)
    return ".".join(reversed(parts))


def _imports_by_name(node: ast.expr, module: str) -> bool:
    return any(
        isinstance(call, ast.Call)
        and called(call).rpartition(".")[2] in ("import_module", "__import__")
        and any(isinstance(arg, ast.Constant) and arg.value == module for arg in call.args)
        for call in ast.walk(node)
    )


def _imports(tree: ast.Module) -> Iterator[Finding]:
    for node in ast.walk(tree):
        if not isinstance(node, ast.Import | ast.ImportFrom):
            continue
        names = [alias.name for alias in node.names]
        for module in [node.module or ""] if isinstance(node, ast.ImportFrom) else names:
            top = module.partition(".")[0]
            if top in FORBIDDEN and module != "urllib.parse":
                yield Finding("forbidden_import", node.lineno, f"{module}: it would depend on {FORBIDDEN[top]}")


def _count(tree: ast.Module) -> Iterator[Finding]:
    tests = list(tests_of(tree))
    if len(tests) < LEAST_TESTS:
        yield Finding("too_few_tests", 1, f"{len(tests)} tests; {LEAST_TESTS} at least")
    for body in (tree.body, *(node.body for node in tree.body if isinstance(node, ast.ClassDef))):
        seen: set[str] = set()
        for node in body:
            if isinstance(node, ast.FunctionDef) and node.name.startswith("test"):
                if node.name in seen:
                    yield Finding("shadowed_test", node.lineno, f"another {node.name} stands before it and never runs")
                seen.add(node.name)


def _patterns(tree: ast.Module) -> Iterator[Finding]:
    """Regular expressions that are none, or that cannot match the literal that they are held against."""
    for node in ast.walk(tree):
        if not isinstance(node, ast.Call) or not called(node).startswith("re.") or not node.args:
            continue
        texts = [
            arg.value if isinstance(arg, ast.Constant) and isinstance(arg.value, str) else None for arg in node.args
        ]
        if texts[0] is None:
            continue
        try:
            pattern = re.compile(texts[0])
        except re.error as error:
            yield Finding("bad_pattern", node.lineno, f"no regular expression: {error}")
            continue
        method = called(node).removeprefix("re.")
        if method not in ("match", "search", "fullmatch") or len(texts) < 2 or texts[1] is None:
            continue
        if not getattr(pattern, method)(texts[1]):
            yield Finding("pattern_misses_fixture", node.lineno, f"{texts[0]!r} does not match {texts[1]!r}")

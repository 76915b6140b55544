"""Where a tree holds the functions that are called: by convention in one module, else in the one that defines them.

The contract is sealed before there is a candidate, so its probes name the conventional module (law 2); a library whose
text names none may put its functions elsewhere.
"""

from __future__ import annotations

import ast
from collections.abc import Iterator, Sequence
from typing import NamedTuple

from contracts.candidate import Candidate
from contracts.probe import CallProbe, Probe
from tasks.evidence.store import Store

ROOTS = ("", "src")
"""Directories that hold modules."""


class Place(NamedTuple):
    """The directory of the tree that a module is found in, and its dotted name."""

    root: str
    module: str


def placed(probes: Sequence[Probe], candidate: Candidate, store: Store) -> list[Probe]:
    """The probes, with calls directed to the module of ``candidate`` that defines their function.

    Raises:
        StoreError: a file is not in the store.
    """
    wanted = {(probe.module, probe.function) for probe in probes if isinstance(probe, CallProbe)}
    places = {pair: place_of(candidate, store, *pair) for pair in sorted(wanted)}
    return [
        _at(probe, places[probe.module, probe.function]) if isinstance(probe, CallProbe) else probe for probe in probes
    ]


def place_of(candidate: Candidate, store: Store, module: str, function: str) -> Place:
    """The conventional module if the tree has it and it, or no other, defines the function; else the one that does."""
    modules = {place: path for path in _programs(candidate) if (place := _place(path)) is not None}
    conventional = Place("", module)
    digests = {file.path: file.digest for file in candidate.files}
    top = function.partition(".")[0]
    defining = [place for place, path in modules.items() if _defines(store.get(digests[path]), top)]
    if conventional in modules and (conventional in defining or not defining):
        return conventional
    return min(defining, key=lambda place: (place.module.count("."), place), default=conventional)


def _at(probe: CallProbe, place: Place) -> CallProbe:
    return probe.model_copy(update={"root": place.root, "module": place.module})


def _programs(candidate: Candidate) -> Iterator[str]:
    for file in candidate.files:
        parts = file.path.split("/")
        test = parts[-1].startswith("test") or parts[-1].endswith("_test.py") or parts[-1] == "conftest.py"
        if file.path.endswith(".py") and not test and "tests" not in parts:
            yield file.path


def _place(path: str) -> Place | None:
    """The module that a file is; None where its name is none."""
    for root in reversed(ROOTS):
        if path.startswith(f"{root}/" if root else ""):
            inner = path[len(root) + 1 if root else 0 :].removesuffix(".py").removesuffix("/__init__")
            parts = inner.split("/")
            return Place(root, ".".join(parts)) if all(part.isidentifier() for part in parts) else None
    return None


def _defines(source: bytes, name: str) -> bool:
    """Whether a module binds ``name`` at its top by a definition or an assignment; an import does not count."""
    try:
        body = ast.parse(source).body
    except (SyntaxError, ValueError, RecursionError, MemoryError):
        return False
    for node in body:
        if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef | ast.ClassDef) and node.name == name:
            return True
        targets = node.targets if isinstance(node, ast.Assign) else []
        if any(isinstance(target, ast.Name) and target.id == name for target in targets):
            return True
    return False

"""Seals that every type of record has: trees, and the calls of models."""

from __future__ import annotations

from collections.abc import Iterator

from contracts.candidate import Candidate, tree_digest
from contracts.paths import is_contained, path_bytes
from tasks.evidence.contents import Contents


def shared_faults(contents: Contents) -> Iterator[str]:
    """Every seal that does not hold, in words."""
    for tree in contents.trees():
        yield from _tree(tree)
    yield from _calls(contents)


def _tree(tree: Candidate) -> Iterator[str]:
    paths = [entry.path for entry in tree.files]
    if tree.tree != tree_digest(tree.files):
        yield "a tree's digest is not that of its entries"
    if not all(is_contained(path) for path in paths) or paths != sorted(set(paths), key=path_bytes):
        yield "the entries of a tree repeat, leave it or are out of order"


def _calls(contents: Contents) -> Iterator[str]:
    """Each call has an answer or a reason why there is none; words are credited to who wrote them (VER-17)."""
    for number, call in enumerate(contents.calls):
        if call.response is None and call.error is None:
            yield f"call {number} of a model has neither an answer nor a reason"
    authors = {call.name for call in contents.calls if call.role == "explainer" and call.error is None}
    for explanation in contents.explanations:
        if explanation.author not in authors | {"forge"}:
            yield f"an explanation is credited to {explanation.author}, which did not write it"
        if explanation.error is not None and explanation.author != "forge":
            yield "an explanation is credited to a model whose words failed"

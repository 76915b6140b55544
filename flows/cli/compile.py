"""``forge compile``: what Forge reads in a text, before anything is built."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING

from flows.cli.common import Assume, File, Json, Text, assumptions, print_json, requirement_text, say

if TYPE_CHECKING:
    from contracts.requirement import BuildSpec


def compile_(text: Text = None, file: File = None, assume: Assume = None, json: Json = False) -> int:
    """Show what a text was bound to, and the conventions.

    Conventions settle, before any code exists, what the text leaves unsaid.
    """
    from flows.run import requirement_of
    from tasks.requirement.compiler import compile_requirement

    words = requirement_text(text, file)
    spec = compile_requirement(requirement_of(words), assumptions(assume))
    if json:
        print_json(spec)
        return 0
    for line in bindings(spec, words):
        say(line)
    return 0


def bindings(spec: BuildSpec, text: str) -> Iterator[str]:
    """The text, part by part, with what each part is proven by; then questions and conventions."""
    atoms = {atom.id: atom for atom in spec.requirement_atoms}
    methods: dict[str, set[str]] = {}
    for criterion in spec.acceptance_criteria:
        for name in criterion.atoms:
            methods.setdefault(name, set()).add(criterion.method)
    for fragment in spec.fragments:
        yield " ".join(text[fragment.span.start : fragment.span.end].split())
        for name in fragment.atoms:
            proof = ", ".join(sorted(methods.get(name, ()))) or "nothing proves it"
            yield f"    {atoms[name].category.value} {name}: {proof}"
        if not fragment.atoms:
            yield "    not bound: nothing of it is checked"
    for flag in spec.ambiguity_flags:
        yield ""
        yield f"question{'' if flag.material else ' (not material)'}: {flag.question}"
    yield ""
    yield "conventions (--assume KEY=VALUE overrides)"
    for item in spec.conventions:
        yield f"    {item.key}={item.value} ({item.source}): {item.meaning}"

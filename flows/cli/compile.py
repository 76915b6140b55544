"""``forge compile``: what Forge reads in a text, before anything is built."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING, Annotated

import typer

from flows.cli.common import (
    Assume,
    Contract,
    File,
    Json,
    Text,
    assumptions,
    named,
    print_json,
    refuse,
    requirement_text,
    say,
)

if TYPE_CHECKING:
    from contracts.requirement import BuildSpec


Html = Annotated[
    str | None, typer.Option("--html", metavar="F", help="Write the text with its bindings to this new HTML file.")
]


def compile_(  # noqa: PLR0917 - Typer calls it by keyword
    text: Text = None,
    file: File = None,
    assume: Assume = None,
    contract: Contract = None,
    json: Json = False,
    html: Html = None,
) -> int:
    """Show what a text was bound to, and the conventions.

    Conventions settle, before any code exists, what the text leaves unsaid.
    """
    from flows.run import requirement_of
    from tasks.requirement.compiler import compile_requirement

    words = requirement_text(text, file)
    spec = compile_requirement(requirement_of(words), assumptions(assume, contract))
    if html is not None:
        _write_page(spec, words, html)
    if json:
        print_json(spec)
        return 0
    for line in bindings(spec, words):
        say(line)
    return 0


def _write_page(spec: BuildSpec, text: str, html: str) -> None:
    from tasks.requirement.page import page

    path = named("--html", html)
    try:
        with path.open("x", encoding="utf-8") as file:
            file.write(page(spec, text))
    except FileExistsError:
        refuse(f"--html: {path} exists already")
    except OSError as error:
        refuse(f"--html: {path} cannot be written: {error.strerror}")


def bindings(spec: BuildSpec, text: str) -> Iterator[str]:
    """The text, part by part, with what each part is proven by; then questions and conventions."""
    from tasks.requirement.page import bound_share, methods

    atoms = {atom.id: atom for atom in spec.requirement_atoms}
    proven = methods(spec)
    for fragment in spec.fragments:
        yield " ".join(text[fragment.span.start : fragment.span.end].split())
        for name in fragment.atoms:
            yield f"    {atoms[name].category.value} {name}: {proven.get(name, 'nothing proves it')}"
        if not fragment.atoms:
            yield "    not bound: nothing of it is checked"
    for flag in spec.ambiguity_flags:
        yield ""
        yield f"question{'' if flag.material else ' (not material)'}: {flag.question}"
    yield ""
    yield f"bound: {100 * bound_share(spec, text):.1f} % of the characters; the text asks for a {spec.artefact}"
    yield ""
    yield "conventions (--assume KEY=VALUE or --contract FILE overrides)"
    for item in spec.conventions:
        yield f"    {item.key}={item.value} ({item.source}): {item.meaning}"

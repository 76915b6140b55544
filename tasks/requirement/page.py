"""The text with its bindings as one HTML page, without scripts and without anything from elsewhere. Pure."""

from __future__ import annotations

from collections.abc import Iterator
from html import escape

from contracts.requirement import BuildSpec, Span

_STYLE = """
body { font: 16px/1.6 system-ui, sans-serif; max-width: 60rem; margin: 2rem auto; padding: 0 1rem; color: #222; }
.text { white-space: pre-wrap; background: #fafafa; border: 1px solid #ddd; padding: 1rem; }
.functional { background: #e3f2e1; } .conditional { background: #dde9fb; } .example { background: #fdf1cf; }
.invariant { background: #e9def7; } .interface { background: #e6ecef; } .quality, .environment { background: #f3e9e0; }
.test { background: #dff3f3; } .ambiguity { background: #fbdada; }
.unbound { text-decoration: underline dotted #b00; color: #777; }
table { border-collapse: collapse; } td, th { border: 1px solid #ddd; padding: .2rem .6rem; text-align: left; }
"""


def bound_share(spec: BuildSpec, text: str) -> float:
    """The share of the characters that are not white space and are bound to some statement, from 0 to 1."""
    total = _visible(text, Span(start=0, end=len(text)))
    return 1 - sum(_visible(text, span) for span in spec.unbound) / max(1, total)


def page(spec: BuildSpec, text: str) -> str:
    """The page; every character of the text stands in it."""
    return "\n".join(
        (
            "<!DOCTYPE html>",
            '<html lang="en"><head><meta charset="utf-8"><title>Requirement</title>',
            f"<style>{_STYLE}</style></head><body>",
            f"<h1>What is bound: {100 * bound_share(spec, text):.1f} %</h1>",
            f'<div class="text">{"".join(_marked(spec, text))}</div>',
            *_questions(spec),
            "<h2>Statements</h2>",
            *_table(("Id", "Kind", "Words", "Proven by"), _statements(spec)),
            "<h2>Conventions</h2>",
            *_table(
                ("Key", "Value", "From", "Meaning"),
                ((item.key, item.value, item.source, item.meaning) for item in spec.conventions),
            ),
            "</body></html>",
            "",
        )
    )


def methods(spec: BuildSpec) -> dict[str, str]:
    """How each statement is proven, by its id."""
    found: dict[str, set[str]] = {}
    for criterion in spec.acceptance_criteria:
        for name in criterion.atoms:
            found.setdefault(name, set()).add(criterion.method)
    return {name: ", ".join(sorted(known)) for name, known in found.items()}


def _visible(text: str, span: Span) -> int:
    return len("".join(text[span.start : span.end].split()))


def _marked(spec: BuildSpec, text: str) -> Iterator[str]:
    atoms = {atom.id: atom for atom in spec.requirement_atoms}
    place = 0
    for fragment in spec.fragments:
        yield escape(text[place : fragment.span.start])
        kind = atoms[fragment.atoms[0]].category.value if fragment.atoms else "unbound"
        title = ", ".join(fragment.atoms) or "not bound: nothing of it is checked"
        words = escape(text[fragment.span.start : fragment.span.end])
        yield f'<span class="{kind}" title="{escape(title)}">{words}</span>'
        place = fragment.span.end
    yield escape(text[place:])


def _questions(spec: BuildSpec) -> Iterator[str]:
    if spec.ambiguity_flags:
        yield "<h2>Questions</h2>"
        for flag in spec.ambiguity_flags:
            yield f"<p>{escape(flag.question)}{'' if flag.material else ' (not material)'}</p>"


def _statements(spec: BuildSpec) -> Iterator[tuple[str, ...]]:
    proven = methods(spec)
    for atom in spec.requirement_atoms:
        yield atom.id, atom.category.value, atom.text, proven.get(atom.id, "nothing")


def _table(head: tuple[str, ...], rows: Iterator[tuple[str, ...]]) -> Iterator[str]:
    yield "<table><tr>" + "".join(f"<th>{escape(cell)}</th>" for cell in head) + "</tr>"
    for row in rows:
        yield "<tr>" + "".join(f"<td>{escape(cell)}</td>" for cell in row) + "</tr>"
    yield "</table>"

"""VIEW-02, VIEW-03, VIEW-07: a report shows whether a record is intact, never crashes, takes no text as markup."""

from __future__ import annotations

import io
from html.parser import HTMLParser
from typing import Any

import pytest
from rich.console import Console

from contracts.canonical import canonical_bytes
from contracts.evidence import Record
from contracts.requirement import BuildSpec, Convention, Requirement
from contracts.verdict import ValidationArtifact
from tasks.evidence.html import render_html
from tasks.evidence.render import render_markdown, render_terminal
from tasks.evidence.trust import Trust

KINDS = ("verified", "failed", "infeasible", "underspecified", "unavailable", "interrupted", "gave_up")


def terminal(maker: Any, record: Record, *, colour: bool = False) -> str:
    stream = io.StringIO()
    console = Console(file=stream, width=100, force_terminal=colour, color_system="standard" if colour else None)
    render_terminal(record, maker.store, console, Trust.of(maker.key.public))
    return stream.getvalue()


def page(maker: Any, record: Record) -> str:
    return render_html(record, maker.store, Trust.of(maker.key.public))


def markdown(maker: Any, record: Record) -> str:
    return render_markdown(record, maker.store, Trust.of(maker.key.public))


@pytest.mark.parametrize("kind", KINDS)
def test_every_kind_of_record_is_told(maker: Any, kind: str) -> None:
    record = maker.record(kind)
    for text in (terminal(maker, record), markdown(maker, record), page(maker, record)):
        assert "intact, signed by" in text.replace("\\", "")
        assert "NOT INTACT" not in text
        for title in ("Result", "Requirement", "Not checked"):
            assert title in text


def test_what_a_person_needs_is_there(maker: Any) -> None:
    failed = terminal(maker, maker.record("failed"))
    for piece in ("VALIDATION_FAILED", "fault: candidate", "example_mismatch", "attempt 0", "run: python3 main.py"):
        assert piece in failed
    assert "1 of 1 obligations covered" in terminal(maker, maker.record("verified"))
    assert "Which rows are important?" in terminal(maker, maker.record("underspecified"))
    assert "cannot hold together: Each of them lies between 1 and 20" in terminal(maker, maker.record("infeasible"))
    assert "sandbox_unavailable" in terminal(maker, maker.record("unavailable"))


def test_dec_11_an_untrusted_signer_is_said(maker: Any, other_key: Any) -> None:
    record = maker.seal(maker.all_models("verified"), other_key)
    assert "signed by a key that is not trusted" in terminal(maker, record).splitlines()[0]


def tampered(maker: Any, defect: str) -> Record:
    record: Record = maker.record("verified")
    entries = record.entries
    if defect == "body_changed":
        changed = entries[0].model_copy(update={"body": {"run": "x"}})
        return record.model_copy(update={"entries": (changed, *entries[1:])})
    if defect == "no_entries":
        return record.model_copy(update={"entries": ()})
    if defect == "reordered":
        return record.model_copy(update={"entries": entries[::-1]})
    if defect == "bundle_gone":
        return record.model_copy(update={"bundle": {}})
    if defect == "blobs_gone":
        for blob in (maker.store.root / "sha256").iterdir():
            blob.unlink()
        return record
    models = maker.all_models("verified")
    place = next(index for index, model in enumerate(models) if isinstance(model, BuildSpec))
    models[place] = models[place].model_copy(update={"fragments": (), "acceptance_criteria": (), "conventions": ()})
    place = next(index for index, model in enumerate(models) if isinstance(model, ValidationArtifact))
    models[place] = models[place].model_copy(update={"layers": ()})
    resealed: Record = maker.seal(models)
    return resealed


DEFECTS = ("body_changed", "no_entries", "reordered", "bundle_gone", "blobs_gone", "resealed")


@pytest.mark.parametrize("defect", DEFECTS)
def test_view_02_a_tampered_record_has_the_banner_first(maker: Any, defect: str) -> None:
    record = tampered(maker, defect)
    assert terminal(maker, record).startswith("✗ NOT INTACT")
    assert markdown(maker, record).startswith("**✗ NOT INTACT")
    assert elements(page(maker, record))[0][1].startswith("✗ failed: NOT INTACT")


HOSTILE = (
    "\x1b]8;;http://evil\x07[red]x[/red] <script>alert(1)</script> **b** [l](http://e) `c` \u202eabc\x9b31m | \x00"
)


@pytest.fixture
def hostile(maker: Any) -> Record:
    """Hostile text wherever a record takes text from outside."""
    maker.requirement = Requirement(text=HOSTILE.replace("\x00", ""))
    convention = Convention(key=HOSTILE, value=HOSTILE, source="override", meaning=HOSTILE)
    maker.spec = maker.spec.model_copy(update={"requirement": maker.requirement.seal(), "conventions": (convention,)})
    maker.probes = maker.probes.model_copy(update={"build_spec": maker.spec.seal()})
    maker.readings = maker.readings.model_copy(update={"build_spec": maker.spec.seal(), "plan": maker.probes})
    models = [*maker.contract(), maker.isolation(), maker.readings, *maker.attempt(0, HOSTILE.encode())]
    models[0] = models[0].model_copy(update={"platform": HOSTILE})
    record: Record = maker.seal([*models, maker.outcome(models)])
    return record


def test_view_07_nothing_reaches_the_terminal(maker: Any, hostile: Record) -> None:
    text = terminal(maker, hostile)
    assert text.startswith("✓ intact")
    assert all(char.isprintable() or char == "\n" for char in text)
    assert "[red]x[/red]" in text.replace("\n", ""), "rich markup is shown, not followed"
    styled = terminal(maker, hostile, colour=True)
    assert "\x1b]8" not in styled
    assert "\x9b" not in styled


def test_view_07_nothing_is_markup_in_markdown(maker: Any, hostile: Record) -> None:
    text = markdown(maker, hostile)
    assert all(char.isprintable() or char == "\n" for char in text)
    for piece in ("<script", "**b**", "[l](", "`c`", "http://", "\u202e"):
        assert piece not in text
    assert "&lt;script&gt;" in text


class Elements(HTMLParser):
    """Tags, attributes and texts as a browser's parser sees them."""

    def __init__(self) -> None:
        super().__init__(convert_charrefs=True)
        self.open: list[str] = []
        self.tags: set[str] = set()
        self.attributes: set[str] = set()
        self.places: set[str] = set()
        self.found: list[tuple[str, str]] = []

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.tags.add(tag)
        self.attributes |= {name for name, _ in attrs}
        self.places |= {value or "" for name, value in attrs if name == "href"}
        if tag != "meta":
            self.open.append(tag)
        if tag in ("p", "li", "h2"):
            self.found.append((tag, ""))

    def handle_endtag(self, tag: str) -> None:
        assert self.open.pop() == tag

    def handle_data(self, data: str) -> None:
        if self.found and self.open:
            tag, text = self.found[-1]
            self.found[-1] = (tag, text + data)


def elements(text: str) -> list[tuple[str, str]]:
    parser = Elements()
    parser.feed(text)
    parser.close()
    assert parser.open == []
    return parser.found


def test_view_07_a_page_holds_no_element_and_no_address_of_the_records(maker: Any, hostile: Record) -> None:
    parser = Elements()
    text = page(maker, hostile)
    parser.feed(text)
    ours = {"html", "head", "meta", "title", "style", "body", "header", "main", "section", "h1", "h2", "p"}
    ours |= {"ul", "ol", "li", "span", "b", "a", "nav", "details", "summary", "pre", "code"}
    assert parser.tags == ours
    known = {"lang", "charset", "http-equiv", "content", "name", "class", "role", "id", "href", "tabindex"}
    assert parser.attributes == known | {"aria-hidden", "aria-label", "aria-labelledby"}
    assert all(place.startswith("#") for place in parser.places), "a link leads to this page only"
    assert "default-src &#x27;none&#x27;" in text
    assert all(char.isprintable() or char == "\n" for char in text)
    assert any("<script>alert(1)</script>" in found for _, found in parser.found), "shown as text"


def test_view_03_a_record_of_any_shape_is_told(maker: Any) -> None:
    record = maker.record("failed")
    for index in range(len(record.entries)):
        entries = record.entries[:index] + record.entries[index + 1 :]
        text = terminal(maker, record.model_copy(update={"entries": entries}))
        assert text.startswith("✗ NOT INTACT")
    assert canonical_bytes(record.document())

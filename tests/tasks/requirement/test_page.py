"""The HTML page: every character of the text, nothing executable of it, and the share that is bound."""

from __future__ import annotations

import re
from html import unescape

from contracts.requirement import Requirement
from tasks.requirement.compiler import compile_requirement
from tasks.requirement.page import bound_share, page

TEXT = """# Row <script>alert('x')</script> count

The program reads a file & prints `a < b`. If the file is empty, print EMPTY.

Lorem ipsum "dolor".
"""


def test_the_text_stands_in_it_untouched_and_harmless() -> None:
    shown = page(compile_requirement(Requirement(text=TEXT), {}), TEXT)
    inner = re.search(r'<div class="text">(.*?)</div>', shown, re.DOTALL)
    assert inner is not None
    assert unescape(re.sub(r"<[^>]*>", "", inner[1])) == TEXT
    assert "<script" not in shown
    assert "http" not in shown


def test_kinds_and_what_is_not_bound_are_marked() -> None:
    spec = compile_requirement(Requirement(text=TEXT), {})
    shown = page(spec, TEXT)
    assert 'class="conditional" title="conditional-' in shown
    assert 'class="unbound" title="not bound: nothing of it is checked">Lorem' in shown
    assert f"{100 * bound_share(spec, TEXT):.1f} %" in shown


def test_the_share_is_of_what_is_not_white_space() -> None:
    text = "Print the sum.\n\n      Lorem ipsum."
    spec = compile_requirement(Requirement(text=text), {})
    assert bound_share(spec, text) == 1 - 11 / 23

"""Witnesses are bounded and nothing in them reaches a terminal (GAME-41, GAME-44, GAME-50)."""

from __future__ import annotations

from contracts.canonical import canonical_bytes
from contracts.probe import CommandProbe, ExitExpectation, InputFile, ProbeCase
from tasks.validation.readable import KEPT, plain, quoted, witness


def test_nothing_repaints_a_terminal():
    shown = quoted(b"ok\x1b[2J\rPASS\x9b\xe2\x80\xae\x00\xff")
    assert shown.isprintable()
    assert "\\x1b" in shown
    assert "\\u202e" in shown


def test_quotes_and_line_ends_cannot_be_forged():
    assert quoted(b'a"; stdout "b\n') == '"a\\"; stdout \\"b\\n"'
    assert "\u202e" not in plain("\u202e")


def test_a_long_text_says_how_much_was_left_out():
    assert quoted(b"x" * 1_000).endswith("and 600 more bytes")


def test_a_witness_is_bounded_and_canonical(seen):
    files = (InputFile(path="input.csv", content=b"\xff" * 100_000),)
    probe = CommandProbe(id="p", argv=("python3", "/candidate/main.py", "a b"), stdin=b"\0" * 9_000, files=files)
    case = ProbeCase(probe=probe, origin="hostile", expectations=(ExitExpectation(status=0),))
    flood = seen(stdout=b"\xed\xa0\x80" * 50_000, stderr=b"e" * 9_000, files={f"f{n}\x1b": b"" for n in range(50)})
    found = witness(case, flood, case.expectations)
    assert found.command == "python3 main.py 'a b'"
    assert all(len(content) <= KEPT for content in found.files.values())
    assert len(canonical_bytes(found.document())) < 20_000
    assert found.observed.isprintable()

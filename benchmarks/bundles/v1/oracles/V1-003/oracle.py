"""Outside oracle: run-length encoding."""

import pytest
from main import main


def run(capsys, *argv):
    code = main(list(argv))
    out, err = capsys.readouterr()
    return code, out.rstrip("\n"), err.strip()


@pytest.mark.parametrize(
    ("text", "encoded"),
    [("a", "1a"), ("aa", "2a"), ("aaab", "3a1b"), ("abab", "1a1b1a1b"), ("  ", "2 "), ("11", "21"), ("aA", "1a1A"),
     ("z" * 12, "12z"), ("", "")],
)
def test_encoding(capsys, text, encoded):
    assert run(capsys, text) == (0, encoded, "")


def test_no_argument(capsys):
    assert run(capsys) == (2, "", "usage: rle TEXT")


def test_two_arguments(capsys):
    assert run(capsys, "a", "b") == (2, "", "usage: rle TEXT")

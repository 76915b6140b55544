"""Outside oracle: the Caesar cipher."""

import pytest
from main import main


def run(capsys, *argv):
    code = main(list(argv))
    out, err = capsys.readouterr()
    return code, out.rstrip("\n"), err.strip()


@pytest.mark.parametrize(
    ("shift", "text", "moved"),
    [(0, "abc", "abc"), (1, "abc", "bcd"), (3, "xyz", "abc"), (13, "Hello, World!", "Uryyb, Jbeyq!"), (25, "bA", "aZ"),
     (5, "123 -", "123 -"), (1, "", "")],
)
def test_moves(capsys, shift, text, moved):
    assert run(capsys, str(shift), text) == (0, moved, "")


@pytest.mark.parametrize("shift", ["26", "-1", "x", "1.0", ""])
def test_bad_shift(capsys, shift):
    assert run(capsys, shift, "abc") == (3, "", "bad shift")


@pytest.mark.parametrize("argv", [[], ["1"], ["1", "a", "b"]])
def test_wrong_number_of_arguments(capsys, argv):
    assert run(capsys, *argv) == (3, "", "bad shift")

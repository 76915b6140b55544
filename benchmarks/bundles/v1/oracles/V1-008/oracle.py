"""Outside oracle: the greatest common divisor."""

import pytest
from main import main


def run(capsys, *argv):
    code = main(list(argv))
    out, err = capsys.readouterr()
    return code, out.strip(), err.strip()


@pytest.mark.parametrize(
    ("a", "b", "divisor"),
    [(1, 1, 1), (12, 18, 6), (18, 12, 6), (7, 5, 1), (100, 10, 10), (17, 17, 17), (270, 192, 6), (10**12, 10**9, 10**9)],
)
def test_divisor(capsys, a, b, divisor):
    assert run(capsys, str(a), str(b)) == (0, str(divisor), "")


@pytest.mark.parametrize("argv", [[], ["4"], ["4", "6", "8"], ["0", "4"], ["4", "0"], ["-4", "6"], ["a", "6"], ["4", "1.5"], ["", "2"]])
def test_refused(capsys, argv):
    assert run(capsys, *argv) == (2, "", "two positive integers")


def test_large(capsys):
    assert run(capsys, str(2**200 * 3), str(2**100 * 5)) == (0, str(2**100), "")

"""Outside oracle: Roman numerals."""

import pytest
from main import main


def run(capsys, *argv):
    code = main(list(argv))
    out, err = capsys.readouterr()
    return code, out.strip(), err.strip()


@pytest.mark.parametrize(
    ("number", "numeral"),
    [(1, "I"), (3, "III"), (9, "IX"), (14, "XIV"), (40, "XL"), (90, "XC"), (400, "CD"), (444, "CDXLIV"),
     (888, "DCCCLXXXVIII"), (900, "CM"), (2026, "MMXXVI"), (3999, "MMMCMXCIX")],
)
def test_numerals(capsys, number, numeral):
    assert run(capsys, str(number)) == (0, numeral, "")


@pytest.mark.parametrize("argument", ["0", "4000", "-1", "ten", "1.5", ""])
def test_what_is_no_number_in_range(capsys, argument):
    assert run(capsys, argument) == (2, "", "invalid number")


def test_no_argument(capsys):
    assert run(capsys) == (2, "", "invalid number")

"""Outside oracle: leap years."""

import pytest
from main import main


def run(capsys, *argv):
    code = main(list(argv))
    out, err = capsys.readouterr()
    return code, out.strip(), err.strip()


@pytest.mark.parametrize("year", [4, 8, 400, 1600, 1996, 2000, 2004, 2024, 9996])
def test_leap(capsys, year):
    assert run(capsys, str(year)) == (0, "leap", "")


@pytest.mark.parametrize("year", [1, 2, 100, 200, 300, 1700, 1900, 2023, 2100, 9999])
def test_common(capsys, year):
    assert run(capsys, str(year)) == (0, "common", "")


@pytest.mark.parametrize("argument", ["0", "10000", "-4", "year", "20.24", ""])
def test_no_year(capsys, argument):
    assert run(capsys, argument) == (1, "", "not a year")


def test_no_argument(capsys):
    assert run(capsys) == (1, "", "not a year")

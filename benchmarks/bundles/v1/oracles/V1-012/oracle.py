"""Outside oracle: masking a column."""

import csv

import pytest
from main import main


@pytest.fixture
def run(tmp_path, capsys):
    def call(text):
        source, target = tmp_path / "in.csv", tmp_path / "out.csv"
        source.write_text(text, encoding="utf-8")
        code = main([str(source), str(target)])
        rows = list(csv.reader(target.open(encoding="utf-8", newline=""))) if target.exists() else None
        return code, rows, capsys.readouterr().err.strip()

    return call


def test_rows(run):
    code, rows, err = run("name,email,city\nbo,b@x,Oslo\nal,a@x,Rome\n")
    assert (code, rows, err) == (0, [["name", "city"], ["bo", "Oslo"], ["al", "Rome"]], "")


def test_header_only(run):
    assert run("name,email,city\n")[:2] == (0, [["name", "city"]])


def test_quoted_fields(run):
    assert run('name,email,city\n"Li, Ng",l@x,"St. ""A"""\n')[1] == [["name", "city"], ["Li, Ng", 'St. "A"']]


def test_duplicates_stay(run):
    assert run("name,email,city\na,b,c\na,b,c\n")[1] == [["name", "city"], ["a", "c"], ["a", "c"]]


@pytest.mark.parametrize("row", ["a,b", "a,b,c,d", "a"])
def test_bad_row(run, row):
    code, _, err = run(f"name,email,city\nx,y,z\n{row}\n")
    assert (code, err) == (1, "bad row")

"""Outside oracle: totals per customer."""

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


def test_totals(run):
    code, rows, err = run("customer,amount\nbo,3\nal,5\nbo,-1\n")
    assert (code, rows, err) == (0, [["customer", "total"], ["al", "5"], ["bo", "2"]], "")


def test_no_rows(run):
    assert run("customer,amount\n")[:2] == (0, [["customer", "total"]])


def test_quoted(run):
    assert run('customer,amount\n"Ng, Li",4\n"Ng, Li",4\n')[1] == [["customer", "total"], ["Ng, Li", "8"]]


def test_cancelling(run):
    assert run("customer,amount\na,7\na,-7\n")[1] == [["customer", "total"], ["a", "0"]]


@pytest.mark.parametrize("amount", ["x", "1.5", ""])
def test_bad_amount(run, amount):
    assert run(f"customer,amount\na,1\nb,{amount}\n") == (1, None, "bad amount")

"""Outside oracle: distinct lines."""

import io

import pytest
from main import main


@pytest.fixture
def run(monkeypatch, capsys):
    def call(text, *argv):
        monkeypatch.setattr("sys.stdin", io.TextIOWrapper(io.BytesIO(text.encode()), encoding="utf-8"))
        code = main(list(argv))
        out, err = capsys.readouterr()
        return code, out.splitlines(), err.strip()

    return call


def test_order_of_appearance(run):
    assert run("b\na\nb\nc\na\n") == (0, ["b", "a", "c"], "")


def test_exact_comparison(run):
    assert run("a\nA\na \n a\n") == (0, ["a", "A", "a ", " a"], "")


def test_empty_lines(run):
    assert run("\na\n\n\nb\n") == (0, ["a", "b"], "")


@pytest.mark.parametrize(("text", "count"), [("", 0), ("a\n", 1), ("a\nb\na\n\n", 2)])
def test_count(run, text, count):
    assert run(text, "--count") == (0, [str(count)], "")


@pytest.mark.parametrize("argv", [["x"], ["--counts"], ["--count", "x"]])
def test_other_arguments(run, argv):
    assert run("a\n", *argv) == (2, [], "usage: distinct [--count]")

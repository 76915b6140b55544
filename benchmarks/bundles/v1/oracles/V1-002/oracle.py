"""Outside oracle: frequent words."""

import io

import pytest
from main import main


@pytest.fixture
def run(monkeypatch, capsys):
    def call(text):
        monkeypatch.setattr("sys.stdin", io.TextIOWrapper(io.BytesIO(text.encode()), encoding="utf-8"))
        code = main([])
        return code, capsys.readouterr().out.split("\n")

    return call


def lines(found):
    return [line for line in found if line]


def test_one(run):
    code, out = run("Hello")
    assert (code, lines(out)) == (0, ["hello 1"])


def test_order(run):
    code, out = run("b a b c a b\nd")
    assert (code, lines(out)) == (0, ["b 3", "a 2", "c 1", "d 1"])


def test_case_and_punctuation(run):
    code, out = run("The cat, the dog; THE end. it's 3rd")
    assert (code, lines(out)) == (0, ["the 3", "cat 1", "dog 1", "end 1", "it 1", "rd 1", "s 1"])


@pytest.mark.parametrize("text", ["", "\n\n", "12 34 !?"])
def test_no_words(run, text):
    code, out = run(text)
    assert (code, lines(out)) == (1, ["no words"])


def test_many(run):
    code, out = run("x " * 1000 + "y " * 11)
    assert (code, lines(out)) == (0, ["x 1000", "y 11"])

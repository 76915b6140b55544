"""Outside oracle: balanced brackets."""

import io

import pytest
from main import main


@pytest.fixture
def run(monkeypatch, capsys):
    def call(text):
        monkeypatch.setattr("sys.stdin", io.TextIOWrapper(io.BytesIO(text.encode()), encoding="utf-8"))
        code = main([])
        return code, capsys.readouterr().out.strip()

    return call


@pytest.mark.parametrize("text", ["", "\n", "abc", "()", "[]{}()", "{[()()]}", "f(x[1], {2: (3)})", "((((()))))"])
def test_balanced(run, text):
    assert run(text) == (0, "balanced")


@pytest.mark.parametrize("text", ["(", ")", "(]", "([)]", "())", "(()", "}{", "{[(])}"])
def test_unbalanced(run, text):
    assert run(text) == (1, "unbalanced")


def test_with_a_final_newline(run):
    assert run("(a)\n") == (0, "balanced")

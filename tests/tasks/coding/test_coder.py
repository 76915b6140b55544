"""Coders: a supplied directory, or the answer that ships with a sample (DEC-16); nothing is made up."""

from __future__ import annotations

from pathlib import Path

import pytest

import tasks
from contracts.plan import FeasiblePlan
from contracts.requirement import BuildSpec, Requirement
from contracts.settings import BuildSettings
from tasks.coding.coder import code
from tasks.coding.samples import sample_of, scripted
from tasks.errors import NoCandidateError, UsageError
from tasks.requirement.compiler import compile_requirement

EXAMPLES = Path(tasks.__file__).parents[1] / "examples"
WORDS = Requirement(text=(EXAMPLES / "words" / "requirement.md").read_text())


def ask(requirement: Requirement, settings: BuildSettings, attempt: int = 0, **assumed: str):
    spec: BuildSpec = compile_requirement(
        requirement, {name.replace("_", "."): value for name, value in assumed.items()}
    )
    plan = FeasiblePlan(build_spec=spec.seal(), steps=(), hints=(), lenses=(), unlowered=())
    return code(spec, plan, requirement, settings, attempt, None)


@pytest.fixture
def settings(tmp_path) -> BuildSettings:
    return BuildSettings(store=str(tmp_path / "store"))


def test_scripted_answers_come_in_order_and_are_labelled(settings):
    first, second = (ask(WORDS, settings, attempt) for attempt in (0, 1))
    assert first.tree != second.tree
    assert (first.attempt, second.attempt) == (0, 1)
    assert {item.provenance.source for item in (first, second)} == {"scripted"}
    assert "written by hand" in first.provenance.label
    with pytest.raises(NoCandidateError, match="no further"):
        ask(WORDS, settings, 2)


@pytest.mark.parametrize("change", [str.strip, str.upper, lambda text: text + " "])
def test_another_text_has_no_scripted_answer(change, settings):
    text = change(WORDS.text)
    assert sample_of(text) is None
    assert scripted(text, "readings") == ()
    with pytest.raises(NoCandidateError, match="no coder is configured: --candidate DIR, or --provider"):
        ask(Requirement(text=text), settings)


def test_an_answer_by_hand_does_not_know_other_assumptions(settings):
    with pytest.raises(NoCandidateError, match="no coder is configured"):
        ask(WORDS, settings, print_newline="forbidden")


def test_a_supplied_directory_comes_before_any_scripted_answer(tmp_path, settings):
    folder = tmp_path / "mine"
    folder.mkdir()
    (folder / "main.py").write_text("print(1)\n")
    supplied = settings.model_copy(update={"candidate": str(folder)})
    candidate = ask(WORDS, supplied, print_newline="forbidden")
    assert [file.path for file in candidate.files] == ["main.py"]
    assert candidate.provenance.source == "directory"
    with pytest.raises(NoCandidateError):
        ask(WORDS, supplied, 1)


def test_a_directory_that_is_none_is_a_usage_error(tmp_path, settings):
    with pytest.raises(UsageError, match="cannot be read"):
        ask(WORDS, settings.model_copy(update={"candidate": str(tmp_path / "none")}))
